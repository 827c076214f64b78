/** Limits of the file system. The first three are part of the specification of `evaluate_python`. */
export const VFS_LIMITS = {
  /** Characters (code points) of one file. */
  fileCharacters: 48_000,
  /** Parts of a path. */
  depth: 16,
  /** Characters of one part. */
  segmentCharacters: 80,
  files: 1_000,
  /** Characters of all files together. */
  totalCharacters: 4_800_000,
} as const;

/** Returns the number of code points of a text, as Python counts characters. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Returns a part of a text. Positions are in code points. */
export function sliceCharacters(text: string, start: number, end = Number.POSITIVE_INFINITY): string {
  return text.slice(unitOffset(text, 0, start), unitOffset(text, 0, end));
}

function unitOffset(text: string, from: number, characters: number): number {
  let unit = from;
  for (let left = characters; left > 0 && unit < text.length; left--) {
    unit += isHigh(text.charCodeAt(unit)) && isLow(text.charCodeAt(unit + 1)) ? 2 : 1;
  }
  return unit;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Describes the fault of a path. `undefined` if the path is valid.
 *
 * A path is relative, ASCII and in POSIX form. Each file has exactly one path, because paths are not
 * normalised.
 */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.startsWith('/')) return 'absolute paths are not allowed: remove the leading /';
  if (/[^\x20-\x7e]/.test(path)) return 'paths must be printable ASCII';
  if (path.includes('\\')) return 'parts of a path must be separated by /, not \\';
  const segments = path.split('/');
  if (segments.length > VFS_LIMITS.depth)
    return `the path has ${segments.length} parts, over the limit of ${VFS_LIMITS.depth}`;
  for (const segment of segments) {
    if (segment === '') return 'the path has an empty part: use single slashes, and none at the end';
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
