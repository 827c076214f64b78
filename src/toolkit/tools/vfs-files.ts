import { z } from 'zod';
import { AppError } from '../../kernel/index.ts';
import { jsonBytes } from '../json-value.ts';
import { changeFiles, defineTool, FILES, failure } from '../tool.ts';
import { pathFault, sliceCharacters, VFS_LIMITS, WRITE_MODES } from '../vfs/index.ts';

/** Maximum number of characters of the content in one answer. Longer files are read in parts. */
const MOST_CHARACTERS = 16_000;

export const vfsRead = defineTool({
  name: 'vfs_read',
  description: `The text of one of your files, up to ${MOST_CHARACTERS.toLocaleString('en-US')} characters at a time.

  path     the file, such as notes/today.md
  offset   first character, from 0 (default 0)
  limit    maximum number of characters

The answer is {path, characters, offset, content}; next_offset is present if the file continues: call again with it as offset.

Examples: {"path": "notes/today.md"}   {"path": "data.csv", "offset": 16000}`,
  parameters: z.strictObject({
    path: z.string().describe('The file, such as notes/today.md'),
    offset: z.number().int().min(0).default(0).describe('First character, from 0'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MOST_CHARACTERS)
      .default(MOST_CHARACTERS)
      .describe('Maximum number of characters'),
  }),
  example: { path: 'notes/today.md' },
  writes: false,
  optIn: true,
  handle({ path, offset, limit }, { shared, resultBytes }) {
    const files = shared(FILES);
    const file = files.file(path);
    if (file === undefined) {
      return files.isFolder(path)
        ? failure(`${JSON.stringify(path)} is a folder.`, 'List it with vfs_list, and read one of its files.')
        : failure(`The file ${JSON.stringify(path)} does not exist.`, 'List the files with vfs_list.');
    }
    let length = Math.min(limit, Math.max(file.characters - offset, 0));
    let content = sliceCharacters(file.content, offset, offset + length);
    // A character can need up to six bytes of JSON, for example `\u0001`. The text is therefore shortened
    // until it fits the size limit.
    for (let bytes = jsonBytes(content); bytes > resultBytes && length > 1; bytes = jsonBytes(content)) {
      length = Math.max(Math.floor((length * resultBytes) / bytes) - 1, 1);
      content = sliceCharacters(file.content, offset, offset + length);
    }
    const next = offset + length;
    return {
      path,
      characters: file.characters,
      offset,
      content,
      ...(next < file.characters ? { next_offset: next } : {}),
    };
  },
});

export const vfsList = defineTool({
  name: 'vfs_list',
  description: `Your files in this run, ordered by path. The in-memory file system contains texts and lasts for the whole run.
It starts empty, or with files of the user. Paths are relative: notes/today.md.

  folder   only the files below this folder (default: all)

The answer is {count, characters, files: [{path, characters}]}; omitted is the number of files that are not shown.

Examples: {}   {"folder": "notes"}`,
  parameters: z.strictObject({
    folder: z.string().optional().describe('A folder such as notes (default: all files)'),
  }),
  example: { folder: 'notes' },
  writes: false,
  optIn: true,
  handle({ folder = '' }, { shared, resultBytes }) {
    const fault = folder === '' ? undefined : pathFault(folder);
    if (fault !== undefined)
      throw new AppError({ code: 'bad_path', message: fault, hint: 'Use a path such as notes.' });
    const found = shared(FILES).list(folder);
    const files: { path: string; characters: number }[] = [];
    let room = resultBytes;
    for (const { path, characters } of found) {
      const entry = { path, characters };
      room -= jsonBytes(entry) + 1;
      if (room < 0) break;
      files.push(entry);
    }
    const omitted = found.length - files.length;
    return {
      count: found.length,
      characters: found.reduce((sum, file) => sum + file.characters, 0),
      files,
      ...(omitted === 0 ? {} : { omitted }),
    };
  },
});

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

/** Maximum number of paths named in the answer. */
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
