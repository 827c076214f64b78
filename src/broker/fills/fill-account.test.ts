import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';

const DIP: Candle = [10, 10, 8, 10];

/** Fills of a bar on which two limit orders at 9 are reached. The order of Z is older. */
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
    // 1,000 less 50 × 9, twice the commission of 10: room for 58 units of A.
    expect(fillsOf({ commission: { model: 'fixed', amount: 10 } })).toEqual([
      '1 buy 50 Z @ 9 + 10',
      '1 buy 58 A @ 9 + 10',
    ]);
  });

  it('is divided by the leverage', () => {
    // 1,000 × 2 less 50 × 9, at most 0.9 × 1,000 for A.
    expect(fillsOf({ leverage: 2 })).toEqual(['1 buy 50 Z @ 9', '1 buy 100 A @ 9']);
  });
});
