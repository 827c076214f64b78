import type { JournalEvent } from '../../journal/index.ts';
import { decimal, decimalString, numberOf, textOf } from '../../kernel/index.ts';

/** History of an order: how it was placed, filled and ended. */
export interface OrderLifecycle {
  readonly orderId: number;
  readonly placedBar: number;
  readonly symbol: string;
  /**
   * Purpose of an order that was not placed by a decision: `stop-loss`, `take-profit` or `liquidation`. Empty
   * for an order that a decision has placed.
   */
  readonly role: string;
  readonly parentId: number | undefined;
  /**
   * Side of the order. An order that closes a position or has a target size does not contain its side. The
   * side is then derived from the position, and after a fill from the fill.
   */
  side: 'buy' | 'sell';
  /** Size as ordered, for example `70` or `95% of equity`. */
  readonly size: string;
  /** Price conditions, for example `at 900 or better`. Empty for a market order. */
  readonly terms: string;
  readonly reason: string;
  /**
   * Ordered units with the bar of the order. Each split or roll (switch to the next futures contract) adds an
   * entry with the remaining units and its bar. Empty if the size is not in units.
   */
  units: { readonly bar: number; readonly rest: string }[];
  /** Filled units so far. */
  quantity: string;
  fills: { readonly bar: number; readonly quantity: string; readonly price: string }[];
  end: 'waiting' | 'cancelled' | 'rejected';
  endBar: number | undefined;
  /** Reason for the cancellation or rejection. */
  endText: string;
  /** Numbers of the trades that the order opened or closed. */
  trades: number[];
  /** Net profit of the trades that the order closed, in account currency. Empty if it closed no trades. */
  net: string;
  /** Ids of the order's exit orders, for example a stop loss. */
  exits: number[];
}

/** Trade from its entry to its exit. */
export interface TraceTrade {
  readonly id: number;
  readonly symbol: string;
  readonly side: string;
  readonly entryBar: number;
  /** Bar of the exit. `undefined` while the trade is open. */
  readonly exitBar: number | undefined;
  readonly netPnl: string;
  readonly exitReason: string;
  /** Bars on which orders of the trade were placed or filled, ascending. */
  readonly bars: readonly number[];
}

/** Reconstructs the histories of orders and trades from the events of a journal. */
export class OrderLifecycles {
  readonly orders = new Map<number, OrderLifecycle>();
  readonly trades = new Map<number, TraceTrade>();
  /** Id of the order with the newest fill, by symbol. A trade that closes is assigned to this order. */
  readonly #lastFill = new Map<string, number>();
  /** Ids of filled orders, by bar, side and symbol. */
  readonly #filledAt = new Map<string, number[]>();
  /** Position in signed units, by symbol. Splits are ignored, because only the sign is used. */
  readonly #held = new Map<string, number>();

  /**
   * Processes an event.
   *
   * @returns the trade that the event closes; `undefined` for other events
   */
  follow(event: JournalEvent): TraceTrade | undefined {
    switch (event.type) {
      case 'order_accepted':
        this.#accept(event);
        return undefined;
      case 'order_filled':
        this.#fill(event);
        return undefined;
      case 'order_cancelled':
        this.#end(event, 'cancelled');
        return undefined;
      case 'order_rejected':
        this.#end(event, 'rejected');
        return undefined;
      case 'order_adjusted':
        this.orders.get(numberOf(event.orderId) ?? -1)?.units.push(...unitsOf(event));
        return undefined;
      case 'trade_closed':
        return this.trade(event, event.bar);
      default:
        return undefined;
    }
  }

  /**
   * Records a trade.
   *
   * @param exitBar `undefined` for an open trade
   */
  trade(event: JournalEvent | Readonly<Record<string, unknown>>, exitBar: number | undefined): TraceTrade {
    const id = numberOf(event.id) ?? 0;
    const [symbol, side] = [textOf(event.symbol), textOf(event.side)];
    const entryBar = numberOf(event.entryBar) ?? 0;
    const entries = this.#filledAt.get(`${entryBar} ${side === 'long' ? 'buy' : 'sell'} ${symbol}`) ?? [];
    const exit = exitBar === undefined ? undefined : this.#lastFill.get(symbol);
    const made = [...entries, ...(exit === undefined ? [] : [exit])]
      .map((orderId) => this.orders.get(orderId))
      .filter((order) => order !== undefined);
    for (const order of made) if (!order.trades.includes(id)) order.trades.push(id);
    const closing = this.orders.get(exit ?? -1);
    if (closing !== undefined)
      closing.net = closing.net === '' ? textOf(event.netPnl) : sumOf(closing.net, textOf(event.netPnl));
    const bars = [entryBar, ...(exitBar === undefined ? [] : [exitBar]), ...made.map((o) => o.placedBar)];
    const trade: TraceTrade = {
      id,
      symbol,
      side,
      entryBar,
      exitBar,
      netPnl: textOf(event.netPnl),
      exitReason: exitBar === undefined ? 'open at the end' : textOf(event.exitReason),
      bars: [...new Set(bars)].sort((a, b) => a - b),
    };
    this.trades.set(id, trade);
    return trade;
  }

  #accept(event: JournalEvent): void {
    const orderId = numberOf(event.orderId);
    if (orderId === undefined) return;
    const parentId = numberOf(event.parentId);
    this.orders.set(orderId, {
      orderId,
      placedBar: event.bar ?? 0,
      symbol: textOf(event.symbol),
      role: textOf(event.role),
      parentId,
      side: this.#sideOf(event),
      size: sizeOf(event),
      terms: termsOf(event),
      reason: textOf(event.reason),
      // The size of an exit order changes with the position, so it has no ordered units.
      units: event.role === undefined ? unitsOf(event) : [],
      quantity: '0',
      fills: [],
      end: 'waiting',
      endBar: undefined,
      endText: '',
      trades: [],
      net: '',
      exits: [],
    });
    if (parentId !== undefined) this.orders.get(parentId)?.exits.push(orderId);
  }

  #fill(event: JournalEvent): void {
    const orderId = numberOf(event.orderId);
    if (orderId === undefined) return;
    const symbol = textOf(event.symbol);
    const bar = event.bar ?? 0;
    this.#lastFill.set(symbol, orderId);
    const place = `${bar} ${textOf(event.side)} ${symbol}`;
    const known = this.#filledAt.get(place);
    if (known === undefined) this.#filledAt.set(place, [orderId]);
    else if (!known.includes(orderId)) known.push(orderId);
    const side = event.side === 'sell' ? 'sell' : 'buy';
    const quantity = textOf(event.quantity);
    this.#held.set(symbol, (this.#held.get(symbol) ?? 0) + (side === 'buy' ? 1 : -1) * Number(quantity));
    const order = this.orders.get(orderId);
    if (order === undefined) return;
    order.side = side;
    order.quantity = sumOf(order.quantity, quantity);
    order.fills.push({ bar, quantity, price: textOf(event.price) });
  }

  /**
   * Returns the units of an order that were not filled yet at the decision on a bar. `undefined` if the order
   * is completely filled or its size is unknown.
   */
  toFillOn(bar: number, orderId: number): number | undefined {
    const order = this.orders.get(orderId);
    if (order === undefined || (order.endBar ?? bar + 1) <= bar) return undefined;
    const from = order.units.findLast((units) => units.bar <= bar);
    if (from === undefined) return undefined;
    const fills = order.fills.filter((fill) => fill.bar >= from.bar && fill.bar <= bar);
    const rest = fills.reduce((left, { quantity }) => left.minus(decimal(quantity)), decimal(from.rest));
    return rest.greaterThan(0) ? rest.toNumber() : undefined;
  }

  #sideOf({ action, symbol, targetQuantity, targetFraction }: JournalEvent): 'buy' | 'sell' {
    if (action === 'buy' || action === 'sell') return action;
    const held = this.#held.get(textOf(symbol)) ?? 0;
    const target = Number(targetQuantity ?? targetFraction ?? 0);
    // A target that is a fraction of equity cannot be compared with the units of the position. Until the
    // order fills, the sign of the target determines the side.
    const isMore = targetQuantity === undefined && target !== 0 ? target > 0 : target > held;
    return isMore ? 'buy' : 'sell';
  }

  #end(event: JournalEvent, end: 'cancelled' | 'rejected'): void {
    const order = this.orders.get(numberOf(event.orderId) ?? -1);
    if (order === undefined) return;
    order.end = end;
    order.endBar = event.bar;
    order.endText = textOf(event.message);
  }
}

function sumOf(first: string, second: string): string {
  return isPlain(first) && isPlain(second) ? decimalString(decimal(first).plus(decimal(second))) : second;
}

function unitsOf({ bar = 0, quantity }: JournalEvent): OrderLifecycle['units'] {
  const rest = textOf(quantity);
  return isPlain(rest) ? [{ bar, rest }] : [];
}

function isPlain(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function sizeOf(event: JournalEvent): string {
  const { quantity, notional, equityFraction, targetQuantity, targetFraction } = event;
  const share = (value: unknown): string => `${Number((Number(value) * 100).toFixed(4))}% of equity`;
  if (quantity !== undefined) return textOf(quantity);
  if (notional !== undefined) return `for ${textOf(notional)}`;
  if (equityFraction !== undefined) return share(equityFraction);
  if (targetQuantity !== undefined) return `to ${textOf(targetQuantity)}`;
  return targetFraction === undefined ? '' : `to ${share(targetFraction)}`;
}

function termsOf({ limitPrice, stopPrice }: JournalEvent): string {
  const limit = limitPrice === undefined ? '' : `at ${textOf(limitPrice)} or better`;
  const stop = stopPrice === undefined ? '' : `from ${textOf(stopPrice)} on`;
  return [stop, limit].filter((text) => text !== '').join(', ');
}

/**
 * Origin of an event: the market, the decider (the strategy, model or agent that decides), or `neither`.
 * Published data and the end of a bar have the origin `neither`.
 *
 * The end of a run has the origin `decider`, because a run fails in a decision or after the last one.
 */
export type Whose = 'market' | 'decider' | 'neither';

/** Types of events whose origin is always the market: changes of orders and of the account. */
const MARKET = new Set([
  'order_filled',
  'order_adjusted',
  'trade_closed',
  'risk_halted',
  'cash_entry',
  'split',
  'rolled',
  'delisted',
]);

const NEITHER = new Set([
  'bar',
  'decision_missed',
  'run_started',
  'features_known',
  'context_known',
  'documents_known',
  'fundamentals_known',
  'universe_changed',
]);

/** Codes of `order_cancelled` events for which a decision has cancelled or replaced the order. */
const TAKEN_BACK = new Set<unknown>(['cancelled', 'replaced']);

export function whoseEvent(event: JournalEvent): Whose {
  const { type } = event;
  if (MARKET.has(type)) return 'market';
  if (NEITHER.has(type)) return 'neither';
  switch (type) {
    // An order with a role was not placed by a decision. It is an exit, or a result of a margin call, a roll
    // or a delisting.
    case 'order_accepted':
      return event.role === undefined ? 'decider' : 'market';
    case 'order_cancelled':
      return TAKEN_BACK.has(event.code) ? 'decider' : 'market';
    // An order that is rejected when it is placed has no id. The rejection belongs to the decision.
    case 'order_rejected':
      return typeof event.orderId === 'number' ? 'market' : 'decider';
    // A file with `availableAt` becomes visible at this time, without a decision.
    case 'file_written':
      return event.availableAt === undefined ? 'decider' : 'neither';
    default:
      return 'decider';
  }
}

/**
 * Events of a bar in two parts. `before` contains the events before the decision. `decided` contains the
 * events of the decision and after it, for example fills at the close.
 */
export interface BarParts {
  readonly before: readonly JournalEvent[];
  readonly decided: readonly JournalEvent[];
}

/**
 * Splits the events of a bar at its first decision.
 *
 * @param events events of one bar, without its final `bar` event
 */
export function partsOf(events: readonly JournalEvent[]): BarParts {
  const first = events.findIndex((event) => whoseEvent(event) === 'decider');
  const cut = first < 0 ? events.length : first;
  return { before: events.slice(0, cut), decided: events.slice(cut) };
}
