import {
  computeMetrics,
  type Metrics,
  type MetricsOptions,
  type RunSummary,
  recordBetween,
  summarise,
} from '../analysis/index.ts';
import type { BacktestResult, RunOutcome } from '../engine/index.ts';
import type { RecordBuilder, RunRecord } from '../journal/index.ts';
import type { Instant } from '../kernel/index.ts';
import type { NamedBenchmark } from './find-benchmark.ts';
import type { RunOptions } from './options.ts';

/** What a trial came to; nothing of it is written anywhere. */
export interface Evaluation {
  readonly outcome: RunOutcome;
  readonly result: BacktestResult;
  /** As its journal would hold it. */
  readonly record: RunRecord;
  /** By the options of the world, for its record. */
  readonly metrics: Metrics;
  /** What `summary.json` of a run would hold, with an empty run id; worked out when it is first asked for. */
  readonly summary: RunSummary;
  /** The summary without what is expensive to compute: resampling, attributions, and why figures are null. */
  readonly scalars: Scalars;
  /** The same of the bars from one instant to before another; undefined where none that counts lies there. */
  scalarsBetween(from: Instant, to: Instant): Scalars | undefined;
}

type Scalars = Omit<RunSummary, 'verdict' | 'attribution' | 'reasons'>;

/** An evaluation of the events that a trial has left, its record and figures worked out when they are asked for. */
export function evaluationOf(
  result: BacktestResult,
  events: RecordBuilder,
  options: MetricsOptions & {
    readonly modelCutoff: string | undefined;
    readonly platformDoors: readonly string[];
  },
): Evaluation {
  let [record, metrics, summary]: [RunRecord?, Metrics?, RunSummary?] = [];
  return {
    outcome: result.outcome,
    result,
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
  // Both are worked out when they are asked for, and nobody asks for these.
  const cheap: Metrics = Object.create(metrics, { verdict: { value: null }, attribution: { value: null } });
  return summarise(record, { ...options, metrics: cheap, runId: '' });
}

/** How the figures of a run with these options are worked out. */
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
