import { formatInstant, type Instant } from '../kernel/index.ts';
import type { Period } from './trial.ts';

/** Part of the bars that a strategy is judged on. All earlier bars are its history. */
export interface JudgedWindow {
  readonly period: Period;
  /** First and last judged bar, and the number of earlier bars that the strategy sees. */
  readonly shown: { readonly from: string; readonly to: string; readonly historyBars: number };
}

/**
 * Returns the window between two instants.
 *
 * @param clock times of all bars
 * @param from first instant
 * @param to instant after the last bar
 */
export function judgedWindow(clock: Float64Array, from: Instant, to: Instant): JudgedWindow {
  const begins = clock.findIndex((time) => time >= from);
  const ends = clock.findLastIndex((time) => time < to);
  const [first, last] = [formatInstant(clock[begins]!), formatInstant(clock[ends]!)];
  return {
    period: {
      from: formatInstant(clock[0]!),
      to: last,
      // The first decision is made on the bar before the first judged bar. The first bar of the data has no
      // previous bar.
      ...(begins > 0 ? { evaluateFrom: first } : {}),
    },
    shown: { from: first, to: last, historyBars: begins },
  };
}
