import { AppError, formatInstant, type Instant, parseInstant } from '../kernel/index.ts';
import type { BarTimes, Market } from '../market/index.ts';

/** In place of a date: figures begin with the bar after the run's first decision. */
export const FIRST_DECISION = 'first-decision';

/**
 * The first bar at or after a date: one that ends at the very date is before it.
 *
 * @returns the number of bars where all are before
 */
export function firstBarFrom(times: ArrayLike<Instant>, from: Instant, barTimes: BarTimes = 'start'): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = barTimes === 'end' ? times[middle]! <= from : times[middle]! < from;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Settings with the date that figures begin at, where nothing says it but how a strategy begins.
 *
 * @param warmUp bars that must have closed before it is first asked, or `first-decision`
 */
export function withWarmUp<
  Settings extends { readonly evaluateFrom?: string | undefined; readonly barTimes: BarTimes },
>(settings: Settings, warmUp: number | typeof FIRST_DECISION | undefined, { clock }: Market): Settings {
  if (warmUp === undefined || settings.evaluateFrom !== undefined) return settings;
  if (warmUp === FIRST_DECISION) return { ...settings, evaluateFrom: FIRST_DECISION };
  const bars = Math.ceil(warmUp);
  // After a single bar its open has nothing before it but that bar: no warm-up.
  if (!(bars > 1 && bars < clock.length)) return settings;
  const from = clock[settings.barTimes === 'end' ? bars - 1 : bars]!;
  return { ...settings, evaluateFrom: formatInstant(from) };
}

/**
 * The bar at whose close the first decision is asked: the last one before the date; 0 without a date.
 *
 * @throws AppError `bad_settings` for a date with no bar before it, or none from it on
 */
export function firstAskedBar(
  { clock }: Market,
  { evaluateFrom, barTimes }: { readonly evaluateFrom?: string | undefined; readonly barTimes: BarTimes },
): number {
  if (evaluateFrom === undefined || evaluateFrom === FIRST_DECISION) return 0;
  const from = parseInstant(evaluateFrom) ?? Number.NaN;
  const bar = firstBarFrom(clock, from, barTimes);
  if (bar > 0 && bar < clock.length) return bar - 1;
  const [first, last] = [formatInstant(clock[0]!), formatInstant(clock.at(-1)!)];
  throw new AppError({
    code: 'bad_settings',
    message:
      bar === 0
        ? `evaluateFrom is ${evaluateFrom}, and the data begin at ${first}: there is no bar before it at whose close anybody could decide.`
        : `evaluateFrom is ${evaluateFrom}, and the data end at ${last}: no bar is left to evaluate.`,
    hint: 'Give data from before that date, or name a later date with --evaluate-from; it lies between the first bar and the last.',
  });
}
