import { z } from 'zod';
import { changeFiles, defineTool, FILES } from '../tool.ts';
import { VFS_LIMITS, WRITE_MODES } from '../vfs/index.ts';

export const vfsWrite = defineTool({
  name: 'vfs_write',
  description: `Write a text to one of your files. Files last for the whole run and are saved in its folder.

  path      relative, ASCII, such as notes/today.md; at most ${VFS_LIMITS.depth} parts of at most ${VFS_LIMITS.segmentCharacters} characters
  content   the text, at most ${VFS_LIMITS.fileCharacters.toLocaleString('en-US')} characters a file
  mode      create (default): a new file; an existing one is an error
            overwrite: replaces the file, or creates it
            append: adds at the end, or creates the file

Folders are created automatically. The answer is {path, mode, characters}, with the characters of the whole file.

Examples: {"path": "notes/plan.md", "content": "Buy pullbacks only.\\n"}
  {"path": "notes/log.md", "content": "2020-03-09 stopped out\\n", "mode": "append"}`,
  parameters: z.strictObject({
    path: z.string().describe('The file, such as notes/today.md'),
    content: z.string().describe('The text to write'),
    mode: z.enum(WRITE_MODES).default('create').describe('create, overwrite or append'),
  }),
  example: { path: 'notes/plan.md', content: 'Buy pullbacks only.\n' },
  writes: true,
  optIn: true,
  handle({ path, content, mode }, { shared, turn }) {
    const files = shared(FILES);
    changeFiles(files, turn, [{ kind: 'write', path, content, mode }]);
    return { path, mode, characters: files.file(path)?.characters ?? 0 };
  },
});
