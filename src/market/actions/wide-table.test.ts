import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadMarket } from '../reading/load.ts';
import { loadActions } from './actions.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-wide-'));
afterAll(() => rmSync(folder, { recursive: true }));

function table(name: string, columns: number, separator = ','): string {
  const more = Array.from({ length: columns - 6 }, (_, index) => `c${index}`);
  const lines = [
    ['date', 'open', 'high', 'low', 'close', 'volume', ...more],
    ['2020-01-06', '100', '102', '99', '101', '1000', ...more.map(() => '1')],
  ];
  const file = join(folder, name);
  writeFileSync(file, `${lines.map((cells) => cells.join(separator)).join('\n')}\n`);
  return file;
}

describe('a table of many columns', () => {
  it('is read up to 4 columns for each MB of --max-unpacked', async () => {
    const { sources } = await loadMarket({ paths: [table('most.csv', 1_024)] });
    expect(sources[0]!.bars).toBe(1);
  });

  it.each([',', ';', '\t'])(
    'is refused beyond this limit, with the number and the flag (separator %j)',
    async (separator) => {
      const file = table(`wide-${separator.charCodeAt(0)}.csv`, 5_000, separator);
      await expect(loadMarket({ paths: [file] })).rejects.toMatchObject({
        code: 'bad_data',
        message: expect.stringMatching(
          /has 5000 columns; at most 1024 are read. Remove columns, or allow more with --max-unpacked 1250/,
        ) as unknown,
      });
      await expect(loadActions(file)).rejects.toThrow(/has 5000 columns; at most 1024 are read/);
    },
  );

  it('is read if --max-unpacked allows it', async () => {
    const file = table('allowed.csv', 1_200);
    const { sources } = await loadMarket({ paths: [file], unpackedLimit: 300 });
    expect(sources[0]!.bars).toBe(1);
  });

  it('is refused as JSON too', async () => {
    const file = join(folder, 'wide.json');
    const row = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`c${index}`, 1]));
    writeFileSync(file, JSON.stringify([row]));
    await expect(loadMarket({ paths: [file] })).rejects.toThrow(/has 1100 columns; at most 1024 are read/);
  });
});
