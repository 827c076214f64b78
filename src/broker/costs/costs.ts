import { EXACT_ONE, EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { inMoney } from '../account/index.ts';
import { type Instrument, notionalOf, wholeLots } from '../settings/instruments.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import { tickInside } from '../settings/ticks.ts';
import {
  type ChargedOrder,
  type CommissionModel,
  commissionModel,
  type FeesSoFar,
  loadOf,
  type SlippageModel,
  slippageModel,
} from './cost-models.ts';

const HALF = Exact.of('0.5');

/**
 * Returns the largest quantity in whole lots, up to `upper`, whose cost plus commission is within a limit.
 * Used for commissions that never decrease as the quantity grows but are not a plain rate.
 *
 * Lots are counted in exact integers, because there may be more lots than a float64 can distinguish. The
 * commission of `upper` is an upper bound for the commission. The quantity that `limit` minus this bound can
 * pay for therefore fits and is the start of the search. A fixed commission is found immediately, any other
 * commission by bisection.
 *
 * @param upper largest quantity if there were no commission
 */
function largestCarried(
  upper: Exact,
  limit: Exact,
  { lot }: Instrument,
  unitCost: Exact,
  commissionOf: (quantity: Exact) => Exact,
): Exact {
  const lotsIn = (amount: Exact): Exact => amount.dividedBy(unitCost.times(lot)).floor();
  const fits = (lots: Exact): boolean => {
    const quantity = lots.times(lot);
    return quantity.times(unitCost).plus(commissionOf(quantity)).compare(limit) <= 0;
  };
  let high = upper.dividedBy(lot).floor();
  if (fits(high)) return high.times(lot);
  const least = Exact.max(lotsIn(limit.minus(commissionOf(high.times(lot)))), EXACT_ZERO);
  high = high.minus(EXACT_ONE);
  let low = fits(least) ? Exact.min(least, high) : EXACT_ZERO;
  // Most commissions are the same for `low` and `high`. The lot after `low` then does not fit, so no search
  // is needed.
  if (low.compare(high) < 0 && !fits(low.plus(EXACT_ONE))) return low.times(lot);
  while (low.compare(high) < 0) {
    const middle = low.plus(high).plus(EXACT_ONE).times(HALF).floor();
    if (fits(middle)) low = middle;
    else high = middle.minus(EXACT_ONE);
  }
  return low.times(lot);
}

/** Amount as a fast float64 and, on request, as an exact number. */
export interface Figure {
  readonly number: number;
  exact(): Exact;
}

/** Data of a bar for computing slippage. A price with slippage stays between `low` and `high`. */
export interface BarRange {
  readonly low: number;
  readonly high: number;
  readonly volume: number;
  /** Quoted spread of the bar, in money per unit. `NaN` without a spread column. */
  readonly spread: number;
}

/** Properties of an order that its costs depend on. `fees` contains the totals of its earlier fills. */
export type OrderCosts = ChargedOrder & { readonly fees: FeesSoFar | undefined };

/** Custom cost models, which replace those of the settings. */
export interface CostModels {
  readonly commission?: CommissionModel;
  readonly slippage?: SlippageModel;
}

/** Commission and slippage of a run. */
export class Costs {
  readonly #commission: CommissionModel;
  readonly #isCustom: boolean;
  readonly #slippage: SlippageModel;
  #traded = 0;

  constructor(settings: BrokerSettings, models: CostModels = {}) {
    this.#commission = models.commission ?? commissionModel(settings);
    this.#isCustom = models.commission !== undefined;
    this.#slippage = models.slippage ?? slippageModel(settings);
  }

  /** Returns the commission of a fill: the amount by which the fill increases its order's commission. */
  commission(
    quantity: Exact,
    price: Exact,
    instrument: Instrument,
    maker = false,
    order?: OrderCosts | undefined,
  ): Exact {
    const before = this.#before(order);
    const tradedBefore = this.#traded;
    const model = this.#modelOf(instrument);
    return model.commission({ instrument, quantity, price, maker, tradedBefore, before, order });
  }

  /**
   * Returns an order's totals (quantity, notional, commission) after a fill. Call it before `noteTraded` for
   * the same fill.
   */
  feesAfter(
    order: OrderCosts,
    quantity: Exact,
    price: Exact,
    instrument: Instrument,
    commission: Exact,
  ): FeesSoFar {
    const before = this.#before(order);
    return {
      quantity: before.quantity.plus(quantity),
      notional: before.notional.plus(notionalOf(quantity, price, instrument)),
      charged: before.charged.plus(commission),
      tradedBefore: before.tradedBefore,
    };
  }

  /**
   * A custom model takes precedence over an instrument's model, which takes precedence over the run's model.
   */
  #modelOf({ commission }: Instrument): CommissionModel {
    return this.#isCustom ? this.#commission : (commission ?? this.#commission);
  }

  #before(order: OrderCosts | undefined): FeesSoFar {
    return (
      order?.fees ?? {
        quantity: EXACT_ZERO,
        notional: EXACT_ZERO,
        charged: EXACT_ZERO,
        tradedBefore: this.#traded,
      }
    );
  }

  /**
   * Notional traded in the run so far, in account currency. Temporarily set to another value while a possible
   * price path is evaluated.
   */
  get traded(): number {
    return this.#traded;
  }

  set traded(notional: number) {
    this.#traded = notional;
  }

  /** Adds the notional of a fill to the total. The total selects the commission tier of later fills. */
  noteTraded(notional: number): void {
    this.#traded += notional;
  }

  /**
   * True if fills of this instrument have exactly the price that the fill rules give, without slippage or
   * rounding.
   */
  leavesPrices(instrument: Instrument): boolean {
    return !this.#slippage.slips && instrument.tick === undefined;
  }

  /**
   * Returns the price of a market or stop fill: moved against the trader within the bar's range, and rounded
   * to a tick against the trader.
   */
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
    return this.onTick(moved, buys, range, instrument);
  }

  /** Rounds a price to a tick against the trader, within the bar's range. */
  onTick(price: Exact, buys: boolean, { low, high }: BarRange, { tick }: Instrument): Exact {
    return tick === undefined ? price : tickInside(price, tick, buys, Exact.of(low), Exact.of(high));
  }

  /**
   * Returns the largest quantity in whole lots whose initial margin and taker commission are within a budget.
   *
   * @param currencyRate units of the account's currency per unit of the price's currency
   * @param order order of the fill; its earlier fills affect the commission
   */
  affordable(
    budget: Figure,
    price: Exact,
    instrument: Instrument,
    currencyRate: Exact = EXACT_ONE,
    order?: OrderCosts | undefined,
  ): Exact {
    const { margin, leverage, leverageNumber } = instrument;
    const rate = this.#modelOf(instrument).takerRate(this.#before(order));
    // Condition: margin + commission <= budget. Both sides are multiplied by the leverage, because a division
    // by the leverage would not be exact.
    const unit = inMoney(price, instrument);
    const load = rate === undefined ? EXACT_ONE : loadOf(rate, leverage);
    const inCurrency = (): Exact =>
      margin === undefined ? unit.times(load) : margin.plus(unit.times(load.minus(EXACT_ONE)));
    const unitCost = (): Exact => inCurrency().times(currencyRate);
    const upper = wholeLots(
      budget.number * leverageNumber,
      unitCost().toNumber(),
      instrument,
      () => budget.exact().times(leverage),
      unitCost,
    );
    if (rate !== undefined || upper.isZero()) return upper;
    const limit = budget.exact().times(leverage);
    const commissionOf = (quantity: Exact): Exact =>
      this.commission(quantity, price, instrument, false, order).times(leverage).times(currencyRate);
    return largestCarried(upper, limit, instrument, unitCost(), commissionOf);
  }

  /**
   * Returns the largest quantity in whole lots whose notional is at most `notional`.
   *
   * @param unitValue value of one unit, in the same currency as `notional`
   */
  lotsFor(notional: Figure, unitValue: Exact, instrument: Instrument): Exact {
    return wholeLots(notional.number, unitValue.toNumber(), instrument, notional.exact, () => unitValue);
  }
}
