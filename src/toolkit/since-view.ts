import type { BarContext, EventsSince, Json, MarketEvent } from '../engine/index.ts';
import { Exact, formatInstant } from '../kernel/index.ts';
import { newDocuments } from './document-view.ts';
import { LastTrades } from './symbol-table.ts';

/** Most entries of one list. */
const MOST = 50;

const CARRIED_NO_MORE = 'buying power, commission counted, carried no more';

type Fields = Readonly<Record<string, Json>>;
/** The list an event is shown in, and how. */
type Shown = readonly [list: string, entry: Fields];
type Views = {
  readonly [Type in MarketEvent['type']]: (event: Extract<MarketEvent, { type: Type }>) => Shown;
};

const VIEWS: Views = {
  order_filled: (event) => [
    'fills',
    {
      bar: event.bar,
      order_id: event.orderId,
      symbol: event.symbol,
      side: event.side,
      quantity: Number(event.quantity),
      ...(event.requestedQuantity === undefined
        ? {}
        : {
            requested_quantity: Number(event.requestedQuantity),
            why_less: CARRIED_NO_MORE,
          }),
      price: Number(event.price),
      ...(Number(event.commission) === 0 ? {} : { commission: Number(event.commission) }),
      ...(event.reason === undefined ? {} : { reason: event.reason }),
    },
  ],
  trade_closed: (event) => [
    'closed_trades',
    {
      bar: event.bar,
      symbol: event.symbol,
      side: event.side,
      quantity: Number(event.quantity),
      entry_bar: event.entryBar,
      entry_price: Number(event.entryPrice),
      exit_price: Number(event.exitPrice),
      net_pnl: Number(event.netPnl),
      exit_reason: event.exitReason,
    },
  ],
  order_rejected: (event) => [
    'refused',
    {
      bar: event.bar,
      order_id: event.orderId,
      symbol: event.symbol,
      action: event.action,
      code: event.code,
      message: event.message,
    },
  ],
  order_cancelled: (event) => [
    'cancelled',
    {
      bar: event.bar,
      order_id: event.orderId,
      symbol: event.symbol,
      code: event.code,
      // A target that is reached says it all.
      ...(event.code === 'at_target' ? {} : { message: event.message }),
    },
  ],
  order_accepted: (event) => {
    const { bar, orderId, symbol, role = 'order', limitPrice, stopPrice } = event;
    const order = { bar, order_id: orderId, symbol };
    if (role === 'liquidation')
      return ['margin_calls', { ...order, what: 'the position is closed at the next open' }];
    return [
      'new_orders',
      {
        ...order,
        role,
        ...(limitPrice === undefined ? {} : { price: Number(limitPrice) }),
        ...(stopPrice === undefined ? {} : { stop_price: Number(stopPrice) }),
      },
    ];
  },
  order_adjusted: (event) => [
    'adjusted_orders',
    {
      bar: event.bar,
      order_id: event.orderId,
      symbol: event.symbol,
      ...(event.quantity === undefined ? {} : { quantity: Number(event.quantity) }),
      ...(event.limitPrice === undefined ? {} : { price: Number(event.limitPrice) }),
      ...(event.stopPrice === undefined ? {} : { stop_price: Number(event.stopPrice) }),
    },
  ],
  risk_halted: (event) => ['halts', { bar: event.bar, code: event.code, limit: event.limit }],
  // Only dividends come here: interest and fees are summed up.
  cash_entry: (event) => [
    'dividends',
    {
      bar: event.bar,
      symbol: event.symbol ?? null,
      amount: Number(event.amount),
      ...(event.perUnit === undefined ? {} : { per_unit: Number(event.perUnit) }),
    },
  ],
  split: (event) => [
    'splits',
    {
      bar: event.bar,
      symbol: event.symbol,
      ratio: event.ratio,
      quantity_before: Number(event.quantityBefore),
      quantity_after: Number(event.quantityAfter),
    },
  ],
  rolled: (event) => [
    'rolls',
    {
      bar: event.bar,
      symbol: event.symbol,
      from: event.from,
      to: event.to,
      from_price: Number(event.fromPrice),
      to_price: Number(event.toPrice),
      quantity: Number(event.quantity),
    },
  ],
  delisted: (event) => [
    'delisted',
    { bar: event.bar, symbol: event.symbol, settlement_price: Number(event.price) },
  ],
};

/**
 * What happened since the last decision, as prompts, agents and clients are shown it: one block, whoever is asked.
 *
 * @param documentsBefore how many documents were known then
 */
function sinceView(since: EventsSince, turn: BarContext, documentsBefore: number): Fields {
  const lists = new Map<string, Fields[]>();
  const paid = new Map<string, Exact>();
  for (const event of since.events) {
    if (event.type === 'cash_entry' && event.kind !== 'dividend') {
      const sum = paid.get(event.kind);
      paid.set(event.kind, sum === undefined ? Exact.of(event.amount) : sum.plus(Exact.of(event.amount)));
      continue;
    }
    if (isUntold(event)) continue;
    const [list, entry] = shown(event);
    lists.set(list, [...(lists.get(list) ?? []), entry]);
  }
  noteRests(lists.get('fills') ?? [], turn);
  return {
    bar: since.bar,
    ...(since.time === null ? {} : { date: formatInstant(since.time) }),
    profit: since.profit,
    ...Object.fromEntries(
      [...lists].flatMap(([name, entries]): [string, Json][] => [
        [name, entries.slice(-MOST)],
        ...(entries.length > MOST ? [[`${name}_left_out`, entries.length - MOST] as [string, Json]] : []),
      ]),
    ),
    ...(paid.size === 0
      ? {}
      : { financing: Object.fromEntries([...paid].map(([kind, sum]) => [kind, sum.toNumber()])) }),
    ...newDocuments(turn, documentsBefore),
  };
}

/** An order sized in money or equity without a price: a split changes nothing of it that could be shown. */
function isUntold(event: MarketEvent): boolean {
  if (event.type !== 'order_adjusted') return false;
  return [event.quantity, event.limitPrice, event.stopPrice].every((value) => value === undefined);
}

function shown(event: MarketEvent): Shown {
  // The table has the view of the event's own type.
  return (VIEWS[event.type] as (event: MarketEvent) => Shown)(event);
}

/** Says of the last fill of each order that still rests how much of it does, and where a fill is only a part of what buying power left. */
function noteRests(fills: Fields[], turn: BarContext): void {
  for (const { id, size, filled } of turn.orders.pending()) {
    const last = fills.findLastIndex((fill) => fill.order_id === id);
    if (last >= 0 && size.kind === 'units')
      fills[last] = { ...fills[last], still_to_fill: size.units.minus(filled).toNumber() };
  }
  for (const [index, fill] of fills.entries()) {
    const laterToo = fills.some((other, place) => place > index && other.order_id === fill.order_id);
    if (fill.why_less !== undefined && (laterToo || fill.still_to_fill !== undefined))
      fills[index] = {
        ...fill,
        why_less: `${CARRIED_NO_MORE}; what it carried fills in parts, as volume allows`,
      };
  }
}

/** What is kept from one decision to the next by whoever does not decide at every bar it is asked at. */
export class SinceDecision {
  #kept: EventsSince | undefined;
  #documents = 0;
  /** Of each symbol, for the table of many. */
  readonly trades = new LastTrades();

  /** A bar that passes without a decision: what happened until then is for the next one. */
  pass({ eventsSince }: BarContext): void {
    this.trades.note(eventsSince);
    this.#kept = this.#kept?.and(eventsSince) ?? eventsSince;
  }

  /** The block that a decision begins with. */
  view(turn: BarContext): Fields {
    const { eventsSince } = turn;
    this.trades.note(eventsSince);
    return sinceView(this.#kept?.and(eventsSince) ?? eventsSince, turn, this.#documents);
  }

  /** How many documents were known at the last decision. */
  get documents(): number {
    return this.#documents;
  }

  /** A decision is made, or has begun and was given its block. */
  decided(turn: BarContext): void {
    this.#kept = undefined;
    this.#documents = turn.documents.length;
  }
}
