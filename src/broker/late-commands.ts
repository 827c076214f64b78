import type { Instant } from '../kernel/index.ts';
import type { RestingOrder } from './orders/order.ts';

/** Determines which commands (orders and cancellations) are late: given after the next bar had opened. */
export interface LateCommands {
  /**
   * Returns the current time if the bar after `bar` has already opened, so that the command is late.
   * `undefined` if the command is in time. Called once per command.
   */
  lateAt(bar: number): Instant | undefined;
  /** True if a bar opened at or after the time `at` of a command. The command then applies to this bar. */
  opensAfter(barTime: Instant, at: Instant): boolean;
}

/** Late orders and cancellations. Each waits for the first bar that opens after the command. */
export class LateDesk {
  readonly #commands: LateCommands;
  #orders: { readonly order: RestingOrder; readonly at: Instant }[] = [];
  #cancels: { readonly orderId: number; readonly at: Instant }[] = [];

  constructor(commands: LateCommands) {
    this.#commands = commands;
  }

  /** Accepted late orders that still wait for a bar. */
  get orders(): readonly RestingOrder[] {
    return this.#orders.map(({ order }) => order).filter(({ done }) => !done);
  }

  lateAt(bar: number): Instant | undefined {
    return this.#commands.lateAt(bar);
  }

  hold(order: RestingOrder, at: Instant): void {
    this.#orders.push({ order, at });
  }

  cancelLater(orderId: number, at: Instant): void {
    this.#cancels.push({ orderId, at });
  }

  /**
   * Applies the commands that were given before this bar's open.
   *
   * @param rest called with each order that can fill from this bar on
   * @param cancel called with each order that is cancelled before this bar
   */
  openBar(time: Instant, rest: (order: RestingOrder) => void, cancel: (orderId: number) => void): void {
    if (this.#orders.length + this.#cancels.length === 0) return;
    const isDue = ({ at }: { readonly at: Instant }): boolean => this.#commands.opensAfter(time, at);
    const due = this.#orders.filter(isDue);
    const cancels = this.#cancels.filter(isDue);
    this.#orders = this.#orders.filter((one) => !isDue(one));
    this.#cancels = this.#cancels.filter((one) => !isDue(one));
    for (const { order } of due) if (!order.done) rest(order);
    for (const { orderId } of cancels) cancel(orderId);
  }
}
