import type { BacktestResult, RunOutcome } from '../engine/index.ts';
import type { RecordBuilder, RunRecord } from '../journal/index.ts';
import type { Instant } from '../kernel/index.ts';
import {
  computeMetrics,
  type Metrics,
  type MetricsOptions,
  type RunSummary,
  recordBetween,
  summarise,
} from '../results/analysis/index.ts';
import type { RunOptions } from './inputs/options.ts';
import type { NamedBenchmark } from './run-benchmark.ts';

interface EvaluationOptions extends MetricsOptions {
  readonly modelCutoff: string | undefined;
  readonly platformDoors: readonly string[];
}

/** Result of a trial, which is a run in memory without a folder. */
export interface Evaluation {
  readonly outcome: RunOutcome;
  readonly result: BacktestResult;
  /** All events of the trial, with the same content as the journal that a run with a folder writes. */
  readonly record: RunRecord;
  /** Benchmark, risk-free rate and other options with which the metrics are computed. */
  readonly options: EvaluationOptions;
  /** Metrics that are computed with `options`. */
  readonly metrics: Metrics;
  /** Same content as `summary.json` of a run, with an empty run id. Computed on first access. */
  readonly summary: RunSummary;
  /**
   * Summary without the fields that are slow to compute (verdict and attribution), and without the reasons
   * why metrics are `null`.
   */
  readonly scalars: Scalars;
  /**
   * Returns the scalars for the bars from `from`, inclusive, to `to`, exclusive. `undefined` if no evaluated
   * bar is in this range.
   */
  scalarsBetween(from: Instant, to: Instant): Scalars | undefined;
}

type Scalars = Omit<RunSummary, 'verdict' | 'attribution' | 'reasons'>;

/** Creates an evaluation from the events of a trial. Record and metrics are computed on first access. */
export function evaluationOf(
  result: BacktestResult,
  events: RecordBuilder,
  options: EvaluationOptions,
): Evaluation {
  let [record, metrics, summary]: [RunRecord?, Metrics?, RunSummary?] = [];
  return {
    outcome: result.outcome,
    result,
    options,
    get record() {
      record ??= events.finish();
      return record;
    },
    get metrics() {
      metrics ??= computeMetrics(this.record, options);
      return metrics;
    },
    get scalars() {
      return summary ?? scalarsOf(this.record, this.metrics, options);
    },
    scalarsBetween(from, to) {
      const part = recordBetween(this.record, from, to);
      return part && scalarsOf(part, computeMetrics(part, options), options);
    },
    get summary() {
      summary ??= summarise(this.record, { ...options, metrics: this.metrics, runId: '' });
      return summary;
    },
  };
}

function scalarsOf(record: RunRecord, metrics: Metrics, options: MetricsOptions): Scalars {
  // Verdict and attribution are slow to compute and not part of the scalars, so they are replaced by `null`.
  const cheap: Metrics = Object.create(metrics, { verdict: { value: null }, attribution: { value: null } });
  return summarise(record, { ...options, metrics: cheap, runId: '' });
}

/** Returns the options for metrics from the options of a run. */
export function metricsOptions(
  { periodsPerYear, riskFree, minimumReturn }: RunOptions,
  benchmark: NamedBenchmark | undefined,
): MetricsOptions {
  return {
    ...(periodsPerYear === undefined ? {} : { periodsPerYear }),
    ...(riskFree === undefined ? {} : { riskFreeRate: riskFree }),
    ...(minimumReturn === undefined ? {} : { minimumAcceptableReturn: minimumReturn }),
    ...(benchmark === undefined
      ? {}
      : { benchmark: 'series' in benchmark ? benchmark.series : benchmark.symbol }),
  };
}
