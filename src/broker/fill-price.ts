import { Exact } from '../kernel/index.ts';
import type { BarPrices } from './bar-prices.ts';
import type { BarRange, Costs } from './costs.ts';
import type { FillPlace } from './fill-place.ts';
import type { Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { becomesLimit, isLimit } from './order-kinds.ts';

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
