import { describe, expect, it } from 'vitest';
import { restingOrder } from '../../../test/support/resting-order.ts';
import { decimal, EXACT_ONE, EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { Ledger } from '../account/index.ts';
import { currencyPart, multiplierPart, termsPart, tradeClosed } from '../events.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import type { OrderSize } from './order.ts';
import { acceptedEvent, exitAcceptedEvent, haltEvent, rejectedEvent } from './order-events.ts';
import { belowLot, canShort, forcedOrder, noBuyingPower, nothingToReduce, shortRefusal } from './refusals.ts';

const exact = (value: number | string): Exact => Exact.of(value);
const SYMBOLS = ['A', 'B'];

describe('the event of an accepted order', () => {
  const plain = {
    type: 'order_accepted',
    bar: 4,
    orderId: 1,
    symbol: 'A',
    action: 'buy',
    orderType: 'limit',
  };

  it('omits fields that the order does not use', () => {
    expect(acceptedEvent(restingOrder(), 4, SYMBOLS)).toEqual({ ...plain, quantity: '10' });
    const order = restingOrder({
      symbol: 1,
      limitPrice: 99.5,
      stopPrice: 98,
      limitOffset: exact('0.5'),
      activationPrice: 97,
      postOnly: true,
      timeInForce: 'DAY',
      barsLeft: 3,
      group: 'g',
      role: 'liquidation',
      reason: 'why',
    });
    expect(acceptedEvent(order, 4, SYMBOLS, true)).toEqual({
      ...plain,
      symbol: 'B',
      quantity: '10',
      limitPrice: '99.5',
      stopPrice: '98',
      limitOffset: '0.5',
      activationPrice: '97',
      postOnly: true,
      timeInForce: 'DAY',
      validBars: 3,
      group: 'g',
      late: true,
      role: 'liquidation',
      reason: 'why',
    });
  });

  it.each<[OrderSize, object]>([
    [{ kind: 'notional', notional: exact('250.5') }, { notional: '250.5' }],
    [{ kind: 'equity-fraction', fraction: exact('0.5') }, { equityFraction: '0.5' }],
    [{ kind: 'target-units', units: exact(-3) }, { targetQuantity: '-3' }],
    [{ kind: 'target-fraction', fraction: exact('-0.1') }, { targetFraction: '-0.1' }],
    [{ kind: 'position' }, {}],
  ])('has the size in the unit of the request: %j', (size, shown) => {
    expect(acceptedEvent(restingOrder({ size }), 4, SYMBOLS)).toEqual({ ...plain, ...shown });
  });

  it('of an exit has its price and the id of its entry order', () => {
    const exit = restingOrder({
      id: 5,
      action: 'sell',
      type: 'stop',
      stopPrice: 95,
      limitPrice: 105,
      parentId: 3,
      role: 'stop-loss',
    });
    const shown = { ...plain, orderId: 5, action: 'sell', orderType: 'stop', quantity: '10' };
    expect(exitAcceptedEvent(exit, 4, SYMBOLS)).toEqual({
      ...shown,
      stopPrice: '95',
      parentId: 3,
      role: 'stop-loss',
    });
    expect(exitAcceptedEvent({ ...exit, role: 'take-profit', parentId: undefined }, 4, SYMBOLS)).toEqual({
      ...shown,
      limitPrice: '105',
      role: 'take-profit',
    });
  });
});

describe('the events of rejections and halts', () => {
  const refusal = { code: 'bad_order', message: 'No.', remedy: 'Change it.' } as const;
  const rejected = { type: 'order_rejected', bar: 2, orderId: null, ...refusal };

  it('contain the symbol and action of the request if both are texts', () => {
    const event = (request: unknown) => rejectedEvent(request as never, refusal, 2, SYMBOLS);
    expect(event({ action: 'buy', symbol: 'B' })).toEqual({ ...rejected, symbol: 'B', action: 'buy' });
    expect(event({ action: 5, symbol: 7 })).toEqual({ ...rejected, symbol: null, action: '' });
    expect(event(null)).toEqual({ ...rejected, symbol: 'A', action: '' });
    expect(event(undefined)).toEqual({ ...rejected, symbol: 'A', action: '' });
  });

  it('contain the equity at a halt', () => {
    const ledger = new Ledger(SYMBOLS, decimal('90.5'));
    expect(haltEvent({ code: 'risk_drawdown', limit: 0.1, from: 101.5 }, 3, ledger)).toEqual({
      type: 'risk_halted',
      bar: 3,
      code: 'risk_drawdown',
      limit: 0.1,
      from: '101.5',
      equity: '90.5',
    });
  });
});

describe('the event of a closed trade', () => {
  it('has a multiplier and exchange rates only if they are not 1', () => {
    const share = new Ledger(SYMBOLS, decimal('1000'));
    const book = (ledger: Ledger, quantity: number, price: number) =>
      ledger.book({
        symbol: 0,
        bar: 1,
        time: 0,
        quantity,
        price,
        commission: 1,
        reason: 'test',
        ambiguous: true,
      });
    book(share, 2, 10);
    const [trade] = book(share, -2, 13);
    expect(tradeClosed(trade!, 6)).toEqual({
      type: 'trade_closed',
      bar: 6,
      id: 1,
      symbol: 'A',
      side: 'long',
      quantity: '2',
      entryBar: 1,
      entryTime: '1970-01-01',
      entryPrice: '10',
      exitTime: '1970-01-01',
      exitPrice: '13',
      grossPnl: '6',
      commission: '2',
      netPnl: '4',
      exitReason: 'test',
      ambiguous: true,
    });
    expect([currencyPart(trade!), multiplierPart(EXACT_ONE), termsPart(0, share)]).toEqual([
      undefined,
      undefined,
      {},
    ]);
    const foreign = new Ledger(SYMBOLS, decimal('1000'), {
      currencies: ['EUR', 'USD'],
      contracts: [
        { multiplier: exact(5), margined: false },
        { multiplier: EXACT_ONE, margined: false },
      ],
    });
    foreign.setRate(0, 1.5);
    book(foreign, 2, 10);
    foreign.setRate(0, 2);
    const [other] = book(foreign, -2, 13);
    // Paid 2 × 10 × 5 × 1.5 = 150, received 2 × 13 × 5 × 2 = 260. The change of the rate alone adds
    // 100 × (2 − 1.5) = 50.
    expect(tradeClosed(other!, 6)).toMatchObject({
      grossPnl: '110',
      multiplier: '5',
      entryRate: '1.5',
      exitRate: '2',
      fxPnl: '50',
    });
    expect(termsPart(0, foreign)).toEqual({ rate: '2', multiplier: '5' });
    expect(termsPart(1, foreign)).toEqual({});
  });
});

describe('a rejection', () => {
  it('of a short sale states if the settings forbid it or the borrow limit is reached', () => {
    const settings = (given: object) => brokerSettingsSchema.parse(given);
    const code = (given: object): string => shortRefusal('A', exact(3), settings(given)).code;
    expect([code({}), code({ allowShort: false }), code({ risk: { noShort: true } })]).toEqual([
      'not_borrowable',
      'short_not_allowed',
      'short_not_allowed',
    ]);
    expect(shortRefusal('A', EXACT_ZERO, settings({})).remedy).toBe(
      'Wait until it can be borrowed, or trade another symbol.',
    );
    expect(shortRefusal('A', exact(3), settings({}))).toMatchObject({
      remedy: 'Sell at most 3.',
      largestAccepted: '3',
    });
    expect(canShort(0, settings({}), undefined)).toBe(true);
    expect(canShort(0, settings({ risk: { noShort: false } }), undefined)).toBe(true);
    expect(canShort(0, settings({ allowShort: false }), undefined)).toBe(false);
    expect(canShort(0, settings({ risk: { noShort: true } }), undefined)).toBe(false);
  });

  it('names the largest quantity that would be accepted, if it is above zero', () => {
    expect(noBuyingPower('A', exact(5), 'a price of 2', exact(3))).toEqual({
      code: 'buying_power',
      message: '5 A at a price of 2 exceed the buying power.',
      remedy: 'At most 3 would be accepted.',
      largestAccepted: '3',
    });
    expect(noBuyingPower('A', exact(5), '2', EXACT_ZERO).remedy).toBe('Close a position first.');
    expect(belowLot(exact(10), '5')).not.toHaveProperty('largestAccepted');
    expect(nothingToReduce('A', true).message).toBe('No short position in A to reduce.');
    expect(nothingToReduce('A', false).message).toBe('No long position in A to reduce.');
    expect(forcedOrder({ id: 4, reason: 'liquidation' }).message).toContain(
      'Order 4 was placed by the account (liquidation)',
    );
  });
});
