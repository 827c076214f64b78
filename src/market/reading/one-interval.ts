import { DAY, type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import {
  addInterval,
  type Interval,
  inferInterval,
  intervalText,
  intervalWords,
  isSameInterval,
  parseInterval,
} from '../bars/interval.ts';

const HINT =
  'Use one interval per run, so that no bar is known before it has ended: omit the other files, or resample all bars to one interval. For a thinly traded symbol, set the interval: --interval 1h, or `interval` of its series in code.';

interface Measured {
  readonly symbol: string;
  readonly bars: number;
  /** `undefined` with fewer than two bars. */
  readonly interval: Interval | undefined;
  readonly sure: boolean;
}

/**
 * Returns the interval that all series share.
 *
 * @returns `undefined` if no series has two bars
 * @throws AppError `mixed_intervals` with every series whose bars have another length, or whose bars overlap
 *   bars of another series
 */
export function sharedInterval(series: readonly BarSeries[]): Interval | undefined {
  const faults: Fault[] = [];
  const measured = series.map((one) => measure(one, faults));
  const shared = mostShared(measured);
  if (shared !== undefined) {
    for (const one of measured) {
      const message = misfit(one, shared.interval);
      if (message !== undefined)
        faults.push({
          where: one.symbol,
          message: `${message}, and those of ${shared.symbol} last ${intervalWords(shared.interval)}`,
        });
    }
    if (faults.length === 0 && series.length > 1) faults.push(...overlaps(series, shared.interval));
  }
  if (faults.length > 0)
    throw faultsError('mixed_intervals', 'The symbols of a run must share one interval', faults, HINT);
  return shared?.interval;
}

/**
 * Returns the length of a series' bars: declared, or inferred from the steps between bars. `undefined` with
 * fewer than two bars and no declared length.
 */
export function intervalOf({ time, interval }: BarSeries): Interval | undefined {
  return interval === undefined ? inferInterval(time)?.interval : parseInterval(interval);
}

/**
 * Returns the series with a declared interval, if the interval can be inferred reliably. Needed before a
 * change of the times, for example by slicing, because the interval may not be inferable afterwards.
 */
export function keepInterval(series: BarSeries): BarSeries {
  const found = series.interval === undefined ? inferInterval(series.time) : undefined;
  return found?.sure === true ? { ...series, interval: intervalText(found.interval) } : series;
}

function measure({ symbol, time, interval }: BarSeries, faults: Fault[]): Measured {
  const bars = time.length;
  const inferred = inferInterval(time);
  if (interval === undefined) {
    if (inferred === undefined) return { symbol, bars, interval: undefined, sure: false };
    return { symbol, bars, ...inferred };
  }
  const declared = parseInterval(interval);
  if (inferred?.sure === true && !isSameInterval(inferred.interval, declared)) {
    const isLonger = declared.milliseconds > inferred.interval.milliseconds;
    // A declared length below the inferred one is valid if many bars are missing (irregular steps). A short
    // series may have regular steps by chance. Its declared length is therefore also valid if at least one
    // step is about that long.
    const isShorter = inferred.regular && inferred.shortest > 1.5 * declared.milliseconds;
    if (isLonger || isShorter) {
      const message = `its bars are ${intervalWords(inferred.interval)} apart: they do not last ${intervalWords(declared)}, as declared`;
      faults.push({ where: symbol, message });
    }
  }
  return { symbol, bars, interval: declared, sure: true };
}

/**
 * Returns the most frequent interval. Counts only series whose interval is declared or inferred reliably, or
 * all series if no interval is reliable. If several intervals are equally frequent, returns the shortest.
 */
function mostShared(
  measured: readonly Measured[],
): { readonly symbol: string; readonly interval: Interval } | undefined {
  const known = measured.flatMap(({ symbol, interval, sure }) =>
    interval === undefined ? [] : [{ symbol, interval, sure }],
  );
  const sure = known.filter((one) => one.sure);
  const groups: { symbol: string; interval: Interval; count: number }[] = [];
  for (const one of sure.length > 0 ? sure : known) {
    const group = groups.find(({ interval }) => isSameInterval(interval, one.interval));
    if (group === undefined) groups.push({ ...one, count: 1 });
    else group.count += 1;
  }
  groups.sort((a, b) => b.count - a.count || a.interval.milliseconds - b.interval.milliseconds);
  return groups[0];
}

/**
 * Returns the fault of a series whose bars do not have the shared interval. `undefined` if the series has no
 * fault.
 */
function misfit({ bars, interval, sure }: Measured, shared: Interval): string | undefined {
  // A recently listed symbol with daily or longer bars may have only one or two bars, or a holiday between
  // its bars. Its bars then have no known interval, or seem to be longer.
  const isLong = shared.milliseconds >= DAY;
  if (interval === undefined)
    return isLong ? undefined : `its ${bars === 1 ? 'one bar does' : 'bars do'} not show how long it lasts`;
  if (isSameInterval(interval, shared)) return undefined;
  const isGap =
    isLong &&
    !sure &&
    interval.milliseconds > shared.milliseconds &&
    interval.months === undefined &&
    interval.milliseconds !== 7 * DAY;
  return isGap ? undefined : `its bars last ${intervalWords(interval)}`;
}

/**
 * Returns the faults of bars that have not ended when a bar of another symbol begins. A decision at the start
 * of the other symbol's bar would see the whole unfinished bar, including its future. Exception: a partial
 * bar at the end of a session ends early. A bar counts as partial if any symbol has bars both at its time and
 * at the next time of the clock.
 */
function overlaps(series: readonly BarSeries[], interval: Interval): Fault[] {
  const at = new Int32Array(series.length);
  const faults: Fault[] = [];
  const faulted = new Set<number>();
  let before = Number.NaN;
  let beforeOf: number[] = [];
  for (;;) {
    let now = Number.POSITIVE_INFINITY;
    for (let symbol = 0; symbol < series.length; symbol++) {
      const time = series[symbol]!.time[at[symbol]!];
      if (time !== undefined && time < now) now = time;
    }
    if (now === Number.POSITIVE_INFINITY) return faults;
    const nowOf: number[] = [];
    for (let symbol = 0; symbol < series.length; symbol++) {
      if (series[symbol]!.time[at[symbol]!] !== now) continue;
      nowOf.push(symbol);
      at[symbol]! += 1;
    }
    if (addInterval(before, interval) > now && !beforeOf.some((symbol) => nowOf.includes(symbol))) {
      const [earlier, later] = [beforeOf[0]!, nowOf[0]!];
      if (!faulted.has(earlier) && !faulted.has(later)) {
        const message = `its bar ${formatInstant(before)} lasts ${intervalWords(interval)}, and a bar of ${series[later]!.symbol} begins in it, ${formatInstant(now)}`;
        faults.push({
          where: series[earlier]!.symbol,
          message,
          hint: 'stamp the bars of all symbols at the same times: daily bars by their date alone',
        });
      }
      faulted.add(earlier).add(later);
    }
    before = now;
    beforeOf = nowOf;
  }
}
