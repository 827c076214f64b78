import { describe, expect, it } from 'vitest';
import { type Candle, Exchange } from '../../test/support/exchange.ts';
import { DAY, Exact } from '../kernel/index.ts';

/** Bar with a single price. At most ten units may fill in it: 1 % of its volume of 1,000. */
const at = (price: number): Candle => [price, price, price, price, 1_000];
const TEN_A_BAR = { participation: 0.01, cash: '100000' };

const exchangeOf = (candles: readonly Candle[], terms = {}): Exchange =>
  new Exchange({ A: candles }, { ...TEN_A_BAR, ...terms });

const cancels = ({ events }: Exchange): string[] =>
  events.flatMap((event) =>
    event.type === 'order_cancelled' ? [`${event.bar} #${event.orderId} ${event.code}`] : [],
  );

const closedTrades = ({ events }: Exchange): number =>
  events.filter(({ type }) => type === 'trade_closed').length;

describe('the unfilled part of an entry', () => {
  it('is cancelled when its stop loss fills', () => {
    const exchange = exchangeOf([at(100), at(100), at(90), at(90), at(90)]).next();
    exchange.broker.buy(100, { type: 'limit', limitPrice: 100, stopLoss: 95 });
    exchange.next().next().next().next();
    expect(exchange.fills).toEqual(['1 buy 10 A @ 100', '2 sell 10 A @ 90']);
    expect(cancels(exchange)).toEqual(['2 #1 exit_filled']);
    expect(closedTrades(exchange)).toBe(1);
  });

  it('is cancelled by the first partial fill of an exit, which then fills its own remainder', () => {
    const exchange = exchangeOf([at(100), at(100), at(100), at(90), at(90), at(90)]).next();
    exchange.broker.buy(100, { type: 'limit', limitPrice: 100, stopLoss: 95 });
    exchange.next().next().next().next().next();
    expect(exchange.fills).toEqual([
      '1 buy 10 A @ 100',
      '2 buy 10 A @ 100',
      '3 sell 10 A @ 90',
      '4 sell 10 A @ 90',
    ]);
    expect(cancels(exchange)).toEqual(['3 #1 exit_filled']);
  });

  it('is cancelled when a take profit or one of several targets fills', () => {
    for (const takeProfit of [105, [{ price: 105, share: 0.5 }]]) {
      const exchange = exchangeOf([at(100), at(100), at(106), at(100)]).next();
      exchange.broker.buy(100, { type: 'limit', limitPrice: 100, takeProfit });
      exchange.next().next().next();
      expect(exchange.fills[1]).toMatch(/^2 sell (10|5) A @ 106$/);
      expect(exchange.fills).toHaveLength(2);
      expect(cancels(exchange)).toEqual(['2 #1 exit_filled']);
    }
  });

  it('is cancelled inside the bar that reaches an exit', () => {
    const exchange = exchangeOf([at(100), at(100), [94, 94, 90, 92, 1_000], at(101)]).next();
    exchange.broker.sell(100, { type: 'limit', limitPrice: 100, takeProfit: { distance: 9 } });
    exchange.next().next().next();
    expect(exchange.fills).toEqual(['1 sell 10 A @ 100', '2 buy 10 A @ 91']);
    expect(cancels(exchange)).toEqual(['2 #1 exit_filled']);
  });

  it('is cancelled by a trailing stop loss', () => {
    const exchange = exchangeOf([at(100), at(90), at(110), [110, 110, 104, 104, 1_000], at(90)]).next();
    exchange.broker.buy(100, { type: 'limit', limitPrice: 90, stopLoss: { distance: 5, trail: true } });
    exchange.next().next().next().next();
    expect(exchange.fills).toEqual(['1 buy 10 A @ 90', '3 sell 10 A @ 105']);
    expect(cancels(exchange)).toEqual(['3 #1 exit_filled']);
  });

  it('is cancelled by an exit that a finer bar fills, also if the entry waits for the close', () => {
    const terms = { ...TEN_A_BAR, participation: 0.01 };
    const down: Candle = [100, 100, 94, 94, 1_000];
    const detail = { A: { 2: [[100, 100, 97, 97] as const, [97, 97, 94, 94] as const] } };
    const exchange = new Exchange({ A: [at(100), at(100), down, at(94)] }, terms, detail).next();
    exchange.broker.buy(30, { type: 'market_on_close', stopLoss: 95 });
    exchange.next().next().next();
    expect(exchange.fills).toEqual(['1 buy 10 A @ 100', '2 sell 10 A @ 95']);
    expect(cancels(exchange)).toEqual(['2 #1 exit_filled']);
  });

  it('remains open while no exit has filled', () => {
    const exchange = exchangeOf([at(100), at(100), at(96), at(99)]).next();
    exchange.broker.buy(30, { type: 'limit', limitPrice: 100, stopLoss: 95, takeProfit: 110 });
    exchange.next().next().next();
    expect(exchange.held).toEqual({ A: '30' });
    expect(cancels(exchange)).toEqual([]);
  });
});

describe('exits of an entry that fills in parts', () => {
  const exitsOf = ({ broker }: Exchange): string[] =>
    broker.pending().flatMap(({ parentId, size, filled, stopPrice, limitPrice }) => {
      if (parentId === undefined || size.kind !== 'units') return [];
      return [`${size.units.minus(filled)} at ${Number.isNaN(stopPrice) ? limitPrice : stopPrice}`];
    });

  it('use the levels of the first fill, also if the position was closed in between', () => {
    const exchange = exchangeOf([at(100), at(100), at(97), at(98), at(98)]).next();
    exchange.broker.buy(30, {
      type: 'limit',
      limitPrice: 100,
      stopLoss: { distance: 5 },
      takeProfit: { fraction: 0.1 },
    });
    exchange.next().next();
    expect(exitsOf(exchange)).toEqual(['20 at 95', '20 at 110']);
    exchange.broker.close();
    exchange.next().next();
    expect(exchange.fills.slice(2)).toEqual(['3 sell 10 A @ 98', '4 sell 10 A @ 98']);
    exchange.next();
    expect(exitsOf(exchange)).toEqual([]);
  });

  it('are created again at the levels of the first fill', () => {
    const candles = [at(100), at(100), [97, 97, 97, 97, 2_000] as const, at(98)];
    const exchange = exchangeOf(candles).next();
    exchange.broker.buy(30, {
      type: 'limit',
      limitPrice: 100,
      stopLoss: { distance: 5 },
      takeProfit: { fraction: 0.1 },
    });
    exchange.next();
    exchange.broker.close();
    exchange.next();
    expect(exchange.fills.slice(1)).toEqual(['2 sell 10 A @ 97', '2 buy 10 A @ 97']);
    expect(exitsOf(exchange)).toEqual(['10 at 95', '10 at 110']);
  });

  it('belong to the first fill if a part of a target was too small for them', () => {
    const small: Candle = [100, 100, 100, 100, 100];
    const exchange = exchangeOf([at(100), small, [97, 97, 97, 97, 300]]).next();
    exchange.broker.buy(4, { takeProfit: [{ distance: 10, share: 0.5 }, { distance: 20 }] });
    exchange.next();
    expect(exitsOf(exchange)).toEqual(['1 at 120']);
    exchange.next();
    expect(exitsOf(exchange)).toEqual(['3 at 120', '1 at 110']);
  });

  it('convert their levels at a split', () => {
    const exchange = exchangeOf([at(100), at(100), [48, 48, 48, 48, 2_000]]).next();
    exchange.broker.buy(20, { type: 'limit', limitPrice: 100, stopLoss: { distance: 10 } });
    exchange.next();
    for (const exit of exchange.broker.pending())
      if (exit.parentId !== undefined) exchange.broker.cancel(exit.id);
    const ratio = { to: Exact.of(2), from: Exact.of(1) };
    exchange.ledger.split(0, ratio, Exact.of(1), { bar: 2, time: 2 * DAY, price: 50 });
    exchange.broker.split(0, ratio);
    exchange.next();
    expect(exchange.fills.at(-1)).toBe('2 buy 20 A @ 48');
    expect(exitsOf(exchange)).toEqual(['40 at 45']);
  });
});

describe('a replacement of an entry that has filled in part', () => {
  it('replaces the unfilled part: an exit of the first part cancels the replacement', () => {
    const exchange = exchangeOf([at(100), at(100), at(90), at(90)]).next();
    exchange.broker.buy(100, { type: 'limit', limitPrice: 100, stopLoss: 95 });
    exchange.next();
    expect(exchange.broker.replace(1, { limitPrice: 99 })).toMatchObject({ accepted: true });
    exchange.broker.replace(3, { limitPrice: 98 });
    exchange.next().next();
    expect(exchange.fills).toEqual(['1 buy 10 A @ 100', '2 sell 10 A @ 90']);
    expect(cancels(exchange)).toEqual(['1 #1 replaced', '1 #3 replaced', '2 #4 exit_filled']);
  });

  it('with the other side is a separate trade that no exit cancels', () => {
    const exchange = exchangeOf([at(100), at(100), at(90), at(90)]).next();
    exchange.broker.buy(100, { type: 'limit', limitPrice: 100, stopLoss: 95 });
    exchange.next();
    exchange.broker.replace(1, { action: 'sell', quantity: 5, limitPrice: 200, stopLoss: undefined });
    exchange.next();
    expect(exchange.broker.pending().map(({ id }) => id)).toEqual([3]);
  });

  it('of a target recomputes the target', () => {
    const exchange = exchangeOf([at(100), at(100), at(100), at(100)]).next();
    exchange.broker.submit({ action: 'target', targetQuantity: 25 });
    exchange.next();
    expect(exchange.broker.replace(1, { reason: 'again' })).toMatchObject({ accepted: true });
    exchange.next().next();
    expect(exchange.held).toEqual({ A: '25' });
  });

  it('of a close recomputes the close', () => {
    const exchange = exchangeOf([at(100), at(100), at(100), at(100), at(100)]).next();
    exchange.broker.buy(20);
    exchange.next().next();
    exchange.broker.close();
    exchange.next();
    expect(exchange.broker.replace(2, { reason: 'again' })).toMatchObject({ accepted: true });
    exchange.next();
    expect(exchange.held).toEqual({});
  });
});
