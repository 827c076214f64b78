import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../test/support/records.ts';
import type { RunEvent } from '../../engine/index.ts';
import { equityColumns, sessionsOf } from '../../results/analysis/index.ts';
import { sessionColumns } from './session-columns.ts';

function columnsOf(sketch: RecordSketch, benchmark?: readonly number[]) {
  const record = runRecord(sketch);
  const columns = equityColumns(record);
  return sessionColumns(record, columns, sessionsOf(columns), benchmark && Float64Array.from(benchmark));
}
const seconds = (date: string): number => Date.parse(`${date}Z`) / 1000;
const cash = (bar: number, kind: string, amount: string): RunEvent =>
  ({ type: 'cash_entry', bar, kind, amount, symbol: 'AAA', cash: '0' }) as unknown as RunEvent;

describe('the sessions of a run with several bars a day', () => {
  const dates = ['02T10:00:00', '02T11:00:00', '02T12:00:00', '03T10:00:00', '03T11:00:00'].map(
    (day) => `2024-01-${day}`,
  );
  const bar = (volume: number) => [[10, 10, 10, 10, volume]] as [[number, number, number, number, number]];
  const columns = columnsOf(
    {
      ...{ cash: '100', equity: [100, 80, 90, 120, 60], dates, exposure: [0.5, 0.25, 0, 1, null] },
      prices: [100, 0, 50, 10, 10].map(bar),
      fills: [
        { bar: 0, quantity: '5', price: '10', priceBeforeSlippage: '9.5', commission: '1' },
        { bar: 2, side: 'sell', quantity: '5', price: '9', priceBeforeSlippage: '9.25', commission: '2' },
        { bar: 3, quantity: '1', price: '10' },
        { bar: 1, quantity: '1', price: '10' },
      ],
      events: [cash(0, 'dividend', '1.5'), cash(2, 'dividend', '2'), cash(4, 'interest', '-0.25')],
    },
    [100, 101, Number.NaN, 103, 104],
  );

  it('have the last equity of the session, and statistics of the bars within it', () => {
    expect(columns).toEqual({
      time: [seconds(dates[2]!), seconds(dates[4]!)],
      first: [seconds(dates[0]!), seconds(dates[3]!)],
      equity: [90, 60],
      inside: { high: [100, 120], low: [80, 60], fall: [-0.2, -0.5], sum: [270, 180], bars: [3, 2] },
      benchmark: [null, 104],
      exposure: [0.75, null],
      notional: [50 + 45 + 10, 10],
      commission: [3, 0],
      slippage: [0.5 * 5 + 0.25 * 5, 0],
      // Bar 1 has no volume, so its fill has no share of the volume.
      volume: {
        session: [0, 0, 1],
        share: [0.05, 0.1, 0.1].map((share) => Number(Math.log(share).toFixed(5))),
      },
      cash: [
        { kind: 'dividend', amounts: [3.5, 0] },
        { kind: 'interest', amounts: [0, -0.25] },
      ],
    });
  });

  it('have no drawdown while the equity is not positive', () => {
    const falls = columnsOf({ cash: '1', equity: [-5, -9, 4, 3, 6], dates }).inside!.fall;
    expect(falls).toEqual([0, 0]);
    expect(columnsOf({ cash: '1', equity: [4, -2, 4, 3, 6], dates }).inside!.fall).toEqual([-1.5, 0]);
  });
});

describe('the sessions of a run with one bar a day', () => {
  it('have no statistics of bars within a session, and round their values', () => {
    const equity = [1234.567890123, 12_345_678.12345, 9_999_999.99999, 0.1 + 0.2];
    const columns = columnsOf({ cash: '1', equity, exposure: [1 / 3, 0, 0, -1e-9] });
    expect(columns).toMatchObject({ first: null, inside: null, benchmark: null, cash: [] });
    expect(columns.equity).toEqual([1234.56789, 12_345_678.123, 10_000_000, 0.3]);
    expect(columns.exposure).toEqual([0.333333, 0, 0, 0]);
    expect(columnsOf({ cash: '1', equity: [10_000_000.12345] }).equity).toEqual([10_000_000.12345]);
    expect(columnsOf({ cash: '1', equity: [10_000_000.12345, 1] }).equity).toEqual([10_000_000.123, 1]);
    expect(columnsOf({ cash: '1', equity: [1, 123_456_789.12345679] }).equity[1]).toBe(123_456_789.123457);
  });

  it('ignore a fill after the last bar', () => {
    const columns = columnsOf({
      ...{
        equity: [1, 2],
        fills: [{ bar: 5, quantity: '1', price: '10' }],
        events: [cash(5, 'interest', '1')],
      },
    });
    expect([columns.notional, columns.commission, columns.cash]).toEqual([
      ...[[0, 0], [0, 0], [{ kind: 'interest', amounts: [0, 0] }]],
    ]);
  });
});
