import { expect, it } from 'vitest';
import { runRecord } from '../../test/support/records.ts';
import { runTables } from './run-columns.ts';

const record = runRecord({
  ...{ cash: '100', equity: ['100', '110', '90'], cashPath: ['100', '50', '40'] },
  exposure: [0, 0.5, null],
  dates: ['2024-01-01', '2024-01-02', '2024-01-03'],
  fills: [
    { bar: 1, quantity: '2', price: '10.5', commission: '0.1', reason: 'in' },
    { bar: 2, quantity: '1', price: '11', side: 'sell', symbol: 'BBB' },
  ],
  trades: [
    {
      bar: 2,
      netPnl: '4.5',
      grossPnl: '5',
      commission: '0.5',
      side: 'short',
      quantity: '3',
      exitTime: '2024-01-03',
    },
  ],
});

it('the tables of a run contain its trades, equity and fills in columns, each read once', () => {
  let reads = 0;
  const tables = runTables(() => {
    reads += 1;
    return record;
  });
  const day = (n: number) => Date.UTC(2024, 0, n);
  expect(tables.trades).toEqual({
    ...{ length: 1, symbol: ['AAA'], side: ['short'], exitReason: ['market'] },
    ...{ quantity: Float64Array.of(3), entryBar: Int32Array.of(0), exitBar: Int32Array.of(2) },
    ...{ entryTime: Float64Array.of(day(1)), exitTime: Float64Array.of(day(3)) },
    ...{ entryPrice: Float64Array.of(100), exitPrice: Float64Array.of(100) },
    ...{ grossPnl: Float64Array.of(5), commission: Float64Array.of(0.5), netPnl: Float64Array.of(4.5) },
  });
  expect(tables.equity).toEqual({
    ...{ length: 3, bar: Int32Array.of(0, 1, 2), time: Float64Array.of(day(1), day(2), day(3)) },
    ...{ equity: Float64Array.of(100, 110, 90), cash: Float64Array.of(100, 50, 40) },
    exposure: Float64Array.of(0, 0.5, Number.NaN),
  });
  expect(tables.fills).toEqual({
    ...{ length: 2, bar: Int32Array.of(1, 2), time: Float64Array.of(day(2), day(3)) },
    ...{ orderId: Int32Array.of(1, 2), symbol: ['AAA', 'BBB'], side: ['buy', 'sell'] },
    ...{
      quantity: Float64Array.of(2, 1),
      price: Float64Array.of(10.5, 11),
      commission: Float64Array.of(0.1, 0),
    },
    reason: ['in', ''],
  });
  const again = [tables.trades, tables.equity, tables.fills].map(({ length }) => length);
  expect([again, reads]).toEqual([[1, 3, 2], 3]);
});
