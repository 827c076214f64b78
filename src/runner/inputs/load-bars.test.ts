import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { barSeries, createMarket, type FeatureTable } from '../../market/index.ts';
import { loadBars, loadOptions, sourceOfFeatures, sourceOfMarket, sourceOfSeries } from './load-bars.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-load-bars-'));
afterAll(() => rmSync(root, { recursive: true }));

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const bar = (day: number, price = 10) => ({
  ...{ time: START + day * DAY, open: price, high: price + 1, low: price - 1, close: price, volume: 5 },
});
const market = createMarket([barSeries('A', [bar(0), bar(1)]), barSeries('B', [bar(0), bar(1), bar(3)])]);

describe('bars in memory', () => {
  it('are a source with a hash of all values', () => {
    const hash = createHash('sha256');
    for (const { symbol, time, open, high, low, close, volume } of market.series) {
      hash.update(`${symbol} ${time.length}\n`);
      for (const column of [time, open, high, low, close, volume]) hash.update(column);
    }
    expect(sourceOfMarket(market)).toEqual({
      ...{ file: '(bars in memory)', sha256: hash.digest('hex'), symbols: ['A', 'B'], bars: 5 },
      ...{ firstBar: '2024-01-01', lastBar: '2024-01-04' },
    });
    const { series } = market;
    expect(sourceOfSeries(series[0]!)).toEqual({
      ...sourceOfMarket(createMarket([series[0]!])),
      file: '(context A in memory)',
    });
  });

  it('are used without reading a file', async () => {
    const failing = Promise.reject(new Error('of the strategy'));
    expect(await loadBars({ data: ['missing.csv'] }, failing, {}, { given: market })).toEqual({
      ...{ market, sources: [sourceOfMarket(market)], adjustments: [], omitted: [] },
    });
  });
});

describe('bars in a file', () => {
  const data = join(root, 'a.csv');
  writeFileSync(
    data,
    'date,open,high,low,close,volume,spread\n2024-01-01,1,2,1,2,5,0.1\n2024-01-02,2,3,2,3,5,0.2\n',
  );

  it('are read with the columns that the settings of the strategy need', async () => {
    const read: number[] = [];
    const how = { given: undefined, onRead: (done: number) => read.push(done) };
    const spread = { slippage: { model: 'spread', column: 'spread' } };
    const settings = { slippage: spread.slippage } as never;
    const plain = await loadBars({ data: [data] }, Promise.resolve({}), {}, how);
    expect([...plain.market.series[0]!.close]).toEqual([2, 3]);
    expect(read.length).toBeGreaterThan(0);
    const needed = loadOptions({ data: [data] }, settings);
    expect(loadOptions({ data: [data] })).toEqual({ paths: [data] });
    const { market: wide } = await loadBars({ data: [data] }, Promise.resolve(settings), {}, how);
    expect(needed).toEqual({ paths: [data], extraColumns: ['spread'] });
    expect(Object.keys(wide.series[0]!.extra ?? {})).toEqual(['spread']);
    const failed = await loadBars({ data: [data] }, Promise.reject(new Error('x')), {}, how);
    expect(failed.market.symbols).toEqual(plain.market.symbols);
  });
});

it('options of a run become options for reading bars', () => {
  expect(loadOptions({})).toEqual({ paths: [] });
  expect(
    loadOptions({
      ...{ data: ['a'], symbol: ['A'], from: '2020-01-01', to: '2021-01-01', allowGaps: true, sort: true },
      ...{ volume: false, interval: '1h', dateOrder: 'dmy', timezone: 'UTC', columns: 'x', maxUnpacked: 9 },
    }),
  ).toEqual({
    ...{
      paths: ['a'],
      symbols: ['A'],
      from: '2020-01-01',
      to: '2021-01-01',
      allowGaps: true,
      sortRows: true,
    },
    ...{ noVolume: true, interval: '1h', dateOrder: 'dmy', timezone: 'UTC', columns: 'x', unpackedLimit: 9 },
  });
  expect(loadOptions({ volume: true })).toEqual({ paths: [] });
});

it('features in memory are a source with a hash of their rows', () => {
  const table = (own: object = {}): FeatureTable =>
    ({
      ...{
        source: '(features in memory)',
        columns: [{ name: 'mood' }],
        dates: ['2024-01-01'],
        known: [undefined],
      },
      ...own,
    }) as never;
  const text = '[[{"name":"mood"}],["2024-01-01"],[null],null,null]';
  expect(sourceOfFeatures(table())).toEqual({
    ...{ file: '(features in memory)', features: ['mood'], rows: 1 },
    sha256: createHash('sha256').update(text).digest('hex'),
  });
  const hashes = [{}, { known: [5] }, { symbols: ['A'] }, { lag: { days: 1 } }].map(
    (own) => sourceOfFeatures(table(own)).sha256,
  );
  expect(new Set(hashes).size).toBe(4);
});
