import { namesOf } from '../../runs/index.ts';
import type { Facts } from './run-row.ts';

/** Names of runs that say what differs, made anew only when what they are made of has changed. */
export class RunNames {
  #made: ReadonlyMap<string, string> = new Map();
  #names: ReadonlyMap<string, string> = new Map();

  /**
   * Names within each group of a strategy and its symbols, the oldest first: a later run takes no other's number.
   *
   * @param facts by run, the newest first
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

/** The last bar of a run under way is another one twice a second. */
function periodOf({ state, firstBar, lastBar }: Facts): string {
  return state === 'running' ? `since ${firstBar}` : `${firstBar} to ${lastBar}`;
}
