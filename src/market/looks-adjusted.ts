import { formatInstant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import type { CorporateAction } from './corporate-action.ts';

/** Returns the splits of a series without a price jump. Its prices were already adjusted for these splits. */
export function looksAdjusted(series: BarSeries, actions: readonly CorporateAction[]): string[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'split' || action.symbol !== series.symbol) return [];
    const after = series.time.findIndex((time) => time >= action.time);
    if (after < 1) return [];
    const jump = Math.log(series.open[after]! / series.close[after - 1]!);
    const expected = Math.log(Number(action.from) / Number(action.to));
    // The actual jump is closer to zero than to the expected one.
    if (Math.abs(jump) >= Math.abs(jump - expected)) return [];
    return [`the ${action.to}:${action.from} split of ${formatInstant(action.time)}`];
  });
}
