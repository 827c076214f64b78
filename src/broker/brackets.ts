import type { Ledger } from '../account/index.ts';
import { EXACT_ZERO, type Exact } from '../kernel/index.ts';
import type { OrderBook } from './book.ts';
import type { BrokerEvent } from './events.ts';
import { type Exit, exitsOf, fitExit } from './exits.ts';
import type { Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';

export interface BracketsParts {
  readonly symbols: readonly string[];
  readonly instruments: readonly Instrument[];
  readonly ledger: Ledger;
  readonly book: OrderBook;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

/** What a fill does to other orders: its rivals go, its exits are born, the exits of its symbol fit what is left. */
export class Brackets {
  readonly #parts: BracketsParts;
  /** Exits that may rest: without any, a fill has none to fit. */
  #anyExits = false;

  constructor(parts: BracketsParts) {
    this.#parts = parts;
  }

  /**
   * @param price of the fill, from which distances are counted
   * @param inside whether the fill lies between a bar's open and close, so that its exits need the close's proof there
   */
  afterFill(order: RestingOrder, side: 1 | -1, price: Exact, inside: boolean): void {
    if (order.group !== undefined && order.parentId === undefined) this.#cancelRivals(order);
    if (order.stopLoss !== undefined || order.takeProfit !== undefined)
      this.#bearExits(order, side, price, inside);
    if (this.#anyExits) this.#fitExits(order.symbol);
  }

  #cancelRivals(filled: RestingOrder): void {
    const { book } = this.#parts;
    for (const rival of book.orders) {
      if (rival === filled || rival.done || rival.group !== filled.group) continue;
      book.cancel(rival, 'one_cancels_other', `Order ${filled.id} of its group filled.`);
    }
  }

  #bearExits(parent: RestingOrder, side: 1 | -1, price: Exact, inside: boolean): void {
    const { ledger, book, instruments } = this.#parts;
    const born = book.orders.some((exit) => exit.parentId === parent.id && !exit.done);
    const opened = ledger.openQuantity(parent.symbol, parent.id);
    // A later partial fill resizes the exits that are there; an order that only closed has none.
    if (born || opened.isZero()) return;
    this.#anyExits = true;
    for (const exit of exitsOf(parent, side, price, instruments[parent.symbol]!)) {
      this.#bear(parent, side, exit, opened, inside);
    }
  }

  #bear(parent: RestingOrder, side: 1 | -1, exit: Exit, quantity: Exact, inside: boolean): void {
    const { book, symbols, emit } = this.#parts;
    const stop = exit.role === 'stop-loss';
    const id = book.takeId();
    const action = side > 0 ? 'sell' : 'buy';
    book.orders.push({
      ...parent,
      id,
      action,
      request: undefined,
      side: side > 0 ? -1 : 1,
      type: stop ? 'stop' : 'limit',
      role: exit.role,
      size: { kind: 'units', units: quantity },
      filled: EXACT_ZERO,
      fees: undefined,
      stopPrice: stop ? exit.price : Number.NaN,
      limitPrice: stop ? Number.NaN : exit.price,
      timeInForce: 'GTC',
      expiresAt: Number.POSITIVE_INFINITY,
      barsLeft: Number.POSITIVE_INFINITY,
      reduceOnly: true,
      group: `exits of ${parent.id}`,
      parentId: parent.id,
      placedBar: book.bar,
      reason: undefined,
      trail: undefined,
      triggered: false,
      stopLoss: undefined,
      takeProfit: undefined,
      bornInside: inside,
      done: false,
    });
    emit?.({
      type: 'order_accepted',
      bar: book.bar,
      orderId: id,
      symbol: symbols[parent.symbol]!,
      action,
      orderType: stop ? 'stop' : 'limit',
      quantity: quantity.toString(),
      ...(stop ? { stopPrice: String(exit.price) } : { limitPrice: String(exit.price) }),
      parentId: parent.id,
      role: exit.role,
    });
  }

  #fitExits(symbol: number): void {
    const { book, ledger } = this.#parts;
    for (const exit of book.orders) {
      if (exit.done || exit.symbol !== symbol || exit.parentId === undefined) continue;
      if (fitExit(exit, ledger) !== 'gone') continue;
      book.cancel(exit, 'position_closed', 'The position it belongs to is closed.');
    }
  }
}
