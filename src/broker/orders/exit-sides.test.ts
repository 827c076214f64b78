import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';
import { ownPriceOf } from './exit-sides.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

function refusalOf(request: OrderRequest, before?: (exchange: Exchange) => void): string {
  return refused(request, before)?.message ?? '';
}

function refused(request: OrderRequest, before?: (exchange: Exchange) => void): Refusal | undefined {
  const exchange = new Exchange({ A: flat(100, 6) });
  exchange.next();
  before?.(exchange);
  const receipt = exchange.broker.submit(request);
  return receipt.accepted ? undefined : receipt.refusal;
}

const buy = { action: 'buy', quantity: 1 } as const;
const sell = { action: 'sell', quantity: 1 } as const;

describe('an exit on the wrong side of its entry', () => {
  it('is refused with the numbers, against the last close for a market order', () => {
    expect(refusalOf({ ...buy, takeProfit: 95 })).toBe(
      'The takeProfit of 95 must be above the last close of 100, at which the order would buy.',
    );
    expect(refusalOf({ ...buy, stopLoss: { price: '105.5' } })).toContain(
      'The stopLoss of 105.5 must be below',
    );
    expect(refusalOf({ ...sell, takeProfit: 105 })).toContain('must be below the last close of 100');
    expect(refusalOf({ ...sell, stopLoss: 95 })).toContain('must be above the last close of 100');
    expect(refusalOf({ ...buy, type: 'market_on_close', takeProfit: 95 })).toContain('last close of 100');
    expect(refusalOf({ ...buy, stopLoss: 100 })).not.toBe('');
    expect(refusalOf({ ...buy, takeProfit: 100 })).not.toBe('');
    expect(refusalOf({ ...buy, stopLoss: 95, takeProfit: 105 })).toBe('');
    expect(refusalOf({ ...sell, stopLoss: 105, takeProfit: 95 })).toBe('');
    expect(refusalOf({ ...buy, stopLoss: { distance: 3 }, takeProfit: { fraction: 0.1 } })).toBe('');
  });

  it('has a remedy that names the fraction, if its price is very likely meant as one', () => {
    expect(refused({ ...buy, takeProfit: 0.1 })?.remedy).toBe(
      `A number is a price. For a fraction of the entry's price write {"fraction": 0.1}.`,
    );
    expect(refused({ ...sell, stopLoss: { price: '0.05' } })?.remedy).toContain('{"fraction": 0.05}');
    expect(refused({ ...sell, stopLoss: 1 })?.remedy).toContain('A sell needs a stopLoss above its price');
  });

  it('is compared with the price of a limit or stop entry', () => {
    const limit = { ...buy, type: 'limit', limitPrice: 90 } as const;
    expect(refusalOf({ ...limit, takeProfit: 95, stopLoss: 85 })).toBe('');
    expect(refusalOf({ ...limit, stopLoss: 95 })).toContain('the limit price of 90');
    const stop = { ...buy, type: 'stop', stopPrice: 110 } as const;
    expect(refusalOf({ ...stop, stopLoss: 105 })).toBe('');
    expect(refusalOf({ ...stop, takeProfit: 105 })).toContain('the stop price of 110');
    const trail = { ...buy, type: 'trailing_stop', trailAmount: 10 } as const;
    expect(refusalOf({ ...trail, takeProfit: 105 })).toContain('the stop price of 110');
    expect(refusalOf({ ...trail, takeProfit: 115 })).toBe('');
  });

  it('is compared with the fill price of a stop-limit', () => {
    const marketable = { ...buy, type: 'stop_limit', stopPrice: 105, limitPrice: 107 } as const;
    expect(refusalOf({ ...marketable, takeProfit: 106 })).toBe('');
    expect(refusalOf({ ...marketable, takeProfit: 105 })).toContain('the stop price of 105');
    const resting = { ...buy, type: 'stop_limit', stopPrice: 105, limitPrice: 104 } as const;
    expect(refusalOf({ ...resting, stopLoss: 104.5 })).toContain('the limit price of 104');
    const short = { ...sell, type: 'stop_limit', stopPrice: 95, limitPrice: 96 } as const;
    expect(refusalOf({ ...short, stopLoss: 95.5 })).toContain('the limit price of 96');
  });

  it('of a target is refused by the side that it opens', () => {
    expect(refusalOf({ action: 'target', targetQuantity: 5, takeProfit: 95 })).toContain('would buy');
    expect(refusalOf({ action: 'target', targetQuantity: -5, takeProfit: 105 })).toContain('would sell');
    expect(refusalOf({ action: 'target', targetFraction: -0.5, stopLoss: 95 })).toContain('would sell');
    const long = (exchange: Exchange): void => {
      exchange.broker.buy(10);
      exchange.next();
    };
    // An order that only closes units creates no exits, so its exit prices are not checked.
    expect(refusalOf({ action: 'target', targetQuantity: 5, takeProfit: 95 }, long)).toBe('');
    expect(refusalOf({ action: 'target', targetQuantity: 15, takeProfit: 95 }, long)).toContain('would buy');
  });

  it('is refused in a replacement, and the old order remains', () => {
    const exchange = new Exchange({ A: flat(100, 3) });
    exchange.next().broker.buy(1, { type: 'limit', limitPrice: 90, takeProfit: 95 });
    const receipt = exchange.broker.replace(1, { limitPrice: 96 });
    expect(receipt).toMatchObject({ accepted: false, refusal: { code: 'bad_price' } });
    expect(exchange.broker.pending().map(({ limitPrice }) => limitPrice)).toEqual([90]);
  });
});

describe('the reference price for the exits of an order', () => {
  const own = (request: Partial<OrderRequest>, buys = true): string => {
    const found = ownPriceOf({ type: 'market', ...request }, buys);
    return found === undefined ? 'none' : `${found.name} ${found.price}`;
  };

  it('is the price of the order, and of a stop-limit its limit', () => {
    expect(own({ type: 'limit', limitPrice: 90 })).toBe('limit price 90');
    expect(own({ type: 'stop', stopPrice: 110 })).toBe('stop price 110');
    expect(own({ type: 'stop_limit', stopPrice: 110, limitPrice: 112 })).toBe('stop price 110');
    expect(own({ type: 'stop_limit', stopPrice: 110, limitPrice: 108 })).toBe('limit price 108');
    expect(own({ type: 'stop_limit', stopPrice: 90, limitPrice: 88 }, false)).toBe('stop price 90');
    expect(own({ type: 'stop_limit', stopPrice: 90, limitPrice: 92 }, false)).toBe('limit price 92');
    expect(own({ type: 'stop_limit', stopPrice: 90, limitPrice: 90 })).toBe('stop price 90');
    expect(own({ type: 'stop_limit', stopPrice: 90, limitPrice: 90 }, false)).toBe('stop price 90');
  });

  it('is absent if the order has no price yet or does not use it', () => {
    expect(own({})).toBe('none');
    expect(own({ limitPrice: 90, stopPrice: 110 })).toBe('none');
    expect(own({ type: 'stop_limit', stopPrice: 110 })).toBe('none');
    expect(own({ type: 'stop_limit', limitPrice: 110 })).toBe('none');
    expect(own({ type: 'trailing_stop' })).toBe('none');
  });
});

describe('a goodTill', () => {
  // The test bars are days from 1970-01-01.
  const till = (goodTill: string): string => {
    const exchange = new Exchange({ A: flat(100, 6) as Candle[] });
    exchange.next().next().next();
    const receipt = exchange.broker.submit({
      ...buy,
      type: 'limit',
      limitPrice: 90,
      timeInForce: 'GTD',
      goodTill,
    });
    return receipt.accepted ? '' : receipt.refusal.message;
  };

  it('in the past is refused with both dates', () => {
    expect(till('1970-01-02')).toBe(
      'goodTill is 1970-01-02, which is in the past: the current bar is of 1970-01-03.',
    );
    expect(till('1970-01-03T00:00')).toContain('which is in the past');
    expect(till('1970-01-03')).toBe('');
    expect(till('1970-01-04')).toBe('');
  });
});
