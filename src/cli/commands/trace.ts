import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkedReport, REPORT_FILE, TRACE_FILE, traceOfRun } from '../../pages/index.ts';
import { checkRunVersion, readRun, writeWhole } from '../../results/runs/index.ts';
import { type Io, printLine } from '../io.ts';
import { writeNamedFile } from '../write-file.ts';
import { printSpans } from './print-spans.ts';

/** `sandtable trace RUN`: shows every observation and action of a run's agent on one page. */
export async function traceCommand(
  folder: string,
  flags: { readonly out?: string; readonly otel?: string },
  io: Io,
): Promise<void> {
  checkRunVersion(folder);
  if (flags.otel !== undefined) await printSpans(folder, flags.otel, io);
  const file = flags.out ?? join(folder, TRACE_FILE);
  const { page, damage } = await traceOfRun(folder, dirname(file));
  writeNamedFile(file, page, { hint: 'Pass another file with --out.' });
  // An existing report explains how to make a trace. It is rewritten with a link to the trace.
  const report = join(folder, REPORT_FILE);
  if (flags.out === undefined && existsSync(report))
    writeWhole(report, linkedReport(readRun(folder, { salvage: true }), folder));
  printLine(io.stdout, file);
  for (const line of damage) printLine(io.stderr, `note: ${line}`);
}
