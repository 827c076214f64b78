import { describe, expect, it } from 'vitest';
import { restingOrder } from '../../../test/support/resting-order.ts';
import { Exact } from '../../kernel/index.ts';
import { type Instrument, instrumentsOf } from '../settings/instruments.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { orderAdjusted, rebaseOrder, shiftOrder } from './adjust-for-split.ts';
import type { RestingOrder } from './order.ts';

const exact = (value: number | string): Exact => Exact.of(value);
const instrument: Instrument = instrumentsOf(['A'], brokerSettingsSchema.parse({ tick: 0.5 }))[0]!;
const full = (): RestingOrder =>
  restingOrder({
    type: 'trailing_stop_limit',
    limitPrice: 96,
    stopPrice: 97,
    activationPrice: 95.3,
    limitOffset: exact(1),
    trail: { amount: 3 },
    filled: exact(4),
    firstPrice: exact(100),
    stopLoss: { distance: 5 },
    takeProfit: { price: '120' },
    targets: [{ fraction: 0.1, share: 0.5 }, { price: 130 }],
    request: {
      action: 'buy',
      quantity: 10,
      limitPrice: 96,
      stopPrice: 97,
      activationPrice: 95.3,
      trailAmount: 3,
      limitOffset: 1,
      stopLoss: 90,
      takeProfit: [{ price: 120, share: 0.5 }, { distance: 8 }],
    },
  });

/** Returns the fields that a split or roll can change, with exact numbers as texts. */
const shown = ({
  limitPrice,
  stopPrice,
  activationPrice,
  limitOffset,
  trail,
  filled,
  firstPrice,
  size,
  ...order
}: RestingOrder) =>
  JSON.parse(
    JSON.stringify({
      limitPrice,
      stopPrice,
      activationPrice,
      limitOffset: `${limitOffset}`,
      trail,
      filled: `${filled}`,
      firstPrice: `${firstPrice}`,
      units: size.kind === 'units' ? `${size.units}` : size.kind,
      exits: [order.stopLoss, order.takeProfit, order.targets],
      request: order.request,
    }),
  );

describe('a resting order after a roll', () => {
  it('has shifted prices, and unchanged distances and units', () => {
    const order = full();
    expect(shiftOrder(order, exact('10.2'), instrument)).toBe('kept');
    expect(shown(order)).toEqual({
      // A limit to buy is rounded down, and a stop to buy is rounded up.
      limitPrice: 106,
      stopPrice: 107.5,
      activationPrice: 105.5,
      limitOffset: '1',
      trail: { amount: 3 },
      filled: '4',
      firstPrice: '110.2',
      units: '10',
      exits: [{ distance: '5' }, { price: '130.2' }, [{ fraction: 0.1, share: 0.5 }, { price: '140.2' }]],
      request: {
        action: 'buy',
        quantity: '10',
        limitPrice: '106.2',
        stopPrice: '107.2',
        activationPrice: '105.5',
        trailAmount: '3',
        limitOffset: '1',
        stopLoss: { price: '100.2' },
        takeProfit: [{ price: '130.2', share: 0.5 }, { distance: '8' }],
      },
    });
  });

  it('has prices that are rounded to the tick like those of a new order', () => {
    const pricesOf = (over: Partial<RestingOrder>): number[] => {
      const order = restingOrder({ limitPrice: 96, stopPrice: 97, ...over });
      shiftOrder(order, exact('0.2'), instrument);
      return [order.limitPrice, order.stopPrice];
    };
    expect(pricesOf({ type: 'stop_limit', side: 1 })).toEqual([96, 97.5]);
    expect(pricesOf({ type: 'stop_limit', side: -1 })).toEqual([96.5, 97]);
    expect(pricesOf({ type: 'limit_if_touched', side: 1 })).toEqual([96, 97]);
    expect(pricesOf({ type: 'limit_if_touched', side: -1 })).toEqual([96.5, 97.5]);
  });

  it('must be cancelled if a shifted price is not above 0', () => {
    const resultOf = (over: Partial<RestingOrder>, gap: number): string =>
      shiftOrder(restingOrder(over), exact(gap), instrument);
    expect([
      resultOf({ limitPrice: 10 }, -9.5),
      resultOf({ limitPrice: 10 }, -10),
      resultOf({ stopPrice: 10 }, -10),
    ]).toEqual(['kept', 'no-price', 'no-price']);
    expect(resultOf({}, -10)).toBe('kept');
  });
});

describe('a resting order after a split of 3:2', () => {
  it('has more units, and lower prices and distances', () => {
    const order = full();
    expect(rebaseOrder(order, { to: exact(3), from: exact(2) }, instrument)).toBe('kept');
    expect(shown(order)).toEqual({
      limitPrice: 64,
      stopPrice: 65,
      activationPrice: 95.3 / 1.5,
      limitOffset: expect.stringMatching(/^0\.66666/),
      trail: { amount: 2 },
      filled: '6',
      firstPrice: expect.stringMatching(/^66\.66666/),
      units: '15',
      exits: [
        { distance: expect.stringMatching(/^3\.33333/) },
        { price: '80' },
        [{ fraction: 0.1, share: 0.5 }, { price: expect.stringMatching(/^86\.66666/) }],
      ],
      request: {
        action: 'buy',
        quantity: '15',
        limitPrice: '64',
        stopPrice: expect.stringMatching(/^64\.66666/),
        activationPrice: expect.stringMatching(/^63\.53333/),
        trailAmount: '2',
        limitOffset: expect.stringMatching(/^0\.66666/),
        stopLoss: { price: '60' },
        takeProfit: [{ price: '80', share: 0.5 }, { distance: expect.stringMatching(/^5\.33333/) }],
      },
    });
    expect(orderAdjusted(order, 7, 'A')).toEqual({
      type: 'order_adjusted',
      bar: 7,
      orderId: 1,
      symbol: 'A',
      quantity: '9',
      limitPrice: '64',
      stopPrice: '65',
    });
  });

  it('is adjusted to whole lots, and reported as below one lot if no lot remains', () => {
    const resultOf = (over: Partial<RestingOrder>): [string, string] => {
      const order = restingOrder(over);
      const result = rebaseOrder(order, { to: exact(1), from: exact(4) }, instrument);
      return [result, 'units' in order.size ? `${order.size.units}` : order.size.kind];
    };
    const units = (count: number) => ({ size: { kind: 'units', units: exact(count) } }) as const;
    expect([resultOf(units(4)), resultOf(units(3)), resultOf(units(11))]).toEqual([
      ['kept', '1'],
      ['below-lot', '0'],
      ['kept', '2'],
    ]);
    expect(resultOf({ size: { kind: 'target-units', units: exact(-7) } })).toEqual(['kept', '-1']);
    expect(resultOf({ size: { kind: 'position' } })).toEqual(['kept', 'position']);
    expect(orderAdjusted(restingOrder({ size: { kind: 'position' } }), 7, 'A')).toEqual({
      type: 'order_adjusted',
      bar: 7,
      orderId: 1,
      symbol: 'A',
    });
  });
});
