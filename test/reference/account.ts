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

/** Cash and lots, first in first out. Everything else is worked out anew whenever it is asked for. */
export class Account {
  cash: Rational;
  readonly lots = new Map<string, Lot[]>();
  readonly marks = new Map<string, Rational>();
  /** Account currency for a unit of the symbol's; none for the account's own. */
  readonly rates = new Map<string, Rational>();
  readonly trades: ClosedTrade[] = [];

  constructor(cash: Rational) {
    this.cash = cash;
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

  /** Value of a unit, in the account's currency. */
  unitValue(symbol: string): Rational {
    return this.mark(symbol).times(this.rate(symbol));
  }

  equity(): Rational {
    return this.cash.plus(
      sum(this.held().map((symbol) => this.position(symbol).times(this.unitValue(symbol)))),
    );
  }

  grossExposure(): Rational {
    return sum(this.held().map((symbol) => this.position(symbol).abs().times(this.unitValue(symbol))));
  }

  unrealised(symbol: string): Rational {
    return sum(
      (this.lots.get(symbol) ?? []).map((lot) => {
        const gain = this.unitValue(symbol).minus(lot.price.times(lot.rate)).times(lot.quantity);
        return lot.side === 'long' ? gain : gain.negated();
      }),
    );
  }

  copy(): Account {
    const twin = new Account(this.cash);
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
    const value = quantity.times(price).times(rate);
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
      const gross = price.times(rate).minus(lot.price.times(lot.rate)).times(part);
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
        netPnl: String((lot.side === 'long' ? gross : gross.negated()).minus(costs)),
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
