import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../kernel/index.ts';
import type { MarketEvent } from './events-since.ts';
import { type NewDocuments, type RecentEventsParts, recentEvents } from './recent-events.ts';

const AT = { bar: 4, symbol: 'A' };
const NO_DOCUMENTS: NewDocuments = { count: 0, shown: [] };

const viewOf = (events: readonly MarketEvent[], more: Partial<RecentEventsParts> = {}) =>
  recentEvents({
    bar: 3,
    time: null,
    profit: undefined,
    events,
    toFill: () => undefined,
    documents: NO_DOCUMENTS,
    ...more,
  });

type Fill = Extract<MarketEvent, { type: 'order_filled' }>;
const fill = (more: Partial<Fill> = {}): Fill => ({
  type: 'order_filled',
  ...AT,
  orderId: 7,
  side: 'buy',
  quantity: '10',
  price: '99.5',
  priceBeforeSlippage: '99',
  commission: '0',
  cash: '5',
  ...more,
});
const shownFill = { ...AT, order_id: 7, side: 'buy', quantity: 10, price: 99.5 };

type Accepted = Extract<MarketEvent, { type: 'order_accepted' }>;
const accepted = (more: Partial<Accepted>): Accepted => ({
  type: 'order_accepted',
  ...AT,
  orderId: 9,
  action: 'sell',
  orderType: 'stop',
  ...more,
});

describe('the events since the last decision', () => {
  it('show the commission, reason and reduction of a fill only if it has them', () => {
    expect(viewOf([fill()])).toEqual({ bar: 3, fills: [shownFill] });
    const whole = fill({ commission: '1.25', reason: 'stop-loss', requestedQuantity: '12' });
    expect(viewOf([whole])).toEqual({
      bar: 3,
      fills: [
        {
          ...shownFill,
          requested_quantity: 12,
          why_less: 'buying power, including commission, allowed no more',
          commission: 1.25,
          reason: 'stop-loss',
        },
      ],
    });
  });

  it('show a closed trade', () => {
    const trade: MarketEvent = {
      type: 'trade_closed',
      ...AT,
      id: 2,
      side: 'short',
      quantity: '3',
      entryBar: 1,
      entryTime: '2024-01-02',
      entryPrice: '8',
      exitTime: '2024-01-05',
      exitPrice: '7.5',
      grossPnl: '1.5',
      commission: '0.5',
      netPnl: '1',
      exitReason: 'market',
    };
    expect(viewOf([trade]).closed_trades).toEqual([
      {
        ...AT,
        side: 'short',
        quantity: 3,
        entry_bar: 1,
        entry_price: 8,
        exit_price: 7.5,
        net_pnl: 1,
        exit_reason: 'market',
      },
    ]);
  });

  it('show rejections and cancellations with a message, except for an order at its target', () => {
    const rejected: MarketEvent = {
      type: 'order_rejected',
      ...AT,
      orderId: null,
      action: 'buy',
      code: 'below_lot',
      message: 'Too small.',
      remedy: 'Increase it.',
    };
    const cancelled = (code: string): MarketEvent => ({
      type: 'order_cancelled',
      ...AT,
      orderId: 5,
      code,
      message: 'Over.',
    });
    expect(viewOf([rejected, cancelled('expired'), cancelled('at_target')])).toEqual({
      bar: 3,
      refused: [{ ...AT, order_id: null, action: 'buy', code: 'below_lot', message: 'Too small.' }],
      cancelled: [
        { ...AT, order_id: 5, code: 'expired', message: 'Over.' },
        { ...AT, order_id: 5, code: 'at_target' },
      ],
    });
  });

  it('show new orders with their role and prices, and liquidations as margin calls', () => {
    const events = [
      accepted({}),
      accepted({ role: 'take-profit', limitPrice: '12' }),
      accepted({ role: 'stop-loss', stopPrice: '8' }),
      accepted({ role: 'liquidation', limitPrice: '1' }),
    ];
    const order = { ...AT, order_id: 9 };
    expect(viewOf(events)).toEqual({
      bar: 3,
      new_orders: [
        { ...order, role: 'order' },
        { ...order, role: 'take-profit', price: 12 },
        { ...order, role: 'stop-loss', stop_price: 8 },
      ],
      margin_calls: [{ ...order, what: 'the position is closed at the next open' }],
    });
  });

  it('show the changed fields of an adjusted order, and omit an order without changed fields', () => {
    const adjusted = (more: { quantity?: string; limitPrice?: string; stopPrice?: string }): MarketEvent => ({
      type: 'order_adjusted',
      ...AT,
      orderId: 9,
      ...more,
    });
    const order = { ...AT, order_id: 9 };
    expect(
      viewOf([
        adjusted({ quantity: '2' }),
        adjusted({}),
        adjusted({ limitPrice: '5' }),
        adjusted({ stopPrice: '4' }),
      ]),
    ).toEqual({
      bar: 3,
      adjusted_orders: [
        { ...order, quantity: 2 },
        { ...order, price: 5 },
        { ...order, stop_price: 4 },
      ],
    });
    expect(viewOf([adjusted({})])).toEqual({ bar: 3 });
  });

  it('list each dividend, and sum other payments by kind', () => {
    const paid = (amount: string, more: object = {}): MarketEvent => ({
      type: 'cash_entry',
      bar: 4,
      kind: 'interest',
      amount,
      cash: '0',
      ...more,
    });
    expect(
      viewOf([
        paid('5', { kind: 'dividend', symbol: 'A', perUnit: '0.5' }),
        paid('0.1'),
        paid('2', { kind: 'dividend' }),
        paid('0.2'),
        paid('-3', { kind: 'funding' }),
      ]),
    ).toEqual({
      bar: 3,
      dividends: [
        { bar: 4, symbol: 'A', amount: 5, per_unit: 0.5 },
        { bar: 4, symbol: null, amount: 2 },
      ],
      financing: { interest: 0.3, funding: -3 },
    });
  });

  it('show splits, rolls, delistings and halts', () => {
    const rolled: MarketEvent = {
      type: 'rolled',
      ...AT,
      from: 'H4',
      to: 'M4',
      fromPrice: '100',
      toPrice: '101.5',
      gap: '1.5',
      quantity: '-2',
    };
    const split: MarketEvent = {
      type: 'split',
      ...AT,
      ratio: '3:1',
      quantityBefore: '5',
      quantityAfter: '15',
    };
    const halt: MarketEvent = {
      type: 'risk_halted',
      bar: 4,
      code: 'risk_drawdown',
      limit: 0.2,
      from: '9',
      equity: '7',
    };
    expect(viewOf([rolled, split, halt, { type: 'delisted', ...AT, price: '4.5' }])).toEqual({
      bar: 3,
      rolls: [{ ...AT, from: 'H4', to: 'M4', from_price: 100, to_price: 101.5, quantity: -2 }],
      splits: [{ ...AT, ratio: '3:1', quantity_before: 5, quantity_after: 15 }],
      halts: [{ bar: 4, code: 'risk_drawdown', limit: 0.2 }],
      delisted: [{ ...AT, settlement_price: 4.5 }],
    });
  });
});

describe('the summary of recent events', () => {
  it('has the date of the last decision, and the profit since then, only if they are known', () => {
    expect(viewOf([], { bar: null })).toEqual({ bar: null });
    expect(viewOf([], { time: parseInstant('2024-02-03')!, profit: 0 })).toEqual({
      bar: 3,
      date: '2024-02-03',
      profit: 0,
    });
  });

  it('lists the newest fifty entries of a kind, and counts the omitted older entries', () => {
    const fills = (count: number) => Array.from({ length: count }, (_, orderId) => fill({ orderId }));
    const whole = viewOf(fills(50));
    expect(whole.fills).toHaveLength(50);
    expect(whole).not.toHaveProperty('fills_left_out');
    const cut = viewOf(fills(51));
    expect(cut.fills_left_out).toBe(1);
    expect((cut.fills as { order_id: number }[]).map(({ order_id: id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('lists new documents, and counts the omitted documents', () => {
    const shown = [{ id: 'a' }, { id: 'b' }];
    expect(viewOf([], { documents: { count: 2, shown } })).toEqual({ bar: 3, new_documents: shown });
    expect(viewOf([], { documents: { count: 5, shown } })).toEqual({
      bar: 3,
      new_documents: shown,
      new_documents_left_out: 3,
    });
  });
});

describe('an order that fills in parts', () => {
  const cut = 'buying power, including commission, allowed no more';
  const inParts = `${cut}; the allowed quantity fills in parts, as volume allows`;

  it('shows its unfilled units only at its last fill', () => {
    const { fills } = viewOf(
      [fill({ requestedQuantity: '40' }), fill({ orderId: 8, requestedQuantity: '9' }), fill()],
      { toFill: (id) => (id === 7 ? 20 : undefined) },
    );
    expect(fills).toEqual([
      { ...shownFill, requested_quantity: 40, why_less: inParts },
      { ...shownFill, order_id: 8, requested_quantity: 9, why_less: cut },
      { ...shownFill, still_to_fill: 20 },
    ]);
  });

  it('is described as filling in parts while units are unfilled', () => {
    const { fills } = viewOf([fill({ requestedQuantity: '40' })], { toFill: () => 5 });
    expect(fills).toEqual([{ ...shownFill, requested_quantity: 40, why_less: inParts, still_to_fill: 5 }]);
  });
});
