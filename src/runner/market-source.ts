import { createHash } from 'node:crypto';
import { formatInstant } from '../kernel/index.ts';
import type { BarSeries, DataSource, FeatureSource, FeatureTable, Market } from '../market/index.ts';

/** Describes bars in memory as a data source. Their digest replaces the hash of a file. */
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

/** Describes one series in memory as a data source. */
export function sourceOfSeries(series: BarSeries): DataSource {
  const one = sourceOfMarket({ symbols: [series.symbol], series: [series], clock: series.time });
  return { ...one, file: `(context ${series.symbol} in memory)` };
}

/** Describes features in memory as a data source. */
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
