import { Decimal, decimal, ONE, ZERO } from '../kernel/index.ts';
import type { BrokerSettings } from './settings.ts';

const BASIS_POINT = decimal('0.0001');

/** An amount known quickly as a float64 and, when asked, exactly. */
export interface Figure {
  readonly number: number;
  exact(): Decimal;
}

/** Relative distance from a whole number of lots below which the exact quotient decides; float64 sums err by far less. */
const NEAR_WHOLE = 1e-9;

/** Commission and slippage of a run, with decimal rates. */
export class Costs {
  readonly #rate: Decimal;
  readonly #buyFactor: Decimal;
  readonly #sellFactor: Decimal;
  readonly #slips: boolean;
  readonly #rateNumber: number;
  readonly #lot: Decimal;
  readonly #lotNumber: number;

  constructor(settings: BrokerSettings) {
    this.#rate = decimal(settings.commissionRate);
    const slippage = decimal(settings.slippageBps).times(BASIS_POINT);
    this.#slips = !slippage.isZero();
    this.#buyFactor = ONE.plus(slippage);
    this.#sellFactor = ONE.minus(slippage);
    this.#rateNumber = settings.commissionRate;
    this.#lot = decimal(settings.lot);
    this.#lotNumber = settings.lot;
  }

  commission(quantity: Decimal, price: Decimal): Decimal {
    return this.#rate.isZero() ? this.#rate : quantity.times(price).times(this.#rate);
  }

  /** A market or stop fill's price: moved against the trader, within the bar's range. */
  slip(price: Decimal, buys: boolean, low: number, high: number): Decimal {
    if (!this.#slips) return price;
    return buys
      ? Decimal.min(price.times(this.#buyFactor), decimal(high))
      : Decimal.max(price.times(this.#sellFactor), decimal(low));
  }

  /**
   * The largest quantity in whole lots whose initial margin and commission fit in a budget.
   *
   * @param budget cash of the account, as a float64 and exactly: the exact form is asked for only where the float64
   *   quotient lies so near a whole number of lots that rounding could decide
   * @param leverage notional that a unit of equity carries
   */
  affordable(budget: Figure, price: Decimal, leverage: number): Decimal {
    // notional / leverage + commission <= budget, multiplied by the leverage so that every term is exact.
    return this.#wholeLots(
      budget.number * leverage,
      price.toNumber() * (1 + this.#rateNumber * leverage),
      () => budget.exact().times(leverage),
      () => price.times(ONE.plus(this.#rate.times(leverage))),
    );
  }

  /** The largest quantity in whole lots whose notional fits in a fraction of the equity. */
  lotsFor(equity: Figure, fraction: Decimal, price: Decimal): Decimal {
    return this.#wholeLots(
      equity.number * fraction.toNumber(),
      price.toNumber(),
      () => equity.exact().times(fraction),
      () => price,
    );
  }

  #wholeLots(
    limit: number,
    unitCost: number,
    exactLimit: () => Decimal,
    exactUnitCost: () => Decimal,
  ): Decimal {
    const lots = limit / (unitCost * this.#lotNumber);
    if (!(lots > 0)) return ZERO;
    const floor = Math.floor(lots);
    const near = Math.abs(lots - Math.round(lots)) <= NEAR_WHOLE * Math.max(1, lots);
    if (near || !Number.isSafeInteger(floor)) {
      return Decimal.max(exactLimit().dividedBy(exactUnitCost().times(this.#lot)).floor(), ZERO).times(
        this.#lot,
      );
    }
    return this.#lotNumber === 1 ? decimal(floor) : decimal(floor).times(this.#lot);
  }

  get lot(): Decimal {
    return this.#lot;
  }
}
