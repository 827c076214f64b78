import { Exact, formatInstant, type Instant } from '../../kernel/index.ts';
import type { Json } from '../settings/settings.ts';
import type { MarketEvent } from './events-since.ts';

/**
 * Largest number of entries in one list of `recentEvents`. Documents beyond this number can be found with the
 * tool `document_search`.
 */
export const MOST_LISTED = 50;

const CARRIED_NO_MORE = 'buying power, including commission, allowed no more';

type Fields = Readonly<Record<string, Json>>;
/** List in which an event is shown, and the event's entry in this list. */
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
      // If the position is already at its target, the code states the reason, so no message is needed.
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
  // Only dividends are listed one by one. Interest and fees are shown as sums.
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

/** Documents published since the last decision. */
export interface NewDocuments {
  readonly count: number;
  /** The newest documents, oldest first, at most `MOST_LISTED`. */
  readonly shown: readonly Fields[];
}

/** Inputs of `recentEvents`. */
export interface RecentEventsParts {
  /** Bar of the last decision. `null` at the first decision. */
  readonly bar: number | null;
  /** Time of the last decision. `null` at the first decision. */
  readonly time: Instant | null;
  /** Change of the equity since the last decision, in the account's currency. `undefined` if unknown. */
  readonly profit: number | undefined;
  readonly events: readonly MarketEvent[];
  /**
   * Returns the unfilled units of a resting order. `undefined` if the order is filled or not sized in units.
   */
  readonly toFill: (orderId: number) => number | undefined;
  readonly documents: NewDocuments;
}

/**
 * Returns the events since the last decision as one object. The format is the same for prompts of models,
 * external agents, MCP clients and traces.
 */
export function recentEvents({ bar, time, profit, events, toFill, documents }: RecentEventsParts): Fields {
  const lists = new Map<string, Fields[]>();
  const paid = new Map<string, Exact>();
  for (const event of events) {
    if (event.type === 'cash_entry' && event.kind !== 'dividend') {
      const sum = paid.get(event.kind);
      paid.set(event.kind, sum === undefined ? Exact.of(event.amount) : sum.plus(Exact.of(event.amount)));
      continue;
    }
    if (isUntold(event)) continue;
    const [list, entry] = shown(event);
    const entries = lists.get(list);
    if (entries === undefined) lists.set(list, [entry]);
    else entries.push(entry);
  }
  noteRests(lists.get('fills') ?? [], toFill);
  return {
    bar,
    ...(time === null ? {} : { date: formatInstant(time) }),
    ...(profit === undefined ? {} : { profit }),
    ...Object.fromEntries(
      [...lists].flatMap(([name, entries]): [string, Json][] => [
        [name, entries.slice(-MOST_LISTED)],
        ...(entries.length > MOST_LISTED
          ? [[`${name}_left_out`, entries.length - MOST_LISTED] as [string, Json]]
          : []),
      ]),
    ),
    ...(paid.size === 0
      ? {}
      : { financing: Object.fromEntries([...paid].map(([kind, sum]) => [kind, sum.toNumber()])) }),
    ...(documents.count === 0 ? {} : { new_documents: documents.shown }),
    ...(documents.count > documents.shown.length
      ? { new_documents_left_out: documents.count - documents.shown.length }
      : {}),
  };
}

/**
 * True for an adjustment by a split that changes no shown field: the order is sized in money or equity and
 * has no price.
 */
function isUntold(event: MarketEvent): boolean {
  if (event.type !== 'order_adjusted') return false;
  return [event.quantity, event.limitPrice, event.stopPrice].every((value) => value === undefined);
}

function shown(event: MarketEvent): Shown {
  // The cast is safe, because `VIEWS` contains a function for each type of event that accepts events of this
  // type.
  return (VIEWS[event.type] as (event: MarketEvent) => Shown)(event);
}

/**
 * Adds the number of unfilled units to the last fill of each resting order. Also completes the reason
 * `why_less` of orders that fill in several parts.
 */
function noteRests(fills: Fields[], toFill: RecentEventsParts['toFill']): void {
  const lastOf = new Map(fills.map((fill, place) => [fill.order_id, place]));
  for (const [orderId, place] of lastOf) {
    const rest = toFill(Number(orderId));
    if (rest !== undefined) fills[place] = { ...fills[place], still_to_fill: rest };
  }
  for (const [index, fill] of fills.entries()) {
    if (
      fill.why_less !== undefined &&
      (lastOf.get(fill.order_id) !== index || fill.still_to_fill !== undefined)
    )
      fills[index] = {
        ...fill,
        why_less: `${CARRIED_NO_MORE}; the allowed quantity fills in parts, as volume allows`,
      };
  }
}
