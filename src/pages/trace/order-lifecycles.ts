import type { JournalEvent } from '../../journal/index.ts';
import { decimal, decimalString, numberOf, textOf } from '../../kernel/index.ts';

/** What became of an order. */
export interface OrderLifecycle {
  readonly orderId: number;
  readonly placedBar: number;
  readonly symbol: string;
  /** `stop-loss`, `take-profit` or `liquidation`; empty for an order somebody placed. */
  readonly role: string;
  readonly parentId: number | undefined;
  /** Which way it goes, as far as is known: of one that closes or reaches a target, by what was held, then by its fill. */
  side: 'buy' | 'sell';
  /** As it was asked for, in words: `70`, `95% of equity`. */
  readonly size: string;
  /** Its prices, in words: `at 900 or better`; empty for an order at the market. */
  readonly terms: string;
  readonly reason: string;
  /** Units it was for, and what a split or roll made of its rest, each with its bar; none where its size is in other terms. */
  units: { readonly bar: number; readonly rest: string }[];
  /** Filled so far. */
  quantity: string;
  fills: { readonly bar: number; readonly quantity: string; readonly price: string }[];
  end: 'waiting' | 'cancelled' | 'rejected';
  endBar: number | undefined;
  /** Why it was cancelled or rejected. */
  endText: string;
  /** Trades it opened or closed. */
  trades: number[];
  /** What the trades came to that it closed; empty where it closed none. */
  net: string;
  /** Orders born from it. */
  exits: number[];
}

/** A round trip and the orders that made it. */
export interface TraceTrade {
  readonly id: number;
  readonly symbol: string;
  readonly side: string;
  readonly entryBar: number;
  /** Undefined while it is open. */
  readonly exitBar: number | undefined;
  readonly netPnl: string;
  readonly exitReason: string;
  /** Bars on which something of it happened, ascending: orders placed, filled. */
  readonly bars: readonly number[];
}

/** Follows orders and trades through a journal, event by event. */
export class OrderLifecycles {
  readonly orders = new Map<number, OrderLifecycle>();
  readonly trades = new Map<number, TraceTrade>();
  /** The last fill of each symbol: what closes a trade. */
  readonly #lastFill = new Map<string, number>();
  /** Orders that filled, by bar, symbol and side. */
  readonly #filledAt = new Map<string, number[]>();
  /** Units of each symbol, signed; splits are left out, for only the sign counts. */
  readonly #held = new Map<string, number>();

  /** @returns the trade that an event names */
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

  /** Books a trade; an open one has no last bar. */
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
      // An exit grows and shrinks with its position.
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

  /** Units still to fill of an order that has begun to, as a decision on a bar found it; undefined where nothing is, or nobody can say. */
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
    // A share of the equity is in other units than what is held: its sign says enough until the fill.
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
