import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  countTrials,
  deflatedSharpe,
  distinctTrials,
  equityColumns,
  evaluated,
  type Figure,
  figure,
  type Overfitting,
  overfittingOf,
  sessionReturns,
  sessionsOf,
  type Trial,
  type TrialCount,
  type Undefined,
  undefinedBecause,
} from '../../analysis/index.ts';
import type { StoredRun } from '../read-run.ts';
import { ledgerStoreOf } from './ledger.ts';
import { trialsOfLedger } from './ledger-records.ts';
import { type SearchKey, searchesIn, searchOf, storeOf, trialOf } from './search.ts';

/**
 * Search that compared runs belong to: all runs of a strategy with different parameters on the same data. The
 * runs (trials) are found in the results folders and ledgers.
 */
export interface Search extends TrialCount {
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly firstBar: string | null;
  readonly lastBar: string | null;
  /** Compared runs that belong to the search. */
  readonly compared: readonly {
    readonly runId: string;
    /** Deflated Sharpe ratio of the run, computed with all trials of the search. */
    readonly dsr: Figure;
  }[];
  /** Probability of backtest overfitting (PBO): of choosing a trial that was best only by luck. */
  readonly pbo: Figure;
  /** Details of the PBO estimate. `null` if the estimate is undefined. */
  readonly crossValidation: Overfitting | null;
}

const PBO_CONVENTION =
  'share of the ways to halve the sessions, in S even blocks, in which the trial with the best Sharpe ratio on one half was no better than the middle on the other';

/**
 * Returns the searches that runs belong to, with the trials in the results folders of the runs and in their
 * ledgers.
 *
 * @param stored compared runs
 */
export function searchesOf(stored: readonly StoredRun[]): Search[] {
  const stores = new Set(stored.map(({ folder }) => storeOf(folder)));
  const strategies = new Set(stored.map(({ summary }) => summary.strategy));
  const found = [...stores].map((store) => searchesIn(store, strategies));
  const groups = new Map<string, StoredRun[]>();
  for (const run of stored) {
    const key = run.manifest && searchOf(run.manifest, run.summary);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups].map(([key, runs]) => {
    // The compared runs count as trials even if their summaries are outdated or missing. Their figures were
    // computed from their journals.
    const own = runs.map(({ runId, folder, summary }) => trialOf(runId, resolve(folder), summary));
    const known = new Set(own.map(({ folder }) => folder));
    const others = found.flatMap((searches) => searches.get(key) ?? []);
    const kept = [...own, ...others.filter(({ folder }) => !known.has(folder))];
    return searchFrom(runs, kept, looksOf(key, runs, kept));
  });
}

/**
 * Returns trials of the search `key` that the ledgers contain and that are not in `kept`. Each trial is
 * included once.
 */
function looksOf(key: SearchKey, runs: readonly StoredRun[], kept: readonly Trial[]): Trial[] {
  const ledgers = new Map(
    runs.map(({ folder, summary, manifest }) => [
      ledgerStoreOf(folder),
      { folder, summary, project: manifest?.project },
    ]),
  );
  const found = new Map<string, Trial>();
  for (const { folder, summary, project } of ledgers.values())
    for (const trial of trialsOfLedger(folder, { project, strategy: summary.strategy }).of(key, kept))
      found.set(trial.runId, trial);
  return [...found.values()];
}

/**
 * Builds the search of compared runs from its trials.
 *
 * @param kept trials with a run folder
 * @param looks trials that only the ledger contains
 */
function searchFrom(runs: readonly StoredRun[], kept: readonly Trial[], looks: readonly Trial[]): Search {
  const [{ summary }] = runs as readonly [StoredRun];
  const count = countTrials([...kept, ...looks], summary.periodsPerYear);
  const returns = returnsOfTrials(distinctTrials(kept), runs);
  const crossed = 'reason' in returns ? returns : overfittingOf(returns);
  return {
    strategy: summary.strategy,
    symbols: summary.symbols,
    firstBar: summary.firstBar,
    lastBar: summary.lastBar,
    ...count,
    compared: runs.map(({ runId, record, options, summary: own }) => ({
      runId,
      dsr: deflatedSharpe(
        sessionReturns(sessionsOf(equityColumns(evaluated(record)))),
        count,
        own.periodsPerYear,
        options.riskFreeRate,
      ),
    })),
    pbo: figure(PBO_CONVENTION, 'reason' in crossed ? crossed : crossed.probability),
    crossValidation: 'reason' in crossed ? null : crossed,
  };
}

/** Returns the session returns of each trial, from its `equity.csv`. */
function returnsOfTrials(trials: readonly Trial[], runs: readonly StoredRun[]): Float64Array[] | Undefined {
  const [{ record }] = runs as readonly [StoredRun];
  // All trials of a search have the same bars as this run, and therefore the same sessions. `equity.csv` does
  // not contain the initial cash, so the return of the first session is omitted.
  const columns = { ...equityColumns(evaluated(record)), startsBefore: false };
  const all: Float64Array[] = [];
  for (const { runId, folder } of trials) {
    const equity = readEquity(join(folder, 'equity.csv'));
    if (equity?.length !== columns.times.length)
      return undefinedBecause(`the equity.csv of ${runId} cannot be read or has other bars`);
    const returns = sessionReturns(sessionsOf({ ...columns, equity }));
    if ('reason' in returns) return undefinedBecause(`${runId}: ${returns.reason}`);
    all.push(returns);
  }
  return all;
}

/**
 * Returns the column `equity` of an `equity.csv`. The cells of this file contain neither quotes nor commas.
 */
function readEquity(file: string): Float64Array | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return undefined;
  }
  const column = lines[0]?.split(',').indexOf('equity') ?? -1;
  const equity = Float64Array.from(lines.slice(1), (line) => Number(line.split(',')[column] || Number.NaN));
  return equity.every(Number.isFinite) ? equity : undefined;
}

/**
 * Describes searches with one or two sentences per search. Searches with a single trial share one sentence.
 */
export function searchSentences(searches: readonly Search[], nameOf: (runId: string) => string): string[] {
  const single = searches.filter(({ trials }) => trials === 1);
  const alone =
    single.length === 0
      ? []
      : [
          `One trial only, so no choice was made and no Sharpe ratio is deflated: ${single.map(subjectOf).join('; ')}.`,
        ];
  return [
    ...searches.filter((search) => !single.includes(search)).map((search) => searchSentence(search, nameOf)),
    ...alone,
  ];
}

function subjectOf({ strategy, symbols, firstBar, lastBar }: Search): string {
  return `${strategy} on ${symbols.join(', ')}, ${firstBar} to ${lastBar}`;
}

function searchSentence(search: Search, nameOf: (runId: string) => string): string {
  const { runs, trials, luckySharpe, compared, pbo, crossValidation } = search;
  const found = `${trials} different trials of ${subjectOf(search)} in the results folder and its ledger (${runs} runs)`;
  if (luckySharpe.value === null) return `${found}: no deflated Sharpe ratio, ${luckySharpe.reason ?? ''}.`;
  const deflated = deflatedTexts(compared, nameOf);
  const overfit =
    crossValidation === null || pbo.value === null
      ? `No probability of overfitting: ${pbo.reason ?? ''}.`
      : `Probability that choosing the best of them overfits (PBO): ${percent(pbo.value)}, over ${crossValidation.splits} ways to halve ${crossValidation.returns} sessions in ${crossValidation.blocks} blocks${crossValidation.trials === trials ? '' : `, of the ${crossValidation.trials} whose runs are kept`}.`;
  return `${found}. Luck alone would show a Sharpe ratio of ${luckySharpe.value.toFixed(2)} in the best of them; the probability that the true one is above that (DSR): ${deflated.join(', ')}. ${overfit}`;
}

/**
 * Largest number of runs whose deflated Sharpe ratio is listed. If there are more runs, the runs with the
 * highest ratios are listed.
 */
const MOST_DEFLATED = 5;

function deflatedTexts(compared: Search['compared'], nameOf: (runId: string) => string): string[] {
  const isLong = compared.length > MOST_DEFLATED;
  const ordered = isLong
    ? compared.toSorted((one, other) => (other.dsr.value ?? -1) - (one.dsr.value ?? -1))
    : compared;
  const texts = ordered
    .slice(0, MOST_DEFLATED)
    .map(
      ({ runId, dsr }) =>
        `${nameOf(runId)} ${dsr.value === null ? `none (${dsr.reason ?? ''})` : percent(dsr.value)}`,
    );
  return isLong ? [...texts, `no more for the other ${compared.length - MOST_DEFLATED}`] : texts;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
