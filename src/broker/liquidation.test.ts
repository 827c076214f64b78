import { describe, expect, it } from 'vitest';
import { type Candle, Exchange } from '../../test/support/exchange.ts';

const at = (price: number): Candle => [price, price, price, price, 1_000_000];
const levered = { leverage: 2, maintenanceMargin: 0.5 };

/** Buys units by symbol at the second bar, and runs to the end of the third. */
function breach(
  cash: string,
  bought: Readonly<Record<string, number>>,
  candles: Readonly<Record<string, readonly Candle[]>>,
  settings: object = levered,
): Exchange {
  const exchange = new Exchange(candles, { cash, ...settings }).next();
  for (const [symbol, quantity] of Object.entries(bought)) exchange.broker.buy(quantity, { symbol });
  return exchange.next().next().next();
}

describe('a maintenance margin call', () => {
  it('closes a position of any size, even of one dollar', () => {
    // 10 units cost 2 at a price of 0.2, with 1.40 of equity. At 0.1 the units are worth 1. The equity of
    // 0.40 is below the maintenance margin of half of that value.
    const small = [at(0.2), at(0.2), at(0.1), at(0.1)];
    expect(breach('1.4', { A: 10 }, { A: small }).fills).toEqual(['1 buy 10 A @ 0.2', '3 sell 10 A @ 0.1']);
  });

  it('does not occur at exactly the margin', () => {
    // 10 units at 100, with 550 of equity. At 90 the equity is 450, exactly the maintenance margin of half of
    // 900.
    const candles = { A: [at(100), at(100), at(90), at(90)] };
    expect(breach('550', { A: 10 }, candles).fills).toHaveLength(1);
    expect(breach('549.99', { A: 10 }, candles).fills).toHaveLength(2);
  });

  it('closes the largest loser first, and only the necessary quantity', () => {
    const candles = {
      A: [at(100), at(100), at(95), at(95)],
      B: [at(100), at(100), at(70), at(70)],
      C: [at(100), at(100), at(101), at(101)],
    };
    // Positions of 3,000 with 1,600 of equity. A loss of 340 leaves equity of 1,260. Half of 2,660 is
    // required, and half of 1,960 after closing B.
    const exchange = breach('1600', { A: 10, B: 10, C: 10 }, candles);
    expect(exchange.fills.slice(3)).toEqual(['3 sell 10 B @ 70']);
    expect(exchange.held).toEqual({ A: '10', C: '10' });
  });

  it('continues with the next position if one is not enough, and orders equal losers by name', () => {
    const candles = {
      A: [at(100), at(100), at(80), at(80)],
      B: [at(100), at(100), at(80), at(80)],
      C: [at(100), at(100), at(80), at(80)],
    };
    // A loss of 600 leaves equity of 900 for positions of 2,400, of which half is required. Closing one
    // position leaves 1,600, for which the equity is sufficient.
    expect(breach('1500', { C: 10, B: 10, A: 10 }, candles).fills.slice(3)).toEqual(['3 sell 10 A @ 80']);
    const lower = Object.fromEntries(
      ['A', 'B', 'C'].map((name) => [name, [at(100), at(100), at(65), at(65)]]),
    );
    // A loss of 1,050 leaves equity of 450 for positions of 1,950. Two positions must be closed.
    expect(breach('1500', { C: 10, B: 10, A: 10 }, lower).fills.slice(3)).toEqual([
      '3 sell 10 A @ 65',
      '3 sell 10 B @ 65',
    ]);
  });

  it('stops closing instruments with separate margins when the remaining positions are covered', () => {
    const terms = { multiplier: 1, tick: 0.01, tickValue: 0.01, margin: 20, maintenanceMargin: 10 };
    const candles = { A: [at(100), at(100), at(77), at(77)], B: [at(100), at(100), at(99), at(99)] };
    // Ten units each of A and B require equity of 200 in total. A loss of 240 leaves 160, enough for B alone,
    // which requires 100.
    const exchange = breach('400', { A: 10, B: 10 }, candles, { instruments: { A: terms, B: terms } });
    expect(exchange.fills.slice(2)).toEqual(['3 sell 10 A @ 77']);
    expect(exchange.held).toEqual({ B: '10' });
  });

  it.each([
    // Maintenance margin of the run: half of the exposure. One unit of S requires 450 at a price of 900 and
    // 500 at 1,000. One unit of E requires 100 by its separate terms.
    ['650', '649.99', { E: 1000, S: 900 }, '3 sell 1 S @ 900'],
    ['830', '829.99', { E: 770, S: 1000 }, '3 sell 1 E @ 770'],
  ])('adds separate margins to the margin of the run (%s)', (enough, less, last, sold) => {
    const own = { multiplier: 1, tick: 0.01, tickValue: 0.01, margin: 200, maintenanceMargin: 100 };
    const settings = { leverage: 4, maintenanceMargin: 0.5, instruments: { E: own, N: own } };
    const candles = Object.fromEntries(
      Object.entries({ ...last, C: 1000, N: 1000 }).map(([name, price]) => [
        name,
        [1000, 1000, price, price].map(at),
      ]),
    );
    const fills = (cash: string): string[] => breach(cash, { E: 1, S: 1 }, candles, settings).fills.slice(2);
    expect(fills(enough)).toEqual([]);
    expect(fills(less)).toEqual([sold]);
  });

  it('closes nothing if there is no position', () => {
    expect(breach('100', {}, { A: [at(100), at(100), at(50), at(50)] }).events).toEqual([]);
  });

  it('cancels the rest of a partly filled entry, and no other orders', () => {
    const thin: Candle = [100, 100, 100, 100, 1_000];
    const terms = { cash: '1000', participation: 0.01, leverage: 10, maintenanceMargin: 0.5 };
    const exchange = new Exchange({ A: Array(9).fill(thin) }, terms).next();
    exchange.broker.buy(60, { type: 'limit', limitPrice: 100 });
    exchange.broker.buy(1, { type: 'limit', limitPrice: 50 });
    exchange.broker.sell(1, { type: 'limit', limitPrice: 200 });
    // 30 units need 1,500 of equity.
    exchange.next().next().next().next().next().next();
    expect(exchange.fills).toEqual([
      '1 buy 10 A @ 100',
      '2 buy 10 A @ 100',
      '3 buy 10 A @ 100',
      '4 sell 10 A @ 100',
      '5 sell 10 A @ 100',
      '6 sell 10 A @ 100',
    ]);
    const cancelled = exchange.events.flatMap((event) =>
      event.type === 'order_cancelled' ? [`#${event.orderId} ${event.code}`] : [],
    );
    expect(cancelled).toEqual(['#1 exit_filled']);
  });
});
