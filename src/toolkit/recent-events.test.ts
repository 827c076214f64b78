import { describe, expect, it } from 'vitest';
import { type BarContext, EventsSince, type Json, type MarketEvent, runBacktest } from '../engine/index.ts';
import { DAY } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import { orderOutline } from './order-view.ts';
import { RecentEvents } from './recent-events.ts';

const BAR = { open: 10, high: 10, low: 10, close: 10, volume: 1_000 };
const market = createMarket([
  barSeries(
    'A',
    [0, 1, 2, 3].map((day) => ({ time: day * DAY, ...BAR })),
  ),
]);

/** Returns the summary of these events that an agent receives at the beginning of a decision. */
async function blockOf(events: readonly MarketEvent[]): Promise<Readonly<Record<string, Json>>> {
  let block: Readonly<Record<string, Json>> = {};
  const decide = (turn: BarContext): void => {
    const since = new EventsSince({ bar: 0, time: 0, equityBefore: 100, equity: 90, events });
    const seen = Object.create(turn, { eventsSince: { value: since } }) as BarContext;
    block = new RecentEvents().view(seen);
  };
  await runBacktest({ market, decider: { decide, readsEvents: true } });
  return block;
}

describe('recent events at the beginning of a decision', () => {
  it('include every kind of event, and sum up payments per bar', async () => {
    const at = { bar: 1, symbol: 'A' };
    const block = await blockOf([
      { type: 'order_cancelled', ...at, orderId: 1, code: 'expired', message: 'Its time is over.' },
      {
        type: 'order_accepted',
        ...at,
        orderId: 2,
        action: 'close',
        orderType: 'market',
        role: 'liquidation',
      },
      { type: 'order_adjusted', ...at, orderId: 3, quantity: '20', limitPrice: '5' },
      // The size of this order follows from equity, and the order has no price. Such an adjustment changes no
      // visible field, so it is not shown.
      { type: 'order_adjusted', ...at, orderId: 4 },
      { type: 'risk_halted', bar: 1, code: 'risk_daily_loss', limit: 0.05, from: '100', equity: '90' },
      { type: 'split', ...at, ratio: '2:1', quantityBefore: '10', quantityAfter: '20' },
      { type: 'delisted', ...at, price: '4' },
      { type: 'cash_entry', bar: 1, kind: 'interest', amount: '-0.1', cash: '1' },
      { type: 'cash_entry', bar: 2, kind: 'interest', amount: '-0.2', cash: '1' },
      { type: 'cash_entry', ...at, kind: 'borrow_fee', amount: '-1', cash: '1' },
    ]);
    expect(block).toEqual({
      bar: 0,
      date: '1970-01-01',
      profit: -10,
      cancelled: [{ ...at, order_id: 1, code: 'expired', message: 'Its time is over.' }],
      margin_calls: [{ ...at, order_id: 2, what: 'the position is closed at the next open' }],
      adjusted_orders: [{ ...at, order_id: 3, quantity: 20, price: 5 }],
      halts: [{ bar: 1, code: 'risk_daily_loss', limit: 0.05 }],
      splits: [{ ...at, ratio: '2:1', quantity_before: 10, quantity_after: 20 }],
      delisted: [{ ...at, settlement_price: 4 }],
      financing: { interest: -0.3, borrow_fee: -1 },
    });
  });

  it('include the newest fifty of a kind, and the number of omitted ones', async () => {
    const cancelled = Array.from(
      { length: 60 },
      (_, id): MarketEvent => ({
        type: 'order_cancelled',
        bar: 1,
        symbol: 'A',
        orderId: id,
        code: 'expired',
        message: '',
      }),
    );
    const block = await blockOf(cancelled);
    expect(block.cancelled).toHaveLength(50);
    expect(block.cancelled_left_out).toBe(10);
    expect((block.cancelled as { order_id: number }[])[0]!.order_id).toBe(10);
  });

  it('include events of bars without a decision', async () => {
    const since = new RecentEvents();
    const blocks: unknown[] = [];
    await runBacktest({
      market,
      settings: { cash: '100' },
      decider: {
        readsEvents: true,
        decide(turn) {
          if (turn.bar === 0) turn.orders.buy(2);
          if (turn.bar === 1) turn.orders.close();
          if (turn.bar === 0 || turn.bar === 3) {
            blocks.push(since.view(turn));
            since.decided(turn);
          } else since.pass(turn);
        },
      },
    });
    expect(blocks).toMatchObject([
      { bar: null, profit: 0 },
      {
        bar: 0,
        profit: 0,
        fills: [
          { bar: 1, side: 'buy' },
          { bar: 2, side: 'sell' },
        ],
      },
    ]);
  });
});

describe('an order that fills in parts', () => {
  it('is shown with its filled quantity, and volume is not reported as missing buying power', async () => {
    const shown: unknown[] = [];
    await runBacktest({
      market,
      settings: { cash: '2000', commissionRate: 0.01, participation: 0.1 },
      decider: {
        readsEvents: true,
        decide(turn) {
          if (turn.bar === 0) turn.orders.rebalance({ weights: { A: 1 } });
          const { fills = [] } = new RecentEvents().view(turn) as { fills?: Json };
          shown.push({
            fills,
            rest: turn.orders.pending().map((order) => orderOutline(order, turn.symbols)),
          });
        },
      },
    });
    expect(shown[1]).toMatchObject({
      fills: [{ quantity: 100, still_to_fill: 98 }],
      rest: [{ quantity: '198', filled: '100' }],
    });
    expect(shown[0]).toMatchObject({ rest: [{ quantity: '198' }] });
    expect(shown[0]).not.toHaveProperty('rest.0.filled');
  });

  it('is marked as reduced to the buying power if volume fills the rest later', async () => {
    const at = { bar: 1, symbol: 'A', side: 'buy', price: '10', priceBeforeSlippage: '10' } as const;
    const fill = { type: 'order_filled', ...at, orderId: 5, commission: '0', cash: '0' } as const;
    const { fills } = await blockOf([
      { ...fill, quantity: '30', requestedQuantity: '186' },
      { ...fill, quantity: '124' },
      { ...fill, orderId: 6, quantity: '7', requestedQuantity: '8' },
    ]);
    expect(fills).toMatchObject([
      {
        why_less:
          'buying power, including commission, allowed no more; the allowed quantity fills in parts, as volume allows',
      },
      {},
      { why_less: 'buying power, including commission, allowed no more' },
    ]);
  });
});
