import { inMoney } from '../account/index.ts';
import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import { type Instrument, notionalOf } from './instruments.ts';

/** Sum of the initial margins of positions, in account currency. */
export class MarginSum {
  readonly #leverage: Exact;
  // Exposure of positions with the run's leverage. Divided by the leverage only once, as a sum.
  #gross = EXACT_ZERO;
  #own = EXACT_ZERO;

  /**
   * @param from leverage of the run, or a sum to continue
   */
  constructor(from: number | MarginSum) {
    if (typeof from === 'number') {
      this.#leverage = Exact.of(from);
      return;
    }
    this.#leverage = from.#leverage;
    this.#gross = from.#gross;
    this.#own = from.#own;
  }

  /**
   * Adds a position.
   *
   * @param units without sign; a negative number removes units that were added before
   * @param rate units of the account's currency per unit of the instrument's currency
   */
  add(instrument: Instrument, units: Exact, price: Exact, rate: Exact): this {
    if (instrument.usesRunLeverage)
      this.#gross = this.#gross.plus(notionalOf(units, price, instrument).times(rate));
    else this.#own = this.#own.plus(marginOf(instrument, units, price).times(rate));
    return this;
  }

  get isZero(): boolean {
    return this.#gross.isZero() && this.#own.isZero();
  }

  get total(): Exact {
    const carried = this.#gross.dividedBy(this.#leverage);
    return this.#own.isZero() ? carried : carried.plus(this.#own);
  }
}

/** Returns the initial margin of units at a price, in the instrument's currency. */
export function marginOf(instrument: Instrument, units: Exact, price: Exact): Exact {
  const { margin, leverage } = instrument;
  if (margin !== undefined) return units.times(margin);
  return notionalOf(units, price, instrument).dividedBy(leverage);
}

/** Returns the notional of an instrument per unit of equity at a price. */
export function leverageAt({ margin, leverage, multiplier }: Instrument, price: Exact): Exact {
  return margin === undefined ? leverage : inMoney(price, { multiplier }).dividedBy(margin);
}
