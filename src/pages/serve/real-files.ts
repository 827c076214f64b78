import { lstatSync, type Stats } from 'node:fs';

// Links are not followed: they lead anywhere.

/** Whether a path is a file itself, and no link to one. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

/** Whether a path is a folder itself, and no link to one. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** Undefined where there is nothing, or nothing that may be looked at. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
