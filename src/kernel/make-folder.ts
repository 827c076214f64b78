import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. The recursive option of Node is not used: it never returns if a
 * parent such as /proc reports ENOENT for every folder created in it.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !isThere(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have created the folder in the meantime.
      if (!isThere(path)) throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file, not a folder`);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
