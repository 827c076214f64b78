import { describe, expect, it } from 'vitest';
import { type Candle, Exchange } from '../../test/support/exchange.ts';

const FLAT: Candle[] = Array.from({ length: 3 }, () => [100, 101, 99, 100]);

describe('a replacement order', () => {
  it('is checked without the replaced order, which remains if the replacement is refused', () => {
    const exchange = new Exchange({ A: FLAT });
    const { broker } = exchange.next();
    broker.submit({ action: 'buy', quantity: 10 });
    // The replaced order no longer counts, so the account has no position to close.
    expect(broker.replace(1, { action: 'close', quantity: undefined })).toMatchObject({
      accepted: false,
      refusal: { code: 'nothing_to_close' },
    });
    expect(broker.pending().map(({ id }) => id)).toEqual([1]);
  });

  it('can use the buying power of the replaced order', () => {
    const { broker, events } = new Exchange({ A: FLAT }).next();
    broker.submit({ action: 'buy', quantity: 60 });
    expect(broker.replace(1, { quantity: 90 }).accepted).toBe(true);
    expect(broker.pending().map(({ id }) => id)).toEqual([2]);
    expect(events.map(({ type }) => type)).toEqual(['order_accepted', 'order_cancelled', 'order_accepted']);
  });

  it('cannot replace an exit, which remains unchanged', () => {
    const exchange = new Exchange({ A: FLAT });
    exchange.next().broker.submit({ action: 'buy', quantity: 10, stopLoss: 90 });
    const { broker } = exchange.next();
    const [exit] = broker.pending();
    expect(broker.replace(exit!.id, { stopPrice: 95 })).toMatchObject({
      accepted: false,
      refusal: {
        code: 'unknown_order',
        message: `Order ${exit!.id} is an exit, and exits cannot be replaced.`,
      },
    });
    expect(broker.pending().map(({ id }) => id)).toEqual([exit!.id]);
  });
});
