import type { Random } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { hasReturn, type WorldBase } from './base.ts';
import { buildWorld, takeShape } from './build.ts';

/** Instants that can be exchanged: those at which the same symbols have a return. */
export type Groups = readonly Int32Array[];

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
