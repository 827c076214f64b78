import { EXACT_ZERO, type Exact, type Instant } from '../../kernel/index.ts';
import type { Book, Ledger } from '../account/index.ts';
import type { Costs, Figure } from '../costs/costs.ts';
import type { Executor } from '../fills/executor.ts';
import type { FillAccount } from '../fills/fill-account.ts';
import type { FillPlace } from '../fills/fill-size.ts';
import type { MarginSum } from '../fills/margin.ts';
import type { SizedFill, Venue } from '../matching/venue.ts';
import type { RestingOrder } from '../orders/order.ts';
import type { Refusal } from '../orders/refusals.ts';
import type { Exposure } from '../settings/risk-caps.ts';
import type { Snapshot } from './claims.ts';

/**
 * Action on a price path. The actions of the selected path are later applied to the real account. `id` is the
 * id of the order.
 */
export type Action =
  | {
      readonly kind: 'fill';
      readonly id: number;
      /**
       * Name of the order, which is the same on every path. Ids of exits differ between paths, because they
       * are assigned in the sequence of creation.
       */
      readonly key: string;
      readonly side: 1 | -1;
      readonly fill: SizedFill;
      readonly place: FillPlace;
    }
  | { readonly kind: 'cancel'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly kind: 'reject'; readonly id: number; readonly refusal: Refusal }
  /** `exit` is a copy of the exit order in its state when it was accepted. */
  | { readonly kind: 'accept'; readonly exit: RestingOrder };

/** Inputs that all possible price paths of one symbol's bar share. */
export interface PathTerms {
  readonly symbol: number;
  readonly bar: number;
  readonly time: Instant;
  readonly ledger: Ledger;
  readonly costs: Costs;
  readonly executor: Executor;
  readonly snapshot: Snapshot;
}

/** Copy of one symbol's orders and position. A possible price path within a bar is evaluated on this copy. */
export class PathVenue implements Venue, FillAccount {
  readonly orders: RestingOrder[];
  #actions: Action[];
  readonly #terms: PathTerms;
  #lots: Book;
  #cash = EXACT_ZERO;
  #claims = EXACT_ZERO;
  #lastClaim = 0;
  #lost = false;
  #volume: Exact | undefined;
  #traded: number;
  #nextId: number;
  #key: string | undefined;

  private constructor(
    terms: PathTerms,
    orders: readonly RestingOrder[],
    lots: Book,
    from: PathVenue | number,
  ) {
    this.#terms = terms;
    this.orders = orders.map((order) => ({ ...order }));
    this.#lots = lots;
    if (typeof from === 'number') {
      this.#actions = [];
      this.#volume = terms.executor.volumeLeft(terms.symbol);
      this.#traded = terms.costs.traded;
      this.#nextId = from;
      return;
    }
    this.#actions = [...from.#actions];
    this.#cash = from.#cash;
    this.#claims = from.#claims;
    this.#lastClaim = from.#lastClaim;
    this.#lost = from.#lost;
    this.#volume = from.#volume;
    this.#traded = from.#traded;
    this.#nextId = from.#nextId;
  }

  /**
   * Creates a copy of the current state, for the start of a path.
   *
   * @param orders orders that a path may fill or change, oldest first
   * @param nextId id of the first exit that a fill on the path creates
   */
  static at(terms: PathTerms, orders: readonly RestingOrder[], nextId: number): PathVenue {
    return new PathVenue(terms, orders, terms.ledger.copyBook(terms.symbol), nextId);
  }

  copy(): PathVenue {
    return new PathVenue(this.#terms, this.orders, this.#lots.copy(), this);
  }

  get actions(): readonly Action[] {
    return this.#actions;
  }

  /**
   * Replaces this path's history (actions and lots) by the history of another path. Both paths must have the
   * same key.
   */
  adopt(other: PathVenue): void {
    this.#actions = other.#actions;
    this.#lots = other.#lots;
    this.#lastClaim = other.#lastClaim;
  }

  get bar(): number {
    return this.#terms.bar;
  }

  get account(): FillAccount {
    return this;
  }

  /**
   * Equity after the fills at the bar's open, plus the path's gain since then. Positions are valued at the
   * bar's opening prices.
   */
  get equity(): Figure {
    const { snapshot, ledger, symbol } = this.#terms;
    if (this.#cash.isZero()) return snapshot.equity;
    const mark = ledger.markOf(symbol);
    const made = this.gainAt(mark).minus(ledger.unitValue(symbol, ledger.quantity(symbol).times(mark)));
    const exact = snapshot.equity.exact().plus(made);
    return { number: exact.toNumber(), exact: () => exact };
  }

  get powerBase(): Figure {
    return this.#terms.snapshot.equity;
  }

  marginInUse(): MarginSum {
    return this.#terms.snapshot.marginInUse;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Buying power that the fills of this path use, in account currency. */
  get claims(): Exact {
    return this.#claims;
  }

  quantity(): Exact {
    return this.#lots.quantity;
  }

  unitsAt(): number {
    return this.#lots.units;
  }

  openQuantity(_symbol: number, orderId: number): Exact {
    return this.#lots.openQuantity(orderId);
  }

  claimedBefore(orderId: number): Exact {
    const { snapshot, symbol } = this.#terms;
    return snapshot.claimedByOthers(symbol, Math.max(orderId, this.#lastClaim)).plus(this.#claims);
  }

  exposure(symbol: number): Exposure {
    return this.#terms.snapshot.exposure(symbol, this.#lots.units);
  }

  volumeLeft(): Exact | undefined {
    return this.#volume;
  }

  /**
   * Returns the value of the path at a closing price, in account currency: cash movements plus the value of
   * the position. Margined positions are treated as paid in full. This does not affect the differences
   * between paths, for which the value is used.
   */
  gainAt(close: Exact): Exact {
    const { ledger, symbol } = this.#terms;
    return this.#cash.plus(ledger.unitValue(symbol, this.#lots.quantity.times(close)));
  }

  book(order: RestingOrder, side: 1 | -1, fill: SizedFill, place: FillPlace): void {
    const { ledger, symbol, bar, time, executor, costs } = this.#terms;
    const { quantity, price, commission, opening } = fill;
    const signed = side > 0 ? quantity : quantity.negated();
    const fee = ledger.inAccountCurrency(symbol, commission);
    this.#cash = this.#cash.minus(ledger.unitValue(symbol, signed.times(price)).plus(fee));
    const closed = this.#lots.apply(
      {
        bar,
        time,
        quantity: signed,
        price,
        commission: fee,
        rate: ledger.rateOf(symbol),
        contract: ledger.contractOf(symbol),
        reason: '',
        orderId: order.id,
        closesOrder: order.parentId,
      },
      0,
    );
    this.#lost ||= closed.some((trade) => trade.netPnl.isNegative());
    if (opening.isPositive()) {
      this.#claims = this.#claims.plus(executor.claimOf(order, opening, price));
      this.#lastClaim = Math.max(this.#lastClaim, order.id);
    }
    if (this.#volume !== undefined) this.#volume = this.#volume.minus(quantity);
    order.fees = costs.feesAfter(order, quantity, price, executor.instrumentOf(symbol), commission);
    costs.noteTraded(quantity.toNumber() * price.toNumber() * ledger.pointValueOf(symbol).toNumber());
    this.#actions.push({ kind: 'fill', id: order.id, key: nameOf(order), side, fill, place });
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    order.done = true;
    this.#actions.push({ kind: 'cancel', id: order.id, code, message });
  }

  reject(order: RestingOrder, refusal: Refusal): void {
    order.done = true;
    this.#actions.push({ kind: 'reject', id: order.id, refusal });
  }

  accept(exit: RestingOrder): void {
    this.orders.push(exit);
    this.#actions.push({ kind: 'accept', exit: { ...exit } });
  }

  takeId(): number {
    return this.#nextId++;
  }

  /**
   * Runs a function while `costs.traded` is this path's traded notional instead of the traded notional of the
   * run. Traded notional selects the commission tier.
   */
  within(work: () => void): void {
    const { costs } = this.#terms;
    const outside = costs.traded;
    costs.traded = this.#traded;
    try {
      work();
    } finally {
      this.#traded = costs.traded;
      costs.traded = outside;
      this.#key = undefined;
    }
  }

  /**
   * Text that describes the state of a venue. Two venues of one bar with the same key react in the same way
   * to all further prices.
   */
  get key(): string {
    this.#key ??= this.#describe();
    return this.#key;
  }

  #describe(): string {
    const orders = this.orders.map((order) => {
      const state = order.done ? 'x' : `${order.triggered ? 't' : ''}${order.stopPrice}`;
      return `${nameOf(order)}=${state}`;
    });
    const fills = this.#actions.flatMap((action) => (action.kind === 'fill' ? [fillName(action)] : []));
    return [orders.join(), fills.sort().join(), this.#lotOrder(), this.#cash, this.#claims, this.#lost].join(
      ';',
    );
  }

  /**
   * Returns the sequence in which fills opened lots. The sequence determines which lot an exit closes, so it
   * is a part of the key.
   */
  #lotOrder(): string {
    if (!this.orders.some(({ parentId }) => parentId !== undefined)) return '';
    return this.#actions
      .flatMap((action) => (action.kind === 'fill' && action.fill.opening.isPositive() ? [action.key] : []))
      .join();
  }
}

/** Returns a name of an order that is the same on every path. An exit is named after its parent. */
function nameOf({ id, parentId, role, target }: RestingOrder): string {
  return parentId === undefined ? String(id) : `${parentId}${role}${target ?? ''}`;
}

/** Returns the name of a fill. Two fills have the same name if order, price and quantity are the same. */
export function fillName({ key, fill: { price, quantity } }: Action & { readonly kind: 'fill' }): string {
  return `${key}@${price}*${quantity}`;
}
