import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { loadActions } from '../actions/actions.ts';
import { openDatabase } from './database.ts';
import { inspectFile } from './file-bytes.ts';
import { loadMarket } from './load.ts';

const MB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'sandtable-unpacked-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Creates a gzip file that consists of one compressed member per part. Unpacking returns all parts in
 * sequence.
 */
function archive(name: string, ...parts: readonly (string | Buffer)[]): string {
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat(parts.map((part) => gzipSync(part))));
  return file;
}

const HEADER = 'date,open,high,low,close,volume\n';
const ROW = '2020-01-06,100,102,99,101,1000\n';
const tenMegabytes = Buffer.alloc(10 * MB, ROW);
const bomb = archive('bomb.csv.gz', HEADER, ...Array.from({ length: 75 }, () => tenMegabytes));

describe('a gzip archive', () => {
  it('that is a bomb is refused with its name, the limit and the flag', async () => {
    expect(statSync(bomb).size).toBeLessThan(3 * MB);
    await expect(loadMarket({ paths: [bomb] })).rejects.toMatchObject({
      code: 'bad_data',
      kind: 'input',
      message: expect.stringMatching(
        /bomb\.csv\.gz.*unpacks to more than 256 MB or 4,194,304 rows; allow more with --max-unpacked MB/s,
      ) as unknown,
    });
  });

  it('is decompressed up to the limit only', async () => {
    const before = process.memoryUsage().rss;
    // The archive is damaged behind the first 8 MB. The fault of the limit shows that unpacking stopped
    // before the damage.
    const cut = join(folder, 'cut.csv.gz');
    const whole = gzipSync(Buffer.alloc(40 * MB, ROW));
    writeFileSync(cut, whole.subarray(0, whole.length - 100));
    expect((await inspectFile(cut, 8)).fault?.message).toContain('more than 8 MB');
    expect((await inspectFile(cut, 100)).fault?.message).toBe('the gzip archive is damaged or cut off');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB);
  });

  it('of many tiny rows is refused too, in text and in JSON', async () => {
    for (const [name, row] of [
      ['tiny.csv.gz', 'a\n'],
      ['tiny.json.gz', '{},'],
    ] as const)
      expect((await inspectFile(archive(name, Buffer.alloc(MB, row)), 16)).fault?.message).toContain(
        '262,144 rows',
      );
  });

  it('up to the limit is read, and a larger one if allowed', async () => {
    const bars = Array.from({ length: 28 }, (_, day) => ROW.replace('06', String(day + 1).padStart(2, '0')));
    const file = archive('good.csv.gz', HEADER + bars.join('') + `${' '.repeat(63)}\n`.repeat(2 ** 15));
    await expect(loadMarket({ paths: [file], unpackedLimit: 1 })).rejects.toThrow('more than 1 MB');
    const { market } = await loadMarket({ paths: [file], unpackedLimit: 3 });
    expect(market.clock).toHaveLength(28);
  });

  it('of Parquet has the same limit: many rows, many values in few rows, a long repeated text', async () => {
    const database = await openDatabase();
    const bombs = {
      rows: "SELECT DATE '2020-01-06' AS date, 100 AS open, 102 AS high, 99 AS low, 101 AS close FROM range(150_000)",
      values: "SELECT DATE '2020-01-06' AS date, range(20_000) AS close FROM range(100)",
      texts: "SELECT DATE '2020-01-06' AS date, repeat('x', 100_000) AS close FROM range(200)",
      columns: `SELECT DATE '2020-01-06' AS date, ${Array.from({ length: 30 }, (_, at) => `7 AS c${at}`).join()} FROM range(100_000)`,
      bytes: "SELECT DATE '2020-01-06' AS date, repeat('x', 100_000) || i AS close FROM range(200) AS r(i)",
    };
    try {
      for (const [name, select] of Object.entries(bombs)) {
        const file = join(folder, `${name}.parquet`);
        await database.run(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
        expect(statSync(file).size, name).toBeLessThan(MB);
        await expect(loadMarket({ paths: [file], unpackedLimit: 8 }), name).rejects.toMatchObject({
          code: 'bad_data',
          message: expect.stringMatching(
            /the Parquet file unpacks to more than 8 MB or 131,072 rows; allow more with --max-unpacked MB/,
          ) as unknown,
        });
      }
      const small = join(folder, 'small.parquet');
      await database.run(
        `COPY (SELECT DATE '2020-01-06' + i::INTEGER AS date, 'X' AS symbol, 100 AS open, 102 AS high, 99 AS low, 101 AS close, 5 AS volume FROM range(20_000) AS r(i)) TO '${small}' (FORMAT parquet)`,
      );
      await expect(loadMarket({ paths: [small], unpackedLimit: 1 })).rejects.toThrow('more than 1 MB');
      expect((await loadMarket({ paths: [small], unpackedLimit: 3 })).market.clock).toHaveLength(20_000);
    } finally {
      database.close();
    }
  });

  it('of corporate actions has the same limit', async () => {
    await expect(loadActions(archive('actions.csv.gz', Buffer.alloc(2 * MB, ROW)), 1)).rejects.toMatchObject({
      code: 'bad_actions',
      message: expect.stringContaining('more than 1 MB') as unknown,
    });
  });
});
