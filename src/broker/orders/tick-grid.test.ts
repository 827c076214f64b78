import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Candle, Exchange } from '../../../test/support/exchange.ts';
import { Exact } from '../../kernel/index.ts';
import type { OrderRequest } from './request.ts';

const TICK = 0.25;
const price = fc.integer({ min: 900, max: 1_100 }).map((cents) => cents / 100);
/**
 * Candles whose prices are not multiples of the tick, as in real data. At least one multiple of the tick is
 * between low and high.
 */
const candle = fc
  .array(price, { minLength: 4, maxLength: 4 })
  .map((prices): readonly [number, number, number, number] => {
    const [open, close] = prices as [number, number];
    const low = Math.min(...prices);
    const high = Math.max(...prices);
    return Math.floor(high / TICK) * TICK >= low ? [open, high, low, close] : [open, high + TICK, low, close];
  });
const order: fc.Arbitrary<OrderRequest> = fc
  .record({
    action: fc.constantFrom('buy' as const, 'sell' as const),
    at: price,
    other: price,
    kind: fc.nat(6),
  })
  .map(({ action, at, other, kind }): OrderRequest => {
    const base = { action, quantity: 1 } as const;
    if (kind === 0) return base;
    if (kind === 1) return { ...base, type: 'limit', limitPrice: at };
    if (kind === 2) return { ...base, type: 'stop', stopPrice: at };
    if (kind === 3) return { ...base, type: 'stop_limit', stopPrice: at, limitPrice: other };
    if (kind === 4) return { ...base, type: 'trailing_stop', trailAmount: 0.37 };
    if (kind === 5) return { ...base, type: 'market_on_close' };
    return { ...base, stopLoss: { distance: 0.3 }, takeProfit: { fraction: 0.031 } };
  });

it('every fill is a multiple of the tick and inside its bar, for any data', () => {
  let fills = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(candle, order), { minLength: 2, maxLength: 8 }),
      fc.constantFrom(0, 30, 500),
      (steps, slippageBps) => {
        const candles: Candle[] = steps.map(([bar]) => bar);
        const exchange = new Exchange({ A: candles }, { tick: TICK, slippageBps });
        for (const [, request] of steps) exchange.next().broker.submit(request);
        for (const event of exchange.events) {
          if (event.type !== 'order_filled') continue;
          fills += 1;
          const at = Number(event.price);
          const [, high, low] = candles[event.bar]!;
          expect(at).toBeGreaterThanOrEqual(low);
          expect(at).toBeLessThanOrEqual(high);
          expect(Exact.of(event.price).dividedBy(Exact.of(TICK)).toString()).toMatch(/^\d+$/);
        }
      },
    ),
    { numRuns: 400 },
  );
  expect(fills).toBeGreaterThan(500);
});
