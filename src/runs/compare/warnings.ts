import type { StoredRun } from '../read-run.ts';
import { settingsOf } from './facts.ts';
import { periodText } from './names.ts';

/**
 * Settings that are no terms of trading: what was there to trade with, chance, how far a strategy looks back, and the day
 * that figures begin with, which the period says.
 */
const NOT_TERMS = new Set(['cash', 'seed', 'lookback', 'evaluateFrom']);

/** Digits of a data file's hash that identify it. */
const HASH_DIGITS = 8;

/**
 * What makes runs hard to compare, a sentence each.
 *
 * @param names what the sentences call the runs, in their order
 */
export function warningsOf(stored: readonly StoredRun[], names: readonly string[]): string[] {
  const settings = stored.map(({ record }) => settingsOf(record.started.settings));
  const terms = [...new Set(settings.flatMap(Object.keys))].filter(
    (name) =>
      !NOT_TERMS.has(name) && differ(stored, ({ record }) => settingsOf(record.started.settings)[name]),
  );
  const those = (isSo: (run: StoredRun) => boolean): string =>
    names.filter((_, index) => isSo(stored[index]!)).join(', ');
  // Runs of which the same is said are named together: a dozen would be a wall of words.
  const each = (text: (run: StoredRun) => string): string => {
    const groups = new Map<string, string[]>();
    for (const [index, run] of stored.entries())
      groups.set(text(run), [...(groups.get(text(run)) ?? []), names[index]!]);
    const quoted = (own: readonly string[]): string => own.map((name) => `“${name}”`).join(', ');
    return [...groups]
      .map(([said, own]) => (own.length === 1 ? `${own[0]} ${said}` : `${said} (${quoted(own)})`))
      .join('; ');
  };
  const unfinished = those(({ record }) => record.outcome !== 'completed');
  const doors = ({ summary }: StoredRun): string =>
    summary.sealed ? 'sealed' : `not sealed: ${summary.openDoors.join(', ')}`;
  const damaged = those(({ record }) => record.damage.length > 0);
  return [
    sameData(stored) ? '' : `The data are not the same: ${each(dataText)}. These runs saw other bars.`,
    samePeriod(stored)
      ? ''
      : `The period is not the same: ${each(periodText)}. Only sessions that both runs have go into the paired intervals.`,
    terms.length > 0
      ? `Costs or trading terms are not the same (${terms.join(', ')}): what differs may be they, not the strategy.`
      : '',
    differ(stored, ({ summary }) => Number(summary.initialCash)) ? 'The initial cash is not the same.' : '',
    samePeriods(stored) ? '' : 'Periods a year are not the same.',
    differ(stored, ({ summary }) => summary.openDoors)
      ? `What could reach the runs is not the same: ${each(doors)}.`
      : '',
    unfinished === '' ? '' : `Not completed: ${unfinished}.`,
    damaged === '' ? '' : `The journal is not whole: ${damaged}.`,
  ].filter((line) => line !== '');
}

/** Counted from data of other days they differ by a little, which says nothing. */
const PERIODS_ALIKE = 1.05;

function samePeriods(stored: readonly StoredRun[]): boolean {
  const periods = stored.map(({ summary }) => summary.periodsPerYear);
  return Math.max(...periods) <= Math.min(...periods) * PERIODS_ALIKE;
}

/** Whether all runs processed the same bars of the same data, so that more of a figure can be called better. */
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
