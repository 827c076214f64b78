import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, load, write } from '../../../test/support/data-folder.ts';
import { errorOf, rejectionOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { type BarSeries, barSeries, mapColumns, seriesFrom, sqlTime } from '../bars/bar-columns.ts';
import { readManifest, symbolFolder } from '../catalog/manifest.ts';
import { sourceOf } from './data-source.ts';
import { sqlName, sqlPath, sqlText } from './database.ts';
import { saveBars, toCsv } from './save.ts';
import { columnPositions, nearestColumn } from './sheet.ts';
import { checkSeries } from './valid-series.ts';

inOwnFolders();

const series = (symbol: string, days: readonly number[]): BarSeries =>
  barSeries(
    symbol,
    days.map((day) => ({ time: day * DAY, open: 2, high: 4.5, low: 1, close: 3, volume: day })),
  );
const FROM = {
  sources: [
    { file: 'in.csv', sha256: 'abc', symbols: ['A'], bars: 2, firstBar: 'first', lastBar: 'last' },
    { file: 'b.csv', sha256: 'def', symbols: ['B'], bars: 1, firstBar: 'f', lastBar: 'l' },
  ],
  query: { operation: 'convert' },
};

describe('bars as CSV', () => {
  it('have a symbol column only if there are several series, and are sorted by time', () => {
    expect(toCsv(series('A', [1]))).toBe('date,open,high,low,close,volume\n1970-01-02,2,4.5,1,3,1\n');
    expect(toCsv([series('B', [1, 2]), series('A,"1"', [2, 3])])).toBe(
      [
        'date,symbol,open,high,low,close,volume',
        '1970-01-02,B,2,4.5,1,3,1',
        '1970-01-03,"A,""1""",2,4.5,1,3,2',
        '1970-01-03,B,2,4.5,1,3,2',
        '1970-01-04,"A,""1""",2,4.5,1,3,3',
        '',
      ].join('\n'),
    );
    expect(toCsv([series('^X', [1])])).toContain('1970-01-02,^X,2');
  });
});

describe('saved bars', () => {
  it('are one CSV or Parquet file if the name has such an extension', async () => {
    expect(await saveBars([series('A', [1, 2])], 'a.csv', FROM)).toEqual([
      { place: 'a.csv', symbols: ['A'], bars: 2 },
    ]);
    expect(readFileSync('a.csv', 'utf8')).toBe(toCsv(series('A', [1, 2])));
    const both = [series('A', [1, 2]), series('B', [2])];
    expect(await saveBars(both, 'd/ab.CSV', FROM)).toEqual([
      { place: 'd/ab.CSV', symbols: ['A', 'B'], bars: 3 },
    ]);
    expect(readFileSync('d/ab.CSV', 'utf8')).toBe(toCsv(both));
    expect(await saveBars(both, 'ab.pq', FROM)).toEqual([{ place: 'ab.pq', symbols: ['A', 'B'], bars: 3 }]);
    expect((await load('ab.pq')).market.series).toEqual(both);
  });

  it('are a catalogue for any other name, with the origin of each symbol', async () => {
    expect(await saveBars([series('A', [1, 2, 3])], 'cat', FROM)).toEqual([
      { place: symbolFolder('cat', '1d', 'A'), symbols: ['A'], bars: 3 },
    ]);
    expect(readManifest(path.join('cat', 'interval=1d', 'symbol=A'))!.obtained).toEqual([
      {
        source: 'file',
        query: { operation: 'convert', file: 'in.csv' },
        time: expect.stringMatching(/^\d{4}-/) as unknown,
        from: 'first',
        to: 'last',
        bars: 2,
        sha256: 'abc',
      },
    ]);
    const error = await rejectionOf(
      saveBars([series('A', [1, 2]), series('B', [1]), series('C', [1])], 'cat', FROM),
    );
    expect([error.code, error.message]).toEqual([
      'bad_catalog',
      'One bar does not show how long it lasts: B, C.',
    ]);
  });

  it('have a source with all symbols and the first and last bar', () => {
    expect(sourceOf('x.csv', 'abc', [])).toBeUndefined();
    expect(sourceOf('x.csv', 'abc', [series('B', [2, 5]), series('A', [1, 3, 4])])).toEqual({
      file: 'x.csv',
      sha256: 'abc',
      symbols: ['A', 'B'],
      bars: 5,
      firstBar: '1970-01-02',
      lastBar: '1970-01-06',
    });
  });
});

describe('columns', () => {
  it('become a series in the order time, prices, volume and others', () => {
    const columns = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => Float64Array.of(value));
    const plain = seriesFrom('A', columns.slice(0, 6), []);
    expect(plain).toEqual(barSeries('A', [{ time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 }]));
    const more = seriesFrom('A', columns, ['x', 'y']);
    expect(more).toEqual({ ...plain, extra: { x: columns[6], y: columns[7] } });
    const given: BarSeries = { ...more, interval: '1h', ends: Float64Array.of(9) };
    expect(mapColumns(given, (column, take) => Float64Array.of(column[0]! + take(given)[0]!))).toEqual({
      ...barSeries('A', [{ time: 2, open: 4, high: 6, low: 8, close: 10, volume: 12 }]),
      interval: '1h',
      ends: Float64Array.of(18),
      extra: { x: Float64Array.of(14), y: Float64Array.of(16) },
    });
    expect(Object.keys(mapColumns(plain, (column) => column))).not.toContain('interval');
  });

  it('of a sheet are found by their name or an alternative name', () => {
    const columns = { symbol: ['ticker'], from_date: [], to: ['until'] } as const;
    expect(columnPositions(['Until', 'From-Date', 'x', 'TICKER', 'to'], columns)).toEqual({
      symbol: 3,
      from_date: 1,
      to: 0,
    });
    expect(columnPositions([], columns)).toEqual({ symbol: -1, from_date: -1, to: -1 });
    const names = ['symbol', 'date'] as const;
    expect(['symbols', 'ex date', 'price'].map((cell) => nearestColumn(cell, names))).toEqual([
      'symbol',
      'date',
      undefined,
    ]);
  });

  it('are quoted in SQL, and so are texts and paths', () => {
    expect([sqlText("a'b"), sqlName('a"b'), sqlTime(), sqlTime('x')]).toEqual([
      "'a''b'",
      '"a""b"',
      'make_timestamp((time * 1000)::BIGINT)',
      'make_timestamp((x * 1000)::BIGINT)',
    ]);
    expect(sqlPath('a*[1].csv')).toBe(`'${path.resolve('.')}/a[*][[]1].csv'`);
  });
});

describe('series from code', () => {
  const fault = (given: unknown): string => errorOf(() => checkSeries(given as BarSeries[])).message;

  it('must be an array of series', () => {
    expect([{}, undefined, null, 7, true, 'x', () => 1].map(fault)).toEqual(
      ['an object', 'undefined', 'null', '7', 'true', 'a string', 'a function'].map(
        (kind) => `The bars cannot be used: ${kind} was given where an array of series belongs.`,
      ),
    );
    expect(fault([7])).toContain('series 0: is 7, not a series of bars');
    expect(fault([series('A', [1]), 'x'])).toContain('series 1: is a string, not a series of bars');
    expect(fault([{ ...series('A', [1]), interval: {} }])).toContain('its interval is an object, not a text');
    expect(fault([{ ...series('A', [1]), symbol: 5 }])).toContain('series 0: its symbol is empty');
  });

  it('must have finite numbers of at least 0 in additional columns', () => {
    const extra = (...values: number[]) => ({
      ...series('A', [1, 2, 3]),
      extra: { x: Float64Array.from(values) },
    });
    expect(
      fault([extra(0, Number.NaN, -1)])
        .split('\n')
        .slice(1),
    ).toEqual(['  A bar 1 (1970-01-03): x is NaN, not a number of at least 0']);
    expect(fault([extra(Number.POSITIVE_INFINITY, 0, 0)])).toContain('A bar 0 (1970-01-02): x is Infinity');
    expect(() => checkSeries([extra(0, 0, 0)])).not.toThrow();
  });
});

describe('loaded data', () => {
  const HEADER = 'date,open,high,low,close,volume';
  const rows = (...dates: string[]): string[] => [HEADER, ...dates.map((date) => `${date},2,4,1,3,7`)];

  it('list excluded symbols, and note an interval that differs from the steps', async () => {
    write('d/a.csv', rows('2020-01-01', '2020-01-02'));
    write('d/b.csv', rows('2020-01-01', '2020-01-02'));
    write('d/c.csv', rows('2019-01-01', '2019-01-02'));
    const loaded = await load('d', { symbols: ['c', 'a'], from: '2020-01-01', interval: '12h' });
    expect([loaded.market.symbols, loaded.omitted]).toEqual([['A'], ['B', 'C']]);
    expect(loaded.adjustments).toEqual([
      'A: its bars are taken to last 12 hours, as given by --interval; the steps between them indicate 1 day',
      'C: its bars are taken to last 12 hours, as given by --interval; the steps between them indicate 1 day',
      'C has no bar from 2020-01-01 and was omitted',
    ]);
    expect((await load('d/a.csv', { interval: '1d' })).adjustments).toEqual([]);
  });

  it('need a path, a known time zone, and at least one header that --columns names', async () => {
    const message = async (...given: Parameters<typeof load>): Promise<string> => {
      const error = await rejectionOf(load(...given));
      return `${error.code}: ${error.message}`;
    };
    const file = write('a.csv', rows('2020-01-01'));
    expect(await message([])).toBe('data_not_found: No data was given.');
    expect(await message(file, { timezone: 'Mars' })).toBe('bad_date: Unknown time zone "Mars".');
    expect(await message(file, { columns: 'close=Last' })).toContain(
      '--columns: no file has a column that close=Last names',
    );
    expect((await load(file, { columns: 'close=Last', columnsOptional: true })).market.symbols).toEqual([
      'A',
    ]);
    write(
      'b.csv',
      rows('2020-01-01').map((line) => line.replace('close', 'Last')),
    );
    expect((await load(['a.csv', 'b.csv'], { columns: 'close=Last' })).market.symbols).toEqual(['A', 'B']);
    expect(await message('gone.csv')).toContain('data_not_found: The data cannot be found: 1 fault');
  });

  it('of a preset use its order of day and month, and its sorting', async () => {
    write('d.csv', ['Gmt time,Open,High,Low,Close,Volume', '01.02.2020 00:00,2,4,1,3,7']);
    expect([...(await load('d.csv', { columns: 'preset=dukascopy' })).market.clock]).toEqual([
      Date.parse('2020-02-01'),
    ]);
    write('s.csv', ['timestamp,open,high,low,close,volume', '2020-01-02,2,4,1,3,8', '2020-01-01,2,4,1,3,7']);
    expect([...(await load('s.csv', { columns: 'preset=alphavantage' })).market.series[0]!.volume]).toEqual([
      7, 8,
    ]);
    expect([
      ...(await load('d.csv', { columns: 'preset=dukascopy', dateOrder: 'mdy' })).market.clock,
    ]).toEqual([Date.parse('2020-01-02')]);
  });
});
