import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../engine/index.ts';
import { type BarSeries, createMarket } from '../../market/index.ts';
import { yardstick } from './planned-bar.ts';

const market = simulateMarket({ seed: 3, bars: 20, symbols: ['A', 'B'], price: 100 });
const [a, b] = market.series as readonly [BarSeries, BarSeries];

interface Fill {
  readonly bar: number;
  readonly symbol: string;
  /** Units, negative for a sale. */
  readonly units: number;
  readonly price: number;
}

interface Planned {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

async function trade(
  plan: readonly Planned[],
  own: {
    settings?: object;
    actions?: readonly object[];
    market?: typeof market;
    lot?: number;
    leverage?: number;
  } = {},
) {
  const events: RunEvent[] = [];
  const { settings, actions, lot = 0, leverage = 1 } = own;
  const parameters = yardstick.parameters.parse({
    kind: 'random',
    plan: JSON.stringify(plan),
    lot,
    leverage,
  });
  const result = await runBacktest({
    market: own.market ?? market,
    decider: ruleDecider(yardstick, parameters, undefined),
    settings: { cash: '1000000', lot: '0.000001', ...settings } as never,
    ...(actions === undefined ? {} : { actions: actions as never }),
    onEvent: (event) => events.push(event),
  });
  expect(result.error).toBeUndefined();
  const fills = events.flatMap((event): Fill[] =>
    event.type === 'order_filled'
      ? [
          {
            bar: event.bar,
            symbol: event.symbol,
            units: Number(event.quantity) * (event.side === 'buy' ? 1 : -1),
            price: Number(event.price),
          },
        ]
      : [],
  );
  return { fills, equity: result.equity };
}

const places = (fills: readonly Fill[]) =>
  fills.map(({ bar, symbol, units }) => [bar, symbol, units > 0 ? 'buy' : 'sell']);
const near = (value: number, expected: number, share = 1e-4) =>
  expect(Math.abs(value / expected - 1)).toBeLessThan(share);

describe('an agent with a plan', () => {
  it.each([0.5, -0.5, 1])(
    'has a position of %d of equity from the open of a bar to the open of another',
    async (weight) => {
      const { fills } = await trade([{ symbol: 'A', from: 3, to: 7, weight }]);
      const [entry, exit] = weight > 0 ? ['buy', 'sell'] : ['sell', 'buy'];
      expect(places(fills)).toEqual([
        [3, 'A', entry],
        [7, 'A', exit],
      ]);
      near(fills[0]!.units * a.open[3]!, weight * 1e6);
      expect(fills[1]!.units).toBe(-fills[0]!.units);
    },
  );

  it('sells the units of the position that ends, and retains those of the other', async () => {
    const { fills, equity } = await trade([
      { symbol: 'A', from: 3, to: 9, weight: 0.3 },
      { symbol: 'A', from: 5, to: 7, weight: 0.2 },
      { symbol: 'A', from: 5, to: 12, weight: 0.1 },
    ]);
    expect(places(fills)).toEqual([
      [3, 'A', 'buy'],
      [5, 'A', 'buy'],
      [7, 'A', 'sell'],
      [9, 'A', 'sell'],
      [12, 'A', 'sell'],
    ]);
    near(fills[0]!.units * a.open[3]!, 0.3e6);
    near(fills[1]!.units * a.open[5]!, 0.3 * equity[4]!, 0.02);
    // The exit order is an amount of money, computed from the close of the previous bar. Its number of units
    // can therefore differ slightly from the number of units that the entry bought.
    near(-fills[2]!.units, (fills[1]!.units * 2) / 3, 0.02);
    near(-fills[3]!.units, fills[0]!.units, 0.02);
    expect(fills.reduce((sum, { units }) => sum + units, 0)).toBeCloseTo(0, 5);
  });

  it('reverses a position with one order', async () => {
    const { fills, equity } = await trade([
      { symbol: 'A', from: 3, to: 6, weight: 0.4 },
      { symbol: 'A', from: 6, to: 9, weight: -0.3 },
    ]);
    expect(places(fills)).toEqual([
      [3, 'A', 'buy'],
      [6, 'A', 'sell'],
      [9, 'A', 'buy'],
    ]);
    near(fills[2]!.units * a.open[6]!, 0.3 * equity[5]!, 0.02);
  });

  it('exchanges one symbol for another with the proceeds of the first', async () => {
    const { fills, equity } = await trade([
      { symbol: 'B', from: 3, to: 6, weight: 1 },
      { symbol: 'A', from: 6, to: 30, weight: 1 },
    ]);
    expect(places(fills)).toEqual([
      [3, 'B', 'buy'],
      [6, 'B', 'sell'],
      [6, 'A', 'buy'],
    ]);
    near(
      fills[2]!.units * a.open[6]!,
      equity[5]! * (1 + (fills[0]!.units * (b.open[6]! - b.close[5]!)) / equity[5]!),
      0.02,
    );
  });

  it('trades nothing if a position ends where an equal one begins', async () => {
    const { fills } = await trade([
      { symbol: 'A', from: 3, to: 6, weight: 1 },
      { symbol: 'A', from: 6, to: 9, weight: 1 },
    ]);
    expect(fills.filter(({ bar }) => bar === 6).every(({ units }) => Math.abs(units) < 500)).toBe(true);
    expect(places(fills.filter(({ bar }) => bar !== 6))).toEqual([
      [3, 'A', 'buy'],
      [9, 'A', 'sell'],
    ]);
  });

  it('closes a position of one bar at the close of its bar', async () => {
    const { fills } = await trade([{ symbol: 'A', from: 4, to: 4, weight: 0.5 }]);
    expect(places(fills)).toEqual([
      [4, 'A', 'buy'],
      [4, 'A', 'sell'],
    ]);
    expect(fills[1]!.price).toBe(a.close[4]);
    expect(fills[1]!.units).toBe(-fills[0]!.units);
  });

  it.each([1, -1])('retains another position of the symbol at the close of a bar (%d)', async (side) => {
    const short = await trade([
      { symbol: 'A', from: 3, to: 9, weight: 0.3 * side },
      { symbol: 'A', from: 5, to: 5, weight: 0.2 * side },
    ]);
    const [entry, exit] = side > 0 ? ['buy', 'sell'] : ['sell', 'buy'];
    expect(places(short.fills)).toEqual([
      [3, 'A', entry],
      [5, 'A', entry],
      [5, 'A', exit],
      // The closing order at bar 5 is an amount of money, so it leaves a small number of units. These units
      // are traded at the open of bar 6.
      [6, 'A', expect.any(String)],
      [9, 'A', exit],
    ]);
    near(short.fills[2]!.units + short.fills[3]!.units, -short.fills[1]!.units, 1e-3);
    expect(Math.abs(short.fills[3]!.units)).toBeLessThan(0.1 * Math.abs(short.fills[2]!.units));
    // The position planned for bars 3 to 9 is closed with all remaining units, so bought and sold units are
    // equal.
    expect(short.fills.reduce((sum, { units }) => sum + units, 0)).toBeCloseTo(0, 5);
  });

  it('scales its units after a split', async () => {
    const halved = (column: Float64Array) => column.map((value, bar) => (bar >= 5 ? value / 2 : value));
    const split = {
      ...a,
      open: halved(a.open),
      high: halved(a.high),
      low: halved(a.low),
      close: halved(a.close),
    };
    const action = { symbol: 'A', time: a.time[5], kind: 'split', to: '2', from: '1' };
    const plan = [
      { symbol: 'A', from: 2, to: 8, weight: 0.4 },
      { symbol: 'A', from: 3, to: 10, weight: 0.2 },
    ];
    const whole = (await trade(plan)).fills;
    const { fills } = await trade(plan, { market: createMarket([split, b]), actions: [action] });
    expect(places(fills)).toEqual(places(whole));
    for (const [at, { bar, units }] of fills.entries())
      near(units, whole[at]!.units * (bar >= 5 ? 2 : 1), 1e-3);
  });

  it('counts all units of an entry that is filled over several bars', async () => {
    // The second entry needs about 2,000 units. At bar 5, only 1,000 units can be filled: a tenth
    // (`participation`) of the volume.
    const volume = a.volume.map((_, bar) => (bar === 5 ? 10_000 : 1e9));
    const { fills } = await trade(
      [
        { symbol: 'A', from: 3, to: 9, weight: 0.3 },
        { symbol: 'A', from: 5, to: 8, weight: 0.2 },
      ],
      { market: createMarket([{ ...a, volume }, b]), settings: { participation: 0.1 } },
    );
    expect(fills.map(({ bar }) => bar)).toEqual([3, 5, 6, 8, 9]);
    expect(fills[1]!.units).toBe(1000);
    near(-fills[3]!.units, fills[1]!.units + fills[2]!.units, 0.05);
  });

  describe('at a constant price of 100', () => {
    const constant = (series: BarSeries): BarSeries => {
      const prices = series.close.map(() => 100);
      return { ...series, open: prices, high: prices, low: prices, close: prices };
    };
    const still = createMarket([constant(a), constant(b)]);
    const tradesOf = async (plan: readonly Planned[], settings: object = {}) =>
      (await trade(plan, { market: still, settings })).fills.map(({ bar, units }) => [bar, units]);

    it('counts the units of a short entry that turns a long position into an equal short one', async () => {
      const plan = [
        { symbol: 'A', from: 3, to: 9, weight: 0.3 },
        { symbol: 'A', from: 5, to: 8, weight: -0.6 },
      ];
      expect(await tradesOf(plan)).toEqual([
        [3, 3000],
        [5, -6000],
        [8, 6000],
        [9, -3000],
      ]);
    });

    it('sells nothing for an entry that the broker refused', async () => {
      const plan = [
        { symbol: 'A', from: 3, to: 9, weight: 1 },
        { symbol: 'A', from: 5, to: 7, weight: 0.5 },
      ];
      expect(await tradesOf(plan)).toEqual([
        [3, 10_000],
        [9, -10_000],
      ]);
    });

    it('trades with less than one unit of money', async () => {
      const plan = [{ symbol: 'A', from: 3, to: 7, weight: 0.5 }];
      expect(await tradesOf(plan, { cash: '0.5' })).toEqual([
        [3, 0.0025],
        [7, -0.0025],
      ]);
    });
  });

  it('opens at most the leverage', async () => {
    const plan = [{ symbol: 'A', from: 3, to: 7, weight: 1.5 }];
    near((await trade(plan)).fills[0]!.units * a.open[3]!, 1e6, 1e-3);
    const levered = await trade(plan, { settings: { leverage: 2 }, leverage: 2 });
    near(levered.fills[0]!.units * a.open[3]!, 1.5e6, 1e-3);
  });
});
