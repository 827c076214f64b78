import { EXACT_ZERO, Exact, type Instant } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { BorrowDates } from '../costs/cost-models.ts';
import type { BarRange, Costs, Figure } from '../costs/costs.ts';
import type { BarPrices } from '../matching/triggers.ts';
import { becomesLimit, isLimit, type OrderSize, type RestingOrder } from '../orders/order.ts';
import { belowLot, canShort, positionGone, type Refusal, refusal, shortRefusal } from '../orders/refusals.ts';
import { carriesMinimum, type Instrument } from '../settings/instruments.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import type { BuyingPower } from './buying-power.ts';
import type { FillAccount } from './fill-account.ts';

interface SizerParts {
  readonly symbols: readonly string[];
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly borrow: BorrowDates | undefined;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
}

/** Any order size except a fraction of equity, which depends on the equity after closing units. */
type PlainSize = Exclude<OrderSize, { kind: 'equity-fraction' }>;

/** Number of units that an order trades when it fills. */
export interface Sized {
  /** Units to trade, positive. */
  readonly units: Exact;
  /**
   * Units that the order requested, for the event of the fill. Present only if buying power allows fewer
   * units.
   */
  readonly requested?: Exact;
}

/** Prices that a size can depend on. */
export interface SizePrices {
  /** Price by the fill rules, before slippage. Used to size a target fraction. */
  readonly rule: Exact;
  /** Price of one lot after slippage. Used to size a notional and a fraction of the equity. */
  readonly slipped: Exact;
}

/** Converts an order's size of any kind to units at the price of a fill. */
export class FillSizer {
  readonly #parts: SizerParts;
  readonly #power: BuyingPower;

  constructor(parts: SizerParts, power: BuyingPower) {
    this.#parts = parts;
    this.#power = power;
  }

  /** Returns the units to trade, or a rejection. */
  sizeOf(
    account: FillAccount,
    order: RestingOrder,
    side: 1 | -1,
    closable: Exact,
    prices: SizePrices,
  ): Sized | Refusal {
    const { size } = order;
    if (size.kind === 'equity-fraction')
      return this.#sizeByEquity(account, order, size.fraction, side, closable, prices.slipped);
    const units = this.#unitsOf(account, order, size, side, closable, prices);
    return 'code' in units ? units : { units };
  }

  #unitsOf(
    account: FillAccount,
    order: RestingOrder,
    size: PlainSize,
    side: 1 | -1,
    closable: Exact,
    { rule, slipped }: SizePrices,
  ): Exact | Refusal {
    const { symbol } = order;
    const { ledger, instruments, symbols } = this.#parts;
    switch (size.kind) {
      case 'units': {
        const rest = size.units.minus(order.filled);
        if (!order.reduceOnly || rest.compare(closable) <= 0) return rest;
        return closable.isZero() ? positionGone(symbols[symbol]!) : closable;
      }
      case 'position':
        return closable.isZero() ? positionGone(symbols[symbol]!) : closable;
      case 'target-units':
        return this.#towards(size.units.minus(account.quantity(symbol)), side, symbol);
      case 'target-fraction': {
        const wanted = unitsOfShare(this.#parts, symbol, account.equity.exact(), size.fraction, rule);
        return this.#towards(wanted.minus(account.quantity(symbol)), side, symbol);
      }
      case 'notional': {
        const { notional } = size;
        const instrument = instruments[symbol]!;
        const wanted = this.#parts.costs.lotsFor(
          { number: notional.toNumber(), exact: () => notional },
          ledger.unitValue(symbol, slipped),
          instrument,
        );
        return wanted.isZero() ? belowLot(instrument.lot, slipped.toString()) : wanted;
      }
    }
  }

  #towards(difference: Exact, side: 1 | -1, symbol: number): Exact | Refusal {
    const { lot } = this.#parts.instruments[symbol]!;
    const wanted = side > 0 ? difference : difference.negated();
    const lots = Exact.max(wanted, EXACT_ZERO).dividedBy(lot).floor().times(lot);
    return lots.isZero()
      ? refusal('below_lot', 'The position is already at its target.', 'No action is needed.')
      : lots;
  }

  #sizeByEquity(
    account: FillAccount,
    order: RestingOrder,
    fraction: Exact,
    side: 1 | -1,
    closable: Exact,
    price: Exact,
  ): Sized | Refusal {
    const { costs, instruments, ledger } = this.#parts;
    const instrument = instruments[order.symbol]!;
    if (side < 0 && !this.canShort(order.symbol))
      return closable.isZero()
        ? shortRefusal(this.#parts.symbols[order.symbol]!, closable, this.#parts.settings)
        : { units: closable };
    const equity = this.#power.equityAfterClosing(account, order, closable, price);
    const budget: Figure = {
      number: equity.number * fraction.toNumber(),
      exact: () => equity.exact().times(fraction),
    };
    const carried = costs.affordable(
      this.#power.left(account, order, closable, price),
      price,
      instrument,
      ledger.rateOf(order.symbol),
      order,
    );
    const asked = costs.lotsFor(budget, ledger.unitValue(order.symbol, price), instrument);
    const isCut = asked.compare(carried) > 0;
    const units = closable.plus(isCut ? carried : asked);
    if (units.isZero()) return belowLot(instrument.lot, price.toString());
    return isCut ? { units, requested: closable.plus(asked) } : { units };
  }

  /**
   * Returns the size of a rebalance order or target fraction, reduced to the quantity that buying power
   * allows at the fill. Other sizes, and sizes that would be reduced to zero, are returned unchanged.
   */
  withinPower(
    account: FillAccount,
    order: RestingOrder,
    sized: Sized,
    closable: Exact,
    priceOf: (quantity: Exact) => Exact,
  ): Sized {
    const opening = sized.units.minus(closable);
    const isCut = order.cutToPower || order.size.kind === 'target-fraction';
    if (!isCut || order.reduceOnly || !opening.isPositive()) return sized;
    // Computed at the price of the whole quantity. A smaller fill has at most the same volume impact.
    const price = priceOf(sized.units);
    const carried = this.#power.carried(account, order, closable, price);
    if (opening.compare(carried) <= 0) return sized;
    const passes = carriesMinimum(carried, price, this.#parts.instruments[order.symbol]!);
    const units = passes ? closable.plus(carried) : closable;
    return units.isZero() ? sized : { units, requested: sized.units };
  }

  canShort(symbol: number): boolean {
    const { settings, borrow } = this.#parts;
    return canShort(symbol, settings, borrow);
  }
}

/**
 * Converts a signed fraction of the equity to signed units, at a price in the instrument's currency. Returns
 * whole lots, rounded towards zero.
 *
 * @param share fraction of the equity
 */
export function unitsOfShare(
  {
    costs,
    ledger,
    instruments,
  }: { readonly costs: Costs; readonly ledger: Ledger; readonly instruments: readonly Instrument[] },
  symbol: number,
  equity: Exact,
  share: Exact,
  price: Exact,
): Exact {
  const wanted = costs.lotsFor(
    {
      number: equity.toNumber() * Math.abs(share.toNumber()),
      exact: () => equity.times(share).abs(),
    },
    ledger.unitValue(symbol, price),
    instruments[symbol]!,
  );
  return share.isNegative() ? wanted.negated() : wanted;
}

/**
 * Limits a fill to the remaining volume of a bar (`left`). Returns `undefined` if no volume remains, or too
 * little for an all-or-none order.
 */
export function withinVolume(order: RestingOrder, wanted: Exact, left: Exact | undefined): Exact | undefined {
  if (left === undefined) return wanted;
  const quantity = Exact.min(wanted, left);
  if (!quantity.isPositive() || (order.timeInForce === 'FOK' && quantity.compare(wanted) < 0))
    return undefined;
  return quantity;
}

/** Properties of a fill that affect its price. */
export type FillTerms = Pick<FillPlace, 'maker' | 'slipsToLimit'>;

interface FillCosts {
  readonly costs: Costs;
  readonly instrument: Instrument;
  readonly prices: BarPrices;
}

/**
 * Returns a function from quantity to the price of the fill.
 *
 * @param rule price by the fill rules, before slippage
 */
export function fillPrice(
  order: RestingOrder,
  side: 1 | -1,
  rule: Exact,
  place: FillTerms,
  { costs, instrument, prices }: FillCosts,
): (quantity: Exact) => Exact {
  const buys = side > 0;
  const atLimit = isLimit(order.type) || (becomesLimit(order.type) && place.slipsToLimit !== true);
  const isRule = place.maker || atLimit || costs.leavesPrices(instrument);
  if (isRule && instrument.tick === undefined) return () => rule;
  const range = rangeOf(prices, order.symbol);
  if (isRule) return () => costs.onTick(rule, buys, range, instrument);
  return (quantity) => {
    const moved = costs.slip(rule, buys, quantity, range, instrument);
    if (place.slipsToLimit !== true) return moved;
    const limit = Exact.of(order.limitPrice);
    return buys ? Exact.min(moved, limit) : Exact.max(moved, limit);
  };
}

/** Returns the range of a symbol's bar for computing slippage. */
export function rangeOf(prices: BarPrices, symbol: number): BarRange {
  return {
    low: prices.low[symbol]!,
    high: prices.high[symbol]!,
    volume: prices.volume[symbol]!,
    spread: prices.spread === undefined ? Number.NaN : prices.spread[symbol]!,
  };
}

/** Properties of a fill other than its size and price, for example its time within the bar. */
export interface FillPlace {
  /** True if a resting order fills at its limit. */
  readonly maker: boolean;
  /** True if the fill is after the open of its bar or finer bar. */
  readonly inside?: boolean;
  /**
   * True for a stop-limit that became marketable at its stop. It has slippage, but never beyond its limit.
   */
  readonly slipsToLimit?: boolean;
  /** Time of the finer bar with the fill. */
  readonly detailTime?: Instant;
  /** True if the fill does not occur on another possible price path within the bar. */
  readonly ambiguous?: boolean;
  /**
   * Difference in equity at the bar's close between the best and the worst possible price path, in account
   * currency. Never negative.
   */
  readonly gainIfOther?: Exact;
}
