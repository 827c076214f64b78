import { computeMetrics } from '../../src/results/analysis/figures/metrics.ts';
import { summarise } from '../../src/results/analysis/summary/summary.ts';
import { runFrame, type StoredRun } from '../../src/results/runs/read-run.ts';
import { type RecordSketch, runRecord } from './records.ts';

/** Returns a run as if it was read from a run folder, without writing a folder. */
export function storedRun(runId: string, sketch: RecordSketch, parameters = {}): StoredRun {
  const made = runRecord(sketch);
  const strategy = { ...made.started.strategy, parameters };
  const record = { ...made, started: { ...made.started, strategy } };
  return {
    runId,
    folder: runId,
    record,
    manifest: undefined,
    options: {},
    metrics: computeMetrics(record),
    summary: summarise(record, { runId }),
    timing: undefined,
    toFrame: (name) => runFrame(record, name),
  };
}
