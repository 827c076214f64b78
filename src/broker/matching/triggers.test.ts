import { describe, expect, it } from 'vitest';
import { restingOrder } from '../../../test/support/resting-order.ts';
import { Exact } from '../../kernel/index.ts';
import {
  becomesLimit,
  isIfTouched,
  isLimit,
  isTriggered,
  type RestingOrder,
  trails,
  triggerSide,
  waitsForAuction,
  waitsForClose,
  waitsForOpen,
} from '../orders/order.ts';
import { ORDER_TYPES, type OrderType } from '../orders/request.ts';
import {
  EVERY_BAR,
  moveTrail,
  offsetLimit,
  priceAtOpen,
  trailedStop,
  trailFrom,
  wakes,
  withinLimit,
} from './triggers.ts';

describe('order types', () => {
  it.each<[string, (type: OrderType) => boolean, readonly OrderType[]]>([
    ['that follow the price', trails, ['trailing_stop', 'trailing_stop_limit']],
    ['that wait for a better price', isIfTouched, ['market_if_touched', 'limit_if_touched']],
    ['that become a limit order', becomesLimit, ['stop_limit', 'limit_if_touched', 'trailing_stop_limit']],
    ['that have only a limit', isLimit, ['limit', 'limit_on_open', 'limit_on_close']],
    ['that wait for the close', waitsForClose, ['market_on_close', 'limit_on_close']],
    ['that wait for an opening auction', waitsForAuction, ['market_on_open', 'limit_on_open']],
    ['that fill at the open', waitsForOpen, ['market', 'market_on_open', 'limit_on_open']],
  ])('%s are recognised', (_, is, types) => {
    expect(new Set(ORDER_TYPES.filter(is))).toEqual(new Set(types));
  });

  it('trigger at a worse price as stops, and at a better price as if-touched orders', () => {
    expect([triggerSide('stop', 1), triggerSide('stop', -1)]).toEqual([1, -1]);
    expect([triggerSide('limit_if_touched', 1), triggerSide('market_if_touched', -1)]).toEqual([-1, 1]);
    const triggered = (type: OrderType, side: number): boolean[] =>
      [99, 100, 101].map((price) => isTriggered(type, side, price, 100));
    expect(triggered('stop', 1)).toEqual([false, true, true]);
    expect(triggered('stop', -1)).toEqual([true, true, false]);
    expect(triggered('market_if_touched', 1)).toEqual([true, true, false]);
    expect(triggered('market_if_touched', -1)).toEqual([false, true, true]);
  });
});

describe('a limit', () => {
  it('is met at its price, or only beyond its price if the setting requires this', () => {
    const within = (side: number, through: boolean): boolean[] =>
      [99, 100, 101].map((price) => withinLimit(side, price, 100, through));
    expect(within(1, false)).toEqual([true, true, false]);
    expect(within(1, true)).toEqual([true, false, false]);
    expect(within(-1, false)).toEqual([false, true, true]);
    expect(within(-1, true)).toEqual([false, false, true]);
  });
});

describe('the fill at the open', () => {
  /** Returns the opens, of 98 to 102, at which an order with a limit and a stop of 100 fills. */
  const opensOf = (type: OrderType, over: Partial<RestingOrder> = {}, side = 1, through = false): number[] =>
    [98, 99, 100, 101, 102].filter(
      (open) =>
        priceAtOpen(restingOrder({ type, limitPrice: 100, stopPrice: 100, ...over }), side, open, through) ===
        open,
    );
  const all = [98, 99, 100, 101, 102];

  it('happens only at opens that the order type accepts', () => {
    expect(opensOf('market')).toEqual(all);
    expect(opensOf('market_on_open')).toEqual(all);
    expect(opensOf('market_on_close')).toEqual([]);
    expect(opensOf('limit_on_close')).toEqual([]);
    for (const type of ['limit', 'limit_on_open'] as const) {
      expect(opensOf(type)).toEqual([98, 99, 100]);
      expect(opensOf(type, {}, -1)).toEqual([100, 101, 102]);
      expect(opensOf(type, {}, 1, true)).toEqual([98, 99]);
    }
    for (const type of ['stop', 'trailing_stop'] as const) {
      expect(opensOf(type)).toEqual([100, 101, 102]);
      expect(opensOf(type, {}, -1)).toEqual([98, 99, 100]);
      expect(opensOf(type, { triggered: true })).toEqual(all);
    }
    expect(opensOf('market_if_touched')).toEqual([98, 99, 100]);
    expect(opensOf('market_if_touched', {}, -1)).toEqual([100, 101, 102]);
  });

  it('of a stop-limit needs its trigger and its limit', () => {
    for (const type of ['stop_limit', 'trailing_stop_limit'] as const) {
      expect(opensOf(type, { limitPrice: 101 })).toEqual([100, 101]);
      expect(opensOf(type, { limitPrice: 101, triggered: true })).toEqual([98, 99, 100, 101]);
      expect(opensOf(type, { limitPrice: 101 }, 1, true)).toEqual([100]);
    }
    expect(opensOf('limit_if_touched', { stopPrice: 101, limitPrice: 99 })).toEqual([98, 99]);
    expect(opensOf('limit_if_touched', { stopPrice: 99, limitPrice: 101 }, -1)).toEqual([101, 102]);
  });
});

describe('the level of a trailing stop', () => {
  const amount = { trail: { amount: 2 }, type: 'trailing_stop' } as const;

  it('is its distance from the price, exactly', () => {
    expect([trailFrom(100, 1, { amount: 2 }), trailFrom(100, -1, { amount: 2 })]).toEqual([102, 98]);
    expect([trailFrom(0.3, 1, { amount: 0.1 }), trailFrom(0.3, -1, { fraction: 0.1 })]).toEqual([0.4, 0.27]);
    expect(trailFrom(50, 1, { fraction: 0.1 })).toBe(55);
  });

  it('follows the price in one direction and never moves back', () => {
    const level = (
      side: number,
      price: number,
      stopPrice: number,
      over: Partial<RestingOrder> = {},
    ): number => trailedStop(restingOrder({ ...amount, stopPrice, ...over }), side, price);
    expect([level(-1, 105, 100), level(-1, 101, 100), level(-1, 102, 100)]).toEqual([103, 100, 100]);
    expect([level(1, 95, 100), level(1, 99, 100), level(1, 98, 100)]).toEqual([97, 100, 100]);
    expect(level(-1, 105, Number.NaN)).toBe(103);
    expect(level(-1, 105, 100, { triggered: true })).toBe(100);
    expect(level(-1, 105, 100, { trail: undefined })).toBe(100);
  });

  it('is set only when the price reaches the activation price', () => {
    const level = (side: number, price: number): number =>
      trailedStop(restingOrder({ ...amount, activationPrice: 100 }), side, price);
    expect([level(-1, 99), level(-1, 100), level(-1, 101)]).toEqual([Number.NaN, 98, 99]);
    expect([level(1, 101), level(1, 100), level(1, 99)]).toEqual([Number.NaN, 102, 101]);
    expect([99, 100, 101].map((price) => wakes(1, price, 100))).toEqual([true, true, false]);
    expect([99, 100, 101].map((price) => wakes(-1, price, 100))).toEqual([false, true, true]);
  });

  it('moves the limit of a trailing stop-limit, rounded in favour of the trader', () => {
    const tick = Exact.of('0.5');
    const offset = Exact.of('1.2');
    expect([offsetLimit(100, 1, offset, tick), offsetLimit(100, -1, offset, tick)]).toEqual([101, 99]);
    expect([offsetLimit(100, 1, offset, undefined), offsetLimit(100, -1, offset, undefined)]).toEqual([
      101.2, 98.8,
    ]);
    const order = restingOrder({
      type: 'trailing_stop_limit',
      trail: { amount: 2 },
      stopPrice: 98,
      limitPrice: 96,
      activationPrice: 90,
      limitOffset: offset,
    });
    const moved = (price: number): number[] => {
      moveTrail(order, -1, price, tick);
      return [order.stopPrice, order.limitPrice, order.activationPrice];
    };
    expect(moved(100)).toEqual([98, 96, 90]);
    expect(moved(99)).toEqual([98, 96, 90]);
    expect(moved(103)).toEqual([101, 100, Number.NaN]);
    const plain = restingOrder({ ...amount, stopPrice: 98, limitPrice: 5 });
    moveTrail(plain, -1, 103, tick);
    expect([plain.stopPrice, plain.limitPrice]).toEqual([101, 5]);
    const asleep = restingOrder({ ...amount, activationPrice: 200 });
    moveTrail(asleep, -1, 103, tick);
    expect([asleep.stopPrice, asleep.activationPrice]).toEqual([Number.NaN, 200]);
  });
});

describe('auctions of unknown sessions', () => {
  it('are possible in every bar', () => {
    expect([EVERY_BAR.isOpening(0, 5), EVERY_BAR.isClosing(0, 5)]).toEqual([true, true]);
  });
});
