import { describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { createRandom, type Random } from '../kernel/index.ts';
import { type BarSeries, createMarket, mapColumns, simulateMarket } from '../market/index.ts';
import { checkShape, otherMarket, otherShape } from './shape.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const spreadOf = (values: readonly number[]): number =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
const logUniform = (low: number, high: number, random: Random): number => low * (high / low) ** random.next();

/**
 * Draws from Student's t distribution with five degrees of freedom, scaled to a variance of 1 and cut at four
 * standard deviations.
 */
function student(random: Random): number {
  let squares = 0;
  for (let degree = 0; degree < 5; degree++) squares += random.normal() ** 2;
  return Math.max(-4, Math.min(4, random.normal() * Math.sqrt(3 / squares)));
}

/** Second implementation of the method that `otherShape` documents, with plain lists. */
function reference(series: BarSeries, secret: number, drift: number) {
  const random = createRandom(secret, `shape/${series.symbol}`);
  const [open, high, low, close, volume] = (['open', 'high', 'low', 'close', 'volume'] as const).map((name) =>
    Array.from(series[name]),
  ) as [number[], number[], number[], number[], number[]];
  const blocks: number[][] = [];
  for (let bar = 1; bar < close.length; bar++) {
    if (blocks.length === 0 || random.next() < 1 / 3) blocks.push([]);
    blocks.at(-1)!.push(bar);
  }
  for (let last = blocks.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [blocks[last], blocks[other]] = [blocks[other]!, blocks[last]!];
  }
  const order = blocks.flat();
  const deal = (values: readonly number[], draw: () => number): number[] => {
    const size = logUniform(0.3, 0.8, random) * spreadOf(values);
    const noisy = values.map((value) => value + size * random.normal());
    const ranks = noisy.map((value) => noisy.filter((one) => one < value).length);
    const drawn = values.map(draw).sort((one, other) => one - other);
    return ranks.map((rank) => drawn[rank]!);
  };
  const returns = order.map((bar) => Math.log(close[bar]! / close[bar - 1]!));
  const spread = spreadOf(returns) * logUniform(0.6, 1.6, random);
  const gap = logUniform(0.2, 0.5, random) * spread;
  const busy = logUniform(0.25, 0.55, random);
  const volumes = order.map((bar) => Math.log(Math.max(volume[bar]!, 1)));
  const moves = deal(returns, () => spread * (student(random) + drift));
  const gaps = deal(
    order.map((bar) => Math.log(open[bar]! / close[bar - 1]!)),
    () => gap * student(random),
  );
  const shadow = (of: (bar: number) => number): number[] => {
    const size = logUniform(0.25, 0.6, random) * spread;
    return deal(order.map(of), () => size * Math.abs(student(random)));
  };
  const up = shadow((bar) => Math.log(high[bar]! / Math.max(open[bar]!, close[bar]!)));
  const down = shadow((bar) => Math.log(Math.min(open[bar]!, close[bar]!) / low[bar]!));
  const traded = deal(volumes, () => Math.exp(mean(volumes) + busy * student(random)));
  const made = {
    open: [open[0]!],
    high: [high[0]!],
    low: [low[0]!],
    close: [close[0]!],
    volume: [volume[0]!],
  };
  for (const [at, from] of order.entries()) {
    const before = made.close[at]!;
    const [o, c] = [before * Math.exp(gaps[at]!), before * Math.exp(moves[at]!)];
    made.open.push(o);
    made.close.push(c);
    made.high.push(Math.max(o, c) * Math.exp(up[at]!));
    made.low.push(Math.min(o, c) * Math.exp(-down[at]!));
    made.volume.push(volume[from] === 0 ? 0 : Math.max(1, Math.round(traded[at]!)));
  }
  return made;
}

const driftOf = ({ close }: BarSeries): number => {
  const returns = Array.from(close.subarray(1), (value, at) => Math.log(value / close[at]!));
  return mean(returns) / spreadOf(returns);
};
const { series } = simulateMarket({ seed: 4, bars: 120, symbols: ['ONE', 'TWO', 'ZWO'] });
// Every tenth bar of the first symbol has no volume.
const one = mapColumns(series[0]!, (column) =>
  column === series[0]!.volume ? column.map((value, bar) => (bar % 10 === 5 ? 0 : value)) : column,
);

function expectSame(made: BarSeries, expected: ReturnType<typeof reference>): void {
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const)
    for (const [bar, value] of expected[name].entries())
      if (!(Math.abs(made[name][bar]! - value) <= 1e-5 * Math.abs(value)))
        expect.fail(`${name} of bar ${bar} is ${made[name][bar]}, not ${value}`);
}

describe('the shape of a masked series', () => {
  it.each([1, 2, 3, 5])('is drawn by the documented method, seed %i', (seed) => {
    const made = otherShape(one, seed);
    expectSame(made, reference(one, seed, driftOf(one)));
    expectSame(otherShape(one, seed, 0.25), reference(one, seed, 0.25));
    expect([made.symbol, made.time]).toEqual(['ONE', one.time]);
    for (const name of ['open', 'high', 'low', 'close'] as const)
      for (const value of made[name]) expect(value).toBe(Number(value.toPrecision(6)));
  });

  it('has the mean drift of all symbols that have enough bars to be changed', () => {
    const short = mapColumns(series[2]!, (column) => column.slice(0, 2));
    const market = createMarket([series[0]!, series[1]!, short].map((each) => ({ ...each, interval: '1d' })));
    const made = otherMarket(market, 5);
    const drift = (driftOf(series[0]!) + driftOf(series[1]!)) / 2;
    for (const symbol of ['ONE', 'TWO']) {
      const real = market.series.find((each) => each.symbol === symbol)!;
      expectSame(made.series.find((each) => each.symbol === symbol)!, reference(real, 5, drift));
    }
    expect(made.series.find(({ symbol }) => symbol === 'ZWO')!.close).toEqual(short.close);
  });

  it('requires bars of at least 20 hours, or of an unknown length', () => {
    const check = (hours: number | undefined) => {
      const interval = hours === undefined ? undefined : { milliseconds: hours * 3_600_000 };
      const market = { ...simulateMarket({ seed: 1, bars: 3 }), interval };
      return () =>
        checkShape({ market: market as never, settings: readRunSettings({}), rates: [], actions: [] });
    };
    for (const hours of [20, 24, undefined]) expect(check(hours)).not.toThrow();
    for (const hours of [19.99, 1]) expect(check(hours)).toThrow('requires daily bars');
  });
});
