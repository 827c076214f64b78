import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { BrokerSettings } from './settings.ts';

const BASIS_POINT = Exact.of('0.0001');

/** An amount known quickly as a float64 and, when asked, exactly. */
export interface Figure {
  readonly number: number;
  exact(): Exact;
}

/** Relative distance from a whole number of lots below which the exact quotient decides; float64 sums err by far less. */
const NEAR_WHOLE = 1e-9;

/** Commission and slippage of a run, with exact rates. */
export class Costs {
  readonly #rate: Exact;
  readonly #buyFactor: Exact;
  readonly #sellFactor: Exact;
  readonly #slips: boolean;
  readonly #rateNumber: number;
  readonly #lot: Exact;
  readonly #lotNumber: number;

  constructor(settings: BrokerSettings) {
    this.#rate = Exact.of(settings.commissionRate);
    const slippage = Exact.of(settings.slippageBps).times(BASIS_POINT);
    this.#slips = !slippage.isZero();
    this.#buyFactor = EXACT_ONE.plus(slippage);
    this.#sellFactor = EXACT_ONE.minus(slippage);
    this.#rateNumber = settings.commissionRate;
    this.#lot = Exact.of(settings.lot);
    this.#lotNumber = settings.lot;
  }

  commission(quantity: Exact, price: Exact): Exact {
    return this.#rate.isZero() ? this.#rate : quantity.times(price).times(this.#rate);
  }

  /** A market or stop fill's price: moved against the trader, within the bar's range. */
  slip(price: Exact, buys: boolean, low: number, high: number): Exact {
    if (!this.#slips) return price;
    return buys
      ? Exact.min(price.times(this.#buyFactor), Exact.of(high))
      : Exact.max(price.times(this.#sellFactor), Exact.of(low));
  }

  /**
   * The largest quantity in whole lots whose initial margin and commission fit in a budget.
   *
   * @param budget cash of the account, as a float64 and exactly: the exact form is asked for only where the float64
   *   quotient lies so near a whole number of lots that rounding could decide
   * @param leverage notional that a unit of equity carries
   */
  affordable(budget: Figure, price: Exact, leverage: number): Exact {
    // notional / leverage + commission <= budget, multiplied by the leverage so that every term is exact.
    return this.#wholeLots(
      budget.number * leverage,
      price.toNumber() * (1 + this.#rateNumber * leverage),
      () => budget.exact().times(Exact.of(leverage)),
      () => price.times(EXACT_ONE.plus(this.#rate.times(Exact.of(leverage)))),
    );
  }

  /** The largest quantity in whole lots whose notional fits in a fraction of the equity. */
  lotsFor(equity: Figure, fraction: Exact, price: Exact): Exact {
    return this.#wholeLots(
      equity.number * fraction.toNumber(),
      price.toNumber(),
      () => equity.exact().times(fraction),
      () => price,
    );
  }

  #wholeLots(limit: number, unitCost: number, exactLimit: () => Exact, exactUnitCost: () => Exact): Exact {
    const lots = limit / (unitCost * this.#lotNumber);
    if (!(lots > 0)) return EXACT_ZERO;
    const floor = Math.floor(lots);
    const near = Math.abs(lots - Math.round(lots)) <= NEAR_WHOLE * Math.max(1, lots);
    if (near || !Number.isSafeInteger(floor)) {
      return Exact.max(exactLimit().dividedBy(exactUnitCost().times(this.#lot)).floor(), EXACT_ZERO).times(
        this.#lot,
      );
    }
    return this.#lotNumber === 1 ? Exact.of(floor) : Exact.of(floor).times(this.#lot);
  }

  get lot(): Exact {
    return this.#lot;
  }
}
