import { Exact, type Instant } from '../../kernel/index.ts';
import type { BarRange, Costs } from '../costs/costs.ts';
import type { BarPrices } from '../matching/bar-prices.ts';
import { becomesLimit, isLimit, type RestingOrder } from '../orders/order.ts';
import type { Instrument } from '../settings/instruments.ts';

/** Inputs of a fill price in addition to the order and the price of the rule. */
export type FillTerms = Pick<FillPlace, 'maker' | 'slipsToLimit'>;

interface FillCosts {
  readonly costs: Costs;
  readonly instrument: Instrument;
  readonly prices: BarPrices;
}

/**
 * Returns a function from quantity to the price of the fill.
 *
 * @param rule price of the rule, before slippage
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

/** Circumstances of a fill within a bar. */
export interface FillPlace {
  readonly maker: boolean;
  /** True if the fill is after the open of its bar or finer bar. */
  readonly inside?: boolean;
  /**
   * True for a stop-limit that became marketable at its stop. It has slippage, but never beyond its limit.
   */
  readonly slipsToLimit?: boolean;
  /** Time of the finer bar with the fill. */
  readonly detailTime?: Instant;
  /** True if the fill does not happen under another possible price path within the bar. */
  readonly ambiguous?: boolean;
  /** Additional gain of the better outcome by the bar's close, in account currency. */
  readonly gainIfOther?: Exact;
}
