import { Rational as Fraction, ONE, type Rational, smaller, sum, ZERO } from './rational.ts';
import type { ClosedTrade, Side } from './types.ts';

interface Lot {
  readonly side: 'long' | 'short';
  quantity: Rational;
  price: Rational;
  /** Exchange rate at the entry: account currency per unit of the instrument's currency. */
  readonly rate: Rational;
  /** Part of the entry commission that has not been assigned to a closed trade yet. */
  commission: Rational;
  readonly bar: number;
  /** Id of the order that opened the lot. */
  readonly order: number;
}

const TWELVE_PLACES = new Fraction(1n, 10n ** 12n);

/** Contract terms of an instrument. */
export interface Contract {
  /** Value of a price change of 1 for one unit, in the instrument's currency. */
  readonly point: Rational;
  /**
   * Initial margin (`margin`) and maintenance margin per unit, in the instrument's currency. Omitted if the
   * margin depends on price and leverage.
   */
  readonly margin?: Rational;
  readonly maintenance?: Rational;
  readonly leverage?: Rational;
}

const SHARE: Contract = { point: ONE };

/**
 * Account of the reference implementation: cash, and lots that are closed first in, first out. All other
 * figures are calculated from them at every call.
 */
export class Account {
  cash: Rational;
  readonly lots = new Map<string, Lot[]>();
  readonly marks = new Map<string, Rational>();
  /**
   * Exchange rate by symbol: account currency per unit of the symbol's currency. A missing symbol uses the
   * account currency.
   */
  readonly rates = new Map<string, Rational>();
  readonly trades: ClosedTrade[] = [];

  readonly #contracts: ReadonlyMap<string, Contract>;

  constructor(cash: Rational, contracts: ReadonlyMap<string, Contract> = new Map()) {
    this.cash = cash;
    this.#contracts = contracts;
  }

  contract(symbol: string): Contract {
    return this.#contracts.get(symbol) ?? SHARE;
  }

  /** Returns the units of a position. Negative for a short position. */
  position(symbol: string): Rational {
    return sum(
      (this.lots.get(symbol) ?? []).map((lot) =>
        lot.side === 'long' ? lot.quantity : lot.quantity.negated(),
      ),
    );
  }

  /** Returns the remaining units of the lots that an order opened. */
  openedBy(symbol: string, order: number): Rational {
    const lots = this.lots.get(symbol) ?? [];
    return sum(lots.filter((lot) => lot.order === order).map(({ quantity }) => quantity));
  }

  held(): string[] {
    return [...this.lots.keys()].filter((symbol) => !this.position(symbol).isZero()).sort();
  }

  mark(symbol: string): Rational {
    return this.marks.get(symbol) ?? ZERO;
  }

  rate(symbol: string): Rational {
    return this.rates.get(symbol) ?? ONE;
  }

  /** Returns the value of a price change of 1 for one unit, in the account's currency. */
  pointValue(symbol: string): Rational {
    return this.contract(symbol).point.times(this.rate(symbol));
  }

  /** Returns the value of one unit at its last known price, in the account's currency. */
  unitValue(symbol: string): Rational {
    return this.mark(symbol).times(this.pointValue(symbol));
  }

  /**
   * Returns the contribution of a position to the equity at a price. For a position on margin, this is its
   * unrealised gain. For other positions, this is their sale value.
   */
  valueAt(symbol: string, price: Rational): Rational {
    if (this.contract(symbol).margin !== undefined) return this.#gainAt(symbol, price);
    return this.position(symbol).times(price).times(this.pointValue(symbol));
  }

  /** Initial margin of units at a price, in the account's currency. */
  marginOf(symbol: string, units: Rational, price: Rational, leverage: Rational): Rational {
    const { margin, leverage: own = leverage } = this.contract(symbol);
    if (margin !== undefined) return units.times(margin).times(this.rate(symbol));
    return units.times(price).times(this.pointValue(symbol)).over(own);
  }

  marginInUse(leverage: Rational): Rational {
    return sum(
      this.held().map((symbol) =>
        this.marginOf(symbol, this.position(symbol).abs(), this.mark(symbol), leverage),
      ),
    );
  }

  equity(): Rational {
    return this.cash.plus(sum(this.held().map((symbol) => this.valueAt(symbol, this.mark(symbol)))));
  }

  unrealised(symbol: string): Rational {
    return this.#gainAt(symbol, this.mark(symbol));
  }

  #gainAt(symbol: string, price: Rational): Rational {
    return sum((this.lots.get(symbol) ?? []).map((lot) => this.#gain(symbol, lot, lot.quantity, price)));
  }

  /**
   * Returns the gain of a part of a lot at a price, in the account's currency. For a lot on margin, the entry
   * price is converted at the current exchange rate. For other lots, it is converted at the rate of the
   * entry.
   */
  #gain(symbol: string, lot: Lot, units: Rational, price: Rational): Rational {
    const { point, margin } = this.contract(symbol);
    const rate = this.rate(symbol);
    const entryRate = margin === undefined ? lot.rate : rate;
    const gain = price.times(rate).minus(lot.price.times(entryRate)).times(units).times(point);
    return lot.side === 'long' ? gain : gain.negated();
  }

  copy(): Account {
    const twin = new Account(this.cash, this.#contracts);
    for (const [symbol, lots] of this.lots)
      twin.lots.set(
        symbol,
        lots.map((lot) => ({ ...lot })),
      );
    for (const [symbol, mark] of this.marks) twin.marks.set(symbol, mark);
    for (const [symbol, rate] of this.rates) twin.rates.set(symbol, rate);
    twin.trades.push(...this.trades);
    return twin;
  }

  /**
   * Books a fill. The fill first closes lots of the opposite side, oldest first. The remaining quantity opens
   * a new lot.
   *
   * @param commission in the account's currency
   * @param parent id of the order whose lots an exit closes first
   */
  book(
    bar: number,
    symbol: string,
    side: Side,
    quantity: Rational,
    price: Rational,
    commission: Rational,
    reason: string,
    order: number,
    parent?: number,
  ): void {
    const rate = this.rate(symbol);
    const isMargined = this.contract(symbol).margin !== undefined;
    const value = isMargined ? ZERO : quantity.times(price).times(this.pointValue(symbol));
    this.cash = (side === 'buy' ? this.cash.minus(value) : this.cash.plus(value)).minus(commission);
    const lots = this.lots.get(symbol) ?? [];
    this.lots.set(symbol, lots);
    let left = quantity;
    let commissionLeft = commission;
    while (!left.isZero() && lots.length > 0 && lots[0]!.side === (side === 'buy' ? 'short' : 'long')) {
      const lot = lots.find((one) => one.order === parent) ?? lots[0]!;
      const part = smaller(left, lot.quantity);
      const exitCommission = share(commissionLeft, part, left);
      const entryCommission = share(lot.commission, part, lot.quantity);
      const gross = this.#gain(symbol, lot, part, price);
      if (isMargined) this.cash = this.cash.plus(gross);
      const costs = entryCommission.plus(exitCommission);
      this.trades.push({
        bar,
        symbol,
        side: lot.side,
        quantity: String(part),
        entryBar: lot.bar,
        entryPrice: String(lot.price),
        exitPrice: String(price),
        commission: String(costs),
        netPnl: String(gross.minus(costs)),
        exitReason: reason,
      });
      left = left.minus(part);
      commissionLeft = commissionLeft.minus(exitCommission);
      lot.quantity = lot.quantity.minus(part);
      lot.commission = lot.commission.minus(entryCommission);
      if (lot.quantity.isZero()) lots.splice(lots.indexOf(lot), 1);
    }
    if (left.isZero()) return;
    lots.push({
      side: side === 'buy' ? 'long' : 'short',
      quantity: left,
      price,
      rate,
      commission: commissionLeft,
      bar,
      order,
    });
  }
}

/**
 * Returns the part of a commission that is proportional to a quantity, rounded to twelve decimal places. The
 * last part gets the whole remaining commission.
 */
function share(commission: Rational, part: Rational, whole: Rational): Rational {
  if (part.equals(whole)) return commission;
  const exact = commission.times(part).over(whole);
  const below = exact.downTo(TWELVE_PLACES);
  const above = exact.upTo(TWELVE_PLACES);
  return above.minus(exact).isBelow(exact.minus(below)) ? above : below;
}
