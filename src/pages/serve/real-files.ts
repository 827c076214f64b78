import { lstatSync } from 'node:fs';

// Links are not followed: they lead anywhere.

/** Whether a path is a file itself, and no link to one. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a path is a folder itself, and no link to one. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
