import type { Exact } from '../kernel/index.ts';
import type { OrderBook } from './book.ts';
import type { BrokerEvent } from './events.ts';
import type { Executor } from './executor.ts';
import type { FillAccount } from './fill-account.ts';
import type { FillPlace } from './fill-place.ts';
import type { RestingOrder } from './order.ts';
import { exitAcceptedEvent } from './order-events.ts';
import type { Refusal } from './refusals.ts';
import type { SizedFill, Venue } from './venue.ts';

interface LiveParts {
  readonly symbols: readonly string[];
  readonly book: OrderBook;
  readonly executor: Executor;
  readonly account: FillAccount;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

/** Venue of the real book and ledger. Its fills are final. */
export class LiveVenue implements Venue {
  readonly account: FillAccount;
  readonly orders: RestingOrder[];
  readonly #parts: LiveParts;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.account = parts.account;
    this.orders = parts.book.orders;
  }

  get bar(): number {
    return this.#parts.book.bar;
  }

  volumeLeft(symbol: number): Exact | undefined {
    return this.#parts.executor.volumeLeft(symbol);
  }

  book(order: RestingOrder, side: 1 | -1, fill: SizedFill, place: FillPlace): void {
    this.#parts.executor.book(order, side, fill, place);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    this.#parts.book.cancel(order, code, message);
  }

  reject(order: RestingOrder, refusal: Refusal): void {
    this.#parts.book.reject(order, refusal);
  }

  accept(exit: RestingOrder): void {
    this.orders.push(exit);
    this.#parts.emit?.(exitAcceptedEvent(exit, this.bar, this.#parts.symbols));
  }

  takeId(): number {
    return this.#parts.book.takeId();
  }
}
