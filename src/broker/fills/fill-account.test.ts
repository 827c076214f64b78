import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';

const DIP: Candle = [10, 10, 8, 10];

/** Returns the fills of one bar that reaches the limit of two buy orders at 9. The order for Z is older. */
function fillsOf(settings: ConstructorParameters<typeof Exchange>[1]): string[] {
  const exchange = new Exchange(
    { A: [...flat(10, 1), DIP], Z: [...flat(10, 1), DIP] },
    { cash: '1000', ...settings },
  ).next();
  exchange.broker.buy(50, { symbol: 'Z', type: 'limit', limitPrice: 9 });
  exchange.broker.submit({ action: 'buy', symbol: 'A', type: 'limit', limitPrice: 9, equityFraction: 0.9 });
  exchange.next();
  return exchange.fills;
}

describe('buying power claimed by an older order of another symbol', () => {
  it('is the value of the position that it opens', () => {
    expect(fillsOf({})).toEqual(['1 buy 50 Z @ 9', '1 buy 61 A @ 9']);
  });

  it('includes its commission', () => {
    // The order for Z reserves 50 × 9 + 10. After the commission of 10 for A, 530 of the 1,000 remain, enough
    // for 58 units of A at 9.
    expect(fillsOf({ commission: { model: 'fixed', amount: 10 } })).toEqual([
      '1 buy 50 Z @ 9 + 10',
      '1 buy 58 A @ 9 + 10',
    ]);
  });

  it('is divided by the leverage', () => {
    // Buying power for A is 1,000 × 2 − 50 × 9 = 1,550. The second order is for at most 0.9 × 1,000.
    expect(fillsOf({ leverage: 2 })).toEqual(['1 buy 50 Z @ 9', '1 buy 100 A @ 9']);
  });
});
