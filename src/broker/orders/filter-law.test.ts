import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';
import type { OrderRequest } from './request.ts';

const TYPES = ['limit', 'stop', 'stop_limit', 'market_if_touched', 'limit_if_touched', 'market'] as const;

const order = fc.record({
  bar: fc.nat(8),
  symbol: fc.constantFrom('A', 'B'),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom(...TYPES),
  limit: fc.integer({ min: 85, max: 115 }),
  stop: fc.integer({ min: 85, max: 115 }),
  time: fc.constantFrom<Partial<OrderRequest>>(
    {},
    {},
    { validBars: 1 },
    { validBars: 3 },
    { timeInForce: 'DAY' },
    { timeInForce: 'GTD', goodTill: '1970-01-06' },
    { timeInForce: 'IOC' },
  ),
});
const step = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.nat(3), fc.nat(3), fc.nat(9));

/** Returns bars near 100. About every tenth bar is missing, and about every tenth has no volume. */
function candlesOf(steps: readonly (readonly [number, number, number, number])[]): Candle[] {
  let close = 100;
  return steps.map(([move, up, down, kind], bar) => {
    const open = close;
    close = Math.min(Math.max(open + move, 88), 112);
    if (bar > 0 && kind === 0) return null;
    return [
      open,
      Math.max(open, close) + up,
      Math.min(open, close) - down,
      close,
      bar > 0 && kind === 1 ? 0 : 1_000,
    ];
  });
}

describe('bars that cannot affect any order', () => {
  it('may be skipped without changing any event, for any orders', () => {
    const bars = 14;
    const walk = fc.array(step, { minLength: bars, maxLength: bars });
    fc.assert(
      fc.property(walk, walk, fc.array(order, { minLength: 1, maxLength: 4 }), (a, b, orders) => {
        const eventsOf = (isEveryBar: boolean): unknown[] => {
          const candles = { A: candlesOf(a), B: candlesOf(b), C: flat(100, bars) };
          const exchange = new Exchange(candles, { cash: '100000' });
          for (let bar = 0; bar < bars; bar++) {
            exchange.next();
            // No bar may be skipped while a trailing stop rests. Neither of these orders ever fills.
            if (bar === 0)
              exchange.broker.submit({
                symbol: 'C',
                action: 'buy',
                quantity: 1,
                ...(isEveryBar
                  ? { type: 'trailing_stop', trailAmount: 1_000 }
                  : { type: 'limit', limitPrice: 1 }),
              });
            for (const { bar: at, symbol, action, type, limit, stop, time } of orders) {
              if (at !== bar) continue;
              const hasLimit = type === 'limit' || type === 'stop_limit' || type === 'limit_if_touched';
              const hasStop = type !== 'limit' && type !== 'market';
              exchange.broker.submit({
                symbol,
                action,
                quantity: 3,
                type,
                ...(hasLimit ? { limitPrice: limit } : {}),
                ...(hasStop ? { stopPrice: stop } : {}),
                ...time,
              });
            }
          }
          return exchange.events.filter((event) => !('orderId' in event && event.orderId === 1));
        };
        expect(eventsOf(false)).toEqual(eventsOf(true));
      }),
      { numRuns: 300 },
    );
  });
});
