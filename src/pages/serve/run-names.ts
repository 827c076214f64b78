import { namesOf } from '../../runs/index.ts';
import type { Facts } from './run-row.ts';

/**
 * Names of runs that show how they differ. Names are recalculated only if the facts of the runs have changed.
 */
export class RunNames {
  #made: ReadonlyMap<string, string> = new Map();
  #names: ReadonlyMap<string, string> = new Map();

  /**
   * Returns unique names within each group of strategy and symbols. The oldest run is named first, so that
   * later runs do not change its number.
   *
   * @param facts facts by run, newest run first
   */
  of(facts: ReadonlyMap<string, Facts>): ReadonlyMap<string, string> {
    const made = new Map([...facts].map(([run, own]) => [run, keyOf(own)]));
    if (made.size === this.#made.size && [...made].every(([run, key]) => this.#made.get(run) === key))
      return this.#names;
    const groups = new Map<string, string[]>();
    for (const [run, { strategy, symbols }] of [...facts].reverse()) {
      const key = JSON.stringify([strategy, symbols]);
      const own = groups.get(key);
      if (own === undefined) groups.set(key, [run]);
      else own.push(run);
    }
    const names = new Map<string, string>();
    for (const runs of groups.values()) {
      const texts = namesOf(
        runs.map((run) => {
          const own = facts.get(run)!;
          return {
            strategy: own.strategy || 'unreadable',
            symbols: own.symbols,
            facts: own.made,
            period: periodOf(own),
          };
        }),
      );
      for (const [place, run] of runs.entries()) names.set(run, texts[place]!);
    }
    this.#made = made;
    this.#names = names;
    return names;
  }
}

const keys = new WeakMap<Facts, string>();

function keyOf(facts: Facts): string {
  const known = keys.get(facts);
  if (known !== undefined) return known;
  const key = JSON.stringify([facts.strategy, facts.symbols, [...facts.made], periodOf(facts)]);
  keys.set(facts, key);
  return key;
}

/** Excludes the last bar of an active run, which changes continuously. */
function periodOf({ state, firstBar, lastBar }: Facts): string {
  return state === 'running' ? `since ${firstBar}` : `${firstBar} to ${lastBar}`;
}
