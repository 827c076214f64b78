import type { BrokerEvent } from './events.ts';
import type { RestingOrder } from './order.ts';
import type { Refusal } from './refusals.ts';

/** Resting orders, oldest first. Records events for orders that leave the book without a fill. */
export class OrderBook {
  readonly orders: RestingOrder[] = [];
  /** Current bar. */
  bar = -1;
  readonly #symbols: readonly string[];
  readonly #emit: ((event: BrokerEvent) => void) | undefined;
  #nextId = 1;

  constructor(symbols: readonly string[], emit: ((event: BrokerEvent) => void) | undefined) {
    this.#symbols = symbols;
    this.#emit = emit;
  }

  /** Returns 1, 2, 3 … */
  takeId(): number {
    return this.#nextId++;
  }

  /** Id of the next order. Current orders have smaller ids. */
  get nextId(): number {
    return this.#nextId;
  }

  find(orderId: number): RestingOrder | undefined {
    return this.orders.find((order) => order.id === orderId && !order.done);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    order.done = true;
    const symbol = this.#symbols[order.symbol]!;
    this.#emit?.({ type: 'order_cancelled', bar: this.bar, orderId: order.id, symbol, code, message });
  }

  reject(order: RestingOrder, { code, message, remedy }: Refusal): void {
    order.done = true;
    const symbol = this.#symbols[order.symbol]!;
    const { action, id } = order;
    this.#emit?.({
      type: 'order_rejected',
      bar: this.bar,
      orderId: id,
      symbol,
      action,
      code,
      message,
      remedy,
    });
  }

  /** Removes the orders that are done. */
  sweep(): void {
    const { orders } = this;
    let kept = 0;
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      if (!order.done) orders[kept++] = order;
    }
    orders.length = kept;
  }
}
