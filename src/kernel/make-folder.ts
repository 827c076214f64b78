import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own recursive way never ends where a folder is there in
 * which nothing can be made and which says so with ENOENT, as /proc does.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !isThere(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!isThere(path)) throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file, not a folder`);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
