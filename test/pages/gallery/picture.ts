import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** Pixels in rows from the top, four bytes each: red, green, blue, 255. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Values that a channel of a kept picture has: enough to read it, few enough to keep it small. */
const LEVELS = 8;

export function readPicture(file: Buffer): Picture {
  return PNG.sync.read(file);
}

/** A picture of another size; each pixel is the mean of those that fall into it. */
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

/** The part from the top that is as high as said, filled up with white. */
export function withHeight({ width, height, data }: Picture, to: number): Picture {
  const made = new Uint8Array(width * to * 4).fill(255);
  made.set(data.subarray(0, width * Math.min(height, to) * 4));
  return { width, height: to, data: made };
}

/** With few values for each channel, so that a palette holds all colours. */
export function coarsened({ width, height, data }: Picture): Picture {
  const step = 255 / (LEVELS - 1);
  return { width, height, data: data.map((value) => Math.round(Math.round(value / step) * step)) };
}

/** A PNG file with all colours. */
export function pngOf({ width, height, data }: Picture): Buffer {
  const png = new PNG({ width, height });
  png.data.set(data);
  return PNG.sync.write(png);
}

/**
 * A PNG file with a palette, which is half as large; `pngjs` reads such files and does not write them.
 *
 * @throws Error for more than 256 colours: coarsen the picture first
 */
export function palettePng({ width, height, data }: Picture): Buffer {
  const places = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    const colour = (data[at * 4]! << 16) | (data[at * 4 + 1]! << 8) | data[at * 4 + 2]!;
    const place = places.get(colour) ?? places.size;
    places.set(colour, place);
    // Each row begins with the number of its filter, 0: none.
    rows[at + 1 + Math.floor(at / width)] = place;
  }
  if (places.size > 256) throw new Error(`The picture has ${places.size} colours.`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, by palette.
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
