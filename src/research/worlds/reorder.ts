import type { Random } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { blockLengthOf } from '../../results/analysis/series/block-length.ts';
import { hasReturn, logReturns, type WorldBase } from './base.ts';
import { buildWorld, takeShape } from './build.ts';

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

/** Instants that can be exchanged: those at which the same symbols have a return. */
type Groups = readonly Int32Array[];

/**
 * Groups instants by the symbols that have a return. Bars are exchanged only within a group. Every symbol
 * therefore retains its dates, its set of returns and its last price, and simultaneous returns of several
 * symbols stay together.
 */
export function exchangeable(base: WorldBase): Groups {
  const groups = new Map<string, number[]>();
  for (let at = base.first; at < base.market.clock.length; at++) {
    let key = '';
    for (const symbol of base.symbols) key += hasReturn(symbol, at) ? '1' : '0';
    if (!key.includes('1')) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [at]);
    else group.push(at);
  }
  return [...groups.values()].map((group) => Int32Array.from(group));
}

/** Returns a market with permuted bars. Gap, high, low, close and volume of a bar move together. */
export function permuted(base: WorldBase, groups: Groups, random: Random): Market {
  const sourceOf = new Int32Array(base.market.clock.length).fill(-1);
  for (const group of groups) {
    const order = group.slice();
    // Fisher–Yates shuffle.
    for (let left = order.length - 1; left > 0; left--) {
      const chosen = random.integer(0, left);
      const kept = order[left]!;
      order[left] = order[chosen]!;
      order[chosen] = kept;
    }
    for (let index = 0; index < group.length; index++) sourceOf[group[index]!] = order[index]!;
  }
  return buildWorld(base, (symbol, _index, at, shape) => {
    const source = sourceOf[at]!;
    if (source < 0) return false;
    takeShape(symbol, symbol.barAt[source]!, shape);
    return true;
  });
}
