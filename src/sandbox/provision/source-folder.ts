import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../kernel/index.ts';
import type { WheelSource } from './wheel-store.ts';

/** Source of wheels in a folder filled by the user, for example on a machine without network. */
export function folderSource(folder: string): WheelSource {
  return {
    label: `folder ${folder}`,
    async deliver(missing, { accept }) {
      const found = await stat(folder).catch(() => undefined);
      if (!found?.isDirectory()) throw new Error('there is no such folder');
      const faults: string[] = [];
      for (const wheel of missing) {
        try {
          await accept(wheel, await readFile(path.join(folder, wheel.fileName)));
        } catch (error) {
          const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
          faults.push(absent ? `${wheel.fileName} is not there` : messageOf(error));
        }
      }
      if (faults.length > 0) throw new Error(faults.join('; '));
    },
  };
}
