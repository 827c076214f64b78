import { formatInstant } from '../kernel/index.ts';
import type { NewlyEnded, NewlyKnown } from '../market/index.ts';
import type { ContextEvent, FeaturesEvent } from './events.ts';

/** Returns the journal event of features that became visible. */
export function featuresKnown(found: readonly NewlyKnown[], bar: number): FeaturesEvent {
  return {
    type: 'features_known',
    bar,
    rows: found.map(({ rows, row }) => ({
      ...(rows.symbol === undefined ? {} : { symbol: rows.symbol }),
      date: formatInstant(rows.dateOf(row)),
      availableAt: formatInstant(rows.availableAt(row)),
      values: Object.fromEntries(rows.names.map((name, column) => [name, rows.valueOf(row, column)])),
    })),
  };
}

/** Returns the journal event of context bars that have ended. */
export function contextKnown(found: readonly NewlyEnded[], bar: number): ContextEvent {
  return {
    type: 'context_known',
    bar,
    series: found.map(({ symbol, count, availableAt, bar: { time, open, high, low, close, volume } }) => ({
      symbol,
      bars: count,
      date: formatInstant(time),
      availableAt: formatInstant(availableAt),
      prices: [open, high, low, close, volume],
    })),
  };
}
