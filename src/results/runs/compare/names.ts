import type { StoredRun } from '../read-run.ts';
import { flatFacts } from './overlap.ts';

/**
 * Largest number of parts in a name. With more differences, only those that distinguish the runs are used.
 */
const MOST_PARTS = 4;

/** Longest value in a name, in characters. */
const LONGEST_VALUE = 24;

interface Part {
  readonly text: (run: number) => string;
  /** Number of different texts over all runs. */
  readonly kinds: number;
}

/** Inputs for the name of a run. */
export interface NamedRun {
  readonly strategy: string;
  /** Result of `flatFacts`. */
  readonly facts: ReadonlyMap<string, string>;
  readonly symbols: readonly string[];
  /** First and last day. */
  readonly period: string;
}

export function runNames(stored: readonly StoredRun[]): string[] {
  return namesOf(
    stored.map((run) => ({
      strategy: run.summary.strategy,
      facts: flatFacts(run),
      symbols: run.summary.symbols,
      period: periodText(run),
    })),
  );
}

/**
 * Returns names that state the differences between runs: strategies if they differ, then differing parameters
 * and settings of runs of one strategy, as in "fast 50, slow 200", then symbols and period. Remaining
 * duplicates are numbered.
 */
export function namesOf(runs: readonly NamedRun[]): string[] {
  const names = runs.map(({ strategy }) => [strategy]);
  const places = new Map<string, number[]>();
  for (const [place, { strategy }] of runs.entries()) {
    const own = places.get(strategy);
    if (own === undefined) places.set(strategy, [place]);
    else own.push(place);
  }
  for (const own of places.values()) {
    const parts = chosenParts(own.map((place) => runs[place]!));
    for (const [at, place] of own.entries())
      names[place]!.push(...parts.map(({ text }) => text(at)).filter((text) => text !== ''));
  }
  const isOneStrategy = places.size === 1;
  const texts = names.map(([strategy, ...parts]) =>
    (isOneStrategy && parts.length > 0 ? parts : [strategy!, ...parts]).join(', '),
  );
  return numbered(texts);
}

/** Chooses the name parts for runs of one strategy. */
function chosenParts(runs: readonly NamedRun[]): Part[] {
  const facts = runs.map((run) => run.facts);
  const keys = [...new Set(facts.flatMap((fact) => [...fact.keys()]))].filter((key) => key !== 'cash');
  const known = keys.map((key) =>
    partOf(facts.map((fact) => (fact.has(key) ? `${key} ${shortened(fact.get(key)!)}` : `no ${key}`))),
  );
  const differing = known.filter(({ kinds }) => kinds > 1);
  const others = [
    partOf(runs.map(({ symbols }) => symbolsText(symbols))),
    partOf(runs.map(({ period }) => period)),
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

function kindsOf(runs: readonly NamedRun[], parts: readonly Part[]): number {
  return new Set(runs.map((_, run) => parts.map(({ text }) => text(run)).join(', '))).size;
}

function partOf(texts: readonly string[]): Part {
  return { text: (run) => texts[run]!, kinds: new Set(texts).size };
}

function shortened(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE - 1)}…`;
}

/** Formats symbols for a name. */
function symbolsText(symbols: readonly string[]): string {
  return symbols.length <= 2 ? symbols.join(' and ') : `${symbols[0]} and ${symbols.length - 1} more`;
}

/** Appends 2 to the second occurrence of a name, 3 to the third. */
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

/** Formats the first and last day that the figures of a run cover. */
export function periodText({ summary }: Pick<StoredRun, 'summary'>): string {
  const { evaluatedFrom, lastBar } = summary;
  const firstBar = evaluatedFrom ?? summary.firstBar;
  return firstBar === null || lastBar === null ? 'no bar' : `${firstBar} to ${lastBar}`;
}
