import { createHash } from 'node:crypto';
import { formatInstant } from '../kernel/index.ts';
import type { BarSeries, DataSource, FeatureSource, FeatureTable, Market } from '../market/index.ts';

/** Bars in memory as a source of data: their digest takes the place of a file's. */
export function sourceOfMarket({ series, symbols, clock }: Market): DataSource {
  const hash = createHash('sha256');
  for (const { symbol, time, open, high, low, close, volume } of series) {
    hash.update(`${symbol} ${time.length}\n`);
    for (const column of [time, open, high, low, close, volume]) hash.update(Float64Array.from(column));
  }
  return {
    file: '(bars in memory)',
    sha256: hash.digest('hex'),
    symbols,
    bars: series.reduce((sum, { time }) => sum + time.length, 0),
    firstBar: formatInstant(clock[0] ?? 0),
    lastBar: formatInstant(clock.at(-1) ?? 0),
  };
}

/** One series in memory as a source of data. */
export function sourceOfSeries(series: BarSeries): DataSource {
  const one = sourceOfMarket({ symbols: [series.symbol], series: [series], clock: series.time });
  return { ...one, file: `(context ${series.symbol} in memory)` };
}

/** Features in memory, as the source of a run. */
export function sourceOfFeatures(table: FeatureTable): FeatureSource {
  const { source, columns, dates, known, symbols, lag } = table;
  const text = JSON.stringify([
    columns,
    dates,
    known.map((stamp) => stamp ?? null),
    symbols ?? null,
    lag ?? null,
  ]);
  return {
    file: source,
    sha256: createHash('sha256').update(text).digest('hex'),
    features: columns.map(({ name }) => name),
    rows: dates.length,
  };
}
