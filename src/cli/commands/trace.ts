import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { traceOfRun } from '../../reports/index.ts';
import { type Io, printLine } from '../io.ts';

/** `sandtable trace RUN`: everything a run's agent saw and did, as one page. */
export async function traceCommand(folder: string, flags: { readonly out?: string }, io: Io): Promise<void> {
  const { page, damage } = await traceOfRun(folder);
  const file = flags.out ?? join(folder, 'trace.html');
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
  for (const line of damage) printLine(io.stderr, `note: ${line}`);
}
