import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../../test/support/exchange.ts';
import type { OrderRequest } from './request.ts';

type Settings = ConstructorParameters<typeof Exchange>[1];

/**
 * Submits an order at a close of 100 to an account that traded `position` units at 100. Returns the text of
 * the rejection, or an empty text if the order is accepted.
 */
function refusalOf(request: OrderRequest, settings: Settings = {}, position = 0): string {
  const exchange = new Exchange({ A: flat(100, 4) }, settings).next();
  if (position > 0) exchange.broker.buy(position);
  if (position < 0) exchange.broker.sell(-position);
  exchange.next();
  const receipt = exchange.broker.submit(request);
  if (receipt.accepted) return '';
  const { code, message, remedy, largestAccepted } = receipt.refusal;
  return [code, message, remedy, ...(largestAccepted === undefined ? [] : [`(${largestAccepted})`])].join(
    ' ',
  );
}

describe('a fraction of equity', () => {
  it('may be at most the leverage, which the message rounds down', () => {
    const buy = (equityFraction: number, settings: Settings): string =>
      refusalOf({ action: 'buy', equityFraction }, settings);
    expect([buy(1, {}), buy(3, { leverage: 3 })]).toEqual(['', '']);
    expect(buy(1.0001, {})).toBe(
      'bad_quantity The fraction of equity is 1.0001, above the leverage of 1. Use at most 1.',
    );
    // With a margin of 30 per unit at 100, the leverage is 3.33333…
    const margin = { instruments: { A: { margin: 30 } } };
    expect(buy(3.3334, margin)).toContain('above the leverage of 3.3333. Use at most 3.3333.');
    expect(buy(3.3333, margin)).toBe('');
    const target = (targetFraction: number): string => refusalOf({ action: 'target', targetFraction });
    expect([target(1), target(-1)]).toEqual(['', '']);
    expect(target(-1.5)).toContain('The fraction of equity is -1.5, above the leverage of 1.');
  });
});

describe('a quantity', () => {
  it('must be a whole number of lots, and at least one', () => {
    const buy = (quantity: number | string): string => refusalOf({ action: 'buy', quantity }, { lot: 5 });
    expect([buy(5), buy(95)]).toEqual(['', '']);
    expect(buy(4)).toBe('below_lot The quantity 4 is below the lot of 5. Order at least 5.');
    expect(buy(12)).toBe(
      'not_a_lot_multiple The quantity 12 is not a whole number of lots of 5. Order 10 or 15. (10)',
    );
    const target = (targetQuantity: number, position = 0): string =>
      refusalOf({ action: 'target', targetQuantity }, { lot: 5 }, position);
    expect([target(5), target(-5), target(0, 10), target(10, 10)]).toEqual(['', '', '', '']);
    expect(target(12)).toBe(
      'not_a_lot_multiple The target of 12 is not a whole number of lots of 5. Use 10 or 15.',
    );
    expect(target(-12)).toContain('Use -15 or -10.');
  });

  it('is limited by buying power, at the limit price for a limit order', () => {
    const buy = (quantity: number, more: object = {}, position = 0): string =>
      refusalOf({ action: 'buy', quantity, ...more }, {}, position);
    expect(buy(100)).toBe('');
    expect(buy(101)).toBe(
      'buying_power 101 A at a price of 100 exceed the buying power. At most 100 would be accepted. (100)',
    );
    expect(buy(125, { type: 'limit', limitPrice: 80 })).toBe('');
    expect(buy(126, { type: 'limit', limitPrice: 80 })).toContain('At most 125');
    expect(buy(61, {}, 40)).toContain('At most 60');
    expect(buy(60, {}, 40)).toBe('');
    // 40 units close the short position, and the account of 10,000 can then open 100.
    expect(buy(140, {}, -40)).toBe('');
    expect(buy(141, {}, -40)).toContain('At most 140');
    expect(refusalOf({ action: 'target', targetQuantity: 101 })).toContain('At most 100');
    expect(refusalOf({ action: 'target', targetQuantity: -101 }, {}, 20)).toContain('At most 120');
    expect(refusalOf({ action: 'target', targetQuantity: -100 }, {}, 20)).toBe('');
  });

  it('must reach the minimum notional with the units that it opens', () => {
    const settings = { instruments: { A: { minimumNotional: 1_000 } } };
    const buy = (quantity: number, position = 0): string =>
      refusalOf({ action: 'buy', quantity }, settings, position);
    expect([buy(10), buy(20, -10), buy(10, -10), buy(5, -10)]).toEqual(['', '', '', '']);
    expect(buy(9)).toBe(
      'below_minimum_notional 9 A at 100 is below the minimum notional of 1000. Increase the order.',
    );
    expect(buy(19, -10)).toContain('below_minimum_notional');
    const poor = { ...settings, cash: '1500', commission: { model: 'fixed', amount: 600 } } as const;
    expect(refusalOf({ action: 'buy', quantity: 12 }, poor)).toContain('Close a position first. (0)');
  });
});

describe('an amount of money', () => {
  const buy = (notional: number, more: object = {}, settings: Settings = {}): string =>
    refusalOf({ action: 'buy', notional, ...more }, settings);

  it('must be enough for one lot, and must not exceed buying power', () => {
    expect([buy(100), buy(10_099), buy(80, { type: 'limit', limitPrice: 80 })]).toEqual(['', '', '']);
    expect(buy(99)).toContain('below_lot At 100 the amount is too small for one lot of 1.');
    expect(buy(79, { type: 'limit', limitPrice: 80 })).toContain('At 80 the amount is too small');
    expect(buy(10_100)).toContain('buying_power 101 A');
  });

  it('is checked against risk limits, without the units that it closes', () => {
    const settings = { risk: { maxPosition: 0.2 } };
    expect([buy(2_099, {}, settings), buy(2_100, {}, settings)].map((text) => text.split(' ')[0])).toEqual([
      '',
      'risk_max_position',
    ]);
    const fraction = (equityFraction: number, position = 0): string =>
      refusalOf({ action: 'buy', equityFraction }, settings, position).split(' ')[0]!;
    expect([fraction(0.2), fraction(0.21), fraction(0.2, -10), fraction(0.21, -10)]).toEqual([
      '',
      'risk_max_position',
      '',
      'risk_max_position',
    ]);
    const money = (notional: number): string =>
      refusalOf({ action: 'buy', notional }, settings, -10).split(' ')[0]!;
    expect([money(3_000), money(3_100)]).toEqual(['', 'risk_max_position']);
    const limited = (limitPrice: number): string =>
      buy(2_400, { type: 'limit', limitPrice }, { risk: { maxOrderNotional: 2_000 } }).split(' ')[0]!;
    expect([limited(90), limited(100)]).toEqual(['risk_order_notional', 'risk_order_notional']);
  });
});

describe('a short sale', () => {
  const short = { allowShort: false };
  const sell = (request: object, position = 0, settings: Settings = short): string =>
    refusalOf({ action: 'sell', ...request } as OrderRequest, settings, position);

  it('is limited to the position if the settings forbid short positions', () => {
    expect(sell({ quantity: 1 })).toBe(
      'short_not_allowed Selling more A than the position would open a short position. Sell at most 0, or allow short positions. (0)',
    );
    expect(sell({ quantity: 11 }, 10)).toContain('Sell at most 10, or allow short positions. (10)');
    expect([sell({ quantity: 10 }, 10), sell({ equityFraction: 0.5 }, 10)]).toEqual(['', '']);
    expect(sell({ equityFraction: 0.5 })).toContain('short_not_allowed');
    expect(sell({ notional: 500 })).toContain('short_not_allowed');
    expect(sell({ notional: 1_100 }, 10)).toContain('Sell at most 10');
    const target = (request: object, position: number): string =>
      refusalOf({ action: 'target', ...request } as OrderRequest, short, position);
    expect(target({ targetQuantity: -1 }, 10)).toContain('Sell at most 10');
    expect(target({ targetFraction: -0.1 }, 10)).toContain('Sell at most 10');
    expect([target({ targetQuantity: 0 }, 10), target({ targetFraction: 0 }, 10)]).toEqual(['', '']);
  });
});

describe('an order that only reduces', () => {
  it('needs a position on the other side', () => {
    const reduce = (action: 'buy' | 'sell', size: object, position: number): string =>
      refusalOf({ action, reduceOnly: true, ...size } as OrderRequest, {}, position).split('.')[0]!;
    for (const size of [{ quantity: 500 }, { notional: 90_000 }, { equityFraction: 0.5 }]) {
      expect(reduce('sell', size, 0)).toBe('nothing_to_reduce No long position in A to reduce');
      expect(reduce('sell', size, -5)).toBe('nothing_to_reduce No long position in A to reduce');
      expect(reduce('sell', size, 5)).toBe('');
      expect(reduce('buy', size, 5)).toBe('nothing_to_reduce No short position in A to reduce');
      expect(reduce('buy', size, -5)).toBe('');
    }
    expect(refusalOf({ action: 'close', reduceOnly: true }, {}, 5)).toBe('');
  });
});

describe('a post-only limit', () => {
  it('must be below the last close for a buy, and above it for a sell', () => {
    const post = (action: 'buy' | 'sell', limitPrice: number): string =>
      refusalOf({ action, quantity: 1, type: 'limit', limitPrice, postOnly: true }).split(' ')[0]!;
    expect([post('buy', 99), post('buy', 100), post('buy', 101)]).toEqual(['', 'post_only', 'post_only']);
    expect([post('sell', 101), post('sell', 100), post('sell', 99)]).toEqual(['', 'post_only', 'post_only']);
  });
});

describe('exits of an entry', () => {
  it('of a trailing stop are compared with its first stop level, after activation if needed', () => {
    const buy = (more: object): string =>
      refusalOf({
        action: 'buy',
        quantity: 1,
        type: 'trailing_stop',
        trailAmount: 5,
        ...more,
      } as OrderRequest);
    expect([
      buy({ stopLoss: 104, takeProfit: 106 }),
      buy({ stopLoss: 106 }),
      buy({ takeProfit: 104 }),
    ]).toEqual([
      '',
      expect.stringContaining('below the stop price of 105'),
      expect.stringContaining('above the stop price of 105'),
    ]);
    expect(buy({ activationPrice: 90, stopLoss: 94 })).toBe('');
    expect(buy({ activationPrice: 90, stopLoss: 96 })).toContain('below the stop price of 95');
    expect(buy({ activationPrice: 110, stopLoss: 104 })).toBe('');
  });

  it('of a target order are compared with the last close only if the order opens units', () => {
    const target = (request: object, position: number): string =>
      refusalOf({ action: 'target', stopLoss: 101, ...request } as OrderRequest, {}, position).split(' ')[0]!;
    expect([
      target({ targetQuantity: 5 }, 10),
      target({ targetQuantity: 10 }, 10),
      target({ targetQuantity: 0 }, 10),
    ]).toEqual(['', '', '']);
    expect([target({ targetQuantity: 11 }, 10), target({ targetQuantity: 5 }, -10)]).toEqual([
      'bad_price',
      'bad_price',
    ]);
    expect([
      target({ targetQuantity: -5 }, 10),
      target({ targetFraction: 0 }, 10),
      target({ targetFraction: 0.5 }, 0),
    ]).toEqual(['', '', 'bad_price']);
  });
});
