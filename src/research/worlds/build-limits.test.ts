import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { type BarSeries, createMarket, simulateMarket } from '../../market/index.ts';
import { commonInstants, worldBase } from './base.ts';
import { type BarShape, buildWorld, exchangeable, permuted } from './build.ts';
import { createWorldMaker } from './make-worlds.ts';
import { fitRegimes } from './regime.ts';

const DAY = 86_400_000;
type Row = readonly [open: number, high: number, low: number, close: number, volume: number];

function seriesOf(symbol: string, rows: readonly Row[], days = rows.map((_, at) => at)): BarSeries {
  const [open, high, low, close, volume] = [0, 1, 2, 3, 4].map((place) =>
    Float64Array.from(rows, (row) => row[place]!),
  );
  const time = Float64Array.from(days, (day) => day * DAY);
  return { symbol, time, open, high, low, close, volume } as BarSeries;
}

/** More than ten decimal places, so that prices of a world are not rounded. */
const UNROUNDED = 1 + 2 ** -40;
const BARS: readonly Row[] = [
  [100, 101, 99, 100 * UNROUNDED, 1],
  [100, 102, 98, 101, 2],
  [101, 103, 100, 102, 3],
  [102, 104, 101, 103, 4],
];

/** Builds a world with the given shapes from the second bar on. A missing shape uses the actual bar. */
function build(
  shapes: readonly (Partial<BarShape> | undefined)[],
  actions: readonly object[] = [],
  bars = BARS,
) {
  const base = worldBase(createMarket([seriesOf('A', bars)]), 1, actions as never);
  const made = buildWorld(base, (_symbol, _index, at, shape) => {
    const own = shapes[at - 1];
    if (own === undefined) return false;
    Object.assign(shape, { gap: 1, high: 1, low: 1, close: 1, volume: 0, extraFrom: at }, own);
    return true;
  }).series[0]!;
  return { base, made };
}

const near = (value: number) => expect.closeTo(value, 6) as number;

describe('the prices of a world', () => {
  it('follow the shapes, and end at the last price of the data', () => {
    const shapes = [
      { gap: 1.1, close: 1.05, high: 1.2, low: 0.9, volume: 7 },
      { gap: 0.9, close: 0.98, high: 1, low: 0.95, volume: 8 },
      { gap: 1.02, close: 1.01, high: 1.3, low: 1, volume: 9 },
    ];
    const { made } = build(shapes);
    const whole = shapes.reduce((growth, { gap, close }) => growth * gap * close, 100);
    const drift = (103 / whole) ** (1 / 3);
    let level = 100;
    for (const [at, { gap, close, high, low, volume }] of shapes.entries()) {
      const open = level * gap * drift;
      level = open * close;
      const bar = (['open', 'close', 'high', 'low', 'volume'] as const).map((name) => made[name][at + 1]);
      expect(bar).toEqual([
        ...[near(open), near(level)],
        ...[near(Math.max(open, level, open * high)), near(Math.min(open, level, open * low)), volume],
      ]);
    }
    expect(made.close[3]).toBeCloseTo(103, 9);
    expect([made.open[0], made.close[0], made.volume[0]]).toEqual([100, 100 * UNROUNDED, 1]);
  });

  it('equal the data for bars without a shape, and only the other bars are shifted', () => {
    const { made } = build([undefined, { gap: 1, close: 1.5 }, undefined]);
    expect([made.open[1], made.high[1], made.low[1], made.close[1], made.volume[1]]).toEqual([
      ...[near(100), near(102), near(98), near(101), 2],
    ]);
    // The second bar has the same return as in the data, because it is the only bar that can be shifted.
    expect([made.open[2], made.close[2], made.close[3]]).toEqual([near(68), near(102), near(103)]);
  });

  it('include dividends as a share of the previous close, and splits on their dates', () => {
    const actions = [
      { symbol: 'A', time: 2 * DAY, kind: 'split', to: '2', from: '1' },
      { symbol: 'A', time: 3 * DAY, kind: 'dividend', amount: '10.2' },
    ];
    const { made } = build([{ gap: 2 }, { gap: 1 }, { gap: 1 }], actions);
    const drift = ((1.01 * ((2 * 102) / 101) * (112.2 / 102) * (103 / 102)) / 2) ** (1 / 3);
    const levels = [100 * 2 * drift];
    levels.push((levels[0]! * drift) / 2);
    levels.push(levels[1]! * (drift - 0.1));
    expect([...made.open].slice(1)).toEqual(levels.map((value) => expect.closeTo(value, 0) as number));
    expect(made.open[2]! / made.open[1]!).toBeCloseTo(made.open[1]! / 100 / 4, 6);
  });

  it('are limited to a billion times the first close, and to a billionth of it', () => {
    const first = 100 * UNROUNDED;
    const [ceiling, floor] = [first * 1e9, first / 1e9];
    const { made } = build([
      { gap: 1e14, close: 2, high: 5, low: 1e-30 },
      { gap: 1, close: 1e-14 },
      { gap: 1 },
    ]);
    expect([made.open[1], made.high[1], made.close[1], made.low[1]]).toEqual([
      ceiling,
      ceiling,
      ceiling,
      floor,
    ]);
    const fallen = build([{ gap: 1e-14, close: 0.5, high: 1e30 }, { gap: 1, close: 1e14 }, { gap: 1 }]).made;
    expect([fallen.open[1], fallen.close[1], fallen.high[1]]).toEqual([floor, floor, ceiling]);
    // A dividend larger than the price leaves the smallest possible price.
    const dividend = { symbol: 'A', time: DAY, kind: 'dividend', amount: '500' };
    expect(build([{ gap: 0.5 }, {}, {}], [dividend]).made.open[1]).toBe(floor);
  });

  it('keep the ratio of other columns to the open', () => {
    const plain = seriesOf('A', BARS);
    const extra = { spread: Float64Array.of(1, 2, 3, 4) };
    const base = worldBase(createMarket([{ ...plain, extra } as BarSeries]), 1);
    const made = buildWorld(base, (symbol, _index, _at, shape) => {
      Object.assign(shape, { gap: 1, high: 1, low: 1, close: symbol.close[2]!, extraFrom: 2 });
      return true;
    }).series[0]!;
    expect([...made.extra!.spread!]).toEqual([
      1,
      ...[1, 2, 3].map((bar) => near((3 / 101) * made.open[bar]!)),
    ]);
  });
});

it('a permuted world has the bars in the order of a simple shuffle', () => {
  const market = simulateMarket({ seed: 8, bars: 40, symbols: ['A', 'B'], price: 1e6 });
  const base = worldBase(market, 4);
  const made = permuted(base, exchangeable(base), createRandom(3, 'p'));
  const random = createRandom(3, 'p');
  const order = Array.from({ length: 36 }, (_, place) => place + 4);
  for (let left = 35; left > 0; left--) {
    const chosen = random.integer(0, left);
    [order[left], order[chosen]] = [order[chosen]!, order[left]!];
  }
  for (const [index, { volume, open, close }] of market.series.entries()) {
    const own = made.series[index]!;
    expect([...own.volume]).toEqual([...volume.slice(0, 4), ...order.map((bar) => volume[bar]!)]);
    for (const [place, bar] of order.entries())
      expect(own.close[place + 4]! / own.open[place + 4]!).toBeCloseTo(close[bar]! / open[bar]!, 6);
  }
});

describe('the notes and facts of worlds', () => {
  it('state how many bars can change places if fewer than half of all can', () => {
    // All six symbols trade on 20 days. On each further day, another set of symbols trades.
    const market = (sets: number) => {
      const names = ['A', 'B', 'C', 'D', 'E', 'F'];
      return createMarket(
        names.map((name, place) => {
          const days = Array.from({ length: 21 + sets }, (_, day) => day).filter(
            (day) => day <= 20 || ((day - 20) >> place) & 1,
          );
          return seriesOf(
            name,
            days.map((day): Row => [10, 11, 9, 10 + (day % 2), 1]),
            days,
          );
        }),
      );
    };
    const notes = (sets: number) => createWorldMaker(market(sets), { kind: 'permute', seed: 1 }, 1);
    expect(notes(21).notes).toEqual([
      'only 20 of 41 bars can change places, for few have the same symbols: the worlds are much like the data',
    ]);
    expect(notes(20).notes).toEqual([]);
    expect(notes(20).facts).toEqual({ bars: 40, made: 20 });
  });

  it('warn about noise below half of the rounding step at the median bar after the history', () => {
    // Five basis points of 10 are half of a cent.
    const cents = (price: number) => Math.round(100 * price) / 100;
    const maker = (closes: readonly number[], noise?: object, first = 1) => {
      const rows = closes.map((close): Row => [close, cents(close + 0.01), cents(close - 0.03), close, 1]);
      const terms = { kind: 'noise', seed: 1, ...(noise === undefined ? {} : { noise }) } as const;
      return createWorldMaker(createMarket([seriesOf('A', rows)]), terms as never, first).notes.length;
    };
    expect(maker([1, 9, 10, 11])).toBe(0);
    expect(maker([1, 9.9, 9.99, 11])).toBe(1);
    expect(maker([1, 9, 9, 9, 11, 11])).toBe(1);
    expect(maker([1, 9, 9, 9, 11, 11], undefined, 4)).toBe(0);
    expect(maker([1, 9, 11])).toBe(0);
    // The range of each bar is four cents.
    expect(maker([1, 9, 9, 9], { unit: 'range', size: 0.13 })).toBe(0);
    expect(maker([1, 9, 9, 9], { unit: 'range', size: 0.12 })).toBe(1);
    expect(maker([1, 9.00000000001, 9, 9])).toBe(0);
  });

  it('describe each regime by its share, duration, mean return and deviation', () => {
    const market = simulateMarket({ seed: 5, bars: 400, symbols: ['A', 'B'], regime: 'crash', price: 1e6 });
    const base = worldBase(market, 20);
    const { model, shares, transitions } = fitRegimes(base, commonInstants(base));
    const { facts } = createWorldMaker(market, { kind: 'regime', seed: 1 }, 20);
    const states = model.states.length;
    expect(states).toBeGreaterThan(1);
    expect(facts).toEqual({
      bars: 380,
      made: 380,
      regimes: model.states.map(({ mean, factor }, state) => ({
        share: expect.closeTo(shares[state]!.at(-1)! / 380, 9) as number,
        bars: 1 / (1 - transitions[state * states + state]!),
        mean: (mean[0]! + mean[1]!) / 2,
        deviation: expect.closeTo((factor[0]! + Math.hypot(factor[2]!, factor[3]!)) / 2, 12) as number,
      })),
    });
  });
});
