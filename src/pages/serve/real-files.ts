import { lstatSync, type Stats } from 'node:fs';

// These functions do not follow links, because a link can lead outside the results folder.

/** Returns true if the path is a regular file, not a link. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

/** Returns true if the path is a folder, not a link. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** Returns undefined if the path does not exist or is not accessible. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
