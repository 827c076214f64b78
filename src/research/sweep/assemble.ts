import { formatInstant } from '../../kernel/index.ts';
import {
  type BlockSums,
  countTrials,
  deflatedSharpe,
  groupAlarms,
  overfittingOfBlocks,
  shapeOf,
  sharpeOfBlocks,
} from '../../results/analysis/index.ts';
import { type LedgerRecord, pointsOf, recordsOnData, type SweepResult } from '../../results/runs/index.ts';
import { answerOf } from './answer.ts';
import type { TrialResult } from './executor.ts';
import { effectsOf, equalCounts, heatmapsOf, plateauOf, slicesOf, type TimeBlocks } from './maps.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SearchEnd, Tried } from './trial-runner.ts';

const TOP = 10;
/** Maximum number of different failures that the result lists. */
const MOST_FAILURES = 10;
/** 97.5 % quantile of the standard normal distribution, for two-sided 95 % confidence intervals. */
const Z = 1.959963984540054;

/** Results and inputs from which the content of `sweep.json` is computed. */
export interface SweepParts {
  readonly prepared: PreparedSweep;
  readonly end: SearchEnd;
  /**
   * Result of the best combination's second run, which follows the search and contains a complete summary.
   * `undefined` if no combination is the best.
   */
  readonly best: TrialResult | undefined;
  readonly blocks: TimeBlocks;
  readonly walkForward: SweepResult['walkForward'];
  readonly crossValidation: SweepResult['crossValidation'];
  /**
   * Records of the ledger, which lists all evaluations of strategies on data. `earlier` are the records from
   * before this sweep, `own` the records of this sweep.
   */
  readonly earlier: readonly LedgerRecord[];
  readonly own: readonly LedgerRecord[];
}

/**
 * Conclusion if the best trial had a result in the search but failed in its second run. Only the second run
 * checks the signals of a Python strategy at as many bars as a normal run.
 */
const FAILED_AGAIN = 'The best trial failed when it was run again, so there is no best trial.';

export function assembleSweep(parts: SweepParts): SweepResult {
  const { prepared, end, blocks } = parts;
  const { objective, space, strategy, files, period } = prepared;
  const { clock } = files.market;
  const rated = end.tried.filter(({ objective: value, share }) => value !== null && share === 1);
  const sorted = [...rated].sort((one, other) => {
    if (one.objective === other.objective) return 0;
    return objective.isBetter(one.objective!, other.objective!) ? -1 : 1;
  });
  const finished = end.tried.filter(({ result }) => result.figures !== null);
  const full = finished.filter(({ share, result }) => share === 1 && result.blocks !== undefined);
  const even = equalCounts(full.map(({ result }) => result.blocks!));
  const periodsPerYear = Number(rated[0]?.result.figures?.periodsPerYear ?? 252);
  const looks = looksOf(parts);
  const pbo = pboOf(blocks, even);
  const deflated = deflatedOf(parts, periodsPerYear, looks.inSearch);
  const effects = effectsOf(prepared, end);
  const best =
    end.best === undefined || parts.best?.summary === undefined ? null : bestOf(end.best, parts.best);
  const result = {
    schema: 1 as const,
    strategy: {
      name: strategy.name,
      file: typeof prepared.request.strategy === 'string' ? prepared.request.strategy : null,
      sha256: prepared.ground.strategy,
    },
    objective: {
      text: objective.text,
      minimise: objective.minimise,
      constraints: [...objective.constraints],
    },
    search: { name: prepared.name, seed: prepared.seed, trials: prepared.request.trials ?? null },
    space: space.dimensions.map((one) =>
      'values' in one ? { ...one, values: [...one.values] } : { ...one },
    ),
    data: prepared.sources.map(({ symbols, sha256 }) => ({ symbols: [...symbols], sha256 })),
    period: {
      firstBar: formatInstant(clock[0]!),
      lastBar: formatInstant(clock.at(-1)!),
      bars: clock.length,
      evaluatedFrom: period.evaluateFrom ?? null,
      holdoutFrom: prepared.holdoutFrom ?? null,
    },
    counts: {
      trials: end.tried.length,
      refused: end.refused,
      failed: end.tried.length - finished.length,
      unrated: finished.filter(({ objective: value }) => value === null).length,
    },
    failures: failuresOf(end.tried),
    alarms: groupAlarms(end.tried.map(({ result }) => result.alarms)),
    warnings: [...prepared.warnings, ...prepared.notes, ...effects.notes],
    best,
    top: sorted.slice(0, TOP).map(topOf),
    plateau:
      end.best === undefined
        ? null
        : plateauOf(
            space,
            end.tried.filter(({ share }) => share === 1),
            end.best,
            objective,
          ),
    heatmaps: heatmapsOf(space, end.tried, objective),
    slices: slicesOf(space, end.tried, objective),
    stability: stabilityOf(end.best, full, even, blocks, periodsPerYear),
    scatter: scatterOf(full, even, periodsPerYear),
    looks: looks.counts,
    deflatedSharpe: deflated,
    pbo,
    walkForward: parts.walkForward,
    crossValidation: parts.crossValidation,
  };
  const none = best === null && end.best !== undefined ? FAILED_AGAIN : effects.none;
  return { ...result, answer: none === undefined ? answerOf(result) : { holds: null, text: none } };
}

function bestOf({ trial, objective }: Tried, { summary }: TrialResult): NonNullable<SweepResult['best']> {
  const { runId: _, ...rest } = summary!;
  return { id: trial.id, parameters: { ...trial.parameters }, objective: objective!, summary: rest };
}

/** Returns a trial's parameters and the metrics that the sweep's tables show for each trial. */
export function topOf({ trial, result, objective }: Tried): SweepResult['top'][number] {
  const number = (name: string): number | null => {
    const value = result.figures?.[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    id: trial.id,
    parameters: { ...trial.parameters },
    objective,
    totalReturn: number('totalReturn'),
    sharpe: number('sharpe'),
    maxDrawdown: number('maxDrawdown'),
    tradeCount: number('tradeCount'),
  };
}

function failuresOf(tried: readonly Tried[]): SweepResult['failures'] {
  const counts = new Map<string, number>();
  for (const { result } of tried) {
    if (result.figures !== null) continue;
    const message = result.error?.message ?? result.outcome;
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return [...counts]
    .map(([message, trials]) => ({ message, trials }))
    .sort((one, other) => other.trials - one.trials || (one.message < other.message ? -1 : 1))
    .slice(0, MOST_FAILURES);
}

function pboOf(blocks: TimeBlocks, even: readonly BlockSums[]): SweepResult['pbo'] {
  const none = { value: null, interval: null, blocks: blocks.starts.length, splits: 0 };
  if (blocks.starts.length === 0) return { ...none, reason: 'too few sessions' };
  const found = overfittingOfBlocks(even);
  if ('reason' in found) return { ...none, reason: found.reason };
  const { probability, interval, splits } = found;
  return {
    value: probability,
    interval: interval === null ? null : [...interval],
    blocks: found.blocks,
    splits,
  };
}

function looksOf({ prepared, earlier, own }: SweepParts) {
  const data = prepared.sources.map(({ sha256 }) => sha256);
  const before = recordsOnData(earlier, data);
  const total = pointsOf([...before, ...own]).size;
  const sweep = pointsOf(own).size;
  const search = own.find((look) => look.search !== null)?.search;
  const known = new Set(own.map(({ id }) => id));
  return {
    counts: {
      sweep,
      before: total - sweep,
      total,
      project: prepared.request.options.project ?? null,
    },
    /** Records of earlier sweeps whose trials ran the same strategy on exactly the same bars. */
    inSearch: before.filter((look) => look.search !== null && look.search === search && !known.has(look.id)),
  };
}

function deflatedOf(
  { prepared, end, best, own }: SweepParts,
  periodsPerYear: number,
  earlier: readonly LedgerRecord[],
): SweepResult['deflatedSharpe'] {
  const trials = countTrials(
    [...own.filter((look) => look.search !== null), ...earlier].map(({ id, sharpe, result }) => ({
      runId: id,
      folder: id,
      sharpe,
      result: result ?? id,
    })),
    periodsPerYear,
  );
  const common = { trials: trials.trials, luckySharpe: trials.luckySharpe.value };
  if (end.best === undefined || best?.returns === undefined)
    return {
      value: null,
      reason: end.best === undefined ? 'no trial has an objective' : 'the best trial failed when run again',
      ...common,
      sharpeInterval: null,
    };
  const returns = Float64Array.from(best.returns);
  const riskFree = prepared.request.options.riskFree ?? 0;
  const { value, reason } = deflatedSharpe(returns, trials, periodsPerYear, riskFree);
  const sharpe = best.figures?.sharpe;
  return {
    value,
    ...(reason === undefined ? {} : { reason }),
    ...common,
    sharpeInterval: typeof sharpe === 'number' ? intervalOf(sharpe, returns, periodsPerYear) : null,
  };
}

/**
 * Returns the 95 % confidence interval of a Sharpe ratio.
 *
 * Standard error by E. Mertens (2002), valid for returns of any skewness and kurtosis.
 */
function intervalOf(sharpe: number, returns: Float64Array, periodsPerYear: number): [number, number] | null {
  const { skewness, kurtosis } = shapeOf(returns);
  const ratio = sharpe / Math.sqrt(periodsPerYear);
  const variance = (1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio) / (returns.length - 1);
  const width = Z * Math.sqrt(variance * periodsPerYear);
  return Number.isFinite(width) ? [sharpe - width, sharpe + width] : null;
}

function stabilityOf(
  best: Tried | undefined,
  full: readonly Tried[],
  even: readonly BlockSums[],
  { starts }: TimeBlocks,
  periodsPerYear: number,
): SweepResult['stability'] {
  const place = best === undefined ? -1 : full.indexOf(best);
  if (place < 0 || starts.length === 0) return [];
  return Array.from({ length: starts.length / 2 }, (_, part) => {
    const own = [2 * part, 2 * part + 1];
    const ratios = even.map((sums) => sharpeOfBlocks(sums, own));
    const next = starts[2 * part + 2];
    return {
      from: formatInstant(starts[2 * part]!),
      to: next === undefined ? 'end' : formatInstant(next),
      sharpe: ratios[place]! * Math.sqrt(periodsPerYear),
      rank: 1 + ratios.filter((ratio) => ratio > ratios[place]!).length,
      trials: ratios.length,
    };
  });
}

function scatterOf(
  full: readonly Tried[],
  even: readonly BlockSums[],
  periodsPerYear: number,
): SweepResult['scatter'] {
  const blocks = even[0]?.count.length ?? 0;
  if (blocks < 2) return [];
  const half = Array.from({ length: blocks / 2 }, (_, block) => block);
  const yearly = Math.sqrt(periodsPerYear);
  return full.map(({ trial }, index) => ({
    id: trial.id,
    inSample: sharpeOfBlocks(even[index]!, half) * yearly,
    outOfSample:
      sharpeOfBlocks(
        even[index]!,
        half.map((block) => block + blocks / 2),
      ) * yearly,
  }));
}
