import { z } from 'zod';
import { jsonBytes } from '../json-value.ts';
import { defineTool, FILES, failure } from '../tool.ts';
import { sliceCharacters } from '../vfs/index.ts';

/** Characters per answer. Longer files are read in parts. */
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
    // A character may need up to twelve bytes of JSON.
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
