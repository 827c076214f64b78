import { dirname, join } from 'node:path';
import { equityColumns, type MetricsOptions } from '../../analysis/index.ts';
import { linkedReport } from '../../pages/index.ts';
import { findBenchmark } from '../../runner/index.ts';
import { readRun } from '../../runs/index.ts';
import { readFlags, reportFlagsSchema } from '../flags.ts';
import { type Io, printLine } from '../io.ts';
import { printing } from '../run-context.ts';
import { writeNamedFile } from '../write-file.ts';
import { printPdf } from './print-pdf.ts';
import { printSpans } from './print-spans.ts';

/** `sandtable report RUN`: rebuilds the page of a run from its journal, including killed or damaged runs. */
export async function reportCommand(folder: string, given: unknown, io: Io): Promise<void> {
  const flags = readFlags(reportFlagsSchema, given, 'report');
  if (flags.otel !== undefined) await printSpans(folder, flags.otel, io);
  const run = readRun(folder, { salvage: true });
  const file = flags.out ?? join(folder, 'report.html');
  const benchmark = await findBenchmark(
    flags.benchmark,
    run.record.started.symbols,
    equityColumns(run.record).times,
    printing(io, false),
  );
  const changes: MetricsOptions = {
    ...(flags.periodsPerYear === undefined ? {} : { periodsPerYear: flags.periodsPerYear }),
    ...(flags.riskFree === undefined ? {} : { riskFreeRate: flags.riskFree }),
    ...(flags.minimumReturn === undefined ? {} : { minimumAcceptableReturn: flags.minimumReturn }),
    ...(benchmark === undefined
      ? {}
      : { benchmark: 'symbol' in benchmark ? benchmark.symbol : benchmark.series }),
  };
  const options = Object.keys(changes).length === 0 ? run.options : { ...run.options, ...changes };
  const page = linkedReport(run, dirname(file), options);
  writeNamedFile(file, page, { hint: 'Pass another file with --out.' });
  printLine(io.stdout, file);
  if (flags.pdf === true) {
    const pdf = file.replace(/(\.html?)?$/, '.pdf');
    await printPdf(file, pdf, io.env);
    printLine(io.stdout, pdf);
  }
  for (const line of run.record.damage) printLine(io.stderr, `note: ${line}`);
}
