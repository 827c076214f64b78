import { Decimal, type Instant, ZERO } from '../kernel/index.ts';
import type { Booking, Trade } from './trade.ts';

interface Lot {
  /** What is left of it; signed. */
  quantity: Decimal;
  /** Entry commission not yet carried away by a partial exit. */
  commission: Decimal;
  readonly price: Decimal;
  readonly bar: number;
  readonly time: Instant;
}

/** Decimal places of a commission share; what rounding leaves stays with the rest of the lot, so sums are exact. */
const SHARE_PLACES = 12;

/** One symbol's open lots, matched first in first out; all of one sign. */
export class LotBook {
  readonly symbol: string;
  #lots: Lot[] = [];
  #quantity: Decimal = ZERO;
  #units = 0;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  get quantity(): Decimal {
    return this.#quantity;
  }

  /** The signed quantity as a float64. */
  get units(): number {
    return this.#units;
  }

  /** Applies a fill: closes lots of the other sign oldest first, then opens a lot with what is left. */
  apply(fill: Booking, firstTradeId: number): Trade[] {
    if (this.#units !== 0 && this.#units > 0 !== fill.quantity.isPositive())
      return this.#applyOpposite(fill, firstTradeId);
    this.#open(fill, fill.quantity, fill.commission);
    this.#setQuantity(this.#units === 0 ? fill.quantity : this.#quantity.plus(fill.quantity));
    return [];
  }

  #applyOpposite(fill: Booking, firstTradeId: number): Trade[] {
    const trades: Trade[] = [];
    const exit = { bar: fill.bar, time: fill.time, price: fill.price, reason: fill.reason };
    let left = fill.quantity.abs();
    let commission = fill.commission;
    while (this.#lots.length > 0 && !left.isZero()) {
      const lot = this.#lots[0]!;
      const size = lot.quantity.abs();
      const matched = Decimal.min(size, left);
      const exitCommission = share(commission, matched, left);
      const entryCommission = share(lot.commission, matched, size);
      const costs = entryCommission.plus(exitCommission);
      trades.push(new LotTrade(firstTradeId + trades.length, this.symbol, lot, matched, costs, exit));
      commission = commission.minus(exitCommission);
      left = left.minus(matched);
      if (matched.equals(size)) {
        this.#lots.shift();
      } else {
        lot.commission = lot.commission.minus(entryCommission);
        lot.quantity = lot.quantity.isNegative() ? lot.quantity.plus(matched) : lot.quantity.minus(matched);
      }
    }
    if (!left.isZero()) this.#open(fill, fill.quantity.isNegative() ? left.negated() : left, commission);
    this.#setQuantity(this.#lots.length === 0 ? ZERO : this.#quantity.plus(fill.quantity));
    return trades;
  }

  #open(fill: Booking, quantity: Decimal, commission: Decimal): void {
    this.#lots.push({ quantity, commission, price: fill.price, bar: fill.bar, time: fill.time });
  }

  #setQuantity(quantity: Decimal): void {
    this.#quantity = quantity;
    this.#units = quantity.toNumber();
  }

  /** Signed cost of the open lots at their entry prices, before commission. */
  costBasis(): Decimal {
    return this.#lots.reduce((sum, lot) => sum.plus(lot.quantity.times(lot.price)), ZERO);
  }

  averagePrice(): Decimal {
    const [only] = this.#lots;
    if (only === undefined) return ZERO;
    return this.#lots.length === 1 ? only.price : this.costBasis().dividedBy(this.#quantity);
  }

  openTrades(mark: Decimal, firstTradeId: number): Trade[] {
    const still = { bar: null, time: null, price: mark, reason: null };
    return this.#lots.map(
      (lot, offset) =>
        new LotTrade(firstTradeId + offset, this.symbol, lot, lot.quantity.abs(), lot.commission, still),
    );
  }
}

/** A trade whose profit is worked out when it is asked for: the bar loop never asks. */
class LotTrade implements Trade {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: Decimal;
  readonly entryBar: number;
  readonly entryTime: Instant;
  readonly entryPrice: Decimal;
  readonly exitBar: number | null;
  readonly exitTime: Instant | null;
  readonly exitPrice: Decimal;
  readonly commission: Decimal;
  readonly exitReason: string | null;

  constructor(
    id: number,
    symbol: string,
    lot: Lot,
    quantity: Decimal,
    commission: Decimal,
    exit: { bar: number | null; time: Instant | null; price: Decimal; reason: string | null },
  ) {
    this.id = id;
    this.symbol = symbol;
    this.side = lot.quantity.isNegative() ? 'short' : 'long';
    this.quantity = quantity;
    this.entryBar = lot.bar;
    this.entryTime = lot.time;
    this.entryPrice = lot.price;
    this.exitBar = exit.bar;
    this.exitTime = exit.time;
    this.exitPrice = exit.price;
    this.commission = commission;
    this.exitReason = exit.reason;
  }

  get grossPnl(): Decimal {
    const move =
      this.side === 'short' ? this.entryPrice.minus(this.exitPrice) : this.exitPrice.minus(this.entryPrice);
    return move.times(this.quantity);
  }

  get netPnl(): Decimal {
    return this.grossPnl.minus(this.commission);
  }
}

/** The part of a commission that falls on `part` of `whole`; all of it when they are equal. */
function share(commission: Decimal, part: Decimal, whole: Decimal): Decimal {
  if (commission.isZero() || part.equals(whole)) return commission;
  return commission.times(part).dividedBy(whole).toDecimalPlaces(SHARE_PLACES);
}
