import { describe, expect, it } from 'vitest';
import { restingOrder } from '../../../test/support/resting-order.ts';
import { Exact } from '../../kernel/index.ts';
import { type Instrument, instrumentsOf } from '../settings/instruments.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { orderAdjusted, rebaseOrder } from './adjust-for-split.ts';
import type { RestingOrder } from './order.ts';
import type { OrderRequest } from './request.ts';

const whole: Instrument = instrumentsOf(['A'], brokerSettingsSchema.parse({}))[0]!;
const cents: Instrument = { ...whole, tick: Exact.of('0.01') };
const split = (to: string, from: string) => ({ to: Exact.of(to), from: Exact.of(from) });

const unitsOf = ({ size }: RestingOrder): string =>
  size.kind === 'units' || size.kind === 'target-units' ? size.units.toString() : size.kind;

describe('a resting order after a split', () => {
  it('has the same value: more units at a lower price, fewer at a higher price', () => {
    const forward = restingOrder({ limitPrice: 120 });
    expect(rebaseOrder(forward, split('3', '2'), whole)).toBe('kept');
    expect([unitsOf(forward), forward.limitPrice]).toEqual(['15', 80]);
    const reverse = restingOrder({ limitPrice: 1.5, size: { kind: 'units', units: Exact.of(25) } });
    rebaseOrder(reverse, split('1', '10'), whole);
    // 2.5 units, rounded down. A split never enlarges an order.
    expect([unitsOf(reverse), reverse.limitPrice]).toEqual(['2', 15]);
  });

  it('rounds its prices to the tick in favour of the trader', () => {
    const prices = (side: 1 | -1): [number, number] => {
      const order = restingOrder({ side, limitPrice: 100, stopPrice: 100 });
      rebaseOrder(order, split('3', '1'), cents);
      return [order.limitPrice, order.stopPrice];
    };
    // A buy has a limit as its highest price and must not trigger early. The reverse applies to a sell.
    expect(prices(1)).toEqual([33.33, 33.34]);
    expect(prices(-1)).toEqual([33.34, 33.33]);
  });

  it('converts its filled quantity to twelve decimal places and the remainder to whole lots', () => {
    const order = restingOrder({ filled: Exact.of(1) });
    expect(rebaseOrder(order, split('1', '3'), whole)).toBe('kept');
    // 1 of 10 units is now a third of a unit. The remaining 9 units are now 3.
    expect([order.filled.toString(), unitsOf(order)]).toEqual(['0.333333333333', '3.333333333333']);
    expect(orderAdjusted(order, 4, 'A')).toMatchObject({ bar: 4, orderId: 1, symbol: 'A', quantity: '3' });
  });

  it('is reported as below one lot if no whole lot remains', () => {
    const order = restingOrder({ size: { kind: 'units', units: Exact.of(9) } });
    expect(rebaseOrder(order, split('1', '10'), whole)).toBe('below-lot');
    expect(
      rebaseOrder(restingOrder({ size: { kind: 'units', units: Exact.of(10) } }), split('1', '10'), whole),
    ).toBe('kept');
    const lots = { ...whole, lot: Exact.of('0.1'), lotNumber: 0.1 };
    const parts = restingOrder({ size: { kind: 'units', units: Exact.of(9) } });
    expect([rebaseOrder(parts, split('1', '10'), lots), unitsOf(parts)]).toEqual(['kept', '0.9']);
  });

  it('preserves the sign of a target, and sizes that are computed at the fill', () => {
    const short = restingOrder({
      action: 'target',
      side: 0,
      size: { kind: 'target-units', units: Exact.of(-7) },
    });
    expect([rebaseOrder(short, split('1', '2'), whole), unitsOf(short)]).toEqual(['kept', '-3']);
    const flat = restingOrder({
      action: 'target',
      side: 0,
      size: { kind: 'target-units', units: Exact.of(0) },
    });
    expect([rebaseOrder(flat, split('1', '2'), whole), unitsOf(flat)]).toEqual(['kept', '0']);
    const money = restingOrder({ size: { kind: 'notional', notional: Exact.of(500) } });
    rebaseOrder(money, split('2', '1'), whole);
    expect(money.size).toEqual({ kind: 'notional', notional: Exact.of(500) });
    expect(orderAdjusted(money, 1, 'A')).not.toHaveProperty('quantity');
  });

  it('converts its trail and exits to new prices, and leaves fractions unchanged', () => {
    const order = restingOrder({
      trail: { amount: 6 },
      stopLoss: { price: 90 },
      takeProfit: { distance: '4.5' },
    });
    rebaseOrder(order, split('3', '1'), whole);
    expect(order.trail).toEqual({ amount: 2 });
    expect([String((order.stopLoss as { price: unknown }).price)]).toEqual(['30']);
    expect([String((order.takeProfit as { distance: unknown }).distance)]).toEqual(['1.5']);
    const shares = restingOrder({ trail: { fraction: 0.05 }, stopLoss: { fraction: 0.1 } });
    rebaseOrder(shares, split('3', '1'), whole);
    expect([shares.trail, shares.stopLoss, shares.takeProfit]).toEqual([
      { fraction: 0.05 },
      { fraction: 0.1 },
      undefined,
    ]);
  });

  it('contains a request with the new quantity and prices, so that it can be replaced', () => {
    const request: OrderRequest = {
      action: 'buy',
      quantity: 9,
      type: 'stop_limit',
      limitPrice: '30.3',
      stopPrice: 30,
      stopLoss: 27,
      takeProfit: { fraction: 0.1 },
      reason: 'breakout',
    };
    const order = restingOrder({ request });
    rebaseOrder(order, split('3', '1'), whole);
    const { quantity, limitPrice, stopPrice, stopLoss, takeProfit, ...rest } = order.request!;
    expect([quantity, limitPrice, stopPrice].map(String)).toEqual(['27', '10.1', '10']);
    expect(String((stopLoss as { price: unknown }).price)).toBe('9');
    expect(takeProfit).toEqual({ fraction: 0.1 });
    expect(rest).toEqual({ action: 'buy', type: 'stop_limit', reason: 'breakout' });
  });

  it('is recorded with its quantity and only the prices that it has', () => {
    const order = restingOrder({ limitPrice: 50 });
    expect(orderAdjusted(order, 3, 'A')).toEqual({
      type: 'order_adjusted',
      bar: 3,
      orderId: 1,
      symbol: 'A',
      quantity: '10',
      limitPrice: '50',
    });
    expect(orderAdjusted(restingOrder({ stopPrice: 7 }), 3, 'A')).toMatchObject({ stopPrice: '7' });
  });
});
