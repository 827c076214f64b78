import { inMoney } from '../account/index.ts';
import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import {
  type ChargedOrder,
  type CommissionModel,
  commissionModel,
  type FeesSoFar,
  loadOf,
} from './commission.ts';
import { type Instrument, notionalOf, tickInside, wholeLots } from './instruments.ts';
import { largestCarried } from './lot-search.ts';
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
  /** Quoted spread; NaN where no column has it. */
  readonly spread: number;
}

/** An order as its costs see it; what has filled of it and was charged changes its next fee. */
export type OrderCosts = ChargedOrder & { readonly fees: FeesSoFar | undefined };

/** Models that replace those the settings choose. */
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

  /** What a fill is charged; of an order that has filled before, what its fee grows by. */
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

  /** What an order has filled and was charged once a fill is added; asked before `noteTraded` is called with it. */
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

  /** A strategy's own model comes before an instrument's, and that before the run's. */
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

  /** Notional traded in the run so far; a path that is tried has its own. */
  get traded(): number {
    return this.#traded;
  }

  set traded(notional: number) {
    this.#traded = notional;
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
    return this.onTick(moved, buys, range, instrument);
  }

  /** A price on the tick that does not favour the trader, within the bar's range. */
  onTick(price: Exact, buys: boolean, { low, high }: BarRange, { tick }: Instrument): Exact {
    return tick === undefined ? price : tickInside(price, tick, buys, Exact.of(low), Exact.of(high));
  }

  /**
   * The largest quantity in whole lots whose initial margin and commission, a taker's, fit in a budget.
   *
   * @param currencyRate account currency a unit of the price's
   * @param order whose fees so far count
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
    // Margin + commission <= budget, multiplied by the leverage so that every term is exact.
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

  /** The largest quantity in whole lots whose notional fits in an amount. @param unitValue what one unit comes to */
  lotsFor(notional: Figure, unitValue: Exact, instrument: Instrument): Exact {
    return wholeLots(notional.number, unitValue.toNumber(), instrument, notional.exact, () => unitValue);
  }
}
