import { EXACT_ONE, EXACT_ZERO, Exact } from '../../kernel/index.ts';
import {
  type ExactFill,
  type Lot,
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
 * Open units of one symbol at their average cost. A closing fill produces one trade, whose entry price is the
 * average price.
 *
 * The book also records how many units each order opened. An exit order (stop loss or take profit) can
 * therefore close the units that its parent order opened.
 */
export class AverageBook implements Book {
  readonly symbol: string;
  #pool: Lot | undefined;
  /** Units that each order opened and that are still open, oldest order first. */
  #claims: Claim[] = [];
  #units = 0;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  get quantity(): Exact {
    return this.#pool?.quantity ?? EXACT_ZERO;
  }

  get units(): number {
    return this.#units;
  }

  copy(): AverageBook {
    const copy = new AverageBook(this.symbol);
    copy.#pool = this.#pool === undefined ? undefined : { ...this.#pool };
    copy.#claims = [...this.#claims];
    copy.#units = this.#units;
    return copy;
  }

  apply(fill: ExactFill, firstTradeId: number): Trade[] {
    const opposite = this.#units !== 0 && this.#units > 0 !== fill.quantity.isPositive();
    const trades = opposite ? this.#applyOpposite(fill, firstTradeId) : [];
    if (!opposite) this.#add(fill, fill.quantity, fill.commission);
    this.#units = this.quantity.toNumber();
    return trades;
  }

  #add(fill: ExactFill, quantity: Exact, commission: Exact): void {
    const pool = this.#pool;
    const added = newLot(fill, quantity, commission);
    this.#claims.push({ orderId: fill.orderId, quantity: quantity.abs() });
    if (pool === undefined) {
      this.#pool = added;
      return;
    }
    const worth = worthOf(pool).plus(worthOf(added));
    pool.paid = paidFor(pool).plus(paidFor(added));
    const foreign = pool.worth !== undefined || pool.rate !== EXACT_ONE || fill.rate !== EXACT_ONE;
    if (foreign) pool.worth = worth;
    pool.quantity = pool.quantity.plus(quantity);
    pool.commission = pool.commission.plus(commission);
    pool.ambiguous ||= added.ambiguous;
  }

  #applyOpposite(fill: ExactFill, firstTradeId: number): Trade[] {
    const pool = this.#pool!;
    const wanted = fill.quantity.abs();
    const matched = Exact.min(pool.quantity.abs(), wanted);
    const exitCommission = share(fill.commission, matched, wanted);
    const side = this.#units > 0 ? 'long' : 'short';
    const part = takeFrom(pool, matched);
    const costs = part.commission.plus(exitCommission);
    this.#release(matched, fill.closesOrder);
    if (pool.quantity.isZero()) this.#pool = undefined;
    const left = wanted.minus(matched);
    if (left.isPositive()) {
      const quantity = fill.quantity.isNegative() ? left.negated() : left;
      this.#add(fill, quantity, fill.commission.minus(exitCommission));
    }
    return [new LotTrade(firstTradeId, this.symbol, side, pool, part, costs, fill)];
  }

  /**
   * Subtracts closed units from the units recorded per order: first from order `closesOrder`, then from the
   * oldest orders.
   */
  #release(units: Exact, closesOrder: number | undefined): void {
    let left = units;
    while (left.isPositive()) {
      const own =
        closesOrder === undefined ? -1 : this.#claims.findIndex(({ orderId }) => orderId === closesOrder);
      const position = Math.max(own, 0);
      const { orderId, quantity } = this.#claims[position]!;
      const taken = Exact.min(quantity, left);
      left = left.minus(taken);
      if (taken.equals(quantity)) this.#claims.splice(position, 1);
      else this.#claims[position] = { orderId, quantity: quantity.minus(taken) };
    }
  }

  openQuantity(orderId: number): Exact {
    let open = EXACT_ZERO;
    for (const claim of this.#claims) if (claim.orderId === orderId) open = open.plus(claim.quantity);
    return open;
  }

  claims(): readonly Claim[] {
    return [...this.#claims];
  }

  assign(claims: readonly Claim[]): void {
    this.#claims = [...claims];
  }

  doubt(): void {
    if (this.#pool !== undefined) this.#pool.ambiguous = true;
  }

  paid(): Exact {
    if (this.#pool === undefined) return EXACT_ZERO;
    const paid = paidFor(this.#pool);
    return this.#units < 0 ? paid.negated() : paid;
  }

  costBasis(): Exact {
    if (this.#pool === undefined) return EXACT_ZERO;
    const basis = worthOf(this.#pool);
    return this.#units < 0 ? basis.negated() : basis;
  }

  averagePrice(): Exact {
    const pool = this.#pool;
    if (pool === undefined) return EXACT_ZERO;
    return pool.paid === undefined ? pool.price : priceOf(pool.paid, pool.quantity.abs(), pool.contract);
  }

  openTrades(mark: Exact, rate: Exact, firstTradeId: number): Trade[] {
    const pool = this.#pool;
    if (pool === undefined) return [];
    const still = { bar: null, time: null, price: mark, rate, reason: null };
    const side = this.#units > 0 ? 'long' : 'short';
    return [new LotTrade(firstTradeId, this.symbol, side, pool, wholeOf(pool), pool.commission, still)];
  }

  split(ratio: SplitRatio, lot: Exact): Exact {
    const pool = this.#pool;
    if (pool === undefined) return EXACT_ZERO;
    let old = EXACT_ZERO;
    let end = EXACT_ZERO;
    const claims = this.#claims.map(({ orderId, quantity }): Claim => {
      old = old.plus(quantity);
      const before = end;
      end = rebased(old, ratio);
      return { orderId, quantity: end.minus(before) };
    });
    this.#claims = wholeLotClaims(claims, lot);
    const { paid, worth } = { paid: paidFor(pool), worth: worthOf(pool) };
    this.#pool = { ...pool, quantity: this.#units < 0 ? end.negated() : end, paid, worth };
    this.#units = this.quantity.toNumber();
    return this.openQuantity(LEFT_OVER);
  }
}
