import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../test/support/exchange.ts';
import { decimal } from '../kernel/index.ts';

const cents = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min, max }).map((value) => value / 100);

/** Exact fraction of integers. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

function fractionOf(value: number | string): Fraction {
  const [whole = '', part = ''] = decimal(value).toFixed().split('.');
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
}

const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });
const atMost = (a: Fraction, b: Fraction): boolean => a.top * b.bottom <= b.top * a.bottom;

describe('an order sized by a fraction of the equity', () => {
  it.each([
    // Columns: cash, price, fraction, commission rate, lot, expected quantity
    ['1000', 100, 0.5, 0, 1, '5'],
    ['1000', 100, 1, 0, 1, '10'],
    ['1000', 100, 1, 0.001, 1, '9'],
    ['1001', 100, 1, 0.001, 1, '10'],
    ['1000.9999', 100, 1, 0.001, 1, '9'],
    ['1000', 100, 0.999, 0.001, 1, '9'],
    ['10000', 33.33, 0.9999, 0.002, 1, '299'],
    ['1000', 100, 0.55, 0, 0.1, '5.5'],
    ['1000', 100, 0.55, 0, 2, '4'],
    ['1000', 0.3, 0.9, 0, 1, '3000'],
    ['0.3', 0.1, 1, 0, 1, '3'],
  ] as const)(
    'of %s at %d: %d with commission %d in lots of %d is %s',
    (cash, price, fraction, rate, lot, quantity) => {
      const exchange = new Exchange({ A: flat(price, 2) }, { cash, commissionRate: rate, lot }).next();
      exchange.broker.submit({ action: 'buy', equityFraction: fraction });
      exchange.next();
      expect(exchange.held).toEqual({ A: quantity });
    },
  );

  it('is the largest number of lots within the fraction and, with commission, within the equity', () => {
    fc.assert(
      fc.property(
        cents(1_000, 10_000_000),
        cents(1, 100_000),
        fc.integer({ min: 1, max: 10_000 }).map((value) => value / 10_000),
        fc.constantFrom(0, 0.0005, 0.002, 0.01, 0.25),
        fc.constantFrom(0.001, 0.1, 1, 5),
        fc.constantFrom('buy' as const, 'sell' as const),
        (cash, price, equityFraction, commissionRate, lot, action) => {
          const exchange = new Exchange(
            { A: flat(price, 2) },
            { cash: String(cash), commissionRate, lot },
          ).next();
          exchange.broker.submit({ action, equityFraction });
          exchange.next();
          const held = exchange.held.A ?? '0';
          expect(held === '0' || held.startsWith('-') === (action === 'sell')).toBe(true);

          const limit = times(fractionOf(cash), fractionOf(equityFraction));
          const withCost = fractionOf(decimal(1).plus(commissionRate).toFixed());
          const fits = (units: Fraction): boolean => {
            const notional = times(units, fractionOf(price));
            return atMost(notional, limit) && atMost(times(notional, withCost), fractionOf(cash));
          };
          const units = decimal(held).abs();
          expect(units.modulo(lot).isZero()).toBe(true);
          expect(fits(fractionOf(units.toFixed()))).toBe(true);
          expect(fits(fractionOf(units.plus(lot).toFixed()))).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('uses the equity at the open, not at the close when it was placed', () => {
    const exchange = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [100, 100, 100, 100],
          [200, 200, 200, 200],
        ],
      },
      { cash: '1000' },
    ).next();
    exchange.broker.buy(5);
    exchange.next();
    exchange.broker.submit({ action: 'buy', equityFraction: 0.2 });
    exchange.next();
    // Equity at the open: 500 + 5 × 200 = 1500. A fifth of this equity buys 1 unit at 200.
    expect(exchange.fills.at(-1)).toBe('2 buy 1 A @ 200');
  });

  it('buys at most for the available cash if the position is already large', () => {
    const exchange = new Exchange({ A: flat(100, 4) }, { cash: '1000' }).next();
    exchange.broker.submit({ action: 'buy', equityFraction: 0.8 });
    exchange.next();
    exchange.broker.submit({ action: 'buy', equityFraction: 0.8 });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 8 A @ 100', '2 buy 2 A @ 100']);
  });

  it.each([
    // Columns: fraction of equity, fraction of the second order, commission rate, and for each fill the
    // requested quantity if buying power reduced the order
    ['within buying power', 0.5, 0.4, 0, [undefined, undefined]],
    ['beyond what is left', 0.8, 0.8, 0, [undefined, '8']],
    ['cut by its commission alone', 1, 0, 0.01, ['10']],
  ] as const)('reports the requested size in the fill: %s', (_, first, second, commissionRate, asked) => {
    const exchange = new Exchange({ A: flat(100, 4) }, { cash: '1000', commissionRate }).next();
    for (const equityFraction of [first, second]) {
      if (equityFraction > 0) exchange.broker.submit({ action: 'buy', equityFraction });
      exchange.next();
    }
    const fills = exchange.events.filter((event) => event.type === 'order_filled');
    expect(fills.map(({ requestedQuantity }) => requestedQuantity)).toEqual(asked);
    for (const fill of fills) expect('requestedQuantity' in fill).toBe(fill.requestedQuantity !== undefined);
  });

  it('includes the closed quantity in the requested size', () => {
    const exchange = new Exchange({ A: flat(100, 4) }, { cash: '1000', commissionRate: 0.01 }).next();
    exchange.broker.submit({ action: 'buy', quantity: 5 });
    exchange.next();
    exchange.broker.submit({ action: 'sell', equityFraction: 1 });
    exchange.next();
    // Equity after closing 5 units is 990. It allows 9 units short at 100, with their commission of 9.
    const last = exchange.events.findLast((event) => event.type === 'order_filled');
    expect(last?.quantity).toBe('14');
    expect(last?.requestedQuantity).toBe(undefined);
  });

  it('closes the opposite position, then opens with the remaining equity', () => {
    const candles = {
      A: [
        [100, 100, 100, 100],
        [100, 100, 100, 100],
        [110, 110, 110, 110],
      ] as const,
    };
    const exchange = new Exchange(candles, { cash: '1000', commissionRate: 0.01 }).next();
    exchange.broker.submit({ action: 'buy', equityFraction: 0.9 });
    exchange.next();
    expect(exchange.cash).toBe('91'); // 9 bought for 900 + 9
    exchange.broker.submit({ action: 'sell', equityFraction: 0.92 });
    exchange.next();
    // Equity at 110 is 1081. Closing 9 units costs 9.9, so 1071.1 remain. 0.92 of 1071.1 is enough to sell 8
    // units short at 110; 0.92 of 1081 would be enough for 9 units.
    expect(exchange.fills.at(-1)).toBe('2 sell 17 A @ 110 + 18.7');
    expect(exchange.held).toEqual({ A: '-8' });
  });

  it('includes the slippage of the closed quantity', () => {
    const candles = {
      A: [
        [100, 100, 100, 100],
        [100, 120, 90, 100],
        [110, 120, 90, 110],
      ] as const,
    };
    const exchange = new Exchange(candles, { cash: '1000', slippageBps: 100 }).next();
    exchange.broker.buy(9);
    exchange.next();
    expect(exchange.cash).toBe('91'); // 9 bought at 101
    exchange.broker.submit({ action: 'sell', equityFraction: 0.91 });
    exchange.next();
    // Equity at 110 is 1081. Selling 9 units at 108.9 leaves 1071.1. 0.91 of 1071.1 is enough to sell 8 units
    // short at 108.9; 0.91 of 1081 would be enough for 9 units.
    expect(exchange.fills.at(-1)).toBe('2 sell 17 A @ 108.9');
  });

  it('never makes cash negative without leverage, for any gaps and costs', () => {
    const candle = fc
      .tuple(cents(100, 20_000), cents(0, 500), cents(0, 90))
      .map(([open, up, down]) => [open, open + up, open - down, open] as const);
    fc.assert(
      fc.property(
        fc.array(candle, { minLength: 3, maxLength: 8 }),
        fc.constantFrom(0, 0.002, 0.05),
        fc.constantFrom(0, 3, 50),
        fc.array(fc.constantFrom(0.1, 0.5, 0.9999, 1), { minLength: 8, maxLength: 8 }),
        (candles, commissionRate, slippageBps, fractions) => {
          const exchange = new Exchange({ A: candles }, { cash: '10000', commissionRate, slippageBps });
          for (const equityFraction of fractions) {
            exchange.next();
            exchange.broker.submit({ action: 'buy', equityFraction });
            expect(exchange.ledger.cash.isNegative()).toBe(false);
          }
        },
      ),
    );
  });
});
