import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { computeMetrics, type MetricsOptions } from '../../analysis/index.ts';
import type { StoredRun } from '../../runs/index.ts';
import { readOtherAnswer, trialsOfRun } from '../../runs/index.ts';
import { type ReportSource, reportPage } from './report-page.ts';

/** Names that the pages of a run know each other by. */
export const REPORT_FILE = 'report.html';
export const TRACE_FILE = 'trace.html';

/**
 * The report of a stored run, with the trials of its results folder.
 *
 * @param options how figures are worked out, where not as in the run
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
 * The report of a run as a file beside others: it leads to the trace where there is one.
 *
 * @param beside the folder that the page will lie in
 * @param options how figures are worked out, where not as in the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function linkedReport(run: StoredRun, beside: string, options?: MetricsOptions): string {
  const around = existsSync(join(beside, TRACE_FILE))
    ? { links: [{ text: 'Trace', href: TRACE_FILE }], trace: TRACE_FILE }
    : {};
  return storedReport(run, around, options);
}
