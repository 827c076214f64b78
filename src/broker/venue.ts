import type { Exact } from '../kernel/index.ts';
import type { FillAccount } from './fill-account.ts';
import type { FillPlace } from './fill-place.ts';
import type { RestingOrder } from './order.ts';
import type { Refusal } from './refusals.ts';

/** A fill that was sized and found good. */
export interface SizedFill {
  readonly quantity: Exact;
  readonly price: Exact;
  /** The rule's price, before slippage. */
  readonly rule: Exact;
  /** In the instrument's currency. */
  readonly commission: Exact;
  /** Units that the fill opens; the rest of it closes. */
  readonly opening: Exact;
  /** What the order asked for; more than the quantity where the bar's volume ended. */
  readonly wanted: Exact;
  /** What its fraction of equity came to, where buying power carried less. */
  readonly requested: Exact | undefined;
}

/** Where orders fill: the live book and ledger, or a copy of one symbol's on which a path is tried. */
export interface Venue {
  /** The bar under way. */
  readonly bar: number;
  readonly account: FillAccount;
  /** Oldest first; exits that are created join the end. */
  readonly orders: readonly RestingOrder[];
  /** Units that fills of a symbol may still take in this bar; undefined without a cap. */
  volumeLeft(symbol: number): Exact | undefined;
  /** Moves cash, position and volume. */
  book(order: RestingOrder, side: 1 | -1, fill: SizedFill, place: FillPlace): void;
  cancel(order: RestingOrder, code: string, message: string): void;
  reject(order: RestingOrder, refusal: Refusal): void;
  /** Takes in an exit. */
  accept(exit: RestingOrder): void;
  takeId(): number;
}
