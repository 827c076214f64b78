import type { RunRecord } from '../../../journal/index.ts';
import { againstBenchmark, type CommonPeriod } from '../benchmark/against-benchmark.ts';
import type { BenchmarkChoice } from '../benchmark/benchmark.ts';
import type { Coverage } from '../benchmark/benchmark-coverage.ts';
import { type BenchmarkRow, benchmarkRows, type KnownFigures } from '../series/benchmark-rows.ts';
import type { PathFigure, PathTerms } from '../series/ratios.ts';
import { evaluated } from '../summary/evaluation.ts';
import { recordPart } from '../summary/part.ts';
import { drawOfVerdict } from '../summary/verdict.ts';
import { meanExposure, tradingCosts, turnover } from './costs.ts';
import { drawdownCurve } from './drawdown.ts';
import { type EquityColumns, equityColumns } from './equity.ts';
import { type Figure, mean, type Undefined } from './figures.ts';
import { calendarDays, sessionReturns } from './returns.ts';
import { DAYS_PER_YEAR, sessionsOf } from './sessions.ts';

/** Metrics of the run that the table shows without computing them again. */
interface KnownMetrics extends Readonly<Record<PathFigure | 'meanExposure' | 'turnover', Figure>> {
  readonly periodsPerYear: number;
  readonly commonPeriod: CommonPeriod | null;
}

/** Options with which `computeMetrics` computed the metrics. Rates are annual, as fractions. */
interface KnownOptions {
  readonly riskFreeRate?: number;
  readonly minimumAcceptableReturn?: number;
  readonly benchmark?: BenchmarkChoice;
}

/**
 * Returns the main table of a report. Each row contains one figure of the run, of its benchmark, and of the
 * benchmark at the run's volatility. Each row also contains the difference between run and benchmark with its
 * 95 % interval. The intervals use the same resamples as the verdict.
 *
 * If the benchmark covers only a part of the run, the run's own figures still cover the whole run. The
 * figures of the benchmark and the differences cover only the sessions that the benchmark covers.
 *
 * @param metrics metrics of `whole`, computed with `options`
 */
export function benchmarkTable(
  whole: RunRecord,
  metrics: KnownMetrics,
  options: KnownOptions = {},
): BenchmarkRow[] {
  const record = evaluated(whole);
  const columns = equityColumns(record);
  const { periodsPerYear, commonPeriod } = metrics;
  const riskFree = (options.riskFreeRate ?? 0) / periodsPerYear;
  const { pair, equity, covered } = againstBenchmark(
    record,
    columns,
    sessionReturns(sessionsOf(columns)),
    options.benchmark,
    { periodsPerYear, riskFree },
  );
  const isPaired = !('reason' in pair);
  const years =
    commonPeriod === null || !isPaired
      ? calendarDays(columns.times) / DAYS_PER_YEAR
      : pair.own.length / periodsPerYear;
  const terms: PathTerms = {
    periodsPerYear,
    years,
    riskFree,
    acceptable: (options.minimumAcceptableReturn ?? 0) / periodsPerYear,
  };
  const rest = { exposure: metrics.meanExposure.value, turnover: metrics.turnover.value };
  const isWhole = commonPeriod === null;
  return benchmarkRows({
    own: isPaired ? pair.own : undefined,
    held: isPaired ? pair.benchmark : undefined,
    terms,
    known:
      isWhole || covered === undefined
        ? { ...ownFigures(metrics), ...rest }
        : exposureOfPart(record, columns, covered, years),
    ...(isWhole ? {} : { whole: { ...ownFigures(metrics), ...rest } }),
    knownHeld: equity === undefined ? {} : heldFigures(columns, equity, terms.years, isWhole),
    draw: drawOfVerdict,
  });
}

function ownFigures(metrics: KnownMetrics): KnownFigures {
  return {
    totalReturn: metrics.totalReturn.value,
    cagr: metrics.cagr.value,
    volatility: metrics.volatility.value,
    sharpe: metrics.sharpe.value,
    sortino: metrics.sortino.value,
    maxDrawdown: metrics.maxDrawdown.value,
    conditionalValueAtRisk: metrics.conditionalValueAtRisk.value,
  };
}

/**
 * Computes exposure and turnover of the run over the bars that the benchmark covers. This period begins at
 * the close of the first covered bar.
 */
function exposureOfPart(
  record: RunRecord,
  columns: EquityColumns,
  { from, to }: Coverage,
  years: number,
): KnownFigures {
  const range = [from === 0 ? 0 : from + 1, to + 1] as const;
  const part = recordPart(record, ...range);
  if (part === undefined) return { exposure: null, turnover: null };
  const number = (value: number | Undefined): number | null => (typeof value === 'number' ? value : null);
  return {
    exposure: number(meanExposure(part)),
    // The columns of the part itself cannot be read if the equity before the part is not positive.
    turnover: number(
      turnover(
        tradingCosts(part).tradedNotional,
        { ...columns, times: columns.times.subarray(...range), equity: columns.equity.subarray(...range) },
        years,
      ),
    ),
  };
}

/**
 * Exposure and turnover of a benchmark that is bought once and never sold. The exposure is 1, and only the
 * initial cash is traded.
 */
function heldFigures(
  columns: EquityColumns,
  equity: Float64Array,
  years: number,
  isWhole: boolean,
): KnownFigures {
  const held = equity.filter((value) => !Number.isNaN(value));
  const initialCash = columns.initialCash.toNumber();
  const rest = {
    exposure: 1,
    turnover: held.length === 0 || years === 0 ? null : initialCash / mean(held) / years,
  };
  if (!isWhole || held.length === 0) return rest;
  const totalReturn = held.at(-1)! / initialCash - 1;
  return {
    ...rest,
    totalReturn,
    cagr: years === 0 || totalReturn <= -1 ? null : (1 + totalReturn) ** (1 / years) - 1,
    maxDrawdown: drawdownCurve({ ...columns, equity: held }).reduce((low, value) => Math.min(low, value), 0),
  };
}
