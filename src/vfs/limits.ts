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
