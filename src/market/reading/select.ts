import {
  AppError,
  DAY,
  type Fault,
  faultsError,
  formatInstant,
  type Instant,
  parseInstant,
} from '../../kernel/index.ts';
import { type BarSeries, mapColumns } from '../bars/bar-columns.ts';
import { inferInterval, intervalWords, isSameInterval } from '../bars/interval.ts';
import { keepInterval } from './one-interval.ts';

/** Range of instants, both included. */
export interface Range {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Parses the user's range. A date without a time of day means its whole UTC day.
 *
 * @throws AppError `bad_date` for an invalid date, and for a range that ends before it begins
 */
export function readRange(from: string | undefined, to: string | undefined): Range {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : parseInstant(from);
  const last = to === undefined ? Number.POSITIVE_INFINITY : parseInstant(to);
  const faults: Fault[] = [];
  if (first === undefined) faults.push({ where: '--from', message: `"${from}" is not a date` });
  if (last === undefined) faults.push({ where: '--to', message: `"${to}" is not a date` });
  const end = last !== undefined && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(to ?? '') ? last + DAY - 1 : last;
  if (first !== undefined && end !== undefined && first > end) {
    faults.push({ where: '--to', message: `${to} is before --from ${from}` });
  }
  if (first === undefined || end === undefined || faults.length > 0) {
    throw faultsError(
      'bad_date',
      'The range cannot be used',
      faults,
      'Write dates as 2020-01-15 or 2020-01-15T09:30, --from first.',
    );
  }
  return { from: first, to: end };
}

/**
 * Selects the bars of a range. Adds a note about each symbol without bars in the range to `adjustments`.
 *
 * @throws AppError `no_data` if no symbol has bars in the range, with the range of the data
 */
export function inRange(series: readonly BarSeries[], range: Range, adjustments: string[]): BarSeries[] {
  const kept = series.map((one) => {
    const first = firstAtOrAfter(one.time, range.from);
    const end =
      range.to === Number.POSITIVE_INFINITY ? one.time.length : firstAtOrAfter(one.time, range.to + 1);
    return first === 0 && end === one.time.length
      ? one
      : mapColumns(keepInterval(one), (column) => column.subarray(first, Math.max(first, end)));
  });
  if (series.length > 0 && kept.every((one) => one.time.length === 0)) {
    const first = formatInstant(Math.min(...series.map((one) => one.time[0]!)));
    const last = formatInstant(Math.max(...series.map((one) => one.time.at(-1)!)));
    throw new AppError({
      code: 'no_data',
      message: `No bars ${rangeInWords(range)}: the data are from ${first} to ${last}.`,
      hint: 'Change --from and --to, or use other data.',
    });
  }
  for (const one of kept) {
    if (one.time.length === 0)
      adjustments.push(`${one.symbol} has no bar ${rangeInWords(range)} and was omitted`);
  }
  return kept.filter((one) => one.time.length > 0);
}

/**
 * Joins the series of one symbol from several files.
 *
 * @param parts series with their files
 * @throws AppError `duplicate_symbol` if the periods of two files of a symbol overlap, or if their bars have
 *   different lengths
 */
export function joinSeries(
  parts: readonly { readonly file: string; readonly series: BarSeries }[],
): BarSeries[] {
  const faults: Fault[] = [];
  const symbols = [...new Set(parts.map((part) => part.series.symbol))];
  const joined = symbols.map((symbol) => {
    const own = parts.filter((part) => part.series.symbol === symbol);
    own.sort((a, b) => a.series.time[0]! - b.series.time[0]!);
    for (let index = 1; index < own.length; index++) {
      const [before, after] = [own[index - 1]!, own[index]!];
      const [earlier, later] = [inferInterval(before.series.time), inferInterval(after.series.time)];
      if (earlier?.sure && later?.sure && !isSameInterval(earlier.interval, later.interval))
        faults.push({
          where: after.file,
          message: `its bars of ${after.series.symbol} last ${intervalWords(later.interval)}, and those of ${before.file} ${intervalWords(earlier.interval)}`,
        });
      if (after.series.time[0]! > before.series.time.at(-1)!) continue;
      faults.push({
        where: after.file,
        message: `contains ${after.series.symbol} for the same period as ${before.file}`,
      });
    }
    return own.length === 1 ? own[0]!.series : concatenate(own.map((part) => part.series));
  });
  if (faults.length === 0) return joined;
  throw faultsError(
    'duplicate_symbol',
    'The files of a symbol do not fit together',
    faults,
    'Pass one file for each symbol and time, all with bars of one interval.',
  );
}

function concatenate(parts: readonly BarSeries[]): BarSeries {
  const length = parts.reduce((total, part) => total + part.time.length, 0);
  return mapColumns(parts[0]!, (_, take) => {
    const whole = new Float64Array(length);
    let offset = 0;
    for (const part of parts) {
      whole.set(take(part), offset);
      offset += part.time.length;
    }
    return whole;
  });
}

function firstAtOrAfter(times: Float64Array, instant: Instant): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rangeInWords({ from, to }: Range): string {
  const parts = [];
  if (Number.isFinite(from)) parts.push(`from ${formatInstant(from)}`);
  if (Number.isFinite(to)) parts.push(`to ${formatInstant(to)}`);
  return parts.join(' ');
}
