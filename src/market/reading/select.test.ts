import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { type BarSeries, barSeries } from '../bars/bar-columns.ts';
import { inRange, joinSeries, readRange } from './select.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const FOREVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Series whose closes are 1, 2, 3, … */
function series(symbol: string, times: readonly number[]): BarSeries {
  return barSeries(
    symbol,
    times.map((time, index) => ({ time, open: 1, high: 99, low: 1, close: index + 1, volume: index })),
  );
}
const days = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, day) => (first + day) * DAY);

describe('the range of dates', () => {
  it('is unlimited by default, and includes the whole last day', () => {
    expect(readRange(undefined, undefined)).toEqual(FOREVER);
    expect(readRange('2020-01-15', ' 2020-01-16 ')).toEqual({
      from: at('2020-01-15T00:00'),
      to: at('2020-01-16T23:59:59.999'),
    });
    expect(readRange('2020-01-15', '2020-01-15')).toEqual({
      from: at('2020-01-15T00:00'),
      to: at('2020-01-15T23:59:59.999'),
    });
    expect(readRange('2020-01-15T09:30', '2020-01-15T09:30')).toEqual({
      from: at('2020-01-15T09:30'),
      to: at('2020-01-15T09:30'),
    });
  });

  it('is refused with invalid dates, or if it ends before it begins', () => {
    const faults = (from?: string, to?: string): string[] => {
      const { code, message } = errorOf(() => readRange(from, to));
      expect(code).toBe('bad_date');
      return message.split('\n').slice(1);
    };
    expect(faults('soon', 'later')).toEqual([
      '  --from: "soon" is not a date',
      '  --to: "later" is not a date',
    ]);
    expect(faults('soon')).toEqual(['  --from: "soon" is not a date']);
    expect(faults('2020-01-16T00:00', '2020-01-15')).toEqual([
      '  --to: 2020-01-15 is before --from 2020-01-16T00:00',
    ]);
    expect(faults('2020-01-15T09:31', '2020-01-15T09:30')).toHaveLength(1);
  });
});

describe('bars in a range', () => {
  const select = (range: Partial<typeof FOREVER>, ...given: BarSeries[]) => {
    const notes: string[] = [];
    const found = inRange(given, { ...FOREVER, ...range }, notes);
    return { closes: found.map(({ symbol, close }) => `${symbol} ${close.join(' ')}`), notes };
  };
  const A = series('A', days(10, 5));

  it('include those at both limits', () => {
    expect(select({ from: 11 * DAY, to: 13 * DAY }, A).closes).toEqual(['A 2 3 4']);
    expect(select({ from: 11 * DAY + 1, to: 13 * DAY - 1 }, A).closes).toEqual(['A 3']);
    expect(select({ from: 14 * DAY }, A).closes).toEqual(['A 5']);
    expect(select({ to: 10 * DAY }, A).closes).toEqual(['A 1']);
  });

  it('are the same series if all bars are in it', () => {
    const [whole] = inRange([A], { from: 10 * DAY, to: 14 * DAY }, []);
    expect(whole).toBe(A);
    expect(inRange([], FOREVER, [])).toEqual([]);
  });

  it('have the interval of the whole series', () => {
    const [part] = inRange([series('A', days(10, 8))], { from: 10 * DAY, to: 10 * DAY }, []);
    expect(part).toMatchObject({ interval: '1d', time: Float64Array.of(10 * DAY) });
  });

  it('may be missing for some symbols, which are noted', () => {
    expect(select({ from: 12 * DAY, to: 20 * DAY }, A, series('B', days(10, 2)))).toEqual({
      closes: ['A 3 4 5'],
      notes: ['B has no bar from 1970-01-13 to 1970-01-21 and was omitted'],
    });
    expect(select({ to: 12 * DAY }, A, series('B', days(30, 2))).notes).toEqual([
      'B has no bar to 1970-01-13 and was omitted',
    ]);
    // Bars exist before and after this range.
    expect(select({ from: 10 * DAY + 1, to: 11 * DAY - 1 }, A, series('B', [10.5 * DAY])).closes).toEqual([
      'B 1',
    ]);
  });

  it('may not be missing for all symbols', () => {
    const { code, message } = errorOf(() => select({ from: 50 * DAY }, A, series('B', days(20, 3))));
    expect([code, message]).toEqual([
      'no_data',
      'No bars from 1970-02-20: the data are from 1970-01-11 to 1970-01-23.',
    ]);
  });
});

describe('series of several files', () => {
  const part = (file: string, one: BarSeries) => ({ file, series: one });
  const faults = (...parts: ReturnType<typeof part>[]): string[] => {
    const { code, message } = errorOf(() => joinSeries(parts));
    expect(code).toBe('duplicate_symbol');
    return message.split('\n').slice(1);
  };

  it('are joined by symbol, earliest first', () => {
    const [early, late] = [series('A', days(1, 3)), series('A', days(4, 2))];
    const other = series('B', days(1, 1));
    const joined = joinSeries([part('2.csv', late), part('b.csv', other), part('1.csv', early)]);
    expect(joined).toEqual([
      {
        symbol: 'A',
        time: Float64Array.from(days(1, 5)),
        open: new Float64Array(5).fill(1),
        high: new Float64Array(5).fill(99),
        low: new Float64Array(5).fill(1),
        close: Float64Array.of(1, 2, 3, 1, 2),
        volume: Float64Array.of(0, 1, 2, 0, 1),
      },
      other,
    ]);
    expect(joined[1]).toBe(other);
  });

  it('may not overlap, not even in one bar', () => {
    expect(faults(part('1.csv', series('A', days(1, 3))), part('2.csv', series('A', days(3, 3))))).toEqual([
      '  2.csv: contains A for the same period as 1.csv',
    ]);
    expect(faults(part('2.csv', series('A', days(2, 1))), part('1.csv', series('A', days(1, 9))))).toEqual([
      '  2.csv: contains A for the same period as 1.csv',
    ]);
  });

  it('must have bars of one length, unless a file has too few bars to show the length', () => {
    const hours = (count: number): number[] =>
      Array.from({ length: count }, (_, hour) => 20 * DAY + (hour * DAY) / 24);
    const daily = part('1.csv', series('A', days(1, 8)));
    expect(faults(daily, part('2.csv', series('A', hours(8))))).toEqual([
      '  2.csv: its bars of A last 1 hour, and those of 1.csv 1 day',
    ]);
    expect(joinSeries([daily, part('2.csv', series('A', hours(2)))])).toHaveLength(1);
  });
});
