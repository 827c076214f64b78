import { describe, expect, it } from 'vitest';
import type { BarContext } from '../../engine/index.ts';
import { decimal } from '../../kernel/index.ts';
import { yardstick } from './planned-bar.ts';

interface Planned {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Account at one bar. Units and pending orders are given by symbol. */
interface At {
  readonly units?: Readonly<Record<string, number>>;
  readonly pending?: readonly string[];
  readonly equity?: number;
  readonly price?: number;
}

const SYMBOLS = ['A', 'B'];

/**
 * Runs a plan on given states of the account, one for each bar from 0. Prices are 10 and equity is 1,000 by
 * default. Returns the orders of each bar.
 */
function ordersOf(
  plan: readonly Planned[],
  account: readonly At[],
  own: { lot?: number; leverage?: number; currency?: string; multiplier?: number } = {},
): object[][] {
  const { currency = 'USD', multiplier = 1, ...sizes } = own;
  const parameters = yardstick.parameters.parse({ kind: 'random', plan: JSON.stringify(plan), ...sizes });
  const state = yardstick.state!(parameters);
  return account.map(({ units = {}, pending = [], equity = 1_000, price = 10 }, bar) => {
    const orders: object[] = [];
    const turn = {
      bar,
      symbols: SYMBOLS,
      account: {
        equity: decimal(equity),
        currency: 'USD',
        units: (symbol: string) => units[symbol] ?? 0,
        position: (symbol: string) => ({
          exposure: decimal((units[symbol] ?? 0) * price * multiplier),
          mark: decimal(price),
          multiplier: decimal(multiplier),
          currency,
        }),
      },
      orders: {
        pending: () => pending.map((symbol) => ({ symbol: SYMBOLS.indexOf(symbol) })),
        submit: (order: object) => void orders.push(order),
        close: (order: object) => void orders.push({ close: true, ...order }),
      },
    };
    yardstick.onBar(turn as unknown as BarContext, { parameters, state } as never);
    return orders;
  });
}

const A = (units: number, own: At = {}): At => ({ units: { A: units }, ...own });
const one = (from: number, to: number, weight: number, symbol = 'A'): Planned => ({
  ...{ symbol, from, to, weight },
});
const buy = (equityFraction: number, symbol = 'A') => ({ action: 'buy', symbol, equityFraction });
const sell = (equityFraction: number, symbol = 'A') => ({ action: 'sell', symbol, equityFraction });
const reduce = (action: string, notional: number, symbol = 'A') => ({
  ...{ action, symbol, notional, reduceOnly: true },
});
const close = (symbol = 'A') => ({ close: true, symbol });

describe('the orders of an agent with a plan', () => {
  it('enter at the close before a position begins, and close it at the close before it ends', () => {
    expect(ordersOf([one(1, 3, 0.5)], [{}, A(50), A(50), {}, {}])).toEqual([
      [buy(0.5)],
      [],
      [close()],
      [],
      [],
    ]);
    expect(ordersOf([one(2, 3, -0.25)], [{}, {}, A(-25), {}])).toEqual([[], [sell(0.25)], [close()], []]);
    // A position that was never filled has nothing to close.
    expect(ordersOf([one(1, 2, 0.5)], [{}, {}, {}])).toEqual([[buy(0.5)], [], []]);
  });

  it('sell the share of the units that belongs to the position that ends', () => {
    const plan = [one(1, 5, 0.25), one(2, 4, 0.25), one(2, 6, 0.125)];
    // 24 units belong to the first position. The next 60 are shared in the ratio of 0.25 to 0.125.
    const account = [{}, A(24), A(84), A(84), A(44), A(20), {}];
    expect(ordersOf(plan, account)).toEqual([
      [buy(0.25)],
      [buy(0.375)],
      [],
      [reduce('sell', 400)],
      [reduce('sell', 240)],
      [close()],
      [],
    ]);
  });

  it('sell a position of less than one unit', () => {
    const plan = [one(1, 5, 0.3), one(2, 4, 0.005)];
    expect(ordersOf(plan, [{}, A(30), A(30.5), A(30.5)])[3]).toEqual([reduce('sell', 5)]);
  });

  it('count the units of an entry again while its order is pending, and scale them after a split', () => {
    const plan = [one(1, 5, 0.3), one(2, 4, 0.2)];
    const pending = { pending: ['A'] };
    // The entry of 20 units is filled in two parts, of which the second is filled at bar 3.
    expect(ordersOf(plan, [{}, A(30), A(40, pending), A(50)])[3]).toEqual([reduce('sell', 200)]);
    // Without a pending order, the first part counts as the whole position, and the later units are a split.
    expect(ordersOf(plan, [{}, A(30), A(40), A(50)])[3]).toEqual([reduce('sell', 125)]);
    expect(ordersOf(plan, [{}, A(30), A(40, { pending: ['B'] }), A(50)])[3]).toEqual([reduce('sell', 125)]);
    // A split of 2:1 doubles the units of both positions and halves the price.
    expect(ordersOf(plan, [{}, A(30), A(50), A(100, { price: 5 })])[3]).toEqual([reduce('sell', 200)]);
  });

  it('net an exit and an entry of one symbol, and place orders that reduce a position first', () => {
    const plan = [one(1, 3, 0.5), one(3, 9, 0.2), one(3, 9, 0.4, 'B')];
    expect(ordersOf(plan, [{}, A(50), A(50)])[2]).toEqual([reduce('sell', 300), buy(0.4, 'B')]);
    const other = [one(1, 3, 0.5, 'B'), one(1, 9, 0.1), one(3, 9, 0.2), one(3, 9, 0.4, 'B')];
    const found = ordersOf(other, [{}, { units: { A: 10, B: 50 } }, { units: { A: 10, B: 50 } }])[2];
    expect(found).toEqual([reduce('sell', 100, 'B'), buy(0.2)]);
    // The exit of 50 units and an entry of 70 units need an order for the difference of 20 units.
    expect(ordersOf([one(1, 3, 0.5), one(3, 9, 0.7)], [{}, A(50), A(50)])[2]).toEqual([
      buy(expect.closeTo(0.2, 5) as number),
    ]);
  });

  it('turn a position to the other side with one order for the part that opens', () => {
    const plan = [one(1, 3, 0.4), one(3, 9, -0.3)];
    expect(ordersOf(plan, [{}, A(40), A(40)])[2]).toEqual([sell(0.3)]);
    expect(ordersOf([one(1, 3, -0.4), one(3, 9, 0.3)], [{}, A(-40), A(-40)])[2]).toEqual([buy(0.3)]);
    // If the two positions cancel each other, the order reduces the whole exposure and opens nothing.
    expect(ordersOf([one(1, 9, 0.4), one(3, 9, -0.4)], [{}, A(40), A(40)])[2]).toEqual([reduce('sell', 400)]);
    expect(ordersOf([one(1, 9, 0.4), one(3, 9, -0.4)], [{}, A(40), A(40)], { lot: 1e-9 })[2]).toEqual([
      close(),
    ]);
  });

  it('round each size to the nearest lot and to cents, and open at most the leverage', () => {
    // Half a lot of 2 units at a price of 10 and a multiplier of 5 is 50.
    const lots = { lot: 2, multiplier: 5 };
    expect(ordersOf([one(1, 3, 0.4)], [{}], lots)[0]).toEqual([buy(expect.closeTo(0.45, 5) as number)]);
    expect(ordersOf([one(1, 3, 0.4)], [{}], { ...lots, currency: 'EUR' })[0]).toEqual([buy(0.4)]);
    expect(ordersOf([one(1, 3, 1.5)], [{}])[0]).toEqual([buy(1)]);
    expect(ordersOf([one(1, 3, 1.5)], [{}], { leverage: 2 })[0]).toEqual([buy(1.5)]);
    expect(ordersOf([one(1, 3, 0.1234567)], [{}])[0]).toEqual([buy(0.123456)]);
    expect(ordersOf([one(1, 3, 1e-7)], [{}])[0]).toEqual([]);
    const plan = [one(1, 9, 0.4), one(2, 4, 0.3333)];
    expect(ordersOf(plan, [{}, A(40), A(73.3333), A(73.3333, { price: 9.999 })])[3]).toEqual([
      reduce('sell', 333.29),
    ]);
    // A reduction by less than a cent places no order.
    expect(ordersOf([one(1, 9, 0.4), one(3, 9, -0.000001)], [{}, A(40), A(40)])[2]).toEqual([]);
    expect(ordersOf([one(1, 9, 0.4), one(3, 9, -0.00002)], [{}, A(40), A(40)])[2]).toEqual([
      reduce('sell', 0.02),
    ]);
  });

  it('close a position of one bar at its close, or at the next open if that order was not filled', () => {
    const atClose = { close: true, symbol: 'A', type: 'market_on_close', validBars: 1 };
    const plan = [one(1, 1, 0.5)];
    expect(ordersOf(plan, [{}, {}, {}])).toEqual([[buy(0.5), atClose], [], []]);
    expect(ordersOf(plan, [{}, A(50), A(50)])).toEqual([[buy(0.5), atClose], [close()], []]);
    // Another position of the symbol is not closed, so the order at the close is an amount of money.
    const part = (action: string, notional: number) => ({
      ...{ action, symbol: 'A', type: 'market_on_close', notional, validBars: 1 },
    });
    expect(ordersOf([one(1, 9, 0.3), one(2, 2, 0.2)], [{}, A(30), A(30)])).toEqual([
      [buy(0.3)],
      [buy(0.2), part('sell', 200)],
      [],
    ]);
    expect(ordersOf([one(1, 9, -0.3), one(2, 2, -0.2)], [{}, A(-30), A(-50)])).toEqual([
      [sell(0.3)],
      [sell(0.2), part('buy', 200)],
      [reduce('buy', 200)],
    ]);
    expect(ordersOf([one(1, 1, 0.12345)], [{}])[0]![0]).toEqual(buy(0.12345));
  });

  it('are absent without equity', () => {
    expect(ordersOf([one(1, 3, 0.5)], [{ equity: 0 }])).toEqual([[]]);
    expect(ordersOf([one(1, 3, 0.5)], [{ equity: -5 }])).toEqual([[]]);
    expect(ordersOf([one(1, 3, 0.5)], [{ equity: 0.5 }])).toEqual([[buy(0.5)]]);
  });
});

it('an agent with a plan has by default an empty plan, no lot and a leverage of 1', () => {
  expect(yardstick.parameters.parse({ kind: 'random' })).toMatchObject({ plan: '[]', lot: 0, leverage: 1 });
});
