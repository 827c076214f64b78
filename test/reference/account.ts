import { Rational as Fraction, ONE, type Rational, smaller, sum, ZERO } from './rational.ts';
import type { ClosedTrade, Side } from './types.ts';

interface Lot {
  readonly side: 'long' | 'short';
  quantity: Rational;
  price: Rational;
  /** Account currency for a unit of the instrument's, at its entry. */
  readonly rate: Rational;
  /** Entry commission that has not gone to a trade yet. */
  commission: Rational;
  readonly bar: number;
  /** The order that opened it. */
  readonly order: number;
}

const TWELVE_PLACES = new Fraction(1n, 10n ** 12n);

/** What a unit of a symbol stands for. */
export interface Contract {
  /** Money for a point of price. */
  readonly point: Rational;
  /** What opens a unit in place of its price, and what keeps one. */
  readonly margin?: Rational;
  readonly maintenance?: Rational;
  readonly leverage?: Rational;
}

const SHARE: Contract = { point: ONE };

/** Cash and lots, first in first out. Everything else is worked out anew whenever it is asked for. */
export class Account {
  cash: Rational;
  readonly lots = new Map<string, Lot[]>();
  readonly marks = new Map<string, Rational>();
  /** Account currency for a unit of the symbol's; none for the account's own. */
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

  /** Signed units. */
  position(symbol: string): Rational {
    return sum(
      (this.lots.get(symbol) ?? []).map((lot) =>
        lot.side === 'long' ? lot.quantity : lot.quantity.negated(),
      ),
    );
  }

  /** What is left of the position that an order opened. */
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

  /** Account currency for a point of price. */
  pointValue(symbol: string): Rational {
    return this.contract(symbol).point.times(this.rate(symbol));
  }

  /** Value of a unit, in the account's currency. */
  unitValue(symbol: string): Rational {
    return this.mark(symbol).times(this.pointValue(symbol));
  }

  /** What a position adds to the equity at a price: what it would sell for, or its gain where a margin carries it. */
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

  /** Of a margined lot the gain alone is money, at the rate of now. */
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
   * Books a fill: it first closes lots of the other side, oldest first, and opens a lot with what is left.
   *
   * @param commission in the account's currency
   * @param parent the order whose lots an exit closes before any other
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

/** A commission's share in proportion to the quantity, to twelve places; all of it for the last part. */
function share(commission: Rational, part: Rational, whole: Rational): Rational {
  if (part.equals(whole)) return commission;
  const exact = commission.times(part).over(whole);
  const below = exact.downTo(TWELVE_PLACES);
  const above = exact.upTo(TWELVE_PLACES);
  return above.minus(exact).isBelow(exact.minus(below)) ? above : below;
}
