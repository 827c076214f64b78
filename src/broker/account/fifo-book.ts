import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import {
  type ExactFill,
  type Lot,
  type LotPart,
  newLot,
  paidFor,
  priceOf,
  rebased,
  type SplitRatio,
  share,
  takeFrom,
  wholeOf,
  worthOf,
} from './lot.ts';
import { type Book, type Claim, LEFT_OVER, LotTrade, wholeLotClaims } from './lot-trade.ts';
import type { Trade } from './trade.ts';

/**
 * Open lots of one symbol. A lot is the units that one fill opened. Closing fills close the oldest lot first.
 * All lots have the same sign, because a fill closes opposite lots before it opens a new one.
 */
export class FifoBook implements Book {
  readonly symbol: string;
  #lots: Lot[] = [];
  #quantity: Exact = EXACT_ZERO;
  #units = 0;
  // Cost of the open units: `paid` in the instrument's currency, `worth` in the account's currency. Computed
  // on the first request and then updated with each fill, because an agent may read the costs on each bar.
  #costs: { paid: Exact; worth: Exact } | undefined;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  get quantity(): Exact {
    return this.#quantity;
  }

  get units(): number {
    return this.#units;
  }

  copy(): FifoBook {
    const copy = new FifoBook(this.symbol);
    copy.#lots = this.#lots.map((lot) => ({ ...lot }));
    copy.#quantity = this.#quantity;
    copy.#units = this.#units;
    return copy;
  }

  apply(fill: ExactFill, firstTradeId: number): Trade[] {
    if (this.#units !== 0 && this.#units > 0 !== fill.quantity.isPositive())
      return this.#applyOpposite(fill, firstTradeId);
    this.#open(newLot(fill, fill.quantity, fill.commission));
    this.#setQuantity(this.#units === 0 ? fill.quantity : this.#quantity.plus(fill.quantity));
    return [];
  }

  #applyOpposite(fill: ExactFill, firstTradeId: number): Trade[] {
    const trades: Trade[] = [];
    const side = this.#units > 0 ? 'long' : 'short';
    let left = fill.quantity.abs();
    let commission = fill.commission;
    while (this.#lots.length > 0 && !left.isZero()) {
      const position = this.#next(fill.closesOrder);
      const lot = this.#lots[position]!;
      const matched = Exact.min(lot.quantity.abs(), left);
      const exitCommission = share(commission, matched, left);
      const part = takeFrom(lot, matched);
      this.#release(part);
      const costs = part.commission.plus(exitCommission);
      trades.push(new LotTrade(firstTradeId + trades.length, this.symbol, side, lot, part, costs, fill));
      commission = commission.minus(exitCommission);
      left = left.minus(matched);
      if (lot.quantity.isZero()) this.#lots.splice(position, 1);
    }
    if (!left.isZero())
      this.#open(newLot(fill, fill.quantity.isNegative() ? left.negated() : left, commission));
    this.#setQuantity(this.#lots.length === 0 ? EXACT_ZERO : this.#quantity.plus(fill.quantity));
    return trades;
  }

  /**
   * Returns the index of the lot to close next: the oldest lot that order `closesOrder` opened. If that order
   * has no open lot, the oldest lot of all.
   */
  #next(closesOrder: number | undefined): number {
    const own = closesOrder === undefined ? -1 : this.#lots.findIndex((lot) => lot.orderId === closesOrder);
    return Math.max(own, 0);
  }

  openQuantity(orderId: number): Exact {
    let open = EXACT_ZERO;
    for (const lot of this.#lots) if (lot.orderId === orderId) open = open.plus(lot.quantity.abs());
    return open;
  }

  claims(): Claim[] {
    return this.#lots.map(({ orderId, quantity }) => ({ orderId, quantity: quantity.abs() }));
  }

  assign(claims: readonly Claim[]): void {
    const [only] = claims;
    if (claims.length === 1) {
      this.#lots = this.#lots.map((lot) => ({ ...lot, orderId: only!.orderId }));
      return;
    }
    const sizes = this.#lots.map(({ quantity }) => quantity.abs());
    this.#costs = undefined;
    this.#lots = cut(this.#lots, sizes, claims, this.#units < 0);
  }

  doubt(orderIds: readonly number[]): void {
    for (const lot of this.#lots)
      if (lot.orderId !== undefined && orderIds.includes(lot.orderId)) lot.ambiguous = true;
  }

  paid(): Exact {
    const { paid } = this.#carriedCosts();
    return this.#units < 0 ? paid.negated() : paid;
  }

  costBasis(): Exact {
    const { worth } = this.#carriedCosts();
    return this.#units < 0 ? worth.negated() : worth;
  }

  averagePrice(): Exact {
    const [only] = this.#lots;
    if (only === undefined) return EXACT_ZERO;
    if (this.#lots.length === 1 && only.paid === undefined) return only.price;
    return priceOf(this.#carriedCosts().paid, this.#quantity.abs(), only.contract);
  }

  #carriedCosts(): { readonly paid: Exact; readonly worth: Exact } {
    if (this.#costs === undefined) {
      this.#costs = { paid: EXACT_ZERO, worth: EXACT_ZERO };
      for (const lot of this.#lots) this.#add(paidFor(lot), worthOf(lot));
    }
    return this.#costs;
  }

  #open(lot: Lot): void {
    this.#lots.push(lot);
    if (this.#costs !== undefined) this.#add(paidFor(lot), worthOf(lot));
  }

  #release(part: LotPart): void {
    if (this.#costs === undefined) return;
    const paid = paidFor(part);
    this.#add(paid.negated(), (part.worth ?? paid.times(part.rate)).negated());
  }

  #add(paid: Exact, worth: Exact): void {
    const costs = this.#costs;
    if (costs !== undefined) this.#costs = { paid: costs.paid.plus(paid), worth: costs.worth.plus(worth) };
  }

  openTrades(mark: Exact, rate: Exact, firstTradeId: number): Trade[] {
    const still = { bar: null, time: null, price: mark, rate, reason: null };
    const side = this.#units > 0 ? 'long' : 'short';
    return this.#lots.map(
      (lot, offset) =>
        new LotTrade(firstTradeId + offset, this.symbol, side, lot, wholeOf(lot), lot.commission, still),
    );
  }

  split(ratio: SplitRatio, lot: Exact): Exact {
    const short = this.#units < 0;
    // Rounds the running total after each lot instead of the size of each lot, so that rounding errors do not
    // add up.
    let old = EXACT_ZERO;
    let end = EXACT_ZERO;
    const claims = this.#lots.map(({ quantity, orderId }): Claim => {
      old = old.plus(quantity.abs());
      const before = end;
      end = rebased(old, ratio);
      return { orderId, quantity: end.minus(before) };
    });
    const sizes = claims.map(({ quantity }) => quantity);
    this.#costs = undefined;
    this.#lots = cut(this.#lots, sizes, wholeLotClaims(claims, lot), short);
    this.#setQuantity(short ? end.negated() : end);
    return this.openQuantity(LEFT_OVER);
  }

  #setQuantity(quantity: Exact): void {
    this.#quantity = quantity;
    this.#units = quantity.toNumber();
  }
}

/**
 * Divides the lots after a split at the points where the units of one order end and those of the next order
 * begin. Each piece gets its share of the lot's costs.
 */
function cut(lots: readonly Lot[], sizes: readonly Exact[], claims: readonly Claim[], short: boolean): Lot[] {
  const pieces: Lot[] = [];
  let index = 0;
  let claimed = claims[0]?.quantity ?? EXACT_ZERO;
  lots.forEach((lot, position) => {
    let size = sizes[position]!;
    const rest: Lot = { ...lot, quantity: size, paid: paidFor(lot), worth: worthOf(lot) };
    while (size.isPositive()) {
      const units = Exact.min(size, claimed);
      const { commission, paid, worth } = takeFrom(rest, units);
      const quantity = short ? units.negated() : units;
      pieces.push({ ...lot, quantity, commission, paid, worth, orderId: claims[index]?.orderId });
      size = size.minus(units);
      claimed = claimed.minus(units);
      if (claimed.isZero()) claimed = claims[++index]?.quantity ?? EXACT_ZERO;
    }
  });
  return pieces;
}
