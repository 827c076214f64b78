import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { type BarSeries, barSeries } from '../bars/bar-columns.ts';
import { intervalOf, keepInterval, sharedInterval } from './one-interval.ts';

const HOUR = DAY / 24;
const MINUTE = HOUR / 60;

/** Returns a series with bars at the given times. */
function series(symbol: string, times: readonly number[], interval?: string): BarSeries {
  const bars = times.map((time) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
  return { ...barSeries(symbol, bars), ...(interval === undefined ? {} : { interval }) };
}
const every = (step: number, count: number, first = 0): number[] =>
  Array.from({ length: count }, (_, index) => first + step * index);
const hourly = (symbol: string): BarSeries => series(symbol, every(HOUR, 10));
const daily = (symbol: string): BarSeries => series(symbol, every(DAY, 10));

/** Returns the fault lines of the error for series with different intervals. */
const faultsOf = (...given: BarSeries[]): string[] => {
  const { code, message } = errorOf(() => sharedInterval(given));
  expect(code).toBe('mixed_intervals');
  return message
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
};

describe('the interval of a series', () => {
  it('is declared or inferred', () => {
    expect(intervalOf(hourly('A'))).toEqual({ milliseconds: HOUR });
    expect(intervalOf(series('A', [1]))).toBeUndefined();
    expect(intervalOf(series('A', [1], '5min'))).toEqual({ milliseconds: 5 * MINUTE });
  });

  it('is stored as declared if it was inferred reliably', () => {
    expect(keepInterval(hourly('A')).interval).toBe('1h');
    const [unsure, declared] = [series('A', [0, HOUR]), series('A', every(HOUR, 10), '30min')];
    expect(keepInterval(unsure)).toBe(unsure);
    expect(keepInterval(declared)).toBe(declared);
    expect(keepInterval(series('A', [])).interval).toBeUndefined();
  });
});

describe('the interval of a run', () => {
  it('is unknown if no symbol has two bars', () => {
    expect(sharedInterval([])).toBeUndefined();
    expect(sharedInterval([series('A', [1]), series('B', [2])])).toBeUndefined();
    expect(sharedInterval([series('A', [1], '1h')])).toEqual({ milliseconds: HOUR });
  });

  it('is the interval of most symbols, or the shorter of two equally frequent intervals', () => {
    expect(faultsOf(hourly('A'), hourly('B'), daily('C'))).toEqual([
      'C: its bars last 1 day, and those of A last 1 hour',
    ]);
    expect(faultsOf(hourly('A'), daily('B'), daily('C'))).toEqual([
      'A: its bars last 1 hour, and those of B last 1 day',
    ]);
    expect(faultsOf(daily('A'), hourly('B'))).toEqual(['A: its bars last 1 day, and those of B last 1 hour']);
    expect(faultsOf(hourly('A'), daily('B'))).toEqual(['B: its bars last 1 day, and those of A last 1 hour']);
  });

  it('is taken from symbols with enough bars, or from any symbol if all have few bars', () => {
    const [few, less] = [series('B', [0, 2 * HOUR]), series('C', [0, 2 * HOUR])];
    expect(faultsOf(few, less, hourly('D'))).toEqual([
      'B: its bars last 2 hours, and those of D last 1 hour',
      'C: its bars last 2 hours, and those of D last 1 hour',
    ]);
    expect(sharedInterval([few, less])).toEqual({ milliseconds: 2 * HOUR });
    expect(faultsOf(few, series('A', [0, HOUR]))).toEqual([
      'B: its bars last 2 hours, and those of A last 1 hour',
    ]);
  });

  it('is unknown for a symbol with one bar, which is accepted only with bars of at least a day', () => {
    expect(sharedInterval([daily('A'), series('B', [3 * DAY])])).toEqual({ milliseconds: DAY });
    expect(faultsOf(hourly('A'), series('B', [3 * HOUR]))).toEqual([
      'B: its one bar does not show how long it lasts, and those of A last 1 hour',
    ]);
    const short = series('A', every(19 * HOUR, 10));
    expect(faultsOf(short, series('B', [19 * HOUR]))).toHaveLength(1);
  });

  it('may seem longer for a symbol with two daily bars, but not a week or a month', () => {
    const steps = (days: number, bars = 2): BarSeries => series('B', every(days * DAY, bars));
    expect(sharedInterval([daily('A'), steps(8)])).toEqual({ milliseconds: DAY });
    expect(faultsOf(daily('A'), steps(7))).toEqual(['B: its bars last 1 week, and those of A last 1 day']);
    expect(faultsOf(daily('A'), steps(30))).toEqual(['B: its bars last 1 month, and those of A last 1 day']);
    expect(faultsOf(daily('A'), steps(8, 3))).toEqual(['B: its bars last 8 days, and those of A last 1 day']);
    expect(faultsOf(daily('A'), steps(0.5))).toEqual([
      'B: its bars last 12 hours, and those of A last 1 day',
    ]);
    expect(faultsOf(hourly('A'), series('B', [0, 3 * HOUR]))).toHaveLength(1);
  });

  it('may be declared shorter than the distance of the bars, up to a factor of 1.5', () => {
    const declared = (step: number, interval: string, bars = 10): BarSeries =>
      series('A', every(step * MINUTE, bars), interval);
    expect(sharedInterval([declared(6, '4min')])).toEqual({ milliseconds: 4 * MINUTE });
    expect(faultsOf(declared(7, '4min'))).toEqual([
      'A: its bars are 7 minutes apart: they do not last 4 minutes, as declared',
    ]);
    expect(faultsOf(declared(6, '7min'))).toEqual([
      'A: its bars are 6 minutes apart: they do not last 7 minutes, as declared',
    ]);
    // 100 minutes and 96 minutes are equal within 5 %.
    expect(sharedInterval([declared(96, '100min')])).toEqual({ milliseconds: 100 * MINUTE });
    // Two bars do not show their interval reliably.
    expect(sharedInterval([declared(6, '7min', 2)])).toEqual({ milliseconds: 7 * MINUTE });
    // Bars may be missing if one step is much longer, or if no step is frequent.
    expect(sharedInterval([series('A', [...every(7 * MINUTE, 10), 67 * MINUTE], '4min')])).toBeDefined();
    const uneven = [0, 10, 21, 33, 46, 60, 75, 91].map((minute) => minute * MINUTE);
    expect(sharedInterval([series('A', uneven, '2min')])).toEqual({ milliseconds: 2 * MINUTE });
  });
});

describe('bars of several symbols', () => {
  it('may follow each other without a gap, and may not overlap', () => {
    const even = series('A', [0, 2 * HOUR], '1h');
    expect(sharedInterval([even, series('B', [HOUR, 3 * HOUR], '1h')])).toEqual({ milliseconds: HOUR });
    expect(faultsOf(even, series('B', [HOUR - MINUTE, 3 * HOUR], '1h'))).toEqual([
      'A: its bar 1970-01-01 lasts 1 hour, and a bar of B begins in it, 1970-01-01T00:59:00 (stamp the bars of all symbols at the same times: daily bars by their date alone)',
    ]);
  });

  it('may begin inside a bar of another symbol that its own next bar cuts short', () => {
    const cut = series('A', [0, HOUR / 2, 1.5 * HOUR, 2.5 * HOUR, 3.5 * HOUR], '1h');
    expect(sharedInterval([cut, series('B', [0, 1.5 * HOUR, 2.5 * HOUR], '1h')])).toEqual({
      milliseconds: HOUR,
    });
    expect(sharedInterval([series('B', [0, 1.5 * HOUR, 2.5 * HOUR], '1h'), cut])).toEqual({
      milliseconds: HOUR,
    });
  });

  it('are reported once for each overlapping symbol', () => {
    const at = (symbol: string, first: number): BarSeries => series(symbol, every(DAY, 3, first), '1d');
    expect(faultsOf(at('A', 0), at('B', HOUR), at('C', 2 * HOUR))).toHaveLength(1);
    expect(
      faultsOf(at('A', 0), at('B', HOUR), at('Y', 10 * DAY), at('Z', 10 * DAY + HOUR)).map((line) =>
        line.slice(0, 20),
      ),
    ).toEqual(['A: its bar 1970-01-0', 'Y: its bar 1970-01-1']);
  });
});
