import { type Decimal, EXACT_ZERO, Exact, type Instant } from '../kernel/index.ts';
import type { Trade } from './trade.ts';

/** A booking in exact numbers. */
export interface ExactFill {
  readonly bar: number;
  readonly time: Instant;
  /** Signed. */
  readonly quantity: Exact;
  readonly price: Exact;
  readonly commission: Exact;
  readonly reason: string;
  readonly orderId: number | undefined;
  readonly closesOrder: number | undefined;
}

interface Lot {
  /** What is left of it; signed. */
  quantity: Exact;
  /** Entry commission not yet carried away by a partial exit. */
  commission: Exact;
  price: Exact;
  readonly bar: number;
  readonly time: Instant;
  /** The order that opened it. */
  readonly orderId: number | undefined;
}

/** Decimal places of a commission share; what rounding leaves stays with the rest of the lot, so sums are exact. */
const SHARE_PLACES = 12;

/** One symbol's open lots, matched first in first out; all of one sign. */
export class LotBook {
  readonly symbol: string;
  #lots: Lot[] = [];
  #quantity: Exact = EXACT_ZERO;
  #units = 0;
  /** Known between fills that do not close anything. */
  #costBasis: Exact | undefined;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  get quantity(): Exact {
    return this.#quantity;
  }

  /** The signed quantity as a float64. */
  get units(): number {
    return this.#units;
  }

  /** Applies a fill: closes lots of the other sign oldest first, then opens a lot with what is left. */
  apply(fill: ExactFill, firstTradeId: number): Trade[] {
    if (this.#units !== 0 && this.#units > 0 !== fill.quantity.isPositive())
      return this.#applyOpposite(fill, firstTradeId);
    this.#open(fill, fill.quantity, fill.commission);
    this.#setQuantity(this.#units === 0 ? fill.quantity : this.#quantity.plus(fill.quantity));
    return [];
  }

  #applyOpposite(fill: ExactFill, firstTradeId: number): Trade[] {
    this.#costBasis = undefined;
    const trades: Trade[] = [];
    const exit = { bar: fill.bar, time: fill.time, price: fill.price, reason: fill.reason };
    let left = fill.quantity.abs();
    let commission = fill.commission;
    while (this.#lots.length > 0 && !left.isZero()) {
      const position = this.#next(fill.closesOrder);
      const lot = this.#lots[position]!;
      const size = lot.quantity.abs();
      const matched = Exact.min(size, left);
      const exitCommission = share(commission, matched, left);
      const entryCommission = share(lot.commission, matched, size);
      const costs = entryCommission.plus(exitCommission);
      trades.push(new LotTrade(firstTradeId + trades.length, this.symbol, lot, matched, costs, exit));
      commission = commission.minus(exitCommission);
      left = left.minus(matched);
      if (matched.equals(size)) {
        this.#lots.splice(position, 1);
      } else {
        lot.commission = lot.commission.minus(entryCommission);
        lot.quantity = lot.quantity.isNegative() ? lot.quantity.plus(matched) : lot.quantity.minus(matched);
      }
    }
    if (!left.isZero()) this.#open(fill, fill.quantity.isNegative() ? left.negated() : left, commission);
    this.#setQuantity(this.#lots.length === 0 ? EXACT_ZERO : this.#quantity.plus(fill.quantity));
    return trades;
  }

  #open(fill: ExactFill, quantity: Exact, commission: Exact): void {
    this.#costBasis = this.#costBasis?.plus(quantity.times(fill.price));
    this.#lots.push({
      quantity,
      commission,
      price: fill.price,
      bar: fill.bar,
      time: fill.time,
      orderId: fill.orderId,
    });
  }

  /** The lot to close next: the oldest of the order named, else the oldest. */
  #next(closesOrder: number | undefined): number {
    const own = closesOrder === undefined ? -1 : this.#lots.findIndex((lot) => lot.orderId === closesOrder);
    return Math.max(own, 0);
  }

  /** Units, without sign, still open of what an order opened. */
  openQuantity(orderId: number): Exact {
    let open = EXACT_ZERO;
    for (const lot of this.#lots) if (lot.orderId === orderId) open = open.plus(lot.quantity.abs());
    return open;
  }

  #setQuantity(quantity: Exact): void {
    this.#quantity = quantity;
    this.#units = quantity.toNumber();
  }

  /** Signed cost of the open lots at their entry prices, before commission. */
  costBasis(): Exact {
    this.#costBasis ??= this.#lots.reduce((sum, lot) => sum.plus(lot.quantity.times(lot.price)), EXACT_ZERO);
    return this.#costBasis;
  }

  averagePrice(): Exact {
    const [only] = this.#lots;
    if (only === undefined) return EXACT_ZERO;
    return this.#lots.length === 1 ? only.price : this.costBasis().dividedBy(this.#quantity);
  }

  openTrades(mark: Exact, firstTradeId: number): Trade[] {
    const still = { bar: null, time: null, price: mark, reason: null };
    return this.#lots.map(
      (lot, offset) =>
        new LotTrade(firstTradeId + offset, this.symbol, lot, lot.quantity.abs(), lot.commission, still),
    );
  }
}

/** A trade whose figures become decimals when they are asked for: the bar loop never asks. */
class LotTrade implements Trade {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly entryBar: number;
  readonly entryTime: Instant;
  readonly exitBar: number | null;
  readonly exitTime: Instant | null;
  readonly exitReason: string | null;
  readonly #quantity: Exact;
  readonly #entryPrice: Exact;
  readonly #exitPrice: Exact;
  readonly #commission: Exact;

  constructor(id: number, symbol: string, lot: Lot, quantity: Exact, commission: Exact, exit: Exit) {
    this.id = id;
    this.symbol = symbol;
    this.side = lot.quantity.isNegative() ? 'short' : 'long';
    this.entryBar = lot.bar;
    this.entryTime = lot.time;
    this.exitBar = exit.bar;
    this.exitTime = exit.time;
    this.exitReason = exit.reason;
    this.#quantity = quantity;
    this.#entryPrice = lot.price;
    this.#exitPrice = exit.price;
    this.#commission = commission;
  }

  get quantity(): Decimal {
    return this.#quantity.toDecimal();
  }

  get entryPrice(): Decimal {
    return this.#entryPrice.toDecimal();
  }

  get exitPrice(): Decimal {
    return this.#exitPrice.toDecimal();
  }

  get commission(): Decimal {
    return this.#commission.toDecimal();
  }

  get grossPnl(): Decimal {
    return this.#gross().toDecimal();
  }

  get netPnl(): Decimal {
    return this.#gross().minus(this.#commission).toDecimal();
  }

  #gross(): Exact {
    const move = this.#exitPrice.minus(this.#entryPrice);
    return (this.side === 'short' ? move.negated() : move).times(this.#quantity);
  }
}

/** How a lot ended, or where it stands. */
interface Exit {
  readonly bar: number | null;
  readonly time: Instant | null;
  readonly price: Exact;
  readonly reason: string | null;
}

/** The part of a commission that falls on `part` of `whole`; all of it when they are equal. */
function share(commission: Exact, part: Exact, whole: Exact): Exact {
  if (commission.isZero() || part.equals(whole)) return commission;
  return commission.times(part).dividedBy(whole).toDecimalPlaces(SHARE_PLACES);
}
