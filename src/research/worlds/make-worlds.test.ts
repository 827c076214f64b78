import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../test/missing.ts';
import { runBacktest } from '../../engine/index.ts';
import { type BarSeries, createMarket, loadMarket, type Market, simulateMarket } from '../../market/index.ts';
import { createWorldMaker, WORLD_KINDS, type WorldKind } from './make-worlds.ts';

const kinds = fc.constantFrom(...WORLD_KINDS);
const markets = fc
  .record({
    seed: fc.integer({ min: 0, max: 1e6 }),
    bars: fc.integer({ min: 110, max: 180 }),
    count: fc.integer({ min: 1, max: 3 }),
    regime: fc.constantFrom('random-walk', 'crash', 'volatile', 'trend'),
    price: fc.constantFrom(1, 20, 5000),
    late: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ seed, bars, count, regime, price, late }) => {
    const symbols = ['A', 'B', 'C'].slice(0, count);
    const market = simulateMarket({
      seed,
      bars,
      symbols,
      regime: regime as 'trend',
      price,
      correlation: 0.7,
    });
    // The last symbol begins a few bars after the others.
    return createMarket(market.series.map((one, index) => (index === count - 1 ? cut(one, late) : one)));
  });

function cut(series: BarSeries, from: number): BarSeries {
  const { time, open, high, low, close, volume } = series;
  const part = (column: Float64Array) => column.slice(from);
  return {
    symbol: series.symbol,
    time: part(time),
    open: part(open),
    high: part(high),
    low: part(low),
    close: part(close),
    volume: part(volume),
  };
}

function make(market: Market, kind: WorldKind, world = 1, seed = 7, first = 1): Market {
  return createWorldMaker(market, { kind, seed }, first).make(world).market;
}

function returnsOf({ close }: BarSeries): number[] {
  return Array.from(close.slice(1), (value, bar) => Math.log(value / close[bar]!));
}

function correlation(first: readonly number[], second: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [a, b] = [mean(first), mean(second)];
  let [together, one, other] = [0, 0, 0];
  for (const [bar, value] of first.entries()) {
    together += (value - a) * (second[bar]! - b);
    one += (value - a) ** 2;
    other += (second[bar]! - b) ** 2;
  }
  return together / Math.sqrt(one * other);
}

describe('generated worlds of every kind', () => {
  it('have valid bars on the dates of the data, with the rounding of the data', () => {
    fc.assert(
      fc.property(markets, kinds, fc.integer({ min: 1, max: 9 }), (market, kind, world) => {
        const made = make(market, kind, world);
        // `createMarket` refuses invalid bars.
        expect(createMarket(made.series).symbols).toEqual(market.symbols);
        expect([...made.clock]).toEqual([...market.clock]);
        for (const { open, close, high, low } of made.series)
          for (const column of [open, close, high, low])
            expect(column.filter((price) => Math.round(price * 100) / 100 !== price)).toHaveLength(0);
      }),
      { numRuns: 40 },
    );
  });

  it('are the same for the same seed and number, independent of earlier worlds', () => {
    fc.assert(
      fc.property(markets, kinds, (market, kind) => {
        const maker = createWorldMaker(market, { kind, seed: 3 }, 1);
        const [first, second] = [maker.make(1), maker.make(2)];
        const again = createWorldMaker(market, { kind, seed: 3 }, 1);
        expect(again.make(2)).toEqual(second);
        expect(again.make(1)).toEqual(first);
        // At a price of 1, noise of a few basis points is smaller than the rounding step of 0.01, so worlds
        // can be equal.
        if (market.series[0]!.close[0]! < 10) return;
        expect(first.market.series[0]!.close).not.toEqual(second.market.series[0]!.close);
        expect(make(market, kind, 1, 4).series[0]!.close).not.toEqual(first.market.series[0]!.close);
      }),
      { numRuns: 20 },
    );
  });

  it('preserve the history before the first bar', () => {
    fc.assert(
      fc.property(markets, kinds, (market, kind) => {
        const first = 8;
        const made = make(market, kind, 1, 7, first);
        for (const [index, series] of market.series.entries()) {
          const history = series.time.findIndex((time) => time >= market.clock[first]!);
          for (const name of ['open', 'high', 'low', 'close', 'volume'] as const)
            expect(made.series[index]![name].slice(0, history)).toEqual(series[name].slice(0, history));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('refuse data with too few bars', () => {
    for (const [kind, bars] of [
      ['permute', 20],
      ['block-bootstrap', 30],
      ['regime', 100],
    ] as const) {
      expect(() => make(simulateMarket({ seed: 1, bars }), kind)).toThrow(/needs \d+ bars/);
      expect(make(simulateMarket({ seed: 1, bars: bars + 1 }), kind).clock.length).toBe(bars + 1);
    }
  });
});

describe('the facts about worlds', () => {
  const market = simulateMarket({ seed: 3, bars: 140, symbols: ['A', 'B'], price: 1e5 });
  const made = (kind: WorldKind, own: object = {}, given = market, first = 10) =>
    createWorldMaker(given, { kind, seed: 1, ...own }, first);

  it('are the numbers of bars, and the terms of the kind', () => {
    expect(made('permute').facts).toEqual({ bars: 130, made: 130 });
    expect(made('block-bootstrap', { blockLength: 7 }).facts).toEqual({
      bars: 130,
      made: 130,
      blockLength: 7,
    });
    expect(made('block-bootstrap').facts.blockLength).toBeGreaterThanOrEqual(1);
    expect(made('noise').facts).toEqual({ bars: 130, made: 130, noise: { unit: 'basis-points', size: 5 } });
    expect(WORLD_KINDS.flatMap((kind) => made(kind).notes)).toEqual([]);
    const { bars, made: count, regimes } = made('regime').facts;
    expect([bars, count]).toEqual([130, 130]);
    expect(regimes!.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
    // With a single regime, its mean and standard deviation equal those of the returns, averaged over the
    // symbols.
    if (regimes!.length > 1) return;
    const returns = market.series.map((one) => returnsOf(one).slice(9));
    const means = returns.map((own) => own.reduce((sum, value) => sum + value, 0) / own.length);
    const deviations = returns.map((own, at) =>
      Math.sqrt(own.reduce((sum, value) => sum + (value - means[at]!) ** 2, 0) / own.length),
    );
    expect(regimes![0]!.mean).toBeCloseTo((means[0]! + means[1]!) / 2, 9);
    expect(regimes![0]!.deviation).toBeCloseTo((deviations[0]! + deviations[1]!) / 2, 9);
    expect(regimes![0]!.bars).toBeGreaterThan(1000);
  });

  it('include a note if few bars can change places', () => {
    // If B begins at bar 79, both symbols have a return at 60 of the 130 bars. If B begins at bar 74, they
    // have one at 65 bars, which is half and needs no note.
    const late = (from: number) => createMarket([market.series[0]!, cut(market.series[1]!, from)]);
    expect(made('block-bootstrap', {}, late(79)).notes).toEqual([
      'worlds are drawn from the 60 of 130 bars that all symbols share',
    ]);
    expect(made('block-bootstrap', {}, late(74)).notes).toEqual([]);
    expect(made('permute', {}, late(79)).facts.made).toBe(130);
  });

  it('include a note if rounding removes most of the noise', () => {
    const cheap = simulateMarket({ seed: 3, bars: 60, price: 1 });
    const small = made('noise', { noise: { unit: 'basis-points', size: 5 } }, cheap);
    expect(small.notes).toEqual([
      'the noise of SIM is mostly less than half of 0.01, which its prices are rounded to: its worlds are much like the data',
    ]);
    expect(made('noise', { noise: { unit: 'basis-points', size: 500 } }, cheap).notes).toEqual([]);
    expect(made('noise', { noise: { unit: 'range', size: 0.1 } }, cheap).notes).toHaveLength(1);
    expect(made('noise', { noise: { unit: 'range', size: 2 } }, cheap).notes).toEqual([]);
  });
});

describe('permuted worlds', () => {
  it("preserve each symbol's last price, its set of returns and its volumes", () => {
    fc.assert(
      fc.property(markets, (market) => {
        const made = make(market, 'permute');
        for (const [index, series] of market.series.entries()) {
          const world = made.series[index]!;
          expect(world.close.at(-1)).toBe(series.close.at(-1));
          expect(Float64Array.from(world.volume).sort()).toEqual(Float64Array.from(series.volume).sort());
          const [own, actual] = [world, series].map((one) => returnsOf(one).sort((a, b) => a - b));
          // Prices are rounded to 0.01, so returns differ slightly from the returns of the data.
          const lowest = Math.min(...world.low, ...series.low);
          const farthest = Math.max(...own!.map((value, place) => Math.abs(value - actual![place]!)));
          expect(farthest).toBeLessThan(0.03 / lowest + 1e-9);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('move the bars of several symbols together', () => {
    const market = simulateMarket({ seed: 5, bars: 600, symbols: ['A', 'B'], correlation: 0.8, price: 1e5 });
    const [a, b] = make(market, 'permute').series.map(returnsOf);
    const [c, d] = market.series.map(returnsOf);
    expect(correlation(a!, b!)).toBeCloseTo(correlation(c!, d!), 4);
  });
});

describe('resampled and simulated worlds', () => {
  it.each(['block-bootstrap', 'regime'] as const)('%s preserves the correlation of symbols', (kind) => {
    const market = simulateMarket({ seed: 5, bars: 2000, symbols: ['A', 'B'], correlation: 0.8, price: 1e5 });
    const maker = createWorldMaker(market, { kind, seed: 1 }, 1);
    const found = Array.from({ length: 10 }, (_, world) => {
      const [a, b] = maker.make(world + 1).market.series.map(returnsOf);
      return correlation(a!, b!);
    });
    const [c, d] = market.series.map(returnsOf);
    expect(Math.abs(found.reduce((x, y) => x + y, 0) / 10 - correlation(c!, d!))).toBeLessThan(0.02);
  });

  it('a bootstrap with long blocks preserves autocorrelation; with blocks of one bar it does not', () => {
    // Volatility clusters: large moves are followed by large moves, so the sizes of successive returns are
    // correlated.
    const swing = simulateMarket({ seed: 2, bars: 3000, regime: 'volatile', price: 1e5 });
    const clustering = (market: Market): number => {
      const sizes = returnsOf(market.series[0]!).map(Math.abs);
      return correlation(sizes.slice(1), sizes.slice(0, -1));
    };
    const own = (blockLength: number) =>
      clustering(
        createWorldMaker(swing, { kind: 'block-bootstrap', seed: 1, blockLength }, 1).make(1).market,
      );
    expect(own(200)).toBeGreaterThan(clustering(swing) - 0.1);
    expect(own(1)).toBeLessThan(0.06);
  });

  it('noise moves prices by its size', () => {
    const market = simulateMarket({ seed: 2, bars: 3000, price: 1e6 });
    const noise = { unit: 'basis-points', size: 10 } as const;
    const made = createWorldMaker(market, { kind: 'noise', seed: 1, noise }, 1).make(1).market;
    const moves = [...made.series[0]!.close.slice(1)].map((price, bar) =>
      Math.log(price / market.series[0]!.close[bar + 1]!),
    );
    const deviation = Math.sqrt(moves.reduce((sum, move) => sum + move ** 2, 0) / moves.length);
    expect(deviation).toBeGreaterThan(0.00095);
    expect(deviation).toBeLessThan(0.00105);
  });
});

describe('splits and dividends in generated worlds', () => {
  const plain = simulateMarket({ seed: 4, bars: 60, price: 1000 }).series[0]!;
  const [splitAt, dividendAt] = [30, 40];
  const halved = (column: Float64Array) => column.map((value, bar) => (bar >= splitAt ? value / 2 : value));
  const { time, volume } = plain;
  const series: BarSeries = {
    symbol: 'SIM',
    time,
    volume,
    open: halved(plain.open),
    high: halved(plain.high),
    low: halved(plain.low),
    close: halved(plain.close),
  };
  const market = createMarket([series]);
  const split = { symbol: 'SIM', time: time[splitAt]!, kind: 'split', to: '2', from: '1' } as const;
  const dividend = { symbol: 'SIM', time: time[dividendAt]!, kind: 'dividend', amount: '5' } as const;

  it('leave a split on its date, and no other bar has its fall', () => {
    const { market: made } = createWorldMaker(market, { kind: 'permute', seed: 1 }, 1, [split]).make(1);
    const moves = returnsOf(made.series[0]!);
    const halvings = moves.flatMap((move, bar) => (move < -0.5 ? [bar + 1] : []));
    expect(halvings).toEqual([splitAt]);
    // If the split is not known as a corporate action, the fall counts as an ordinary return. The permutation
    // then moves it to another bar.
    const blind = returnsOf(
      createWorldMaker(market, { kind: 'permute', seed: 1 }, 1).make(1).market.series[0]!,
    );
    expect(blind.findIndex((move) => move < -0.5) + 1).not.toBe(splitAt);
  });

  it('scale a dividend with the price at its date', () => {
    const { market: made, actions } = createWorldMaker(market, { kind: 'permute', seed: 1 }, 1, [
      split,
      dividend,
    ]).make(1);
    const before = dividendAt - 1;
    const scale = made.series[0]!.close[before]! / series.close[before]!;
    expect(actions[0]).toEqual(split);
    expect(Number((actions[1] as { amount: string }).amount)).toBeCloseTo(5 * scale, 8);
  });

  it.each(['permute', 'block-bootstrap', 'noise'] as const)(
    '%s leaves a roll on its date, with the same price ratio, and fitting the bars',
    async (kind) => {
      const [oldPrice, newPrice] = [plain.open[splitAt]!, series.open[splitAt]!].map(String) as [
        string,
        string,
      ];
      const contracts = { oldContract: 'A', newContract: 'B', oldPrice, newPrice };
      const roll = { symbol: 'SIM', time: time[splitAt]!, kind: 'roll', ...contracts } as const;
      const { market: made, actions } = createWorldMaker(market, { kind, seed: 1 }, 1, [roll]).make(1);
      const [own] = actions as (typeof roll)[];
      expect(Number(own!.newPrice)).toBe(made.series[0]!.open[splitAt]);
      expect(Number(own!.oldPrice) / Number(own!.newPrice)).toBeCloseTo(2, 6);
      const halvings = returnsOf(made.series[0]!).flatMap((move, bar) => (move < -0.4 ? [bar + 1] : []));
      expect(halvings).toEqual([splitAt]);
      const { error } = await runBacktest({
        market: made,
        actions,
        decider: { decide: ({ bar, orders }) => void (bar === 1 && orders.buy(1)) },
      });
      expect(error).toBeUndefined();
    },
  );
});

const djia = fileURLToPath(new URL('../../../../shared/data/djia', import.meta.url));
describe.skipIf(!sharedIsHere(djia))(
  'real shares whose dates differ (../shared is missing without them)',
  () => {
    it.each(WORLD_KINDS)('%s makes valid worlds of twenty shares', async (kind) => {
      const { market } = await loadMarket({ paths: [djia] });
      const made = make(market, kind);
      expect(createMarket(made.series).symbols).toEqual(market.symbols);
    });
  },
);
