import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BarSeries, barSeries } from '../bars/bar-columns.ts';
import { SeriesCursor } from '../bars/window.ts';
import { declareIndicators, type Indicator, type IndicatorKit } from './declare.ts';
import { IndicatorSet } from './indicator-set.ts';

type Row = readonly [high: number, low: number, close: number];
type Numbers = readonly number[];

function seriesOf(rows: readonly Row[], symbol = 'A'): BarSeries {
  return barSeries(
    symbol,
    rows.map(([high, low, close], bar) => ({ time: bar, open: close, high, low, close, volume: bar + 1 })),
  );
}

/** Values of one declared indicator over a series, by output. */
function valuesOf(rows: readonly Row[], declare: (kit: IndicatorKit) => unknown): Record<string, number[]> {
  const series = seriesOf(rows);
  const cursor = new SeriesCursor(series);
  const set = new IndicatorSet(declareIndicators((kit: IndicatorKit) => ({ it: declare(kit) }), {}, 'test'));
  set.begin({ symbols: ['A'], contextSymbols: [], windowOf: () => cursor.window });
  for (const time of series.time) cursor.advanceTo(time);
  const parts = set.values.it! as unknown as Record<string, Indicator>;
  const named = 'last' in parts ? { it: parts as unknown as Indicator } : parts;
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, one]) =>
      name === 'of' ? [] : [[name, Array.from(one.tail(rows.length))]],
    ),
  );
}

// Second implementation of the formulas: each value is computed from all bars again.
const NONE = Number.NaN;
const lastOf = (values: Numbers, at: number, count: number): Numbers => values.slice(at - count + 1, at + 1);
const mean = (values: Numbers): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const windowed = (values: Numbers, count: number, of: (part: Numbers) => number): number[] =>
  values.map((_, at) => (at < count - 1 ? NONE : of(lastOf(values, at, count))));
const spread = (freedom: number) => (part: Numbers) =>
  Math.sqrt(part.reduce((sum, value) => sum + (value - mean(part)) ** 2, 0) / (part.length - freedom));
/** Wilder's average: the weight of each older value is smaller by the factor 1 − 1/count. */
const wilder = (values: Numbers, count: number): number[] => {
  const from = values.findIndex((value) => !Number.isNaN(value));
  return values.map((_, at) => {
    if (from < 0 || at - from + 1 < count) return NONE;
    const weights = values
      .slice(from, at + 1)
      .map((__, age, all) => (1 - 1 / count) ** (all.length - 1 - age));
    const total = weights.reduce((sum, weight, age) => sum + weight * values[from + age]!, 0);
    return total / weights.reduce((sum, weight) => sum + weight, 0);
  });
};
const ema = (values: Numbers, count: number): number[] => {
  const from = values.findIndex((value) => !Number.isNaN(value));
  let newest = NONE;
  return values.map((value, at) => {
    if (from < 0 || at - from < count - 1) return NONE;
    newest =
      at - from === count - 1
        ? mean(lastOf(values, at, count))
        : newest + (2 / (count + 1)) * (value - newest);
    return newest;
  });
};
const trueRanges = (rows: readonly Row[]): number[] =>
  rows.map(([high, low], at) => {
    const before = rows[at - 1]?.[2];
    return before === undefined ? NONE : Math.max(high, before) - Math.min(low, before);
  });
const zip = (one: Numbers, other: Numbers, of: (a: number, b: number) => number): number[] =>
  one.map((value, at) => of(value, other[at]!));

function expectEqual(found: Record<string, number[]>, expected: Record<string, Numbers>): void {
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  for (const [name, values] of Object.entries(expected))
    for (const [at, value] of values.entries()) {
      const own = found[name]![at]!;
      const near = Number.isNaN(value)
        ? Number.isNaN(own)
        : Math.abs(own - value) <= 1e-7 * Math.max(1, Math.abs(value));
      if (!near) expect.fail(`${name} at ${at} is ${own}, not ${value}`);
    }
}

const rows: fc.Arbitrary<readonly Row[]> = fc.array(
  fc
    .tuple(fc.integer({ min: 100, max: 400 }), fc.nat(40), fc.nat(40))
    .map(([close, up, down]): Row => [(close + up) / 4, (close - down) / 4, close / 4]),
  { minLength: 1, maxLength: 40 },
);
const length = fc.integer({ min: 1, max: 9 });

describe('the values of indicators', () => {
  const check = (of: (rows: readonly Row[], n: number, m: number) => void): void =>
    fc.assert(fc.property(rows, length, length, of), { numRuns: 60 });

  it('equal the formulas of averages, standard deviation, Bollinger bands and z-score', () => {
    check((all, n, m) => {
      const closes = all.map(([, , close]) => close);
      expectEqual(
        valuesOf(all, ({ sma }) => sma(n)),
        { it: windowed(closes, n, mean) },
      );
      expectEqual(
        valuesOf(all, (kit) => kit.ema(n)),
        { it: ema(closes, n) },
      );
      const deviation = windowed(closes, n, n === 1 ? () => NONE : spread(1));
      expectEqual(
        valuesOf(all, ({ stdev }) => stdev(n)),
        { it: deviation },
      );
      const [middle, distance] = [windowed(closes, n, mean), windowed(closes, n, spread(0))];
      if (new Set(closes).size < closes.length || n === 1) return;
      const lower = zip(middle, distance, (one, other) => one - m * other);
      const upper = zip(middle, distance, (one, other) => one + m * other);
      const width = zip(upper, lower, (one, other) => one - other);
      expectEqual(
        valuesOf(all, ({ bollinger }) => bollinger(n, m)),
        {
          ...{ lower, middle, upper, width: zip(width, middle, (one, other) => (100 * one) / other) },
          percent: zip(
            zip(closes, lower, (one, other) => one - other),
            width,
            (one, other) => one / other,
          ),
        },
      );
      const away = zip(closes, middle, (one, other) => one - other);
      expectEqual(
        valuesOf(all, ({ zscore }) => zscore(n)),
        { it: zip(away, deviation, (a, b) => a / b) },
      );
    });
  });

  it('equal the formulas of highs, lows and Donchian channels', () => {
    check((all, n, m) => {
      const [highs, lows] = [all.map(([high]) => high), all.map(([, low]) => low)];
      const above = windowed(highs, m, (part) => Math.max(...part));
      const below = windowed(lows, n, (part) => Math.min(...part));
      expectEqual(
        valuesOf(all, ({ donchian }) => donchian(n, m)),
        {
          ...{ lower: below, middle: zip(below, above, (one, other) => (one + other) / 2), upper: above },
        },
      );
      expectEqual(
        valuesOf(all, ({ highest }) => highest(m)),
        { it: above },
      );
      expectEqual(
        valuesOf(all, ({ lowest }) => lowest(n)),
        { it: below },
      );
    });
  });

  it('equal the formulas of MACD and average true range', () => {
    check((all, n, m) => {
      const closes = all.map(([, , close]) => close);
      const line = zip(ema(closes, Math.min(n, m)), ema(closes, Math.max(n, m)), (one, other) => one - other);
      const signal = ema(line, 3);
      expectEqual(
        valuesOf(all, ({ macd }) => macd(n, m, 3)),
        {
          ...{ line, signal, histogram: zip(line, signal, (one, other) => one - other) },
        },
      );
      expectEqual(
        valuesOf(all, ({ atr }) => atr(n)),
        { it: wilder(trueRanges(all), n) },
      );
    });
  });

  it('equal the formulas of RSI and ADX', () => {
    check((all, n, m) => {
      const changes = all.map(([, , close], at) => close - (all[at - 1]?.[2] ?? NONE));
      const gains = wilder(
        changes.map((change) => Math.max(change, 0)),
        n,
      );
      const losses = wilder(
        changes.map((change) => Math.max(-change, 0)),
        n,
      );
      expectEqual(
        valuesOf(all, ({ rsi }) => rsi(n)),
        {
          it: zip(gains, losses, (gain, loss) => (100 * gain) / (gain + loss)),
        },
      );
      const moved = (isUp: boolean) =>
        all.map(([high, low], at) => {
          const before = all[at - 1];
          if (before === undefined) return NONE;
          const [up, down] = [high - before[0], before[1] - low];
          return isUp ? (up > down && up > 0 ? up : 0) : down > up && down > 0 ? down : 0;
        });
      const ranges = wilder(trueRanges(all), n);
      if (ranges.includes(0)) return;
      const share = (isUp: boolean) =>
        zip(wilder(moved(isUp), n), ranges, (one, other) => (100 * one) / other);
      const [plus, minus] = [share(true), share(false)];
      if (plus.some((one, at) => one + minus[at]! === 0)) return;
      const index = zip(plus, minus, (one, other) => (100 * Math.abs(one - other)) / (one + other));
      expectEqual(
        valuesOf(all, ({ adx }) => adx(n, m)),
        { adx: wilder(index, m), plus, minus },
      );
    });
  });

  it('equal the formulas for long windows and for prices that are not finite', () => {
    const closes = Array.from({ length: 330 }, (_, at) => 100 + ((at * 37) % 101) / 8);
    const long = closes.map((close): Row => [close + 1, close - 1, close]);
    for (const n of [8, 13, 16, 127, 128, 129, 150, 300]) {
      expectEqual(
        valuesOf(long, ({ sma }) => sma(n)),
        { it: windowed(closes, n, mean) },
      );
      expectEqual(
        valuesOf(long, (kit) => kit.ema(n)),
        { it: ema(closes, n) },
      );
    }
    const holes = closes.slice(0, 30).map((close, at) => (at === 10 ? NONE : at === 20 ? Infinity : close));
    const finite = (part: Numbers, of: (known: Numbers) => number) =>
      part.every(Number.isFinite) ? of(part) : NONE;
    const given = holes.map((close): Row => [close, close, close]);
    const expected = (of: (known: Numbers) => number) => ({
      it: windowed(holes, 4, (part) => finite(part, of)),
    });
    expectEqual(
      valuesOf(given, ({ sma }) => sma(4)),
      expected(mean),
    );
    expectEqual(
      valuesOf(given, ({ highest }) => highest(4)),
      expected((part) => Math.max(...part)),
    );
    expectEqual(
      valuesOf(given, ({ lowest }) => lowest(4)),
      expected((part) => Math.min(...part)),
    );
  });

  it('of constant prices are an RSI of NaN and Bollinger bands of almost no width', () => {
    const flat = Array.from({ length: 4 }, (): Row => [2, 2, 2]);
    const { lower, upper, width, percent } = valuesOf(flat, ({ bollinger }) => bollinger(2));
    expect([lower![3], upper![3], percent![3]]).toEqual([2, 2, 1]);
    expect(width![3]).toBe(50 * Number.EPSILON);
    expect(valuesOf(flat, ({ rsi }) => rsi(2)).it).toEqual([NONE, NONE, NONE, NONE]);
  });
});
