import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ReportSource, reportPage } from './report-page.ts';

/** Names that the pages of a run know each other by. */
export const REPORT_FILE = 'report.html';
export const TRACE_FILE = 'trace.html';

/**
 * The report of a run as a file beside others: it leads to the trace where there is one.
 *
 * @param beside the folder that the page will lie in
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function linkedReport({ runId, record, manifest }: ReportSource, beside: string): string {
  const source = { runId, record, manifest };
  if (!existsSync(join(beside, TRACE_FILE))) return reportPage(source);
  return reportPage({ ...source, links: [{ text: 'Trace', href: TRACE_FILE }], trace: TRACE_FILE });
}
