import { expect, it } from 'vitest';
import { barSeries, createMarket } from '../../market/index.ts';
import { sharedFiles } from './pool.ts';

const bar = (time: number) => ({ time, open: 2, high: 3, low: 1, close: 2.5, volume: 4 });

it('bars for threads are in shared memory, with the same values', () => {
  const series = barSeries('A', [10, 20, 30].map(bar));
  const other = barSeries('B', [20, 30, 40].map(bar));
  const rate = barSeries('EURUSD', [10, 20].map(bar));
  const files = { market: createMarket([series, other]), rates: [rate], notes: ['n'] };
  const shared = sharedFiles(files as never);
  expect(shared).toEqual(files);
  const one = sharedFiles({ market: createMarket([series]), rates: [] } as never);
  for (const { market, rates } of [shared, one]) {
    const columns = [market.clock, ...[...market.series, ...rates].map(({ close }) => close)];
    for (const column of columns) expect(column.buffer).toBeInstanceOf(SharedArrayBuffer);
  }
  expect(one.market.clock).toBe(one.market.series[0]!.time);
});
