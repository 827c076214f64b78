import { z } from 'zod';
import { AppError } from '../../kernel/index.ts';
import { jsonBytes } from '../json-value.ts';
import { defineTool, FILES } from '../tool.ts';
import { pathFault } from '../vfs/index.ts';

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
