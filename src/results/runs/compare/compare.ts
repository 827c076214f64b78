import {
  equityColumns,
  evaluated,
  mean,
  type PairedDifference,
  pairedDifference,
  type RunSummary,
  seededDraws,
  sessionsOf,
  standardDeviation,
} from '../../analysis/index.ts';
import { type Search, searchesOf } from '../ledger/searches.ts';
import type { StoredRun } from '../read-run.ts';
import {
  currencyOf,
  type Difference,
  type Duplicate,
  duplicatesOf,
  settingsThatDiffer,
  type TradeOverlap,
  tradeOverlap,
  tradingSettings,
} from './overlap.ts';
import { runNames, warningsOf } from './warnings.ts';

/** Figures for comparing runs, in display order. */
export const COMPARED_FIGURES = [
  'totalReturn',
  'cagr',
  'volatility',
  'sharpe',
  'psr',
  'sortino',
  'maxDrawdown',
  'calmar',
  'exposure',
  'turnover',
  'tradeCount',
  'winRate',
  'profitFactor',
  'expectancyRate',
  'finalEquity',
  'commissionPaid',
  'slippagePaid',
  'returnBeforeCosts',
  'returnAfterModel',
  'alpha',
  'beta',
] as const satisfies readonly (keyof RunSummary)[];

export type ComparedFigure = (typeof COMPARED_FIGURES)[number];

/** Comparison of one run with the first run. */
export interface ComparedRun {
  /** Short name that distinguishes the run from the others, for example "fast 50, slow 200". */
  readonly name: string;
  readonly runId: string;
  readonly folder: string;
  readonly strategy: string;
  readonly summary: RunSummary;
  /**
   * Each figure minus the first run's figure. `null` if one of the figures is undefined, or for money in
   * different currencies. Empty for the first run.
   */
  readonly differences: Readonly<Partial<Record<ComparedFigure, number | null>>>;
  /**
   * Comparison of the session returns with the first run. `undefined` for the first run, and for runs that
   * share fewer than ten sessions with the first run.
   */
  readonly against: PairedDifference | undefined;
  /** Number of sessions that both this run and the first run have. */
  readonly sharedSessions: number;
  readonly overlap: TradeOverlap | undefined;
}

/** Samples of one experiment: runs with the same strategy, parameters, settings and data. */
interface SampleGroup {
  readonly strategy: string;
  readonly runIds: readonly string[];
  readonly figures: Readonly<
    Partial<Record<ComparedFigure, { readonly mean: number; readonly deviation: number }>>
  >;
}

export interface Comparison {
  readonly runs: readonly ComparedRun[];
  /** Reasons why the runs are hard to compare: different data, periods or costs. */
  readonly warnings: readonly string[];
  readonly differences: readonly Difference[];
  /** Runs whose result equals that of an earlier run in the list. */
  readonly duplicates: readonly Duplicate[];
  /** Groups of two or more runs with the same strategy, parameters, settings and data (samples). */
  readonly samples: readonly SampleGroup[];
  /**
   * Searches that the compared runs belong to. A search consists of runs of one strategy with different
   * parameters on the same data. Each search contains all its runs (trials) in the results folders and
   * ledgers.
   */
  readonly searches: readonly Search[];
}

/**
 * Compares runs with the first run. Also counts other runs (trials) in the results folders that belong to the
 * same searches.
 */
export function compareRuns(stored: readonly StoredRun[]): Comparison {
  const duplicates = duplicatesOf(stored);
  return {
    runs: comparedWith(0, stored),
    warnings: warningsOf(stored, runNames(stored)),
    differences: settingsThatDiffer(stored),
    duplicates,
    samples: samplesOf(stored, duplicates),
    searches: searchesOf(stored),
  };
}

/**
 * Compares every run with one baseline run.
 *
 * @param baseline index of the baseline in `stored`
 */
export function comparedWith(baseline: number, stored: readonly StoredRun[]): ComparedRun[] {
  const base = stored[baseline]!;
  const { names, own } = materialOf(stored);
  return stored.map((run, place): ComparedRun => {
    const common = {
      name: names[place]!,
      runId: run.runId,
      folder: run.folder,
      strategy: run.summary.strategy,
      summary: run.summary,
    };
    if (place === baseline)
      return {
        ...common,
        differences: {},
        against: undefined,
        sharedSessions: own[baseline]!.equity.size,
        overlap: undefined,
      };
    const shared = sharedReturns(own[place]!, own[baseline]!);
    return {
      ...common,
      differences: differencesOf(run, base),
      against: pairedDifference(shared.first, shared.second, base.summary.periodsPerYear, draw),
      sharedSessions: shared.sessions,
      overlap: tradeOverlap(run.record, base.record),
    };
  });
}

/** Figures in money. The difference of such a figure is undefined if the currencies differ. */
const MONEY: ReadonlySet<ComparedFigure> = new Set(['finalEquity', 'commissionPaid', 'slippagePaid']);

function differencesOf(run: StoredRun, first: StoredRun): ComparedRun['differences'] {
  const isOneCurrency = currencyOf(run) === currencyOf(first);
  return Object.fromEntries(
    COMPARED_FIGURES.map((name) => {
      const [value, base] = [run.summary[name], first.summary[name]];
      const isNone = value === null || base === null || (MONEY.has(name) && !isOneCurrency);
      return [name, isNone ? null : Number(value) - Number(base)];
    }),
  );
}

/** Data for a comparison that does not depend on the choice of the baseline. */
interface Material {
  readonly names: readonly string[];
  readonly own: readonly SessionEquity[];
}

const draw = seededDraws('paired resamples');

const materials = new WeakMap<readonly StoredRun[], Material>();

function materialOf(stored: readonly StoredRun[]): Material {
  const known = materials.get(stored);
  if (known !== undefined) return known;
  const made: Material = {
    names: runNames(stored),
    own: stored.map(sessionEquity),
  };
  materials.set(stored, made);
  return made;
}

interface SessionEquity {
  /** Equity at the end of each session, by date. */
  readonly equity: ReadonlyMap<string, number>;
  /** Return of each session except the first. */
  readonly returns: Float64Array;
}

function sessionEquity({ record }: StoredRun): SessionEquity {
  const { dates, equity } = sessionsOf(equityColumns(evaluated(record)));
  const byDate = new Map(dates.map((date, index) => [date.slice(0, 10), equity[index]!]));
  return { equity: byDate, returns: returnsOf(byDate, [...byDate.keys()]) };
}

function returnsOf(equity: ReadonlyMap<string, number>, dates: readonly string[]): Float64Array {
  return Float64Array.from(
    dates.slice(1),
    (date, index) => equity.get(date)! / equity.get(dates[index]!)! - 1,
  );
}

/** Computes the returns of two runs over the sessions that both runs have. */
function sharedReturns(own: SessionEquity, base: SessionEquity) {
  const dates = [...own.equity.keys()].filter((date) => base.equity.has(date));
  const isAll = ({ equity }: SessionEquity): boolean => equity.size === dates.length;
  const [first, second] = [own, base].map((run) => (isAll(run) ? run.returns : returnsOf(run.equity, dates)));
  const sound = first!.every(Number.isFinite) && second!.every(Number.isFinite);
  return {
    sessions: dates.length,
    first: sound ? first! : new Float64Array(0),
    second: sound ? second! : new Float64Array(0),
  };
}

/**
 * Groups runs that are samples of the same experiment. A duplicate run is excluded, because an identical run
 * is not an independent sample.
 */
function samplesOf(stored: readonly StoredRun[], duplicates: readonly Duplicate[]): SampleGroup[] {
  const groups = new Map<string, StoredRun[]>();
  const repeated = new Set(duplicates.filter(({ isSameRun }) => isSameRun).map(({ run }) => run));
  for (const [place, run] of stored.entries()) {
    if (repeated.has(place)) continue;
    const { strategy, settings, data, bars } = run.record.started;
    const { seed: _, ...terms } = tradingSettings(settings);
    const key = JSON.stringify([strategy, terms, data, bars]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      strategy: group[0]!.summary.strategy,
      runIds: group.map((run) => run.runId),
      figures: Object.fromEntries(
        COMPARED_FIGURES.flatMap((name) => {
          const values = group.map((run) => run.summary[name]);
          if (values.some((value) => value === null)) return [];
          const numbers = values.map(Number);
          return [[name, { mean: mean(numbers), deviation: standardDeviation(numbers) }] as const];
        }),
      ),
    }));
}
