import type { StoredRun } from '../read-run.ts';
import { flatFacts } from './facts.ts';

/** More differences than these do not all go into a name: only those that tell the runs apart. */
const MOST_PARTS = 4;

/** Longest value in a name, in characters. */
const LONGEST_VALUE = 24;

interface Part {
  readonly text: (run: number) => string;
  /** Different texts over all runs. */
  readonly kinds: number;
}

/**
 * Names that say what differs: the strategies where they do, then the parameters and settings in which runs of a strategy
 * are not the same, as in "fast 50, slow 200"; then symbols and period. What is the same in all of that has a number.
 */
export function runNames(stored: readonly StoredRun[]): string[] {
  const names = stored.map(({ summary }) => [summary.strategy]);
  const isOneStrategy = new Set(stored.map(({ summary }) => summary.strategy)).size === 1;
  for (const strategy of new Set(stored.map(({ summary }) => summary.strategy))) {
    const places = stored.flatMap(({ summary }, place) => (summary.strategy === strategy ? [place] : []));
    const parts = chosenParts(places.map((place) => stored[place]!));
    for (const [at, place] of places.entries())
      names[place]!.push(...parts.map(({ text }) => text(at)).filter((text) => text !== ''));
  }
  const texts = names.map(([strategy, ...parts]) =>
    (isOneStrategy && parts.length > 0 ? parts : [strategy!, ...parts]).join(', '),
  );
  return numbered(texts);
}

/** The parts that names of runs of one strategy have. */
function chosenParts(runs: readonly StoredRun[]): Part[] {
  const facts = runs.map(flatFacts);
  const keys = [...new Set(facts.flatMap((fact) => [...fact.keys()]))].filter((key) => key !== 'cash');
  const known = keys.map((key) =>
    partOf(facts.map((fact) => (fact.has(key) ? `${key} ${shortened(fact.get(key)!)}` : `no ${key}`))),
  );
  const differing = known.filter(({ kinds }) => kinds > 1);
  const others = [
    partOf(runs.map(({ summary }) => symbolsText(summary.symbols))),
    partOf(runs.map(periodText)),
    partOf(facts.map((fact) => `cash ${fact.get('cash') ?? 'unknown'}`)),
  ].filter(({ kinds }) => kinds > 1);
  const chosen = differing.length <= MOST_PARTS ? [...differing] : [];
  const more = chosen.length > 0 ? others : [...differing.toSorted((a, b) => b.kinds - a.kinds), ...others];
  for (const part of more) {
    const before = kindsOf(runs, chosen);
    if (before === runs.length) break;
    if (kindsOf(runs, [...chosen, part]) > before) chosen.push(part);
  }
  return chosen;
}

function kindsOf(runs: readonly StoredRun[], parts: readonly Part[]): number {
  return new Set(runs.map((_, run) => parts.map(({ text }) => text(run)).join(', '))).size;
}

function partOf(texts: readonly string[]): Part {
  return { text: (run) => texts[run]!, kinds: new Set(texts).size };
}

function shortened(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE - 1)}…`;
}

/** Symbols as a name has them. */
function symbolsText(symbols: readonly string[]): string {
  return symbols.length <= 2 ? symbols.join(' and ') : `${symbols[0]} and ${symbols.length - 1} more`;
}

/** The second of the same name is 2, the third 3. */
function numbered(names: readonly string[]): string[] {
  const taken = new Set(names);
  const met = new Map<string, number>();
  return names.map((name) => {
    let number = (met.get(name) ?? 0) + 1;
    met.set(name, number);
    if (number === 1) return name;
    while (taken.has(`${name} (${number})`)) number += 1;
    taken.add(`${name} (${number})`);
    met.set(name, number);
    return `${name} (${number})`;
  });
}

/** First and last day that the figures of a run are of. */
export function periodText({ summary }: Pick<StoredRun, 'summary'>): string {
  const { evaluatedFrom, lastBar } = summary;
  const firstBar = evaluatedFrom ?? summary.firstBar;
  return firstBar === null || lastBar === null ? 'no bar' : `${firstBar} to ${lastBar}`;
}
