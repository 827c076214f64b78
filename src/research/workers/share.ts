import { type BarSeries, type Market, mapColumns } from '../../market/index.ts';
import type { WorldFiles } from '../../runner/index.ts';

/** Returns files whose columns of bars are in shared memory. Threads receive them without a copy. */
export function sharedFiles(files: WorldFiles): WorldFiles {
  const series = files.market.series.map(sharedSeries);
  const clock = series.length === 1 ? series[0]!.time : shared(files.market.clock);
  const market: Market = { ...files.market, series, clock };
  return { ...files, market, rates: files.rates.map(sharedSeries) };
}

function sharedSeries(series: BarSeries): BarSeries {
  return mapColumns(series, shared);
}

function shared(column: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}
