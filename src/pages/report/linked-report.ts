import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { computeMetrics, type MetricsOptions } from '../../analysis/index.ts';
import type { StoredRun } from '../../runs/index.ts';
import { readOtherAnswer, trialsOfRun } from '../../runs/index.ts';
import { type ReportSource, reportPage } from './report-page.ts';

/** File names that the pages of a run use to link to each other. */
export const REPORT_FILE = 'report.html';
export const TRACE_FILE = 'trace.html';

/**
 * Returns the report of a stored run, including the trials in its results folder.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function storedReport(
  run: StoredRun,
  around: Pick<ReportSource, 'links' | 'trace'>,
  options: MetricsOptions = run.options,
): string {
  const { runId, folder, record, manifest, timing, summary } = run;
  return reportPage({
    runId,
    record,
    manifest,
    timing,
    options,
    metrics: options === run.options ? run.metrics : computeMetrics(record, options),
    trials: trialsOfRun(folder, manifest, summary),
    readAt: new Date(),
    otherAnswer: readOtherAnswer(folder),
    ...around,
  });
}

/**
 * Returns the report of a run for storage as a file in the folder `beside`. Links to the trace if this folder
 * contains one.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function linkedReport(run: StoredRun, beside: string, options?: MetricsOptions): string {
  const around = existsSync(join(beside, TRACE_FILE))
    ? { links: [{ text: 'Trace', href: TRACE_FILE }], trace: TRACE_FILE }
    : {};
  return storedReport(run, around, options);
}
