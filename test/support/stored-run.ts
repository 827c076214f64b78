import { computeMetrics } from '../../src/analysis/metrics.ts';
import { summarise } from '../../src/analysis/summary.ts';
import { runFrame } from '../../src/runs/frames.ts';
import type { StoredRun } from '../../src/runs/read-run.ts';
import { type RecordSketch, runRecord } from './records.ts';

/** A run as it is read from its folder, without one. */
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
