import { blockLengthOf } from '../../analysis/series/block-length.ts';
import type { Random } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import type { WorldBase } from './base.ts';
import { buildWorld, takeShape } from './build.ts';
import { logReturns } from './returns.ts';

/**
 * Returns the mean block length for a market: the longest length estimated from any symbol's returns or
 * squared returns. Blocks of this length preserve short trends and volatility clusters.
 *
 * @param common instants at which every symbol has a return
 */
export function blockLengthFor(base: WorldBase, common: Int32Array): number {
  let longest = 1;
  for (const symbol of base.symbols) {
    const returns = logReturns(symbol, common);
    const squares = returns.map((value) => value * value);
    longest = Math.max(longest, blockLengthOf(returns), blockLengthOf(squares));
  }
  return Math.round(longest * 100) / 100;
}

/**
 * Returns a market whose bars are drawn from the data by the stationary bootstrap. Blocks have geometric
 * lengths, wrap around the end, and are the same for all symbols.
 *
 * Source: Politis & Romano, "The Stationary Bootstrap", JASA 89 (1994).
 *
 * @param common instants at which every symbol has a return; bars are drawn from them
 * @param blockLength mean length of a block, in bars
 */
export function bootstrapped(
  base: WorldBase,
  common: Int32Array,
  blockLength: number,
  random: Random,
): Market {
  const { clock } = base.market;
  const sourceOf = new Int32Array(clock.length);
  let drawn = -1;
  for (let at = base.first; at < clock.length; at++) {
    const begins = drawn < 0 || random.next() * blockLength < 1;
    drawn = begins ? random.integer(0, common.length - 1) : (drawn + 1) % common.length;
    sourceOf[at] = common[drawn]!;
  }
  return buildWorld(base, (symbol, _index, at, shape) => {
    takeShape(symbol, symbol.barAt[sourceOf[at]!]!, shape);
    return true;
  });
}
