import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, load } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { loadActions } from '../actions/actions.ts';
import { JsonDepth } from './file-bytes.ts';

inOwnFolders();

const row = (more: string): string =>
  `{"date":"2020-01-06","open":1,"high":2,"low":1,"close":1,"volume":1${more}}`;
const nested = (levels: number): string => `,"x":${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a JSON data file', () => {
  it.each([
    ['bars.json', `[${row(nested(99))}]`],
    ['bars.ndjson', row(nested(100))],
    ['deep.json', `[${row(nested(100_000))}]`],
    ['open.json', '['.repeat(3_000_000)],
  ])('nested deeper than 100 levels is refused: %s', async (name, text) => {
    writeFileSync(name, text);
    writeFileSync(`${name}.gz`, gzipSync(text));
    for (const file of [name, `${name}.gz`]) {
      expect((await rejectionOf(load(file))).message).toContain(
        `${file}: is nested deeper than 100 levels, which is the limit`,
      );
      expect((await rejectionOf(loadActions(file))).message).toContain('nested deeper than 100 levels');
    }
  });

  it('nested to 100 levels is read, and brackets in texts do not count', async () => {
    writeFileSync('a.json', `[${row(nested(98))}]`);
    writeFileSync('b.ndjson', row(`,"x":"${'['.repeat(500)}\\"${'{'.repeat(500)}"`));
    for (const file of ['a.json', 'b.ndjson']) expect((await load(file)).market.clock).toHaveLength(1);
  });
});

it('the depth of JSON does not depend on how the text is split', () => {
  const text = Buffer.from(`{"a\\"[[":${'['.repeat(100)}`);
  for (let cut = 0; cut < text.length; cut++) {
    const depth = new JsonDepth();
    expect([depth.read(text.subarray(0, cut)), depth.read(text.subarray(cut))]).toEqual([false, true]);
  }
});
