import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../test/support/exchange.ts';

/**
 * Regression tests for faults that a comparison with the independent reference matcher found. Each test
 * reduces a fault to the smallest table of candles.
 */

const at = (price: number, volume = 1_000): Candle => [price, price, price, price, volume];

describe('volume', () => {
  it('a rejected order does not use volume of the bar', () => {
    const exchange = new Exchange({ A: [at(100), at(1_500, 20)] }, { participation: 0.5 }).next();
    exchange.broker.buy(60);
    exchange.broker.buy(5);
    exchange.next();
    expect(exchange.refusals).toEqual(['1 buying_power']);
    expect(exchange.fills).toEqual(['1 buy 5 A @ 1500']);
  });

  it('a triggered stop fills its remainder without a second trigger', () => {
    const exchange = new Exchange({ A: [at(100), [100, 100, 98, 98, 10], at(103)] }, { participation: 0.1 });
    exchange.next().broker.sell(2, { type: 'stop', stopPrice: 99 });
    exchange.next().next();
    expect(exchange.fills).toEqual(['1 sell 1 A @ 99', '2 sell 1 A @ 103']);
  });

  it('the minimum notional applies to the whole order, not to a partial fill', () => {
    const instruments = { A: { minimumNotional: 500 } };
    const exchange = new Exchange(
      { A: [at(100), at(100, 20), at(100)] },
      { participation: 0.1, instruments },
    );
    exchange.next().broker.buy(6);
    exchange.next().next();
    expect(exchange.fills).toEqual(['1 buy 2 A @ 100', '2 buy 4 A @ 100']);
  });

  it('a liquidation fills at most the volume of the bar', () => {
    const terms = { leverage: 10, maintenanceMargin: 0.5, participation: 0.1, cash: '1000' };
    const exchange = new Exchange({ A: [at(100), at(100), at(100, 50), at(100)] }, terms).next();
    exchange.broker.buy(90);
    exchange.next().next().next();
    expect(exchange.fills).toEqual(['1 buy 90 A @ 100', '2 sell 5 A @ 100', '3 sell 85 A @ 100']);
  });

  it('a partly filled target counts with its side when the next order is checked', () => {
    const exchange = new Exchange({ A: [at(100), at(100, 20), at(100)] }, { participation: 0.1 }).next();
    exchange.broker.submit({ action: 'target', targetQuantity: 4 });
    exchange.next();
    expect(exchange.broker.close().accepted).toBe(true);
  });
});

describe('reduce-only orders and targets', () => {
  it.each([{ equityFraction: 0.5 }, { notional: 500 }])(
    'reduceOnly with %j never opens a position',
    (amount) => {
      const exchange = new Exchange({ A: flat(100, 4) }).next();
      exchange.broker.submit({ action: 'sell', ...amount, reduceOnly: true });
      exchange.broker.buy(2);
      exchange.next();
      exchange.broker.submit({ action: 'sell', ...amount, reduceOnly: true });
      exchange.next();
      expect(exchange.refusals).toEqual(['0 nothing_to_reduce']);
      expect(exchange.held).toEqual({});
    },
  );

  it('a target between two lots is refused, not rounded', () => {
    const exchange = new Exchange({ A: flat(100, 3) }, { lot: 2 }).next();
    exchange.broker.submit({ action: 'target', targetQuantity: -3 });
    expect(exchange.refusals).toEqual(['0 not_a_lot_multiple']);
    expect(exchange.lastRefusal).toContain('-4 or -2');
  });

  it('an order that is not affordable at the last close is rejected immediately', () => {
    const exchange = new Exchange({ A: flat(100, 3) }, { cash: '300' }).next();
    exchange.broker.submit({ action: 'buy', notional: 999 });
    exchange.broker.submit({ action: 'target', targetQuantity: 9 });
    expect(exchange.refusals).toEqual(['0 buying_power', '0 buying_power']);
  });

  it('a fixed commission is not charged for closing an empty position', () => {
    const terms = { cash: '101', commission: { model: 'fixed', amount: 1 } } as const;
    expect(new Exchange({ A: flat(100, 2) }, terms).next().broker.buy(1).accepted).toBe(true);
  });

  it('slippage cannot turn a target into an order of the other side', () => {
    const terms = { slippage: { model: 'fixed', amount: 10 } } as const;
    const exchange = new Exchange({ A: [at(100), [100, 110, 90, 100], [99, 120, 90, 100]] }, terms).next();
    exchange.broker.buy(45);
    exchange.next().broker.submit({ action: 'target', targetFraction: 0.47 });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 45 A @ 110']);
  });

  it('an order for the close sees the position after all earlier fills of the bar', () => {
    const exchange = new Exchange({ A: [at(100), [100, 101, 95, 97], [97, 99, 96, 98]] }).next();
    exchange.broker.buy(3);
    exchange.next().broker.close();
    exchange.broker.buy(2, { type: 'limit', limitPrice: 96 });
    exchange.broker.submit({ action: 'target', targetQuantity: 1, type: 'market_on_close' });
    exchange.next();
    expect(exchange.fills.slice(1)).toEqual(['2 sell 3 A @ 97', '2 buy 2 A @ 96', '2 sell 1 A @ 98']);
  });
});

describe('exits', () => {
  it('a stop loss is rounded to the tick against the trader', () => {
    const exchange = new Exchange({ A: [at(100), [100, 100, 98, 98]] }, { tick: 0.5 }).next();
    exchange.broker.buy(1, { stopLoss: { distance: 1.2 } });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 1 A @ 100', '1 sell 1 A @ 98.5']);
  });

  it('an exit that slippage moves to the wrong side of the price fills there immediately', () => {
    // The entry fills at 105 plus 1 of slippage. A stop loss 0.5 below the fill price of 106 is above the
    // market price of 105.
    const exchange = new Exchange(
      { A: [at(100), [100, 110, 99, 109]] },
      { slippage: { model: 'fixed', amount: 1 } },
    ).next();
    exchange.broker.buy(1, { type: 'stop', stopPrice: 105, stopLoss: { distance: 0.5 } });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 1 A @ 106', '1 sell 1 A @ 104']);
  });

  it('a close order that changes its side at the open fills there too', () => {
    const exchange = new Exchange({ A: [at(20.25), at(20.15)] }).next();
    exchange.broker.buy(10);
    exchange.broker.close({ type: 'stop', stopPrice: 20.05 });
    exchange.broker.sell(15, { type: 'stop', stopPrice: 20.15 });
    exchange.next();
    expect(exchange.fills.at(-1)).toBe('1 buy 5 A @ 20.15');
  });

  it('limitNeedsThrough also applies in the bar in which an exit is created', () => {
    const exchange = new Exchange({ A: [at(100), [100, 102, 95, 101]] }, { limitNeedsThrough: true }).next();
    exchange.broker.buy(1, { type: 'limit', limitPrice: 96, takeProfit: 102 });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 1 A @ 96']);
  });
});

describe('replaced, trailing and sibling orders', () => {
  it('a replaced order continues from its filled quantity', () => {
    const exchange = new Exchange({ A: [at(100), at(99, 40), at(99)] }, { participation: 0.1 }).next();
    exchange.broker.buy(10, { type: 'limit', limitPrice: 99 });
    exchange.next().broker.replace(1, { limitPrice: 99.5 });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 4 A @ 99', '2 buy 6 A @ 99']);
  });

  it('a trailing stop triggers at its exact decimal price', () => {
    // In float64, 0.1 + 0.2 exceeds 0.3.
    const exchange = new Exchange({ A: [at(0.1), [0.1, 0.3, 0.1, 0.3]] }).next();
    exchange.broker.buy(1, { type: 'trailing_stop', trailAmount: 0.2 });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 1 A @ 0.3']);
  });

  it('a trailing close of a pending short trails above the price', () => {
    const exchange = new Exchange({ A: [at(100), at(100), at(103)] }).next();
    exchange.broker.sell(2);
    exchange.broker.close({ type: 'trailing_stop', trailAmount: 2 });
    exchange.next();
    expect(exchange.held).toEqual({ A: '-2' });
    exchange.next();
    expect(exchange.fills.at(-1)).toBe('2 buy 2 A @ 103');
  });

  it('of two ambiguous orders in a group, the one that leaves less money fills, and the event contains the difference', () => {
    const exchange = new Exchange({ A: [at(19), [19.1, 19.2, 18.7, 19.1]] }).next();
    exchange.broker.buy(1, { type: 'stop', stopPrice: 19.15, group: 'g' });
    exchange.broker.buy(2, { type: 'limit', limitPrice: 18.75, group: 'g' });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 1 A @ 19.15']);
    expect(exchange.events).toContainEqual(expect.objectContaining({ ambiguous: true, gainIfOther: '0.75' }));
  });

  it('buying power is freed by closing a position that was opened in the same bar', () => {
    const exchange = new Exchange({ A: [at(100), at(99.9)] }).next();
    exchange.broker.sell(1, { type: 'market_on_close' });
    exchange.broker.submit({ action: 'buy', equityFraction: 1, type: 'market_on_close' });
    expect(exchange.next().fills).toEqual(['1 sell 1 A @ 99.9', '1 buy 101 A @ 99.9']);
  });
});
