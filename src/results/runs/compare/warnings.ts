import { inferInterval, intervalWords } from '../../../market/index.ts';
import { equityColumns, evaluated } from '../../analysis/index.ts';
import type { StoredRun } from '../read-run.ts';
import { periodText } from './names.ts';
import { currencyOf, settingsOf, tradingSettings } from './overlap.ts';

/**
 * Settings that do not affect comparability: cash, currency, seed and lookback, and the evaluation start,
 * which is reported with the period.
 */
const NOT_TERMS = new Set(['cash', 'seed', 'lookback', 'evaluateFrom', 'currency']);

/** Number of shown digits of a data file's hash. */
const HASH_DIGITS = 8;

/**
 * Returns one sentence for each reason why the runs are hard to compare.
 *
 * @param names names of the runs in the sentences, in their order
 */
export function warningsOf(stored: readonly StoredRun[], names: readonly string[]): string[] {
  const settings = stored.map(({ record }) => tradingSettings(record.started.settings));
  const terms = [...new Set(settings.flatMap(Object.keys))].filter(
    (name) =>
      !NOT_TERMS.has(name) && differ(stored, ({ record }) => tradingSettings(record.started.settings)[name]),
  );
  const those = (isSo: (run: StoredRun) => boolean): string =>
    names.filter((_, index) => isSo(stored[index]!)).join(', ');
  // Runs with the same text are named in one sentence, because a dozen sentences would be hard to read.
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

/** Largest number of names in a sentence. */
const MOST_QUOTED = 3;

function quoted(names: readonly string[]): string {
  const shown = names.length > MOST_QUOTED ? names.slice(0, MOST_QUOTED - 1) : names;
  const rest = names.length - shown.length;
  return `${shown.map((name) => `“${name}”`).join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

/**
 * Largest ratio of estimated periods per year that is not reported. Counts from different days differ
 * slightly.
 */
const PERIODS_ALIKE = 1.05;

function samePeriods(stored: readonly StoredRun[]): boolean {
  const periods = stored.map(({ summary }) => summary.periodsPerYear);
  return Math.max(...periods) <= Math.min(...periods) * PERIODS_ALIKE;
}

/**
 * True if all runs processed the same bars of the same data. Only then can a higher figure be called better.
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
