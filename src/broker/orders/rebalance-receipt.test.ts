import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';

describe('a rebalance', () => {
  const at = (price: number): Candle => [price, price, price, price];

  it('returns a receipt with the equity and each order with its weight', () => {
    const exchange = new Exchange({
      A: flat(100, 4),
      B: [at(50), at(50), at(40), at(40)],
      C: flat(10, 4),
    }).next();
    exchange.broker.buy(20, { symbol: 'A' });
    exchange.broker.sell(30, { symbol: 'B' });
    exchange.next();
    exchange.next();
    // The equity is 10,000 + 30 × 10 = 10,300.
    const receipt = exchange.broker.rebalance({ weights: { A: 0.1, B: 0.2, C: 0.3 } });
    expect(receipt).toEqual({
      accepted: true,
      equity: '10300',
      orders: [
        { orderId: 3, symbol: 'A', side: 'sell', quantity: '10', weight: '0.1', reaches: '0.097087' },
        { orderId: 4, symbol: 'B', side: 'buy', quantity: '81', weight: '0.2', reaches: '0.198058' },
        { orderId: 5, symbol: 'C', side: 'buy', quantity: '309', weight: '0.3', reaches: '0.3' },
      ],
      shortfall: [],
      skipped: [],
    });
  });

  it('does not trade a position at exactly the tolerance', () => {
    const codes = (tolerance: number): string[] => {
      const exchange = new Exchange({ A: flat(100, 4), B: flat(50, 4) }).next();
      exchange.broker.buy(20, { symbol: 'A' });
      exchange.next();
      const receipt = exchange.broker.rebalance({ weights: { A: 0.25, B: 0 }, tolerance });
      return receipt.accepted ? receipt.skipped.map(({ symbol, code }) => `${symbol} ${code}`) : [];
    };
    expect(codes(0.05)).toEqual(['A within_tolerance', 'B at_target']);
    expect(codes(0.0499)).toEqual(['B at_target']);
    expect(codes(0)).toEqual(['B at_target']);
  });

  it('trades a difference of one lot, but not a smaller difference', () => {
    const orders = (weight: number): string[] => {
      const exchange = new Exchange({ A: flat(100, 4) }).next();
      exchange.broker.buy(20, { symbol: 'A' });
      exchange.next();
      const receipt = exchange.broker.rebalance({ weights: { A: weight } });
      return receipt.accepted ? receipt.orders.map(({ side, quantity }) => `${side} ${quantity}`) : [];
    };
    expect([orders(0.2099), orders(0.21), orders(0.1901), orders(0.19)]).toEqual([
      [],
      ['buy 1'],
      [],
      ['sell 1'],
    ]);
  });

  it('reserves the commission only if equity does not cover weights and commission', () => {
    const receiptOf = (weight: number) => {
      const exchange = new Exchange(
        { A: flat(100, 4) },
        { commission: { model: 'fixed', amount: 100 } },
      ).next();
      const receipt = exchange.broker.rebalance({ weights: { A: weight } });
      return receipt.accepted ? [receipt.setAside, receipt.orders[0]?.quantity] : [];
    };
    // 99 units cost 9,900 and 100 of commission. 100 units would cost 10,100.
    expect([receiptOf(0.99), receiptOf(1)]).toEqual([
      [undefined, '99'],
      ['100', '99'],
    ]);
  });

  it('records a skipped symbol with a weight as a shortfall', () => {
    const exchange = new Exchange({ A: flat(100, 4), B: [null, null, at(5)] }).next();
    const message = 'B has no bar yet.';
    expect(exchange.broker.rebalance({ weights: { A: 0.5, B: 0.5 } })).toMatchObject({
      shortfall: [{ symbol: 'B', weight: '0.5', reaches: '0', code: 'no_price', message }],
      skipped: [{ symbol: 'B', weight: '0.5', code: 'no_price', message }],
    });
    const zero = new Exchange({ A: flat(100, 4), B: [null, null, at(5)] }).next();
    expect(zero.broker.rebalance({ weights: { A: 0.5, B: 0 } })).toMatchObject({
      shortfall: [],
      skipped: [{ symbol: 'B' }],
    });
  });
});
