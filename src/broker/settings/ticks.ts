import type { Exact } from '../../kernel/index.ts';

/** Rounds a price up or down to a multiple of the tick. Returns the price unchanged without a tick. */
export function toTick(price: Exact, tick: Exact | undefined, up: boolean): Exact {
  if (tick === undefined) return price;
  const steps = price.dividedBy(tick);
  const down = steps.floor();
  const rounded = down.times(tick);
  return up && rounded.compare(price) < 0 ? rounded.plus(tick) : rounded;
}

/**
 * Rounds a price to the tick against the trader: up for a buy, down for a sell. If the result is beyond the
 * bar's low or high, returns the nearest tick within the bar instead. Returns the price unchanged if the bar
 * contains no multiple of the tick; such data is rejected before a run.
 */
export function tickInside(price: Exact, tick: Exact, buys: boolean, low: Exact, high: Exact): Exact {
  const against = toTick(price, tick, buys);
  if (against.compare(high) <= 0 && against.compare(low) >= 0) return against;
  const inside = toTick(price, tick, !buys);
  return inside.compare(low) >= 0 && inside.compare(high) <= 0 ? inside : price;
}
