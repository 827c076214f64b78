import { VFS_LIMITS } from './limits.ts';

/**
 * Describes the fault of a path. `undefined` if the path is valid.
 *
 * A path is relative, ASCII and in POSIX form. Each file has exactly one path, because paths are not
 * normalised.
 */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.startsWith('/')) return 'absolute paths are not allowed: leave out the leading /';
  if (/[^\x20-\x7e]/.test(path)) return 'paths must be printable ASCII';
  if (path.includes('\\')) return 'parts of a path are separated by /, not \\';
  const segments = path.split('/');
  if (segments.length > VFS_LIMITS.depth)
    return `the path has ${segments.length} parts, over the limit of ${VFS_LIMITS.depth}`;
  for (const segment of segments) {
    if (segment === '') return 'the path has an empty part: write single slashes and none at the end';
    if (segment === '.' || segment === '..') return `paths may not contain "${segment}"`;
    if (segment.length > VFS_LIMITS.segmentCharacters) {
      return `a part of the path is ${segment.length} characters long, over the limit of ${VFS_LIMITS.segmentCharacters}`;
    }
  }
  return undefined;
}

/** Returns the folders that contain a file, outermost first. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash));
  }
  return folders;
}
