import type { RunSummary } from '../../analysis/index.ts';
import {
  equityColumns,
  evaluated,
  mean,
  type PairedDifference,
  pairedDifference,
  seededDraws,
  sessionsOf,
  standardDeviation,
} from '../../analysis/index.ts';
import type { StoredRun } from '../read-run.ts';
import { type Search, searchesOf } from '../searches.ts';
import { type Duplicate, duplicatesOf } from './duplicates.ts';
import { currencyOf, type Difference, settingsThatDiffer, tradingSettings } from './facts.ts';
import { runNames } from './names.ts';
import { type TradeOverlap, tradeOverlap } from './overlap.ts';
import { warningsOf } from './warnings.ts';

/** The figures that runs are compared by, in this order. */
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

/** How one run stands beside the first. */
export interface ComparedRun {
  /** What tells it from the others, as in "fast 50, slow 200". */
  readonly name: string;
  readonly runId: string;
  readonly folder: string;
  readonly strategy: string;
  readonly summary: RunSummary;
  /** Figure less the first run's; null where either is not defined, and of money in another currency. Empty for the first run. */
  readonly differences: Readonly<Partial<Record<ComparedFigure, number | null>>>;
  /** Undefined for the first run, and where the two share fewer than ten sessions. */
  readonly against: PairedDifference | undefined;
  /** Sessions that it shares with the first. */
  readonly sharedSessions: number;
  readonly overlap: TradeOverlap | undefined;
}

/** Runs of the same strategy, parameters, settings and data: samples of one thing. */
interface SampleGroup {
  readonly strategy: string;
  readonly runIds: readonly string[];
  readonly figures: Readonly<
    Partial<Record<ComparedFigure, { readonly mean: number; readonly deviation: number }>>
  >;
}

export interface Comparison {
  readonly runs: readonly ComparedRun[];
  /** What makes the runs hard to compare: other data, another period, other costs. */
  readonly warnings: readonly string[];
  readonly differences: readonly Difference[];
  /** Runs that came to the same as one before them, by their places. */
  readonly duplicates: readonly Duplicate[];
  /** Only groups of two and more. */
  readonly samples: readonly SampleGroup[];
  /** What the runs were chosen from, as the results folders have it now. */
  readonly searches: readonly Search[];
}

/** Compares runs with the first of them, and counts in their results folders what else was tried. */
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
 * Each run beside one of them.
 *
 * @param baseline place of the run that the others are compared with
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

/** Figures in money: of two currencies they have no difference. */
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

/** What is the same from the side of every baseline. */
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
  /** At each session's end, by its date. */
  readonly equity: ReadonlyMap<string, number>;
  /** From each session to the next. */
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

/** Returns of two runs between the sessions that both have. */
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

/** Of runs that are each other's duplicates one is taken: the same result again is no further sample. */
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
