import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitedLines } from './tools.ts';

async function read(chunks: readonly Buffer[], limit: number): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of limitedLines(Readable.from(chunks), limit)) lines.push(line);
  return lines;
}

test('lines do not depend on how the stream is split, and long lines are counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"'), maxLength: 12 }), { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      fc.nat({ max: 9 }),
      async (texts, end, size) => {
        const bytes = Buffer.from(texts.map((text) => text + end).join(''));
        const chunks: Buffer[] = [];
        for (let from = 0; from < bytes.length; from += size + 1)
          chunks.push(bytes.subarray(from, from + size + 1));
        const expected = texts.map((text) => {
          const length = Buffer.byteLength(text + end) - 1;
          return length > 8 ? { bytes: length } : text;
        });
        expect(await read(chunks, 8)).toEqual(expected);
      },
    ),
  );
});

test('a last line without a line feed counts, and a long line is not stored', async () => {
  expect(await read([Buffer.from('a\nb')], 8)).toEqual(['a', 'b']);
  expect(await read([], 8)).toEqual([]);
  const before = process.memoryUsage().rss;
  const piece = Buffer.alloc(1 << 20, 'x');
  const lines: unknown[] = [];
  const input = Readable.from(
    (function* () {
      for (let megabyte = 0; megabyte < 300; megabyte++) yield piece;
      yield Buffer.from('\nshort\n');
    })(),
  );
  for await (const line of limitedLines(input, 1 << 20)) lines.push(line);
  expect(lines).toEqual([{ bytes: 300 << 20 }, 'short']);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
});
