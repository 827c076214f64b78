import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { type Bar, barSeries } from '../bars/bar-columns.ts';
import { dayBarsIn } from './day-bars.ts';

/** High, low and close of a bar. Opens are not compared here, because the first open differs. */
type Prices = readonly [high: number, low: number, close: number];

/** Bars of a day after its first bar. Their prices are from 95 to 105, and the last close is 98.5. */
const OTHERS: readonly Prices[] = [
  [101, 99, 100],
  [102, 98, 101],
  [105, 97, 102],
  [103, 95, 99],
  [104, 96, 98.5],
];
const WHOLE: Prices = [105, 95, 98.5];
const PLAIN: Prices = [100.5, 99.5, 100];

type Given = readonly [first: Prices, others?: readonly Prices[]];

/**
 * Returns the numbers of the days, from 0, whose first bar covers the whole day. Each has the number of such
 * days that messages show.
 */
function found(days: readonly Given[]): (readonly [day: number, days: number | undefined])[] {
  const bars = days.flatMap(([first, others = OTHERS], day) =>
    [first, ...others].map(
      ([high, low, close], hour): Bar => ({
        time: day * DAY + (hour + 1) * 3_600_000,
        open: hour === 0 ? low : close,
        high,
        low,
        close,
        volume: 1,
      }),
    ),
  );
  return dayBarsIn(barSeries('A', bars)).map(({ index, days: count }) => [
    Math.floor(bars[index]!.time / DAY),
    count,
  ]);
}

/** Returns `count` days. The days in `whole` begin with a bar of the whole day. */
const withWhole = (
  count: number,
  whole: readonly number[],
  first: Prices = WHOLE,
  others = OTHERS,
): Given[] => Array.from({ length: count }, (_, day) => (whole.includes(day) ? [first, others] : [PLAIN]));
const all = [0, 1, 2];
const every = all.map((day) => [day, 3]);

describe('bars that nearly match their day', () => {
  it('are found if at least three occur within thirty days', () => {
    expect(found(withWhole(3, all))).toEqual(every);
    expect(found(withWhole(3, [0, 1]))).toEqual([]);
    expect(found(withWhole(40, [0, 14, 29]))).toEqual([0, 14, 29].map((day) => [day, 3]));
    expect(found(withWhole(40, [0, 14, 30]))).toEqual([]);
    expect(found(withWhole(80, [5, 40, 50, 60]))).toEqual([5, 40, 50, 60].map((day) => [day, 4]));
  });

  it.each<[string, Prices, boolean]>([
    ['a high below the top by less than 0.01 % of it', [104.99, 95, 98.5], true],
    ['a high below the top by more than this tolerance', [104.989, 95, 98.5], false],
    ['a low above the bottom by less than the tolerance', [105, 95.01, 98.5], true],
    ['a low above the bottom by more than the tolerance', [105, 95.011, 98.5], false],
    ['a close above the last close by less than the tolerance', [105, 95, 98.51], true],
    ['a close above the last close by more than the tolerance', [105, 95, 98.511], false],
    ['a close below the last close by more than the tolerance', [105, 95, 98.489], false],
    ['a high above the top by less than the tolerance', [105.01, 95, 98.5], true],
    ['a high above the top by more than the tolerance', [105.011, 95, 98.5], false],
    ['a low below the bottom by less than the tolerance', [105, 94.99, 98.5], true],
    ['a low below the bottom by more than the tolerance', [105, 94.989, 98.5], false],
  ])('with %s, such as %j, are found: %s', (_, first, isFound) => {
    expect(found(withWhole(3, all, first))).toEqual(isFound ? every : []);
  });

  it('are also found on days where they are wider than the day, if they match other days', () => {
    const days = [...withWhole(3, all), [[106, 94, 98.5]] as const];
    expect(found(days)).toEqual([0, 1, 2, 3].map((day) => [day, 4]));
  });

  it('may differ from the day by 5 % of its range, if the range is small', () => {
    const scaled = (prices: readonly Prices[]) =>
      prices.map((one) => one.map((price) => 1_000 + (price - 95) / 100) as unknown as Prices);
    const [others, [whole]] = [scaled(OTHERS), scaled([WHOLE])];
    const off = (by: number): Prices => [whole![0] - by, whole![1], whole![2]];
    const days = (first: Prices): Given[] => all.map(() => [first, others]);
    // The range is 0.1.
    expect(found(days(off(0.0049)))).toEqual(every);
    expect(found(days(off(0.0051)))).toEqual([]);
  });

  it('need eight different prices in the rest of the day', () => {
    const others = (fourth: number): Prices[] => [
      [105, 96, 100],
      [104, 95, 101],
      [104, 96, 102],
      [104, 96, fourth],
      [104, 96, 100],
    ];
    const days = (fourth: number): Given[] => all.map(() => [[105, 95, 100], others(fourth)]);
    expect(found(days(103))).toEqual(every);
    expect(found(days(102))).toEqual([]);
  });

  it('are considered chance if as many other bars match their day', () => {
    const flat = (third: number): Prices[] =>
      [98.5, 98.5, third, 100, 101, 98.5].map((close) => [105, 95, close]);
    expect(found([...withWhole(3, all), [PLAIN, flat(97)]])).toEqual(every);
    expect(found([...withWhole(3, all), [PLAIN, flat(98.5)]])).toEqual([]);
    // The last bar of a day always has the close of the day, so it is not counted.
    expect(found([...withWhole(4, [...all, 3]), [PLAIN, flat(98.5)]])).toHaveLength(4);
  });

  it('are not considered chance if only one other bar has the high and low of the day', () => {
    const others: Prices[] = [[105, 95, 98.5], ...OTHERS.slice(0, 2), [103, 96, 99], [104, 96, 98.5]];
    expect(found(withWhole(3, all, WHOLE, others))).toEqual(every);
    const twice: Prices[] = [[105, 95, 98.5], [105, 95, 98.5], ...others.slice(1)];
    expect(found(withWhole(3, all, WHOLE, twice))).toEqual([]);
  });
});
