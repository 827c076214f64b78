import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import { type CommissionModel, commissionModel } from './commission.ts';
import { type Instrument, toTick, wholeLots } from './instruments.ts';
import type { BrokerSettings } from './settings.ts';
import { type SlippageModel, slippageModel } from './slippage.ts';

/** An amount known quickly as a float64 and, when asked, exactly. */
export interface Figure {
  readonly number: number;
  exact(): Exact;
}

/** The range that slippage cannot leave, and the volume it may depend on. */
export interface BarRange {
  readonly low: number;
  readonly high: number;
  readonly volume: number;
  /** Quoted spread; NaN where no column tells it. */
  readonly spread: number;
}

/** Models that replace those the settings choose. */
export interface CostModels {
  readonly commission?: CommissionModel;
  readonly slippage?: SlippageModel;
}

/** Commission and slippage of a run. */
export class Costs {
  readonly #commission: CommissionModel;
  readonly #slippage: SlippageModel;
  readonly #leverage: Exact;
  readonly #leverageNumber: number;
  #traded = 0;

  constructor(settings: BrokerSettings, models: CostModels = {}) {
    this.#commission = models.commission ?? commissionModel(settings);
    this.#slippage = models.slippage ?? slippageModel(settings);
    this.#leverage = Exact.of(settings.leverage);
    this.#leverageNumber = settings.leverage;
  }

  commission(quantity: Exact, price: Exact, { symbol }: Instrument, maker = false): Exact {
    return this.#commission.commission({ symbol, quantity, price, maker, tradedBefore: this.#traded });
  }

  /** Notes a fill's notional, for tiers. */
  noteTraded(notional: number): void {
    this.#traded += notional;
  }

  /** Whether a fill of this instrument is at the rule's price as it is. */
  leavesPrices(instrument: Instrument): boolean {
    return !this.#slippage.slips && instrument.tick === undefined;
  }

  /** A market or stop fill's price: moved against the trader, within the bar's range, on a tick that does not favour him. */
  slip(price: Exact, buys: boolean, quantity: Exact, range: BarRange, instrument: Instrument): Exact {
    let moved = price;
    if (this.#slippage.slips) {
      const { symbol } = instrument;
      const { volume, spread } = range;
      const distance = this.#slippage.distance({ symbol, buys, price, quantity, volume, spread });
      moved = buys
        ? Exact.min(price.plus(distance), Exact.of(range.high))
        : Exact.max(price.minus(distance), Exact.of(range.low));
    }
    return toTick(moved, instrument.tick, buys);
  }

  /**
   * The largest quantity in whole lots whose initial margin and commission fit in a budget.
   *
   * @param currencyRate account currency a unit of the price's
   */
  affordable(budget: Figure, price: Exact, instrument: Instrument, currencyRate: Exact = EXACT_ONE): Exact {
    const { rate } = this.#commission;
    const leverage = this.#leverageNumber;
    // notional / leverage + commission <= budget, multiplied by the leverage so that every term is exact.
    const upper = wholeLots(
      budget.number * leverage,
      price.toNumber() * currencyRate.toNumber() * (1 + (rate ?? 0) * leverage),
      instrument,
      () => budget.exact().times(this.#leverage),
      () => price.times(currencyRate).times(EXACT_ONE.plus(Exact.of(rate ?? 0).times(this.#leverage))),
    );
    return rate === undefined ? this.#largestWithin(upper, budget, price, instrument, currencyRate) : upper;
  }

  /** The largest quantity in whole lots whose notional fits in an amount. */
  lotsFor(notional: Figure, price: Exact, instrument: Instrument): Exact {
    return wholeLots(notional.number, price.toNumber(), instrument, notional.exact, () => price);
  }

  // Without a known rate, the last lot count that fits is searched for: commission never falls as a fill grows.
  #largestWithin(
    upper: Exact,
    budget: Figure,
    price: Exact,
    instrument: Instrument,
    currencyRate: Exact,
  ): Exact {
    const limit = budget.exact().times(this.#leverage);
    const fits = (lots: number): boolean => {
      const quantity = Exact.of(lots).times(instrument.lot);
      const cost = quantity
        .times(price)
        .plus(this.commission(quantity, price, instrument).times(this.#leverage));
      return cost.times(currencyRate).compare(limit) <= 0;
    };
    let [low, high] = [0, Math.round(upper.dividedBy(instrument.lot).toNumber())];
    while (low < high) {
      const middle = low + Math.ceil((high - low) / 2);
      if (fits(middle)) low = middle;
      else high = middle - 1;
    }
    return low === 0 ? EXACT_ZERO : Exact.of(low).times(instrument.lot);
  }
}
