import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { type BarSeries, createMarket, simulateMarket } from '../../market/index.ts';
import { blockLengthOf } from '../../results/analysis/series/block-length.ts';
import { actionsOfWorld, commonInstants, rounded, worldBase } from './base.ts';
import { bootstrapped, exchangeable, marketBlockLength, noisy, readNoise } from './build.ts';

const DAY = 86_400_000;
const columns = ['open', 'high', 'low', 'close'] as const;

/** Returns a series of the given bars: open, high, low, close, volume. */
function seriesOf(
  symbol: string,
  bars: readonly (readonly number[])[],
  days = bars.map((_, at) => at),
): BarSeries {
  const column = (place: number) => Float64Array.from(bars, (bar) => bar[place]!);
  const [open, high, low, close, volume] = [0, 1, 2, 3, 4].map(column);
  return {
    symbol,
    time: Float64Array.from(days, (day) => day * DAY),
    open,
    high,
    low,
    close,
    volume,
  } as BarSeries;
}

describe('a size of noise', () => {
  it.each([
    ['5bp', { unit: 'basis-points', size: 5 }],
    [' .5 bps ', { unit: 'basis-points', size: 0.5 }],
    ['10000BP', { unit: 'basis-points', size: 10_000 }],
    ['10%', { unit: 'range', size: 0.1 }],
    ['1000%', { unit: 'range', size: 10 }],
    ['10000.5bp', undefined],
    ['1000.5%', undefined],
    ['0bp', undefined],
    ['0%', undefined],
    ['5', undefined],
    ['x5bp', undefined],
  ])('%s is %j', (text, size) => {
    expect(readNoise(text)).toEqual(size);
  });
});

it('rounds prices to their places, to at least one step, and not beyond exact numbers', () => {
  expect(rounded(1.2345, 2)).toBe(1.23);
  expect(rounded(1.2345, 0)).toBe(1);
  expect(rounded(0.001, 2)).toBe(0.01);
  expect(rounded(1.23456, undefined)).toBe(1.23456);
  expect(rounded(2 ** 53, 0)).toBe(2 ** 53);
  expect(rounded(2 ** 53 + 2, 0)).toBe(2 ** 53 + 2);
  expect(rounded(1e15 + 0.125, 1)).toBe(1e15 + 0.125);
});

describe('the base of worlds', () => {
  const bars = [
    [10, 12, 9, 11, 5],
    [12, 14, 11, 13, 6],
    [6, 8, 5, 7, 7],
    [8, 9, 7, 8, 8],
  ];
  const late = seriesOf('B', bars.slice(1), [1, 2, 3]);
  const market = createMarket([seriesOf('A', bars), late]);

  it('has ratios of prices, and gaps without splits, rolls and dividends', () => {
    const at = (bar: number) => bar * DAY;
    const base = worldBase(market, 0, [
      { symbol: 'A', time: at(2), kind: 'split', to: '2', from: '1' },
      { symbol: 'A', time: at(2), kind: 'dividend', amount: '0.5' },
      {
        symbol: 'A',
        time: at(3) - 1,
        kind: 'roll',
        oldContract: 'x',
        newContract: 'y',
        oldPrice: '6',
        newPrice: '8',
      },
      { symbol: 'A', time: at(0), kind: 'dividend', amount: '5' },
      { symbol: 'A', time: at(9), kind: 'split', to: '3', from: '1' },
    ] as never);
    expect(base.first).toBe(1);
    expect(worldBase(market, 3).first).toBe(3);
    const [a, b] = base.symbols;
    expect([...a!.gap].slice(1)).toEqual([12 / 11, (6 * 2 + 0.5 * 2) / 13, (8 * 0.75) / 7]);
    expect(a!.gap[0]).toBeNaN();
    expect([...a!.high]).toEqual([12 / 10, 14 / 12, 8 / 6, 9 / 8]);
    expect([...a!.low]).toEqual([9 / 10, 11 / 12, 5 / 6, 7 / 8]);
    expect([...a!.close]).toEqual([11 / 10, 13 / 12, 7 / 6, 1]);
    expect([...b!.barAt]).toEqual([-1, 0, 1, 2]);
    expect(a!.places).toBe(0);
    // A symbol has a return at an instant if it has a bar there and an earlier bar.
    expect([...commonInstants(base)]).toEqual([2, 3]);
    expect(exchangeable(base).map((group) => [...group])).toEqual([[1], [2, 3]]);
  });

  it('has the decimal places of the data, up to ten', () => {
    const placesOf = (price: number) =>
      worldBase(createMarket([seriesOf('A', [[price, price, price, price, 1]])]), 1).symbols[0]!.places;
    expect([1, 1.5, 1.25, 1.0000000001, 1.00000000001].map(placesOf)).toEqual([0, 1, 2, 10, undefined]);
  });

  it('adapts amounts of actions to the prices of a world', () => {
    const made = [
      seriesOf(
        'A',
        bars.map((bar) => bar.map((price) => price * 3)),
      ),
      late,
    ];
    const action = (kind: string, day: number, own: object) => ({
      symbol: 'A',
      time: day * DAY,
      kind,
      ...own,
    });
    const adapted = (one: object) => actionsOfWorld([one as never], market.series, made)[0];
    expect(adapted(action('dividend', 2, { amount: '0.5' }))).toMatchObject({ amount: '1.5' });
    expect(adapted(action('dividend', 1, { amount: '0.5' }))).toMatchObject({ amount: '1.5' });
    expect(adapted(action('dividend', 0, { amount: '0.5' }))).toMatchObject({ amount: '0.5' });
    expect(adapted(action('dividend', 2, { amount: '0.00000000001' }))).toMatchObject({
      amount: '0.0000000001',
    });
    expect(adapted(action('dividend', 2, { amount: '0' }))).toMatchObject({ amount: '0' });
    expect(adapted(action('delisting', 9, { price: '4' }))).toMatchObject({ price: '12' });
    expect(adapted(action('delisting', 9, {}))).not.toHaveProperty('price');
    expect(adapted(action('roll', 2, { oldPrice: '5', newPrice: '6' }))).toMatchObject({
      oldPrice: '15',
      newPrice: '18',
    });
    expect(adapted(action('split', 2, { to: '2', from: '1' }))).toEqual(
      action('split', 2, { to: '2', from: '1' }),
    );
    const other = { ...action('dividend', 2, { amount: '0.5' }), symbol: 'Z' };
    expect(adapted(other)).toBe(other);
    // The prices of symbol B are the same in the world and in the data, so the text of the amount is not
    // changed.
    expect(adapted({ ...other, symbol: 'B', amount: '0.50' })).toMatchObject({ amount: '0.50' });
  });
});

describe('a bootstrapped world', () => {
  const market = simulateMarket({ seed: 8, bars: 120, symbols: ['A', 'B'], price: 1e6 });
  const base = worldBase(market, 5);
  const common = commonInstants(base);

  it('consists of the bars that a simple implementation draws', () => {
    const made = bootstrapped(base, common, 4, createRandom(2, 'w'));
    const random = createRandom(2, 'w');
    let drawn: number | undefined;
    for (let at = 5; at < 120; at++) {
      drawn =
        drawn === undefined || random.next() < 1 / 4
          ? random.integer(0, common.length - 1)
          : drawn === common.length - 1
            ? 0
            : drawn + 1;
      for (const [index, { volume, close, open }] of market.series.entries()) {
        const [own, bar] = [made.series[index]!, common[drawn]!];
        expect(own.volume[at]).toBe(volume[bar]);
        expect(own.close[at]! / own.open[at]!).toBeCloseTo(close[bar]! / open[bar]!, 6);
      }
    }
    expect(made.series.map(({ close }) => close.at(-1))).toEqual(
      market.series.map(({ close }) => close.at(-1)),
    );
  });

  it('has the longest block length of returns and squared returns of all symbols', () => {
    const returns = market.series.map(({ close }) =>
      Float64Array.from(common, (at) => Math.log(close[at]! / close[at - 1]!)),
    );
    const lengths = returns.flatMap((own) => [
      blockLengthOf(own),
      blockLengthOf(own.map((value) => value * value)),
    ]);
    expect(marketBlockLength(base, common)).toBeCloseTo(Math.max(1, ...lengths), 2);
  });
});

describe('noise on prices', () => {
  const series = simulateMarket({ seed: 8, bars: 300, price: 1e6 }).series[0]!;
  const base = worldBase(createMarket([series]), 5);
  const moves = (noise: Parameters<typeof noisy>[1]) => {
    const made = noisy(base, noise, createRandom(1, 'n')).series[0]!;
    const random = createRandom(1, 'n').fork(series.symbol);
    for (let bar = 0; bar < 300; bar++) {
      if (bar < 5) {
        for (const name of columns) expect(made[name][bar]).toBe(series[name][bar]);
        continue;
      }
      const range = series.high[bar]! - series.low[bar]!;
      const four = (['open', 'high', 'low', 'close'] as const).map((name) => {
        const [price, step] = [series[name][bar]!, random.normal() * noise.size];
        return noise.unit === 'range'
          ? Math.max(price + step * range, price / 100)
          : price * Math.exp(step / 1e4);
      });
      const expected = { open: four[0]!, close: four[3]!, high: Math.max(...four), low: Math.min(...four) };
      for (const name of columns) expect(made[name][bar]).toBeCloseTo(expected[name], 1);
    }
  };

  it('is drawn for each price, as a share of the price or of the range of the bar', () => {
    moves({ unit: 'basis-points', size: 20 });
    moves({ unit: 'range', size: 0.2 });
    // Noise that would make a price negative is limited: a hundredth of the price remains.
    moves({ unit: 'range', size: 100 });
  });
});
