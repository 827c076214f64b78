import { formatInstant } from '../kernel/index.ts';
import type { NewlyKnown } from '../market/index.ts';
import type { FeaturesEvent } from './events.ts';

/** What has become known beside the bars, as the journal says it. */
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
