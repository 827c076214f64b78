import type { Exact } from '../../kernel/index.ts';
import type { FillAccount } from '../fills/fill-account.ts';
import type { FillPlace } from '../fills/fill-size.ts';
import type { RestingOrder } from '../orders/order.ts';
import type { Refusal } from '../orders/refusals.ts';

/** Fill that has passed all checks, with its size. */
export interface SizedFill {
  readonly quantity: Exact;
  readonly price: Exact;
  /** Price by the fill rules, such as the open or the limit. Before slippage and rounding to the tick. */
  readonly rule: Exact;
  /** Commission of the fill, in the instrument's currency. */
  readonly commission: Exact;
  /** Units that open a position. The remaining units close one. */
  readonly opening: Exact;
  /** Units to trade before the volume limit. More than `quantity` if the bar's volume was insufficient. */
  readonly wanted: Exact;
  /** Units that the order requested, if buying power allowed fewer units. Otherwise `undefined`. */
  readonly requested: Exact | undefined;
}

/**
 * Place where orders fill: the live book and ledger, or a copy of one symbol's orders and position for
 * evaluating a possible price path within a bar.
 */
export interface Venue {
  /** Number of the current bar. */
  readonly bar: number;
  readonly account: FillAccount;
  /** Orders of the venue, oldest first. New exits are appended. */
  readonly orders: readonly RestingOrder[];
  /** Units that fills of a symbol may still use in this bar. `undefined` without a volume limit. */
  volumeLeft(symbol: number): Exact | undefined;
  /** Books a fill: changes cash, position and the remaining volume. */
  book(order: RestingOrder, side: 1 | -1, fill: SizedFill, place: FillPlace): void;
  cancel(order: RestingOrder, code: string, message: string): void;
  reject(order: RestingOrder, refusal: Refusal): void;
  /** Adds an exit that a fill has created. */
  accept(exit: RestingOrder): void;
  takeId(): number;
}
