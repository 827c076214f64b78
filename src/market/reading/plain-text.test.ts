import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError, formatInstant } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { type LoadOptions, loadSeries } from './load.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Result of loading a text: the series and notes without the hash of the file, or the faults. */
async function loaded(text: string, options: Partial<LoadOptions> = {}): Promise<unknown> {
  const file = join(folder, 'AAA.csv');
  writeFileSync(file, text);
  try {
    const { sources, ...rest } = await loadSeries({ paths: [file], ...options });
    return { ...rest, sources: sources.map((source) => ({ ...source, sha256: '' })) };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
}

function rowsOf(bars: number, seed: number): string[][] {
  const [series] = simulateMarket({ bars, seed, interval: '1h' }).series;
  const { time, open, high, low, close, volume } = series!;
  return Array.from(time, (instant, bar) => [
    formatInstant(instant),
    ...[open, high, low, close, volume].map((column) => String(column[bar])),
  ]);
}

const HEADER = ['Date', 'open', 'high', 'low', 'close', 'volume'];

/** Contents of cells that are unusual or invalid. */
const ODD = fc.constantFrom(
  '',
  '0',
  '-1',
  '+5',
  '1e2',
  '.5',
  '5.',
  '1_0',
  '0x10',
  'nan',
  'inf',
  ' 7',
  '1,5',
  '"8"',
  '12345678.123456789',
  '0.1234567890123456',
  '00012',
  '2020-02-30',
  '2020-1-5',
  '1999-12-31T24:00:00',
  '2001-01-01 09:30',
  '2001-01-01T09:30:00Z',
  '2001-01-01T09:30:00.5',
  '20200115',
  '1579046400',
  'ä',
  'x\ty',
  '1;2',
  '1|2',
);

describe('a plain-text data file', () => {
  it('is read with the same result as by the database, or passed to the database if it is unusual', async () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 5 }), ODD), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.nat({ max: 99 }),
          changes,
          delimiter: fc.constantFrom(',', ';', '\t', '|'),
          end: fc.constantFrom('\n', '\r\n', '\r'),
          last: fc.constantFrom('', '\n', '\n\n', ' ', ',', '\r'),
          swap: fc.boolean(),
          utc: fc.boolean(),
          options: fc.constantFrom<Partial<LoadOptions>>(
            {},
            { keepColumns: true },
            { allowGaps: true },
            { symbols: ['AAA'] },
          ),
        }),
        async ({ seed, changes: changed, delimiter, end, last, swap, utc, options }) => {
          const rows = rowsOf(9, seed);
          if (utc) for (const row of rows) row[0] = `${row[0]}${row[0]!.includes('T') ? 'Z' : 'T00:00:00Z'}`;
          for (const [row, cell, text] of changed) rows[row]![cell] = text;
          if (swap) [rows[3], rows[4]] = [rows[4]!, rows[3]!];
          const body = rows.map((row) => row.join(delimiter)).join(end) + last;
          const long = HEADER.map((name) => `"${name}"`).join(delimiter);
          expect(await loaded(`${HEADER.join(delimiter)}${end}${body}`, options)).toEqual(
            await loaded(`${long}${end}${body}`, options),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  it.each([
    ['2020-01-06 09:30', '2020-01-06T15:30:00Z'],
    ['2020-01-06T09:30Z', '2020-01-06 15:30'],
  ])('is refused if %s and %s mix times with and without an offset', async (...times) => {
    const text = [HEADER.join(','), ...times.map((time) => `${time},2,4,1,3,7`)].join('\n');
    expect(await loaded(text)).toMatchObject({
      code: 'bad_data',
      message: expect.stringContaining('one has a UTC offset and the other does not'),
    });
  });

  it('is read without a database, in more than one piece', async () => {
    const opened = vi.spyOn(DuckDBInstance, 'create');
    const rows = rowsOf(9_000, 7);
    const text = `${HEADER.join(',')}\n${rows.map((row) => row.join(',')).join('\n')}`;
    const plain = await loaded(text);
    expect(await loaded(text.replaceAll('\n', '\r\n'))).toEqual(plain);
    expect(await loaded(text.replaceAll(/T\d\d:\d\d(:\d\d)?/g, '$&Z'))).toEqual(plain);
    const [{ time, open, high, low, close, volume }] = simulateMarket({
      bars: 9_000,
      seed: 7,
      interval: '1h',
    }).series as [BarSeries];
    expect(plain).toMatchObject({ series: [{ symbol: 'AAA', time, open, high, low, close, volume }] });
    expect(opened).not.toHaveBeenCalled();
    await loaded(`"${text.slice(0, 4)}"${text.slice(4)}`);
    expect(opened).toHaveBeenCalled();
  });
});
