import { inferInterval, intervalWords } from '../../../market/index.ts';
import { equityColumns, evaluated } from '../../analysis/index.ts';
import type { StoredRun } from '../read-run.ts';
import { currencyOf, flatFacts, settingsOf, tradingSettings } from './overlap.ts';

/**
 * Settings for which `warningsOf` gives no separate warning if they differ. Most of these settings do not
 * affect comparability. A different `evaluateFrom` is reported as a different period.
 */
const NOT_TERMS = new Set(['cash', 'seed', 'lookback', 'evaluateFrom', 'currency']);

/** Number of digits of a data file's hash that a warning shows. */
const HASH_DIGITS = 8;

/**
 * Returns one sentence for each reason why the runs are hard to compare.
 *
 * @param names names of the runs for the sentences, in the order of `stored`
 */
export function warningsOf(stored: readonly StoredRun[], names: readonly string[]): string[] {
  const settings = stored.map(({ record }) => tradingSettings(record.started.settings));
  const terms = [...new Set(settings.flatMap(Object.keys))].filter(
    (name) =>
      !NOT_TERMS.has(name) && differ(stored, ({ record }) => tradingSettings(record.started.settings)[name]),
  );
  const those = (isSo: (run: StoredRun) => boolean): string =>
    names.filter((_, index) => isSo(stored[index]!)).join(', ');
  // Returns a list of texts, each with the names of its runs. Runs with equal texts are listed together,
  // because a dozen separate entries would be hard to read.
  const each = (text: (run: StoredRun) => string): string => {
    const groups = new Map<string, string[]>();
    for (const [index, run] of stored.entries())
      groups.set(text(run), [...(groups.get(text(run)) ?? []), names[index]!]);
    const isGrouped = groups.size < stored.length;
    return [...groups]
      .map(([said, own]) => (isGrouped ? `${said} (${quoted(own)})` : `${own[0]} ${said}`))
      .join('; ');
  };
  const unfinished = names.flatMap((name, index) => {
    const { outcome } = stored[index]!.record;
    return outcome === 'completed' ? [] : [`${name} (${outcome})`];
  });
  const doors = ({ summary }: StoredRun): string =>
    summary.sealed ? 'sealed' : `not sealed: ${summary.openDoors.join(', ')}`;
  const damaged = those(({ record }) => record.damage.length > 0);
  return [
    sameData(stored) ? '' : `The data differ: ${each(dataText)}. The runs used different bars.`,
    samePeriod(stored)
      ? ''
      : `The periods differ: ${each(periodText)}. Paired intervals use only the sessions that both runs have.`,
    terms.length > 0
      ? `Costs or trading terms differ (${terms.join(', ')}). They may explain the difference, rather than the strategy.`
      : '',
    differ(stored, ({ summary }) => Number(summary.initialCash)) ? 'The initial cash differs.' : '',
    differ(stored, currencyOf)
      ? `The currencies differ: ${each(currencyOf)}. Amounts of money are not compared, and no figure includes exchange rates.`
      : '',
    differ(stored, barLength)
      ? `The lengths of bars differ: ${each(barLength)}. Shorter bars allow more decisions and fills, and show drawdowns that longer bars hide.`
      : '',
    samePeriods(stored)
      ? ''
      : `Periods per year differ (${[...new Set(stored.map(({ summary }) => Number(summary.periodsPerYear.toFixed(1))))].join(', ')}): volatility and Sharpe ratios are annualised by different counts.`,
    differ(stored, ({ summary }) => summary.openDoors)
      ? `The runs differ in what could influence them from outside: ${each(doors)}.`
      : '',
    unfinished.length === 0
      ? ''
      : `Not completed: ${unfinished.join(', ')}. Figures cover the processed bars only, and differences are not tested.`,
    damaged === '' ? '' : `The journal is incomplete: ${damaged}.`,
  ].filter((line) => line !== '');
}

function barLength({ record }: StoredRun): string {
  const found = inferInterval(equityColumns(evaluated(record)).times);
  return found === undefined ? 'of unknown length' : intervalWords(found.interval);
}

/** Largest number of run names that a warning lists. */
const MOST_QUOTED = 3;

function quoted(names: readonly string[]): string {
  const shown = names.length > MOST_QUOTED ? names.slice(0, MOST_QUOTED - 1) : names;
  const rest = names.length - shown.length;
  return `${shown.map((name) => `“${name}”`).join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

/**
 * Largest ratio of two estimates of periods per year that count as equal. Estimates vary slightly with the
 * first and last day of a run.
 */
const PERIODS_ALIKE = 1.05;

function samePeriods(stored: readonly StoredRun[]): boolean {
  const periods = stored.map(({ summary }) => summary.periodsPerYear);
  return Math.max(...periods) <= Math.min(...periods) * PERIODS_ALIKE;
}

/**
 * True if all runs processed the same bars of the same data. Otherwise a higher figure does not mean a better
 * run.
 */
export function sameBars(stored: readonly StoredRun[]): boolean {
  return sameData(stored) && samePeriod(stored);
}

function sameData(stored: readonly StoredRun[]): boolean {
  return !differ(stored, ({ record }) => record.started.data);
}

function samePeriod(stored: readonly StoredRun[]): boolean {
  return !differ(stored, ({ summary }) => [summary.evaluatedFrom ?? summary.firstBar, summary.lastBar]);
}

function dataText({ record }: StoredRun): string {
  const { data } = record.started;
  const sources = (Array.isArray(data) ? data : []).map(settingsOf);
  const texts = sources.map(({ symbols, sha256 }) => {
    const what = Array.isArray(symbols) ? symbols.join(', ') : 'bars';
    return typeof sha256 === 'string' ? `${what} (sha256 ${sha256.slice(0, HASH_DIGITS)}…)` : what;
  });
  return texts.length === 0 ? 'of no file' : texts.join(' and ');
}

function differ(stored: readonly StoredRun[], what: (run: StoredRun) => unknown): boolean {
  return new Set(stored.map((run) => JSON.stringify(what(run) ?? null))).size > 1;
}

/**
 * Largest number of parts in a run's name, such as "fast 50". If more inputs differ, the name contains only
 * the parts that are needed to distinguish the runs.
 */
const MOST_PARTS = 4;

/** Longest value in a name, in characters. */
const LONGEST_VALUE = 24;

interface Part {
  readonly text: (run: number) => string;
  /** Number of different texts over all runs. A part with only one text does not distinguish the runs. */
  readonly kinds: number;
}

/** Inputs for the name of a run. */
export interface NamedRun {
  readonly strategy: string;
  /** Result of `flatFacts`. */
  readonly facts: ReadonlyMap<string, string>;
  readonly symbols: readonly string[];
  /** First and last day, as text. */
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
 * Returns names that state the differences between runs, for example "fast 50, slow 200". A name contains
 * only what differs: first the strategy, then parameters and settings, then symbols and period. Equal names
 * are numbered.
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

/** Formats the symbols of a run for the name of the run. */
function symbolsText(symbols: readonly string[]): string {
  return symbols.length <= 2 ? symbols.join(' and ') : `${symbols[0]} and ${symbols.length - 1} more`;
}

/** Makes names unique: appends "(2)" to the second occurrence of a name, "(3)" to the third. */
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
