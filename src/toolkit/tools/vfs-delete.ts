import { z } from 'zod';
import { changeFiles, defineTool, FILES } from '../tool.ts';

/** Largest number of paths in the answer. */
const NAMED = 20;

export const vfsDelete = defineTool({
  name: 'vfs_delete',
  description: `Delete one of your files, or a folder with everything in it.

  path   the file or folder, such as notes/today.md or notes

The answer is {path, count, deleted: [paths]}, with at most ${NAMED} paths.

Examples: {"path": "notes/today.md"}   {"path": "notes"}`,
  parameters: z.strictObject({ path: z.string().describe('The file or folder') }),
  example: { path: 'notes/today.md' },
  writes: true,
  optIn: true,
  handle({ path }, { shared, turn }) {
    const files = shared(FILES);
    const deleted = files.list(path).map((file) => file.path);
    changeFiles(files, turn, [{ kind: 'delete', path }]);
    return { path, count: deleted.length, deleted: deleted.slice(0, NAMED) };
  },
});
