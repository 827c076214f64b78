import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { linkedReport, readRun } from '../../reports/index.ts';
import { type Io, printLine } from '../io.ts';

/** `sandtable report RUN`: makes the page of a run anew from its journal, also of one that was killed or damaged. */
export function reportCommand(folder: string, flags: { readonly out?: string }, io: Io): void {
  const run = readRun(folder, { salvage: true });
  const file = flags.out ?? join(folder, 'report.html');
  const page = linkedReport(run, dirname(file));
  try {
    writeFileSync(file, page);
  } catch (cause) {
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
