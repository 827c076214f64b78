import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';
import { decimal } from '../../kernel/index.ts';
import type { RebalanceReceipt, RebalanceRequest } from './rebalance-request.ts';

function accepted(receipt: RebalanceReceipt): Extract<RebalanceReceipt, { accepted: true }> {
  if (!receipt.accepted) throw new Error(receipt.refusal.message);
  return receipt;
}

function refused(exchange: Exchange, request: unknown): string {
  const receipt = exchange.broker.rebalance(request as RebalanceRequest);
  expect(exchange.broker.pending()).toEqual([]);
  return receipt.accepted ? '' : `${receipt.refusal.code}: ${receipt.refusal.message}`;
}

describe('a rebalance', () => {
  it('that is rejected records an event', () => {
    const exchange = new Exchange({ A: flat(100, 4) }).next();
    expect(refused(exchange, { weights: { ZZZ: 0.5 } })).toContain('bad_weights');
    expect(exchange.events.at(-1)).toMatchObject({
      type: 'order_rejected',
      action: 'rebalance',
      symbol: null,
      code: 'bad_weights',
    });
  });

  it('sells before it buys, regardless of symbol names', () => {
    const exchange = new Exchange({ A: flat(100, 4), B: flat(50, 4), C: flat(10, 4) }).next();
    accepted(exchange.broker.rebalance({ weights: { B: 0.9 } }));
    exchange.next();
    const receipt = accepted(exchange.broker.rebalance({ weights: { A: 0.45, B: 0.45, C: 0.1 } }));
    expect(receipt).toMatchObject({ equity: '10000', shortfall: [], skipped: [] });
    expect(receipt.orders.map(({ side, quantity, symbol }) => `${side} ${quantity} ${symbol}`)).toEqual([
      'sell 90 B',
      'buy 45 A',
      'buy 100 C',
    ]);
    exchange.next();
    expect(exchange.held).toEqual({ A: '45', B: '90', C: '100' });
    expect(exchange.refusals).toEqual([]);
  });

  it('closes positions without a weight, or retains them with `others: "keep"`', () => {
    for (const others of [undefined, 'keep'] as const) {
      const exchange = new Exchange({ A: flat(100, 4), B: flat(50, 4) }).next();
      exchange.broker.buy(10, { symbol: 'A' });
      exchange.next();
      const { skipped } = accepted(exchange.broker.rebalance({ weights: { B: 0.5 }, others }));
      exchange.next();
      expect(exchange.held).toEqual(others === 'keep' ? { A: '10', B: '100' } : { B: '100' });
      expect(skipped.map(({ symbol, code }) => `${symbol} ${code}`)).toEqual(
        others === 'keep' ? ['A kept'] : [],
      );
    }
  });

  it('does not trade a long or short position within one lot of its exact weight', () => {
    for (const [weight, held] of [
      [0.505, '50'],
      [0.495, '50'],
      [-0.495, '-50'],
      [0.49, '49'],
    ] as const) {
      const exchange = new Exchange({ A: flat(100, 4) }).next();
      if (weight > 0) exchange.broker.buy(50);
      else exchange.broker.sell(50);
      exchange.next();
      accepted(exchange.broker.rebalance({ weights: { A: weight } }));
      exchange.next();
      expect(exchange.held).toEqual({ A: held });
    }
  });

  it('does not trade weights within the tolerance, but closes a weight of 0', () => {
    const exchange = new Exchange({ A: flat(100, 4), B: flat(50, 4) }).next();
    exchange.broker.buy(48, { symbol: 'A' });
    exchange.broker.buy(2, { symbol: 'B' });
    exchange.next();
    const { orders, skipped } = accepted(
      exchange.broker.rebalance({ weights: { A: 0.5, B: 0 }, tolerance: 0.02 }),
    );
    expect(orders.map(({ symbol, quantity }) => `${symbol} ${quantity}`)).toEqual(['B 2']);
    expect(skipped).toMatchObject([{ symbol: 'A', weight: '0.5', code: 'within_tolerance' }]);
  });

  it('reverses a position with one order, after sales and before purchases', () => {
    const exchange = new Exchange({ A: flat(100, 4), B: flat(100, 4), C: flat(100, 4) }).next();
    accepted(exchange.broker.rebalance({ weights: { B: 0.5, C: 0.5 } }));
    exchange.next();
    const { orders } = accepted(exchange.broker.rebalance({ weights: { A: 0.4, B: -0.3, C: 0.3 } }));
    expect(orders.map(({ side, quantity, symbol }) => `${side} ${quantity} ${symbol}`)).toEqual([
      'sell 20 C',
      'sell 80 B',
      'buy 40 A',
    ]);
    exchange.next();
    expect(exchange.held).toEqual({ A: '40', B: '-30', C: '30' });
  });

  it('reverses positions that free margin first, regardless of symbol names', () => {
    const exchange = new Exchange({ A: flat(100, 5), B: flat(100, 5) }).next();
    accepted(exchange.broker.rebalance({ weights: { A: -0.4, B: 0.6 } }));
    exchange.next();
    const receipt = accepted(exchange.broker.rebalance({ weights: { A: 0.6, B: -0.4 } }));
    expect(receipt.shortfall).toEqual([]);
    exchange.next();
    expect(exchange.held).toEqual({ A: '60', B: '-40' });
    expect(exchange.refusals).toEqual([]);
  });

  it('reserves cash for commission if the weights leave none', () => {
    const exchange = new Exchange({ A: flat(10, 3), B: flat(10, 3) }, { commissionRate: 0.01 }).next();
    const receipt = accepted(exchange.broker.rebalance({ weights: { A: 0.5, B: 0.5 } }));
    expect(receipt).toMatchObject({ setAside: '100', shortfall: [] });
    exchange.next();
    expect(exchange.held).toEqual({ A: '495', B: '495' });
  });

  it('reduces the last purchase after a gap and reports the requested quantity', () => {
    const gap: readonly Candle[] = [...flat(100, 1), [110, 110, 110, 110]];
    const exchange = new Exchange({ A: gap, B: gap }).next();
    accepted(exchange.broker.rebalance({ weights: { A: 0.5, B: 0.5 } }));
    exchange.next();
    expect(exchange.held).toEqual({ A: '50', B: '40' });
    expect(exchange.events.findLast((event) => event.type === 'order_filled')).toMatchObject({
      symbol: 'B',
      quantity: '40',
      requestedQuantity: '50',
    });
  });

  it('is rejected at the fill if a gap leaves no buying power', () => {
    const exchange = new Exchange({
      A: [...flat(100, 1), [200, 200, 200, 200]],
      B: flat(100, 2),
    }).next();
    accepted(exchange.broker.rebalance({ weights: { A: 0.5, B: 0.5 } }));
    exchange.next();
    expect(exchange.held).toEqual({ A: '50' });
    expect(exchange.refusals).toEqual(['1 buying_power']);
  });

  it('places what a risk limit allows and reports the shortfall', () => {
    const exchange = new Exchange(
      { A: flat(100, 3), B: flat(100, 3) },
      { risk: { maxPosition: 0.3 } },
    ).next();
    const receipt = accepted(exchange.broker.rebalance({ weights: { A: 0.6, B: 0.2 } }));
    expect(receipt.shortfall).toMatchObject([
      { symbol: 'A', weight: '0.6', reaches: '0.3', code: 'risk_max_position' },
    ]);
    exchange.next();
    expect(exchange.held).toEqual({ A: '30', B: '20' });
  });

  it('skips a symbol without a bar and trades the others', () => {
    const exchange = new Exchange({ A: flat(100, 3), B: [null, ...flat(50, 2)] }).next();
    const receipt = accepted(exchange.broker.rebalance({ weights: { A: 0.5, B: 0.3 } }));
    expect(receipt.skipped).toMatchObject([{ symbol: 'B', weight: '0.3', code: 'no_price' }]);
    expect(receipt.shortfall).toMatchObject([{ symbol: 'B', reaches: '0', code: 'no_price' }]);
    expect(receipt.orders).toMatchObject([{ symbol: 'A', quantity: '50' }]);
  });

  it('skips trades below the minimum notional and reports their symbols', () => {
    const exchange = new Exchange(
      { A: flat(100, 3), B: flat(50, 3) },
      { instruments: { B: { minimumNotional: 1000 } } },
    ).next();
    const receipt = accepted(exchange.broker.rebalance({ weights: { A: 0.5, B: 0.05 } }));
    expect(receipt.skipped).toMatchObject([{ symbol: 'B', code: 'below_minimum_notional' }]);
    expect(exchange.refusals).toEqual(['0 below_minimum_notional']);
  });

  it('nets two rebalances at the same close', () => {
    const exchange = new Exchange({ A: flat(100, 3), B: flat(100, 3) }).next();
    accepted(exchange.broker.rebalance({ weights: { A: 0.8 } }));
    accepted(exchange.broker.rebalance({ weights: { A: 0.2, B: 0.8 } }));
    exchange.next();
    expect(exchange.held).toEqual({ A: '20', B: '80' });
  });

  it('reports all faults together and places nothing', () => {
    const exchange = new Exchange({ A: flat(100, 3), B: flat(50, 3) }, { allowShort: false }).next();
    expect(refused(exchange, { weights: { A: Number.NaN, NONE: 0.5, B: '0x1' }, cash: 2 })).toBe(
      'bad_weights: The weight of A is NaN, which is not a number. The weight of B is "0x1", which is not a number. The cash is 200 %. Expected a value between 0 % and 100 %. Unknown symbol NONE.',
    );
    expect(refused(exchange, { weights: { A: 0.9, B: -0.2 } })).toBe(
      'bad_weights: The weights sum to 110 %, with short weights counted as positive. At most 100 % is allowed. The weight of B is -20 %, and short positions are not allowed.',
    );
    expect(refused(exchange, { weights: { A: 0.96 }, cash: 0.05 })).toContain(
      'At most 95 % is allowed, with 5 %',
    );
    expect(refused(exchange, null)).toContain('which is not a portfolio');
    expect(refused(exchange, { weights: [1], extra: 1, others: 'sell', reason: 5 })).toMatch(
      /field "extra".*a list.*Expected close, keep.*The reason/,
    );
    const thirds = { A: 1 / 3 + 1e-12, B: 2 / 3 };
    expect(exchange.broker.rebalance({ weights: thirds }).accepted).toBe(true);
  });
});

describe('a rebalance of any market', () => {
  const share = fc.integer({ min: -30, max: 33 }).map((percents) => percents / 100);
  const price = fc.integer({ min: 500, max: 20_000 }).map((cents) => cents / 100);
  const plan = fc.record({
    prices: fc.array(price, { minLength: 3, maxLength: 3 }),
    gaps: fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 3, maxLength: 3 }),
    first: fc.array(share, { minLength: 3, maxLength: 3 }),
    second: fc.array(share, { minLength: 3, maxLength: 3 }),
    commissionRate: fc.constantFrom(0, 0.001, 0.01),
    allowShort: fc.boolean(),
    lot: fc.constantFrom(1, 0.01, 10),
  });
  const names = ['A', 'B', 'C'];
  const portfolio = (shares: readonly number[], allowShort: boolean): RebalanceRequest => ({
    weights: Object.fromEntries(
      names.map((name, index) => [name, allowShort ? shares[index]! : Math.abs(shares[index]!)]),
    ),
  });

  it('reaches its weights within one lot plus costs if the market opens at the close', () => {
    fc.assert(
      fc.property(plan, ({ prices, first, second, commissionRate, allowShort, lot }) => {
        const candles = Object.fromEntries(names.map((name, index) => [name, flat(prices[index]!, 4)]));
        const exchange = new Exchange(candles, { commissionRate, allowShort, lot }).next();
        for (const shares of [first, second]) {
          const { weights } = portfolio(shares, allowShort);
          const equity = Number(exchange.equity);
          const { shortfall } = accepted(exchange.broker.rebalance({ weights }));
          expect(shortfall).toEqual([]);
          exchange.next();
          expect(exchange.refusals).toEqual([]);
          const costs = 2 * equity * commissionRate;
          names.forEach((name, index) => {
            const value = Number(exchange.held[name] ?? 0) * prices[index]!;
            const off = Math.abs(value - Number(weights[name]) * equity);
            expect(off).toBeLessThanOrEqual(prices[index]! * lot + costs + 1e-6);
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('never exceeds the buying power after a gap, and the account reconciles', () => {
    fc.assert(
      fc.property(plan, ({ prices, gaps, first, second, commissionRate, allowShort, lot }) => {
        const candles = Object.fromEntries(
          names.map((name, index): [string, readonly Candle[]] => {
            const close = prices[index]!;
            const open = Math.round(close * (100 + gaps[index]!)) / 100;
            return [name, [...flat(close, 2), [open, open, open, open], [open, open, open, open]]];
          }),
        );
        const exchange = new Exchange(candles, { commissionRate, allowShort, lot }).next();
        for (const shares of [first, second]) {
          const before = decimal(exchange.cash);
          const seen = exchange.events.length;
          accepted(exchange.broker.rebalance(portfolio(shares, allowShort)));
          exchange.next();
          let cash = before;
          for (const event of exchange.events.slice(seen)) {
            if (event.type !== 'order_filled') continue;
            const value = decimal(event.quantity).times(event.price);
            cash = (event.side === 'buy' ? cash.minus(value) : cash.plus(value)).minus(event.commission);
            if (event.requestedQuantity !== undefined)
              expect(decimal(event.requestedQuantity).gt(event.quantity)).toBe(true);
          }
          expect(exchange.cash).toBe(cash.toString());
          if (!allowShort) expect(cash.isNegative()).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  });
});
