import { AppError, formatInstant, type Instant, parseInstant } from '../kernel/index.ts';
import type { BarTimes, Market } from '../market/index.ts';

/** In place of a date: figures begin with the first bar that the run's first decision can fill on. */
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

interface EvaluationSettings {
  readonly evaluateFrom?: string | undefined;
  readonly barTimes: BarTimes;
  readonly fillOn: 'open' | 'close';
}

/**
 * Settings with the date that figures begin at, where nothing says it but how a strategy begins.
 *
 * @param warmUp bars that must have closed before it is first asked, or `first-decision`
 */
export function withWarmUp<Settings extends EvaluationSettings>(
  settings: Settings,
  warmUp: number | typeof FIRST_DECISION | undefined,
  { clock }: Market,
): Settings {
  if (warmUp === undefined || settings.evaluateFrom !== undefined) return settings;
  if (warmUp === FIRST_DECISION) return { ...settings, evaluateFrom: FIRST_DECISION };
  const bars = Math.ceil(warmUp);
  // After a single bar its open has nothing before it but that bar: no warm-up.
  if (!(bars > 1 && bars < clock.length)) return settings;
  // What is decided at the last bar's close fills there or, by the ordinary rules, on the next bar.
  const first = settings.fillOn === 'close' ? bars - 1 : bars;
  const from = clock[settings.barTimes === 'end' ? first - 1 : first]!;
  return { ...settings, evaluateFrom: formatInstant(from) };
}

/**
 * The bar at whose close the first decision is asked: the last one before the date; 0 without a date. Where orders fill at
 * the close they were decided at, it is the date's own: a fill before it would earn what the date's figures do not begin with.
 *
 * @throws AppError `bad_settings` for a date with no bar before it, or none from it on
 */
export function firstAskedBar(
  { clock }: Market,
  { evaluateFrom, barTimes, fillOn }: EvaluationSettings,
): number {
  if (evaluateFrom === undefined || evaluateFrom === FIRST_DECISION) return 0;
  const from = parseInstant(evaluateFrom) ?? Number.NaN;
  const bar = firstBarFrom(clock, from, barTimes);
  if (bar > 0 && bar < clock.length) return fillOn === 'close' ? bar : bar - 1;
  const [first, last] = [formatInstant(clock[0]!), formatInstant(clock.at(-1)!)];
  throw new AppError({
    code: 'bad_settings',
    message:
      bar === 0
        ? `evaluateFrom is ${evaluateFrom}, and the data begin at ${first}: there is no bar before it at whose close anybody could decide.`
        : `evaluateFrom is ${evaluateFrom}, and the data end at ${last}: no bar is left to evaluate.`,
    hint:
      bar === 0
        ? 'Give data from before that date, or name a later date with --evaluate-from.'
        : 'Give data after that date, or name an earlier date with --evaluate-from.',
  });
}
