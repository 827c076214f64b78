import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadMarket } from '../reading/load.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { type BarSeries, mapColumns, readBarColumns, writeBarColumns } from './bar-columns.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-series-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { series } = simulateMarket({ seed: 3, bars: 5_000, symbols: ['B', 'A,1', '^X'], interval: '15min' });

it('returns series to the last bit, in their order, with further columns', async () => {
  const file = join(folder, 'bars.parquet');
  const own = series.map((one, index): BarSeries => {
    const kept = one.time.length - 700 * index;
    const cut = (column: Float64Array): Float64Array => column.slice(0, kept);
    return {
      symbol: one.symbol,
      time: cut(one.time),
      open: cut(one.open),
      high: cut(one.high),
      low: cut(one.low),
      close: cut(one.close),
      volume: cut(one.volume).map((value) => value / 3),
      extra: { 'Bid-ask "spread"': cut(one.open).map((value) => value * 1e-5) },
    };
  });
  await writeBarColumns(own, file);
  expect(await readBarColumns(file)).toEqual(own);
});

it('is read by loadMarket as the same bars, and is written with the same bytes each time', async () => {
  const [first, second] = [join(folder, 'first.parquet'), join(folder, 'second.parquet')];
  await writeBarColumns(series, first);
  await writeBarColumns(series, second);
  expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  const { market } = await loadMarket({ paths: [first] });
  expect(market.series).toEqual([...series].sort((a, b) => (a.symbol < b.symbol ? -1 : 1)));
});

it('changes the ends of bars like every other column', () => {
  const ends = series[0]!.time.map((time) => time + 7);
  const cut = mapColumns({ ...series[0]!, ends }, (column) => column.subarray(2, 5));
  expect(cut.ends).toEqual(ends.subarray(2, 5));
  const joined = mapColumns(cut, (column, take) => Float64Array.from([...column, ...take(cut)]));
  expect(joined.ends).toEqual(Float64Array.from([...cut.ends!, ...cut.ends!]));
  expect(mapColumns(series[0]!, (column) => column)).not.toHaveProperty('ends');
});
