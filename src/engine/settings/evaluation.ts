import { AppError, formatInstant, type Instant, parseInstant } from '../../kernel/index.ts';
import type { BarTimes, Market } from '../../market/index.ts';

/** Replaces a date: evaluation begins with the first bar on which the run's first decision can fill. */
export const FIRST_DECISION = 'first-decision';

/**
 * Returns the first bar at or after a date. A bar that ends exactly at the date is before it.
 *
 * @returns the number of bars if all bars are before the date
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
 * Returns settings with the start of the evaluation, if it is only determined by a strategy's warm-up.
 *
 * @param warmUp number of bars that must have closed before the first decision, or `first-decision`
 */
export function withWarmUp<Settings extends EvaluationSettings>(
  settings: Settings,
  warmUp: number | typeof FIRST_DECISION | undefined,
  { clock }: Market,
): Settings {
  if (warmUp === undefined || settings.evaluateFrom !== undefined) return settings;
  if (warmUp === FIRST_DECISION) return { ...settings, evaluateFrom: FIRST_DECISION };
  const bars = Math.ceil(warmUp);
  // A warm-up of one bar has no effect, because every decision is made after at least one closed bar.
  if (!(bars > 1 && bars < clock.length)) return settings;
  // A decision at the last warm-up bar's close fills there (`fillOn: "close"`) or, by default, on the next
  // bar.
  const first = settings.fillOn === 'close' ? bars - 1 : bars;
  const from = clock[settings.barTimes === 'end' ? first - 1 : first]!;
  return { ...settings, evaluateFrom: formatInstant(from) };
}

/**
 * Returns the bar at whose close the first decision is made: the last bar before the date, or 0 without a
 * date.
 *
 * If orders fill at the close of their decision, it is the first bar at the date. An earlier fill would
 * affect the equity at the start of the evaluation.
 *
 * @throws AppError `bad_settings` for a date without a bar before it or after it
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
        ? `evaluateFrom is ${evaluateFrom} and the data begin at ${first}. A decision needs a bar before evaluateFrom.`
        : `evaluateFrom is ${evaluateFrom} and the data end at ${last}. No bar is left to evaluate.`,
    hint:
      bar === 0
        ? 'Use data that begin earlier, or set a later date with --evaluate-from.'
        : 'Use data that end later, or set an earlier date with --evaluate-from.',
  });
}
