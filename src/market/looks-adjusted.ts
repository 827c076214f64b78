import { formatInstant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import type { CorporateAction } from './corporate-action.ts';

/** The splits of a series at which its prices do not jump: they were adjusted by somebody who knew of them. */
export function looksAdjusted(series: BarSeries, actions: readonly CorporateAction[]): string[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'split' || action.symbol !== series.symbol) return [];
    const after = series.time.findIndex((time) => time >= action.time);
    if (after < 1) return [];
    const jump = Math.log(series.open[after]! / series.close[after - 1]!);
    const expected = Math.log(Number(action.from) / Number(action.to));
    // Nearer to no jump at all than to the split's own.
    if (Math.abs(jump) >= Math.abs(jump - expected)) return [];
    return [`the ${action.to}:${action.from} split of ${formatInstant(action.time)}`];
  });
}
