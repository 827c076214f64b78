import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import {
  addInterval,
  inferInterval,
  intervalText,
  intervalWords,
  isSameInterval,
  parseInterval,
} from './interval.ts';

const HOUR = DAY / 24;
const MONTH = 30.436_875 * DAY;
const at = (text: string): number => Date.parse(`${text}Z`);

/** Infers the interval of bars with the given times between them. */
function inferred(...steps: readonly number[]) {
  const times = [1_000];
  for (const step of steps) times.push(times.at(-1)! + step);
  return inferInterval(Float64Array.from(times));
}
const repeated = (step: number, count: number): number[] => Array.from({ length: count }, () => step);
const counting = (first: number, count: number, by = 1): number[] =>
  Array.from({ length: count }, (_, index) => first + by * index);

/** Inferred length in milliseconds. */
const lengthOf = (...steps: readonly number[]): number => inferred(...steps)!.interval.milliseconds;

describe('the inferred interval', () => {
  it('is unknown with fewer than two bars', () => {
    expect(inferInterval(new Float64Array(0))).toBeUndefined();
    expect(inferInterval(Float64Array.of(5))).toBeUndefined();
  });

  it('is the most frequent step, or the shortest of equally frequent steps', () => {
    expect(inferred(5, 5, 9, 5, 9, 9, 9)).toEqual({
      interval: { milliseconds: 9 },
      regular: true,
      shortest: 5,
      sure: true,
    });
    expect(inferred(9, 9, 5, 5)).toEqual({
      interval: { milliseconds: 5 },
      regular: true,
      shortest: 5,
      sure: true,
    });
  });

  it('is certain if two of at most four steps are equal, or from six steps on', () => {
    const certain = (...steps: number[]) => [inferred(...steps)!.regular, inferred(...steps)!.sure];
    expect(certain(5)).toEqual([true, false]);
    expect(certain(5, 5)).toEqual([true, true]);
    expect(certain(5, 7)).toEqual([true, false]);
    expect(certain(5, 5, 7, 9)).toEqual([true, true]);
    expect(certain(5, 5, 7, 9, 11)).toEqual([false, false]);
    expect(certain(5, 6, 7, 8, 9)).toEqual([false, false]);
    expect(certain(5, 6, 7, 8, 9, 10)).toEqual([false, true]);
  });

  it('is the shortest step that makes up 5 % of all steps, if no step makes up half of them', () => {
    expect(lengthOf(...counting(10, 17), 50, 50, 50)).toBe(50);
    // Of 60 steps, 3 are enough and 2 are not.
    expect(lengthOf(...repeated(10, 2), ...repeated(20, 3), ...counting(30, 55))).toBe(20);
    expect(lengthOf(3, 4, 4, 5, 6)).toBe(4);
  });

  it('is the median of different steps, unless some are shorter than half of it', () => {
    expect(lengthOf(...counting(40, 7, 10))).toBe(70);
    expect(lengthOf(36, 50, 60, 70, 80, 90, 100)).toBe(70);
    expect(lengthOf(1, 50, 60, 70, 80, 90, 100)).toBe(1);
    // Of 60 steps, the third is at the 5 % quantile and the thirtieth is the median: 400.
    const others = counting(270, 57, 5);
    expect(lengthOf(100, 100, 200, ...others)).toBe(400);
    expect(lengthOf(100, 100, 199, ...others)).toBe(100);
    expect(lengthOf(90, 100, 100, 199, ...others.slice(1))).toBe(100);
  });

  it.each([
    [20 * HOUR, DAY],
    [20 * HOUR - 1, 20 * HOUR - 1],
    [28 * HOUR, DAY],
    [28 * HOUR + 1, 28 * HOUR + 1],
    [6.5 * DAY, 7 * DAY],
    [6.5 * DAY - 1, 6.5 * DAY - 1],
    [7.5 * DAY, 7 * DAY],
    [7.5 * DAY + 1, 7.5 * DAY + 1],
    [27 * DAY - 1, 27 * DAY - 1],
    [HOUR, HOUR],
  ])('of equal steps of %d ms is %d ms', (step, expected) => {
    expect(inferred(...repeated(step, 6))!.interval).toEqual({ milliseconds: expected });
  });

  it('is a day for few or irregular steps of more than 28 hours and less than 6.5 days', () => {
    expect(lengthOf(...repeated(3 * DAY, 5))).toBe(DAY);
    expect(lengthOf(...repeated(3 * DAY, 6))).toBe(3 * DAY);
    expect(lengthOf(...repeated(28 * HOUR + 1, 5))).toBe(DAY);
    expect(lengthOf(...repeated(6.5 * DAY - 1, 5))).toBe(DAY);
    expect(lengthOf(...[2, 2.5, 3, 3.5, 4, 4.5, 5].map((days) => days * DAY))).toBe(DAY);
    expect(lengthOf(...repeated(8 * DAY, 5))).toBe(8 * DAY);
    expect(lengthOf(...repeated(20 * HOUR - 1, 5))).toBe(20 * HOUR - 1);
  });

  it('is a whole number of months for steps of at least 27 days', () => {
    const months = (days: number) => inferred(...repeated(days * DAY, 3))!.interval;
    expect(months(27)).toEqual({ milliseconds: MONTH, months: 1 });
    expect(months(45)).toEqual({ milliseconds: MONTH, months: 1 });
    expect(months(46)).toEqual({ milliseconds: 2 * MONTH, months: 2 });
    expect(months(92)).toEqual({ milliseconds: 3 * MONTH, months: 3 });
    expect(months(365)).toEqual({ milliseconds: 12 * MONTH, months: 12 });
  });

  it('is the step of at least half of the bars if there is such a step', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 15 }), (steps) => {
        const count = (step: number): number => steps.filter((one) => one === step).length;
        const most = Math.max(...[1, 2, 3].map(count));
        const usual = [1, 2, 3].find((step) => count(step) === most)!;
        const { interval, regular, shortest } = inferred(...steps)!;
        expect([regular, shortest]).toEqual([2 * most >= steps.length, Math.min(...steps)]);
        if (regular) expect(interval).toEqual({ milliseconds: usual });
      }),
    );
  });
});

describe('an interval', () => {
  it.each([
    ['250ms', 250, '250 ms'],
    ['1s', 1_000, '1 second'],
    ['30S', 30_000, '30 seconds'],
    [' 5min ', 300_000, '5 minutes'],
    ['1h', HOUR, '1 hour'],
    ['36h', 1.5 * DAY, '36 hours'],
    ['1d', DAY, '1 day'],
    ['2w', 14 * DAY, '2 weeks'],
    ['999999999999ms', 999_999_999_999, '999999999999 ms'],
  ])('%j is read, and formatted for messages', (text, milliseconds, words) => {
    expect(parseInterval(text)).toEqual({ milliseconds });
    expect(intervalText({ milliseconds })).toBe(text.trim().toLowerCase());
    expect(intervalWords({ milliseconds })).toBe(words);
  });

  it('is formatted in the largest unit that divides it', () => {
    expect(
      [60 * 60_000, 24 * HOUR, 7 * DAY, 90 * 60_000, 61_000, 1_001].map((milliseconds) =>
        intervalText({ milliseconds }),
      ),
    ).toEqual(['1h', '1d', '1w', '90min', '61s', '1001ms']);
    expect(intervalWords({ milliseconds: 0.5 })).toBe('0.5 ms');
  });

  it('may be a number of months', () => {
    expect(parseInterval('3mo')).toEqual({ milliseconds: 3 * MONTH, months: 3 });
    expect([intervalText(parseInterval('1mo')), intervalWords(parseInterval('1mo'))]).toEqual([
      '1mo',
      '1 month',
    ]);
  });

  it.each(['', '0d', '1', 'd', '1.5h', '-1d', '1y', '1 d', '1000000000000ms'])(
    'cannot be read from %j',
    (text) => {
      expect(() => parseInterval(text)).toThrow(`"${text}" is not a bar length.`);
    },
  );

  it('equals an interval within 5 % of the longer one, but months equal only the same months', () => {
    const isSame = (one: number, other: number): boolean =>
      isSameInterval({ milliseconds: one }, { milliseconds: other });
    expect([isSame(100, 95), isSame(95, 100), isSame(100, 94), isSame(94, 100), isSame(100, 100)]).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    const month = parseInterval('1mo');
    expect(isSameInterval(month, { milliseconds: MONTH })).toBe(false);
    expect(isSameInterval({ milliseconds: MONTH }, month)).toBe(false);
    expect(isSameInterval(month, parseInterval('2mo'))).toBe(false);
    expect(isSameInterval(month, { milliseconds: 1, months: 1 })).toBe(true);
  });

  it.each([
    ['2023-01-30T10:00', '1mo', 1, '2023-02-28T10:00'],
    ['2024-01-30T00:00', '1mo', 1, '2024-02-29T00:00'],
    ['2024-02-28T00:00', '1mo', 1, '2024-03-28T00:00'],
    ['2024-02-29T00:00', '12mo', 1, '2025-02-28T00:00'],
    ['2024-01-31T23:59', '1mo', -1, '2023-12-31T23:59'],
    ['2024-02-15T00:00', '14mo', -1, '2022-12-15T00:00'],
    ['1969-12-15T06:00', '1mo', 1, '1970-01-15T06:00'],
    ['1965-03-31T18:00', '1mo', -1, '1965-02-28T18:00'],
    ['2024-02-28T00:00', '36h', 1, '2024-02-29T12:00'],
    ['2024-03-01T00:00', '1d', -1, '2024-02-29T00:00'],
  ] as const)('added to %s: %s with the sign %d gives %s', (from, interval, sign, to) => {
    expect(addInterval(at(from), parseInterval(interval), sign)).toBe(at(to));
  });

  it('is added if no sign is given', () => {
    expect(addInterval(5, { milliseconds: 2 })).toBe(7);
    expect(addInterval(at('2024-01-31T00:00'), parseInterval('1mo'))).toBe(at('2024-02-29T00:00'));
  });
});
