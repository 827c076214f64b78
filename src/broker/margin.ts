import { inMoney } from '../account/index.ts';
import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import { type Instrument, notionalOf } from './instruments.ts';

/** The initial margins of positions, in account currency. */
export class MarginSum {
  readonly #leverage: Exact;
  // Of those with the run's leverage one quotient is taken, of their sum.
  #gross = EXACT_ZERO;
  #own = EXACT_ZERO;

  /** @param from the run's leverage, or a sum that this one goes on from */
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
   * @param units without sign; negative takes off what was added before
   * @param rate account currency for a unit of the instrument's
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

/** Initial margin of units at a price, in the instrument's currency. */
export function marginOf(instrument: Instrument, units: Exact, price: Exact): Exact {
  const { margin, leverage } = instrument;
  if (margin !== undefined) return units.times(margin);
  return notionalOf(units, price, instrument).dividedBy(leverage);
}

/** Notional that a unit of equity carries of an instrument at a price. */
export function leverageAt({ margin, leverage, multiplier }: Instrument, price: Exact): Exact {
  return margin === undefined ? leverage : inMoney(price, { multiplier }).dividedBy(margin);
}
