import pixelmatch from 'pixelmatch';
import { type Picture, pngOf, scaled, withHeight } from './picture.ts';

/** Difference between two pictures. `said` is a sentence, empty if the pictures are equal. */
export interface Difference {
  readonly said: string;
  /** PNG file that marks the differences. */
  readonly picture?: Buffer;
}

/**
 * Side of a square that is compared separately, in pixels. On a long page, a moved element is a small share
 * of all pixels.
 */
const SQUARE = 32;
/** Largest share of a square's pixels that may differ. */
const SHARE = 0.06;
/** Tolerance for colours, from 0 to 1. Larger than the error of `coarsened`. */
const COLOUR = 0.2;

/**
 * Compares pictures of pages drawn with the same fonts. Only small differences, such as antialiasing, are
 * allowed in each square.
 */
export function differenceOf(kept: Picture, taken: Picture): Difference {
  if (kept.width !== taken.width) return { said: `${taken.width} wide, kept ${kept.width}` };
  const height = Math.max(kept.height, taken.height);
  const [one, other] = [withHeight(kept, height), withHeight(taken, height)];
  const shown = new Uint8Array(one.data.length);
  pixelmatch(one.data, other.data, shown, kept.width, height, { threshold: COLOUR, diffMask: false });
  const mask = new Uint8Array(one.data.length);
  pixelmatch(one.data, other.data, mask, kept.width, height, { threshold: COLOUR, diffMask: true });
  const { share, x, y } = worstSquare({ width: kept.width, height, data: mask });
  const lines = [
    ...(kept.height === taken.height ? [] : [`${taken.height} high, kept ${kept.height}`]),
    ...(share <= SHARE ? [] : [`${(share * 100).toFixed(0)} % of the pixels differ around ${x}, ${y}`]),
  ];
  if (lines.length === 0) return { said: '' };
  return { said: lines.join('; '), picture: pngOf({ width: kept.width, height, data: shown }) };
}

/** Returns the square with the largest share of marked pixels. */
function worstSquare({ width, height, data }: Picture): { share: number; x: number; y: number } {
  let worst = { share: 0, x: 0, y: 0 };
  for (let top = 0; top < height; top += SQUARE)
    for (let left = 0; left < width; left += SQUARE) {
      const [right, bottom] = [Math.min(left + SQUARE, width), Math.min(top + SQUARE, height)];
      let marked = 0;
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) if (data[(y * width + x) * 4 + 3]! > 0) marked++;
      const share = marked / (SQUARE * SQUARE);
      if (share > worst.share) worst = { share, x: left, y: top };
    }
  return worst;
}

/**
 * Width of the reduced pictures for pages drawn with other fonts. Letters and lines are not visible at this
 * size.
 */
const COLUMNS = 8;
/**
 * Largest relative difference of height, and largest difference of brightness (0 to 1), allowed with other
 * fonts.
 */
const OTHER_HEIGHT = 0.15;
const OTHER_BRIGHTNESS = 0.06;

/** Compares pictures of pages drawn with other fonts, by the distribution of brightness. */
export function broadDifferenceOf(kept: Picture, taken: Picture): Difference {
  const change = Math.abs(taken.height / kept.height - 1);
  const rows = Math.max(1, Math.round((COLUMNS * kept.height) / kept.width));
  const [one, other] = [scaled(kept, COLUMNS, rows), scaled(taken, COLUMNS, rows)];
  const differences = Array.from({ length: COLUMNS * rows }, (_, at) =>
    Math.abs(brightness(one, at) - brightness(other, at)),
  );
  const worst = Math.max(...differences);
  const lines = [
    ...(change <= OTHER_HEIGHT ? [] : [`${(change * 100).toFixed(0)} % higher or lower`]),
    ...(worst <= OTHER_BRIGHTNESS ? [] : [`brightness differs by ${(worst * 100).toFixed(0)} %`]),
  ];
  return { said: lines.join('; ') };
}

function brightness({ data }: Picture, at: number): number {
  return (0.299 * data[at * 4]! + 0.587 * data[at * 4 + 1]! + 0.114 * data[at * 4 + 2]!) / 255;
}
