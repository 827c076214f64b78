import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../../test/support/exchange.ts';
import type { OrderReceipt } from '../desk.ts';
import type { Refusal } from './refusals.ts';
import type { Amount, OrderRequest } from './request.ts';

function refusalOf(receipt: OrderReceipt): Refusal {
  if (receipt.accepted) throw new Error('the order was accepted');
  return receipt.refusal;
}

const submit = (exchange: Exchange, request: OrderRequest): Refusal =>
  refusalOf(exchange.broker.submit(request));

describe('an order is rejected on submission', () => {
  it.each<[string, Amount]>([
    ['zero', 0],
    ['negative zero', -0],
    ['negative', -5],
    ['not a number', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['minus infinity', Number.NEGATIVE_INFINITY],
    ['half an exponent', '1e'],
    ['a word', 'ten'],
    ['the word NaN', 'NaN'],
    ['the word Infinity', 'Infinity'],
    ['nothing', ''],
    ['a negative text', '-1'],
    ['a text of zero', '0.000'],
    ['with a comma', '1,000'],
    ['null', null as unknown as Amount],
    ['an object', {} as Amount],
    ['a boolean', true as unknown as Amount],
  ])('bad_quantity: %s', (_, quantity) => {
    const exchange = new Exchange({ A: flat(100, 2) }).next();
    for (const action of ['buy', 'sell'] as const) {
      const refusal = submit(exchange, { action, quantity });
      expect(refusal.code).toBe('bad_quantity');
      expect(refusal.message).toContain(
        typeof quantity === 'object' && quantity !== null ? 'an object' : String(quantity),
      );
      expect(submit(exchange, { action, equityFraction: quantity }).code).toBe('bad_quantity');
    }
    expect(exchange.broker.pending()).toEqual([]);
    expect(exchange.next().fills).toEqual([]);
  });

  it('bad_quantity: no size, two sizes, a fraction above the leverage, or any size for a close', () => {
    const exchange = new Exchange({ A: flat(100, 2) }, { leverage: 2 }).next();
    expect(submit(exchange, { action: 'buy' }).message).toBe('A buy needs a quantity.');
    expect(submit(exchange, { action: 'sell', quantity: 1, equityFraction: 0.5 }).message).toBe(
      'A sell needs exactly one of quantity, notional, equityFraction; given: quantity, equityFraction.',
    );
    expect(submit(exchange, { action: 'buy', equityFraction: 2.01 }).remedy).toBe('Use at most 2.');
    expect(exchange.broker.submit({ action: 'buy', equityFraction: 2 }).accepted).toBe(true);
    expect(submit(exchange, { action: 'close', quantity: 1 }).code).toBe('bad_quantity');
    expect(submit(exchange, { action: 'close', equityFraction: 1 }).code).toBe('bad_quantity');
  });

  it('unknown_symbol, with the available symbols', () => {
    const exchange = new Exchange({ A: flat(100, 2), B: flat(100, 2) }).next();
    const refusal = submit(exchange, { action: 'buy', symbol: 'a', quantity: 1 });
    expect(refusal).toMatchObject({ code: 'unknown_symbol', message: 'Unknown symbol a.' });
    expect(refusal.remedy).toContain('A, B');
    expect(submit(exchange, { action: 'close', symbol: '' }).code).toBe('unknown_symbol');
  });

  it('no_price before the first bar of the symbol, and not later', () => {
    const exchange = new Exchange({ A: flat(100, 3), B: [null, [5, 5, 5, 5], null] }).next();
    expect(submit(exchange, { action: 'buy', symbol: 'B', quantity: 1 }).code).toBe('no_price');
    expect(submit(exchange, { action: 'close', symbol: 'B' }).code).toBe('no_price');
    exchange.next().next();
    expect(exchange.broker.buy(1, { symbol: 'B' }).accepted).toBe(true);
  });

  it('below_lot and not_a_lot_multiple, with a valid quantity', () => {
    const exchange = new Exchange({ A: flat(100, 2) }, { lot: 0.5 }).next();
    expect(submit(exchange, { action: 'buy', quantity: '0.4' })).toMatchObject({
      code: 'below_lot',
      remedy: 'Order at least 0.5.',
    });
    expect(submit(exchange, { action: 'buy', quantity: 1.7 })).toMatchObject({
      code: 'not_a_lot_multiple',
      remedy: 'Order 1.5 or 2.',
      largestAccepted: '1.5',
    });
    expect(exchange.broker.buy(1.5).accepted).toBe(true);
  });

  it('checks multiples of a lot exactly, beyond the precision of float64', () => {
    const exchange = new Exchange({ A: flat(1, 2) }, { lot: 0.1 }).next();
    expect(exchange.broker.buy(0.3).accepted).toBe(true);
    expect(exchange.broker.buy(0.7).accepted).toBe(true);
    expect(submit(exchange, { action: 'buy', quantity: 0.1 + 0.2 }).code).toBe('not_a_lot_multiple');
  });

  it('nothing_to_close if there is no position, or a close is pending', () => {
    const exchange = new Exchange({ A: flat(100, 3) }).next();
    expect(submit(exchange, { action: 'close' }).code).toBe('nothing_to_close');
    exchange.broker.buy(1);
    exchange.next();
    expect(exchange.broker.close().accepted).toBe(true);
    expect(submit(exchange, { action: 'close' }).code).toBe('nothing_to_close');
  });

  it('short_not_allowed above the current and pending position, with its size', () => {
    const exchange = new Exchange({ A: flat(100, 4) }, { allowShort: false }).next();
    expect(submit(exchange, { action: 'sell', quantity: 1 })).toMatchObject({
      code: 'short_not_allowed',
      largestAccepted: '0',
    });
    expect(submit(exchange, { action: 'sell', equityFraction: 0.5 }).code).toBe('short_not_allowed');
    exchange.broker.buy(5);
    expect(submit(exchange, { action: 'sell', quantity: 6 })).toMatchObject({
      code: 'short_not_allowed',
      largestAccepted: '5',
    });
    expect(exchange.broker.sell(3).accepted).toBe(true);
    expect(submit(exchange, { action: 'sell', quantity: 3 }).largestAccepted).toBe('2');
    exchange.next();
    expect(exchange.held).toEqual({ A: '2' });
  });

  it('buying_power at the last close including commission, with the largest accepted quantity', () => {
    const exchange = new Exchange({ A: flat(100, 2) }, { cash: '1000', commissionRate: 0.01 }).next();
    const refusal = submit(exchange, { action: 'buy', quantity: 10 });
    expect(refusal).toMatchObject({ code: 'buying_power', largestAccepted: '9' });
    expect(refusal.remedy).toBe('At most 9 would be accepted.');
    expect(exchange.broker.buy(9).accepted).toBe(true);
    expect(submit(exchange, { action: 'buy', quantity: 1 })).toMatchObject({
      code: 'buying_power',
      largestAccepted: '0',
      remedy: 'Close a position first.',
    });
    expect(exchange.next().held).toEqual({ A: '9' });
  });

  it('buying_power for a short too: its proceeds do not count', () => {
    const exchange = new Exchange({ A: flat(100, 4) }, { cash: '1000' }).next();
    expect(submit(exchange, { action: 'sell', quantity: 11 }).largestAccepted).toBe('10');
    exchange.broker.sell(10);
    exchange.next();
    expect(exchange.cash).toBe('2000');
    expect(submit(exchange, { action: 'sell', quantity: 1 }).largestAccepted).toBe('0');
  });

  it('buying_power of a reversal includes what its closing part frees', () => {
    const exchange = new Exchange({ A: flat(100, 4) }, { cash: '1000' }).next();
    exchange.broker.buy(10);
    exchange.next();
    expect(submit(exchange, { action: 'sell', quantity: 21 }).largestAccepted).toBe('20');
    expect(exchange.broker.sell(20).accepted).toBe(true);
    expect(exchange.next().held).toEqual({ A: '-10' });
  });

  it('never for buying_power if it only reduces a position', () => {
    const exchange = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [100, 100, 100, 100],
          [300, 300, 300, 300],
          [300, 300, 300, 300],
        ],
      },
      { cash: '1000' },
    ).next();
    exchange.broker.sell(9);
    exchange.next().next();
    expect(exchange.equity).toBe('-800');
    expect(exchange.broker.buy(4).accepted).toBe(true);
    expect(exchange.broker.buy(5).accepted).toBe(true);
    expect(exchange.next().held).toEqual({});
  });

  it('buying_power includes leverage', () => {
    const exchange = new Exchange({ A: flat(100, 2) }, { cash: '1000', leverage: 3 }).next();
    expect(submit(exchange, { action: 'buy', quantity: 31 }).largestAccepted).toBe('30');
    expect(exchange.broker.buy(30).accepted).toBe(true);
  });

  it('with an event and without other effects', () => {
    const exchange = new Exchange({ A: flat(100, 2) }).next();
    exchange.broker.submit({ action: 'buy', symbol: 'X', quantity: 1 });
    exchange.broker.buy(-1);
    expect(exchange.events).toEqual([
      {
        type: 'order_rejected',
        bar: 0,
        orderId: null,
        symbol: 'X',
        action: 'buy',
        code: 'unknown_symbol',
        message: 'Unknown symbol X.',
        remedy: 'Use one of: A.',
      },
      expect.objectContaining({ orderId: null, symbol: 'A', code: 'bad_quantity' }),
    ]);
  });

  it('with a largest quantity that is accepted, while one lot more is not', () => {
    const order = fc.record({
      quantity: fc.integer({ min: 1, max: 500 }),
      action: fc.constantFrom('buy' as const, 'sell' as const),
      symbol: fc.constantFrom('A', 'B'),
    });
    fc.assert(
      fc.property(
        fc.record({
          lot: fc.constantFrom(0.001, 0.1, 1, 10),
          commissionRate: fc.constantFrom(0, 0.002, 0.1),
          leverage: fc.constantFrom(1, 1.7, 3),
          cash: fc.integer({ min: 10, max: 20_000 }).map(String),
        }),
        fc.integer({ min: 1, max: 30_000 }).map((cents) => cents / 100),
        fc.array(order, { minLength: 1, maxLength: 12 }),
        (settings, price, orders) => {
          const candles = { A: flat(price, 3), B: flat(7.77, 3) };
          const exchange = new Exchange(candles, settings).next();
          for (const { quantity, action, symbol } of orders) {
            const receipt = exchange.broker.submit({ action, symbol, quantity: quantity * settings.lot });
            if (receipt.accepted) continue;
            const { code, largestAccepted = '' } = receipt.refusal;
            if (code !== 'buying_power') continue;
            const { lot } = settings;
            const largest = Number(largestAccepted);
            const probe = (units: number): OrderReceipt =>
              exchange.broker.submit({ action, symbol, quantity: units.toFixed(3) });
            expect(refusalOf(probe(largest + lot))).toMatchObject({ code, largestAccepted });
            if (largest > 0) expect(probe(largest).accepted).toBe(true);
          }
          // The order was accepted at this price, so it must fill at this price. Runs with commission are
          // excluded: acceptance ignores the commission of orders that are not filled yet.
          exchange.next();
          if (settings.commissionRate === 0)
            expect(exchange.refusals.filter((text) => text.startsWith('1 '))).toEqual([]);
          expect(exchange.broker.pending()).toEqual([]);
        },
      ),
    );
  });
});

describe('an order is rejected at its fill', () => {
  it('buying_power, when the open gaps too far from the close at acceptance', () => {
    const exchange = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [125, 125, 125, 125],
        ],
      },
      { cash: '1000' },
    ).next();
    expect(exchange.broker.buy(10).accepted).toBe(true);
    exchange.next();
    expect(exchange.fills).toEqual([]);
    expect(exchange.refusals).toEqual(['1 buying_power']);
    expect(exchange.lastRefusal).toContain('fill price of 125');
    expect(exchange.lastRefusal).toContain('At most 8 would have filled.');
    expect(exchange.events.at(-1)).toMatchObject({ orderId: 1, symbol: 'A', action: 'buy' });
    expect(exchange.cash).toBe('1000');
    expect(exchange.broker.pending()).toEqual([]);
  });

  it('buying_power, because of slippage', () => {
    const candles = {
      A: [
        [100, 100, 100, 100],
        [100, 110, 90, 100],
      ] as const,
    };
    const exchange = new Exchange(candles, { cash: '1000', slippageBps: 10 }).next();
    expect(exchange.broker.buy(10).accepted).toBe(true);
    exchange.next();
    expect(exchange.refusals).toEqual(['1 buying_power']);
    expect(exchange.lastRefusal).toContain('At most 9 would have filled.');
  });

  it('below_lot, when the equity is less than one lot', () => {
    const exchange = new Exchange({ A: flat(700, 2) }, { cash: '1000' }).next();
    expect(exchange.broker.submit({ action: 'buy', equityFraction: 0.5 }).accepted).toBe(true);
    expect(exchange.next().refusals).toEqual(['1 below_lot']);
  });

  it('short_not_allowed, when the position to sell no longer exists', () => {
    const exchange = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [300, 300, 300, 300],
        ],
      },
      { cash: '1000', allowShort: false },
    ).next();
    exchange.broker.buy(10);
    exchange.broker.sell(10);
    exchange.next();
    expect(exchange.refusals).toEqual(['1 buying_power', '1 short_not_allowed']);
    expect(exchange.held).toEqual({});
  });
});

describe('an untyped order from a strategy', () => {
  it('is refused with an invalid action', () => {
    const exchange = new Exchange({ A: flat(100, 2) }).next();
    exchange.broker.submit({ action: 'Buy', quantity: 5 } as unknown as OrderRequest);
    expect(exchange.next().held).toEqual({});
  });

  it('is refused with an invalid type', () => {
    const exchange = new Exchange({ A: flat(100, 2) }).next();
    exchange.broker.submit({ action: 'buy', quantity: 5, type: 'limit' } as unknown as OrderRequest);
    expect(exchange.next().held).toEqual({});
  });
});

it('an accepted order can fill: a sell by fraction if shorts are not allowed', () => {
  const exchange = new Exchange({ A: flat(100, 3) }, { allowShort: false }).next();
  exchange.broker.buy(10);
  exchange.next();
  const { accepted } = exchange.broker.submit({ action: 'sell', equityFraction: 0.1 });
  exchange.next();
  expect(exchange.fills.length === 2).toBe(accepted);
});
