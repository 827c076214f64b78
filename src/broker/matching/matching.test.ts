import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../../test/support/exchange.ts';

describe('a market order', () => {
  // Columns: open, high, low, close
  const candles = [
    [10, 10, 10, 10],
    [12, 13, 11, 12.5],
    [14, 15, 13, 13.5],
    [16, 16, 16, 16],
  ] as const;

  it('fills at the next open after it was placed, and never earlier', () => {
    const exchange = new Exchange({ A: candles }).next();
    exchange.broker.buy(10);
    expect(exchange.fills).toEqual([]);
    exchange.next();
    exchange.broker.sell(4);
    exchange.next();
    exchange.broker.close();
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 10 A @ 12', '2 sell 4 A @ 14', '3 sell 6 A @ 16']);
    expect(exchange.cash).toBe('10032'); // 10000 − 120 + 56 + 96
    expect(exchange.broker.pending()).toEqual([]);
  });

  it('pays commission on the notional of each fill, exactly', () => {
    const exchange = new Exchange({ A: candles }, { commissionRate: 0.002 }).next();
    exchange.broker.buy('7');
    exchange.next();
    exchange.broker.sell(7);
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 7 A @ 12 + 0.168', '2 sell 7 A @ 14 + 0.196']);
    expect(exchange.cash).toBe('10013.636'); // 10000 − 84 − 0.168 + 98 − 0.196
  });

  it('opens a short if it sells more than the position', () => {
    const exchange = new Exchange({ A: candles }).next();
    exchange.broker.sell(5);
    exchange.next();
    expect(exchange.held).toEqual({ A: '-5' });
    expect(exchange.cash).toBe('10060');
    exchange.broker.buy(8);
    exchange.next();
    expect(exchange.held).toEqual({ A: '3' });
    expect(exchange.fills.at(-1)).toBe('2 buy 8 A @ 14');
  });

  it('records the events accepted, filled and closed, in that order', () => {
    const exchange = new Exchange({ A: candles }).next();
    exchange.broker.buy(2, { reason: 'breakout' });
    exchange.next();
    exchange.broker.close({ reason: 'target' });
    exchange.next();
    expect(exchange.events).toEqual([
      {
        type: 'order_accepted',
        bar: 0,
        orderId: 1,
        symbol: 'A',
        action: 'buy',
        orderType: 'market',
        quantity: '2',
        reason: 'breakout',
      },
      {
        type: 'order_filled',
        bar: 1,
        orderId: 1,
        symbol: 'A',
        side: 'buy',
        quantity: '2',
        price: '12',
        priceBeforeSlippage: '12',
        commission: '0',
        cash: '9976',
        reason: 'breakout',
      },
      {
        type: 'order_accepted',
        bar: 1,
        orderId: 2,
        symbol: 'A',
        action: 'close',
        orderType: 'market',
        reason: 'target',
      },
      {
        type: 'order_filled',
        bar: 2,
        orderId: 2,
        symbol: 'A',
        side: 'sell',
        quantity: '2',
        price: '14',
        priceBeforeSlippage: '14',
        commission: '0',
        cash: '10004',
        reason: 'target',
      },
      {
        type: 'trade_closed',
        bar: 2,
        id: 1,
        symbol: 'A',
        side: 'long',
        quantity: '2',
        entryBar: 1,
        entryTime: '1970-01-02',
        entryPrice: '12',
        exitTime: '1970-01-03',
        exitPrice: '14',
        grossPnl: '4',
        commission: '0',
        netPnl: '4',
        exitReason: 'target',
      },
    ]);
  });

  it('records the order type as the exit reason of a trade without a reason', () => {
    const exchange = new Exchange({ A: candles }).next();
    exchange.broker.buy(2);
    exchange.next().broker.close();
    exchange.next();
    expect(exchange.events.at(-1)).toMatchObject({ type: 'trade_closed', exitReason: 'market' });
  });
});

describe('slippage', () => {
  const placed = (side: 'buy' | 'sell', bar: readonly [number, number, number, number], bps: number) => {
    const exchange = new Exchange({ A: [[100, 100, 100, 100], bar] }, { slippageBps: bps }).next();
    exchange.broker[side](10);
    return exchange.next();
  };

  it.each([
    // Columns: side, [open, high, low, close], slippage in basis points, fill price
    ['buy', [100, 110, 90, 105], 25, '100.25'],
    ['sell', [100, 110, 90, 105], 25, '99.75'],
    ['buy', [100, 100.1, 90, 95], 25, '100.1'],
    ['sell', [100, 110, 99.9, 105], 25, '99.9'],
    ['buy', [100, 100, 90, 95], 25, '100'],
    ['sell', [100, 110, 100, 105], 25, '100'],
    ['buy', [33.33, 40, 30, 35], 0.5, '33.3316665'],
    ['buy', [100, 110, 90, 105], 0, '100'],
  ] as const)('moves a %s on %j by %d basis points to %s', (side, bar, bps, price) => {
    const exchange = placed(side, bar, bps);
    expect(exchange.fills).toEqual([`1 ${side} 10 A @ ${price}`]);
    expect(exchange.events.at(-1)).toMatchObject({ priceBeforeSlippage: String(bar[0]) });
  });

  it('raises the price when a short is closed and lowers it when a long is closed', () => {
    const candles = [
      [100, 100, 100, 100],
      [100, 120, 80, 100],
      [100, 120, 80, 100],
    ] as const;
    const short = new Exchange({ A: candles }, { slippageBps: 100 }).next();
    short.broker.sell(10);
    short.next().broker.close();
    short.next();
    expect(short.fills).toEqual(['1 sell 10 A @ 99', '2 buy 10 A @ 101']);
    expect(short.cash).toBe('9980');
    const long = new Exchange({ A: candles }, { slippageBps: 100 }).next();
    long.broker.buy(10);
    long.next().broker.close();
    long.next();
    expect(long.fills).toEqual(['1 buy 10 A @ 101', '2 sell 10 A @ 99']);
    expect(long.cash).toBe('9980');
  });

  it('is included in the price that commission is based on', () => {
    const exchange = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [100, 110, 90, 100],
        ],
      },
      { slippageBps: 100, commissionRate: 0.01 },
    ).next();
    exchange.broker.buy(10);
    expect(exchange.next().fills).toEqual(['1 buy 10 A @ 101 + 10.1']);
  });
});

describe('orders at one open', () => {
  it('fill oldest first: a close, then the reversal', () => {
    const exchange = new Exchange({ A: flat(100, 4) }, { cash: '1000' }).next();
    exchange.broker.buy(9);
    exchange.next();
    exchange.broker.close({ reason: 'cross' });
    exchange.broker.sell(9);
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 9 A @ 100', '2 sell 9 A @ 100', '2 sell 9 A @ 100']);
    expect(exchange.held).toEqual({ A: '-9' });
  });

  it('fill oldest first across symbols: the oldest order uses the cash', () => {
    const candles = { A: flat(100, 3), B: flat(100, 3) };
    const exchange = new Exchange(candles, { cash: '1000' }).next();
    exchange.broker.submit({ action: 'buy', symbol: 'B', equityFraction: 0.8 });
    exchange.broker.submit({ action: 'buy', symbol: 'A', equityFraction: 0.8 });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 8 B @ 100', '1 buy 2 A @ 100']);
  });

  it('see the account after each fill: selling first makes room to buy', () => {
    const candles = { A: flat(100, 4), B: flat(100, 4) };
    const exchange = new Exchange(candles, { cash: '1000' }).next();
    exchange.broker.buy(10, { symbol: 'A' });
    exchange.next();
    exchange.broker.close({ symbol: 'A' });
    exchange.broker.buy(10, { symbol: 'B' });
    exchange.next();
    expect(exchange.refusals).toEqual([]);
    expect(exchange.held).toEqual({ B: '10' });
  });

  it('have consecutive numbers in the order of acceptance; a rejected order has no number', () => {
    const exchange = new Exchange({ A: flat(100, 2) }).next();
    const first = exchange.broker.buy(1);
    const refused = exchange.broker.buy(0);
    const second = exchange.broker.sell(1);
    expect(refused.accepted).toBe(false);
    expect([first, second].map((receipt) => receipt.accepted && receipt.order.id)).toEqual([1, 2]);
    expect(exchange.broker.pending().map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('an order', () => {
  it('waits while its symbol has no bar, and fills at the next open', () => {
    const exchange = new Exchange({
      A: flat(50, 5),
      B: [[10, 10, 10, 10], null, null, [30, 30, 30, 30]],
    }).next();
    exchange.broker.buy(3, { symbol: 'B' });
    exchange.broker.buy(1, { symbol: 'A' });
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 1 A @ 50']);
    expect(exchange.broker.pending().map(({ id }) => id)).toEqual([1]);
    exchange.next().next();
    expect(exchange.fills.at(-1)).toBe('3 buy 3 B @ 30');
    expect(exchange.broker.pending()).toEqual([]);
  });

  it('waits through a bar without volume', () => {
    const exchange = new Exchange({
      A: [
        [10, 10, 10, 10],
        [11, 11, 11, 11, 0],
        [12, 12, 12, 12],
      ],
    }).next();
    exchange.broker.buy(3);
    exchange.next();
    expect(exchange.fills).toEqual([]);
    expect(exchange.next().fills).toEqual(['2 buy 3 A @ 12']);
  });

  it('stays behind older orders while it waits', () => {
    const exchange = new Exchange({ A: [[10, 10, 10, 10], null, [10, 10, 10, 10]] }, { cash: '100' }).next();
    exchange.broker.buy(6);
    exchange.next();
    exchange.broker.buy(4);
    exchange.next();
    expect(exchange.fills).toEqual(['2 buy 6 A @ 10', '2 buy 4 A @ 10']);
  });

  it('to close uses the position at the open, or reports that there is no position', () => {
    const exchange = new Exchange({ A: flat(10, 5) }).next();
    exchange.broker.buy(5);
    exchange.broker.close();
    exchange.next();
    expect(exchange.fills).toEqual(['1 buy 5 A @ 10', '1 sell 5 A @ 10']);
    exchange.broker.submit({ action: 'buy', equityFraction: 0.0001 });
    exchange.broker.close();
    exchange.next();
    expect(exchange.refusals).toEqual(['2 below_lot', '2 nothing_to_close']);
    expect(exchange.held).toEqual({});
  });
});
