import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTrade, type RecordSketch, runRecord } from '../../../test/support/records.ts';
import type { RunEvent } from '../../engine/index.ts';
import { equityColumns } from '../../results/analysis/index.ts';
import { ascending, chartData, shortShare } from './chart-data.ts';

function dataOf(sketch: RecordSketch, benchmark?: readonly number[]) {
  const record = runRecord(sketch);
  return chartData(record, equityColumns(record), benchmark && Float64Array.from(benchmark));
}

describe('the points of a chart', () => {
  const data = dataOf(
    {
      ...{ equity: [100, 120, 90], exposure: [0, 0.123456, null], symbols: ['AAA', 'BBB'] },
      prices: [
        [[1, 3, 0.5, 2.25, 10], null],
        [
          [2, 4, 1, 3.5, 20],
          [1000.5, 2000, 900, 1500.125, 5],
        ],
        [[3, 5, 2, 4, 30], null],
      ],
    },
    [100, Number.NaN, 80],
  );

  it('contain the equity, drawdown, exposure and benchmark of each bar', () => {
    const { symbols, times, barsPerPoint, equity, drawdown, exposure, benchmark, benchmarkDrawdown } = data;
    expect({ symbols, times, barsPerPoint, equity, drawdown, exposure, benchmark }).toEqual({
      ...{
        symbols: ['AAA', 'BBB'],
        times: [1, 2, 3].map((day) => Date.UTC(2024, 0, day) / 1000),
        barsPerPoint: 1,
      },
      ...{ equity: { open: [], high: [], low: [], close: [100, 120, 90] }, drawdown: [0, 0, -0.25] },
      ...{ exposure: [0, 0.12346, null], benchmark: [100, null, 80] },
    });
    expect(benchmarkDrawdown!.slice(0, 2)).toEqual([0, null]);
    expect(dataOf({ equity: [100] })).toMatchObject({ benchmark: null, benchmarkDrawdown: null, prices: [] });
  });

  it('contain the prices of each symbol, with the number of decimal places that the prices need', () => {
    expect(data.prices).toEqual([
      { open: [1, 2, 3], high: [3, 4, 5], low: [0.5, 1, 2], close: [2.25, 3.5, 4], volume: [10, 20, 30] },
      {
        ...{ open: [null, 1000.5, null], high: [null, 2000, null], low: [null, 900, null] },
        ...{ close: [null, 1500.125, null], volume: [null, 5, null] },
      },
    ]);
    // Prices of 1,000 or more have two places at most.
    expect(data.places).toEqual([2, 2]);
    const placesOf = (...closes: number[]) =>
      dataOf({ cash: '1', equity: closes, prices: closes.map((close) => [[close, close, close, close, 1]]) })
        .places[0];
    expect(placesOf(1000.125)).toBe(2);
    expect(placesOf(999.12345)).toBe(4);
    expect(placesOf(999.125)).toBe(3);
    expect(placesOf(10.123456)).toBe(4);
    expect(placesOf(9.1234567)).toBe(6);
    expect(placesOf(0.1, 0.1234567)).toBe(6);
    expect(placesOf(0.0912345678, 0.01)).toBe(8);
    expect(placesOf(0.05)).toBe(2);
    expect(placesOf(0.5)).toBe(1);
    expect(placesOf(1)).toBe(2);
    expect(placesOf(-5)).toBe(2);
    expect(placesOf(5, 5.125)).toBe(3);
    expect(dataOf({ equity: [1], symbols: ['A', 'B'] }).places).toEqual([2, 2]);
  });

  it('are rounded: values of curves to seven digits, and prices to nine', () => {
    const closes = [123456.789012, 99999.1234, 12345678.9, 123456789, 1234567890.5];
    const { prices, equity } = dataOf({
      equity: [1234.56789, 9_999_999.4, 10_000_000.4, -10_000_000.6, 0],
      prices: closes.map((close) => [[close, close, close, close, 1]]),
    });
    expect(equity.close).toEqual([1234.568, 9_999_999, 10_000_000, -10_000_001, 0]);
    expect(prices[0]!.close).toEqual([123456.789, 99999.1234, 12345678.9, 123456789, 1234567890]);
    expect([0.123456, -0.000004, 1].map(shortShare)).toEqual([0.12346, 0, 1]);
  });

  it('have strictly ascending times', () => {
    expect(ascending([5, 5, 5, 7, 9])).toEqual([5, 6, 7, 8, 9]);
    fc.assert(
      fc.property(fc.array(fc.integer()), (given) => {
        const times = ascending(given.sort((a, b) => a - b));
        expect(new Set(times).size).toBe(times.length);
        expect(times.every((time, at) => time >= given[at]!)).toBe(true);
      }),
    );
  });
});

describe('the points of a long run', () => {
  const count = 12_001;
  const bars = Array.from({ length: count }, (_, bar) => bar);
  const dates = bars.map((bar) => new Date(Date.UTC(2024, 0, 1) + bar * 60_000).toISOString().slice(0, 19));
  const data = dataOf({
    equity: bars.map((bar) => 100 + (bar % 2 === 0 ? bar : -50)),
    dates,
    exposure: bars.map((bar) => bar / 1e4),
    prices: bars.map((bar) => [bar === 2 || bar === 3 ? null : [bar + 1, bar + 3, bar + 0.5, bar + 2, 10]]),
    fills: [{ bar: 5, quantity: '1', price: '10' }],
    trades: [{ netPnl: '1', entryBar: 4, bar: 9 }],
  });

  it('combine two bars: the first open, the extremes and the last close', () => {
    expect(data.barsPerPoint).toBe(2);
    expect(data.times).toHaveLength(6001);
    expect(data.times[1]! - data.times[0]!).toBe(120);
    expect(data.equity.open.slice(0, 2)).toEqual([100, 102]);
    expect(data.equity.high.slice(0, 2)).toEqual([100, 102]);
    expect(data.equity.low.slice(0, 2)).toEqual([50, 50]);
    expect(data.equity.close.slice(0, 2)).toEqual([50, 50]);
    expect(data.equity.close.at(-1)).toBe(12_100);
    expect(data.drawdown.slice(0, 2)).toEqual([-0.5, shortShare(50 / 102 - 1)]);
    expect(data.exposure.slice(0, 2)).toEqual([0.0001, 0.0003]);
    const points = data.prices[0]!;
    expect(
      [0, 1, 2].map((at) => [
        points.open[at],
        points.high[at],
        points.low[at],
        points.close[at],
        points.volume[at],
      ]),
    ).toEqual([
      [1, 4, 0.5, 3, 20],
      [null, null, null, null, null],
      [5, 8, 4.5, 7, 20],
    ]);
    expect(data.fills[0]).toMatchObject({ point: 2, bar: 5 });
    expect(data.trades[0]).toMatchObject({ from: 2, to: 4 });
  });

  it('combine bars only in runs of more than 12,000 bars', () => {
    const few = bars.slice(0, 12_000);
    expect(dataOf({ cash: '1', equity: few, dates: dates.slice(0, 12_000) }).barsPerPoint).toBe(1);
  });
});

describe('the marks of a chart', () => {
  const order = (orderId: number, own: object) =>
    ({
      type: 'order_accepted',
      bar: 0,
      orderId,
      symbol: 'BBB',
      action: 'buy',
      orderType: 'limit',
      ...own,
    }) as RunEvent;
  const data = dataOf({
    ...{ equity: [1, 2, 3, 4], symbols: ['AAA', 'BBB'] },
    fills: [
      { bar: 1, orderId: 1, symbol: 'BBB', quantity: '5', price: '10', reason: 'cheap', ambiguous: true },
      { bar: 2, orderId: 9, side: 'sell', quantity: '1', price: '20', rate: '1.5', multiplier: '4' },
    ],
    trades: [
      { netPnl: '0', symbol: 'BBB', entryBar: 0, bar: 2, entryPrice: '10', exitPrice: '11' },
      { netPnl: '0.1', entryBar: 1, bar: 3, entryPrice: '5', exitPrice: '6' },
    ],
    openTrades: [openTrade({ entryBar: 1, lastPrice: '12.5', entryPrice: '10', netPnl: '-1' })],
    events: [
      order(1, { limitPrice: '10' }),
      order(2, { limitPrice: '9', stopPrice: '8', role: 'stop-loss' }),
      order(3, { limitPrice: '20', role: 'take-profit' }),
      order(4, { orderType: 'stop', stopPrice: '30', bar: 1 }),
      order(5, { orderType: 'market' }),
      order(6, { limitPrice: undefined }),
      order(7, { limitPrice: '40' }),
      { type: 'order_adjusted', bar: 1, orderId: 7, symbol: 'BBB', limitPrice: '20' } as unknown as RunEvent,
      { type: 'order_cancelled', bar: 2, orderId: 3, symbol: 'BBB', code: 'c', message: '' } as RunEvent,
      {
        type: 'order_rejected',
        bar: 3,
        orderId: 4,
        symbol: 'BBB',
        code: 'c',
        message: '',
      } as unknown as RunEvent,
      {
        type: 'order_rejected',
        bar: 3,
        orderId: null,
        symbol: 'BBB',
        code: 'c',
        message: '',
      } as unknown as RunEvent,
      {
        type: 'split',
        bar: 2,
        symbol: 'BBB',
        ratio: '2',
        quantityBefore: '4',
        quantityAfter: '8',
      } as unknown as RunEvent,
    ],
  });

  it('include fills with the bar on which their order was placed', () => {
    expect(data.fills).toEqual([
      {
        ...{
          point: 1,
          symbol: 1,
          side: 'buy',
          price: 10,
          quantity: 5,
          reason: 'cheap',
          ambiguous: true,
          worth: 1,
        },
        ...{ bar: 1, orderId: 1, placed: 0 },
      },
      {
        ...{
          point: 2,
          symbol: 0,
          side: 'sell',
          price: 20,
          quantity: 1,
          reason: '',
          ambiguous: false,
          worth: 6,
        },
        ...{ bar: 2, orderId: 9, placed: null },
      },
    ]);
  });

  it('include the prices of resting orders until the orders end', () => {
    expect(data.levels).toEqual([
      { symbol: 1, from: 0, to: 1, price: 10, kind: 'limit' },
      { symbol: 1, from: 0, to: 3, price: 8, kind: 'stop' },
      { symbol: 1, from: 0, to: 2, price: 20, kind: 'target' },
      { symbol: 1, from: 1, to: 3, price: 30, kind: 'stop' },
      { symbol: 1, from: 0, to: 1, price: 40, kind: 'limit' },
      { symbol: 1, from: 1, to: 3, price: 20, kind: 'limit' },
    ]);
    expect(data.splits).toEqual([{ point: 2, symbol: 1, quantity: 8 }]);
  });

  it('include trades at their traded prices, not adjusted for later splits', () => {
    expect(data.trades.map(({ won, ...trade }) => ({ ...trade, won }))).toEqual([
      { id: 1, symbol: 1, from: 0, to: 2, entry: 20, exit: 11, won: false },
      { id: 2, symbol: 0, from: 1, to: 3, entry: 5, exit: 6, won: true },
      { id: 9, symbol: 0, from: 1, to: 3, entry: 10, exit: 12.5, won: false },
    ]);
  });
});
