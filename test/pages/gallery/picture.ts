import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** Pixels in rows from the top, with four bytes each: red, green, blue, 255. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * Number of values per colour channel in a reference picture. Enough to read it, and small enough for small
 * files.
 */
const LEVELS = 8;

export function readPicture(file: Buffer): Picture {
  return PNG.sync.read(file);
}

/** Scales a picture. Each pixel is the mean of the source pixels it covers. */
export function scaled({ width, height, data }: Picture, toWidth: number, toHeight: number): Picture {
  const made = new Uint8Array(toWidth * toHeight * 4).fill(255);
  const edge = (at: number, from: number, to: number): number => Math.floor((at * from) / to);
  for (let y = 0; y < toHeight; y++)
    for (let x = 0; x < toWidth; x++) {
      const [left, top] = [edge(x, width, toWidth), edge(y, height, toHeight)];
      const right = Math.max(left + 1, edge(x + 1, width, toWidth));
      const bottom = Math.max(top + 1, edge(y + 1, height, toHeight));
      const sums = [0, 0, 0];
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++)
          for (let channel = 0; channel < 3; channel++)
            sums[channel]! += data[(row * width + column) * 4 + channel]!;
      const count = (right - left) * (bottom - top);
      for (let channel = 0; channel < 3; channel++)
        made[(y * toWidth + x) * 4 + channel] = sums[channel]! / count;
    }
  return { width: toWidth, height: toHeight, data: made };
}

/** Returns the top part of a picture with the given height. Missing rows are white. */
export function withHeight({ width, height, data }: Picture, to: number): Picture {
  const made = new Uint8Array(width * to * 4).fill(255);
  made.set(data.subarray(0, width * Math.min(height, to) * 4));
  return { width, height: to, data: made };
}

/** Reduces the number of values per channel, so that all colours fit into a palette. */
export function coarsened({ width, height, data }: Picture): Picture {
  const step = 255 / (LEVELS - 1);
  return { width, height, data: data.map((value) => Math.round(Math.round(value / step) * step)) };
}

/** Encodes a picture as a PNG file with all colours. */
export function pngOf({ width, height, data }: Picture): Buffer {
  const png = new PNG({ width, height });
  png.data.set(data);
  return PNG.sync.write(png);
}

/**
 * Encodes a picture as a PNG file with a palette, which is half as large. `pngjs` reads such files but does
 * not write them.
 *
 * @throws Error if the picture has more than 256 colours; use `coarsened` first
 */
export function palettePng({ width, height, data }: Picture): Buffer {
  const places = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    const colour = (data[at * 4]! << 16) | (data[at * 4 + 1]! << 8) | data[at * 4 + 2]!;
    const place = places.get(colour) ?? places.size;
    places.set(colour, place);
    // Each row begins with its filter type. 0 means no filter.
    rows[at + 1 + Math.floor(at / width)] = place;
  }
  if (places.size > 256) throw new Error(`The picture has ${places.size} colours.`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 8, colour type 3 (palette).
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from([...places.keys()].flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
