import type { Random } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { hasReturn, type WorldBase } from './base.ts';
import { buildWorld, takeShape } from './build.ts';

/** Instants that can change places: those at which the same symbols have a return. */
export type Groups = readonly Int32Array[];

/**
 * Instants by the symbols that have a return at them. A bar changes places within its group alone, so that every symbol
 * keeps its dates, its set of returns and its last price, and what several symbols did together stays together.
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

/** A market whose bars have changed places, as whole bars: gap, high, low, close and volume together. */
export function permuted(base: WorldBase, groups: Groups, random: Random): Market {
  const sourceOf = new Int32Array(base.market.clock.length).fill(-1);
  for (const group of groups) {
    const order = group.slice();
    // Fisher and Yates.
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
