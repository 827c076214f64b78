import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { type MetricsOptions, readRun, reportPage, trialsOfRun } from '../../reports/index.ts';
import { readFlags, reportFlagsSchema } from '../flags.ts';
import { type Io, printLine } from '../io.ts';
import { findBenchmark } from '../report-flags.ts';

/** `sandtable report RUN`: makes the page of a run anew from its journal, also of one that was killed or damaged. */
export async function reportCommand(folder: string, given: unknown, io: Io): Promise<void> {
  const flags = readFlags(reportFlagsSchema, given, 'report');
  const run = readRun(folder, { salvage: true });
  const file = flags.out ?? join(folder, 'report.html');
  const benchmark = await findBenchmark(flags.benchmark, run.record.started.symbols);
  const options: MetricsOptions = {
    ...run.options,
    ...(flags.periodsPerYear === undefined ? {} : { periodsPerYear: flags.periodsPerYear }),
    ...(flags.riskFree === undefined ? {} : { riskFreeRate: flags.riskFree }),
    ...(flags.minimumReturn === undefined ? {} : { minimumAcceptableReturn: flags.minimumReturn }),
    ...(benchmark === undefined
      ? {}
      : { benchmark: 'symbol' in benchmark ? benchmark.symbol : benchmark.series }),
  };
  const trials = trialsOfRun(run.folder, run.manifest, run.summary);
  try {
    writeFileSync(file, reportPage({ ...run, options, trials }));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError({
      code: 'page_unwritable',
      message: `Cannot write ${file}: ${fileProblem(cause)}.`,
      remedy: 'Name another file with --out.',
      cause,
    });
  }
  printLine(io.stdout, file);
  for (const line of run.record.damage) printLine(io.stderr, `note: ${line}`);
}
