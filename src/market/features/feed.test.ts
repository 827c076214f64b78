import { describe, expect, it } from 'vitest';
import type { FeatureTable } from './bar-columns.ts';
import type { NumberFeature } from './feature.ts';
import { cutFeatures, FeatureFeed } from './feed.ts';
import { featureTable, lagOf } from './read.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const day = (number: number): number => Date.UTC(2024, 0, 1) + number * DAY;

const market = (length = 5, gap = DAY, symbols = ['A', 'B']) => ({
  ...{
    clock: Float64Array.from({ length }, (_, bar) => day(0) + bar * gap),
    interval: { milliseconds: gap },
    symbols,
  },
});

describe('rows of features', () => {
  const visible = (table: FeatureTable, on: ReturnType<typeof market>, times: 'start' | 'end' = 'start') => {
    const feed = new FeatureFeed([table], on, times);
    return Array.from(on.clock, (_, bar) =>
      feed.endOf(bar, () => true).map(({ rows, row }) => rows.valueOf(row, 0)),
    );
  };

  it('without a publication time are visible at the end of the bar of their date', () => {
    const rows = featureTable([
      { date: '2024-01-02', x: 1 },
      { date: '2024-01-02T10:00', x: 2 },
      { date: '2024-01-04', x: 3 },
      { date: '2023-12-01', x: 0 },
    ]);
    expect(visible(rows, market())).toEqual([[0], [1, 2], [], [3], []]);
    // If bars have their end times, a row of 2 January is visible at the bar with this date.
    expect(visible(rows, market(), 'end')).toEqual([[0], [1], [2], [3], []]);
    // With hourly bars, a row about a day is visible at the last bar of this day.
    const hourly = visible(rows, market(72, HOUR));
    expect(hourly.flatMap((found, bar) => found.map((value) => [bar, value]))).toEqual([
      [0, 0],
      [34, 2],
      [47, 1],
    ]);
  });

  it('with a delay are visible later', () => {
    expect(visible(featureTable([{ date: '2024-01-02', x: 1 }], '1d'), market())).toEqual([
      [],
      [],
      [1],
      [],
      [],
    ]);
    expect(visible(featureTable([{ date: '2024-01-02', x: 1 }], '25h'), market())).toEqual([
      [],
      [],
      [],
      [1],
      [],
    ]);
    expect(['0', '0d', ' 00min ', undefined].map(lagOf)).toEqual(Array(4).fill(undefined));
    expect(lagOf('1d')?.milliseconds).toBe(DAY);
  });

  it('with a publication time are visible at the end of the first bar that ends at or after it', () => {
    const at = (available_at: string, x: number) => ({ date: '2023-12-31', available_at, x });
    const table = featureTable([
      at('2024-01-02T00:00', 1),
      at('2024-01-02T00:01', 2),
      at('2024-01-04', 3),
      { date: '2023-12-30', available_at: '2024-01-02T01:00', x: 4 },
      { date: '2024-01-03', available_at: null, x: 5 },
    ]);
    expect(visible(table, market())).toEqual([[1], [2, 4].sort(), [5], [3], []]);
  });

  it('are returned once at the end of their bar, and features grow only with bars of their symbol', () => {
    const table = featureTable([
      { date: '2024-01-01', symbol: 'b', x: 1 },
      { date: '2024-01-01', symbol: 'A', x: 2 },
      { date: '2024-01-01', symbol: 'Z', x: 3 },
      { date: '2024-01-01', x: 4 },
    ]);
    const feed = new FeatureFeed([table], market(), 'start');
    const found = feed.endOf(0, (symbol) => symbol === 0);
    // Rows without a symbol are first. Z is not a symbol of the market.
    expect(found.map(({ rows, row }) => [rows.symbol, rows.valueOf(row, 0)])).toEqual([
      [undefined, 4],
      ['A', 2],
      ['B', 1],
    ]);
    expect([feed.of(0).get('x')!.length, feed.of(1).get('x')!.length]).toEqual([1, 0]);
    expect(feed.endOf(1, () => true)).toEqual([]);
    expect([feed.of(0).get('x')!.length, feed.of(1).get('x')!.length]).toEqual([2, 1]);
    const ofBars = new FeatureFeed([{ ...table, isOfBars: true }], market(), 'start');
    expect(ofBars.endOf(0, () => true)).toEqual([]);
    expect((ofBars.of(0).get('x') as unknown as NumberFeature).last).toBe(4);
  });

  it('can be cut to the rows that are visible at the end of a bar', () => {
    const table = featureTable([
      { date: '2024-01-02', symbol: 'A', available_at: '2024-01-03T12:00', x: 1 },
      { date: '2024-01-03', symbol: 'B', available_at: null, x: 2 },
      { date: '2024-01-01', symbol: 'A', available_at: null, x: 3 },
    ]);
    const cut = (bar: number) => cutFeatures(table, market(), 'start', bar);
    expect(cut(2)).toBe(table);
    expect(cut(0)).toEqual({
      ...table,
      ...{
        columns: [{ name: 'x', type: 'number', values: [3] }],
        dates: [table.dates[2]],
        known: [undefined],
      },
      symbols: ['A'],
    });
    expect(cut(1).columns[0]!.values).toEqual([3]);
    const { symbols: _, ...shared } = table;
    expect(cutFeatures({ ...shared, symbols: undefined }, market(), 'start', 0).symbols).toBeUndefined();
  });
});
