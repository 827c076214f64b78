import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../kernel/index.ts';
import {
  EXPORT_FORMATS,
  exportRun,
  exportSpans,
  exportStress,
  exportSweep,
  isStressFolder,
  isSweepFolder,
  RUN_TABLES,
  readRun,
} from '../../results/runs/index.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';

const flagsSchema = z.object({
  format: z.enum(EXPORT_FORMATS).default('csv'),
  out: z.string().optional(),
  tables: z.array(z.enum(RUN_TABLES)).optional(),
  force: z.boolean().default(false),
});

/**
 * `sandtable export`: writes the tables of a run as files. Also works for killed and damaged runs. For a
 * sweep, writes the trials; for a stress test, the randomised markets (worlds).
 */
export async function exportCommand(folder: string, given: unknown, io: Io): Promise<void> {
  const { format, out, tables, force } = readFlags(flagsSchema, given, 'export');
  const only = isSweepFolder(folder) ? exportSweep : isStressFolder(folder) ? exportStress : undefined;
  if (only !== undefined) {
    if (tables !== undefined)
      throw new AppError({
        code: 'bad_flags',
        message: `--tables: ${folder} is not a run and has only one table.`,
        hint: 'Remove --tables.',
      });
    printLine(
      io.stdout,
      await only(folder, { folder: out ?? join(folder, 'export'), format, overwrite: force }),
    );
    return;
  }
  const run = readRun(folder, { salvage: true, lightBars: true });
  const files = await exportRun(run.record, {
    folder: out ?? join(folder, 'export'),
    format,
    ...(tables === undefined ? {} : { tables: [...new Set(tables)] }),
    overwrite: force,
    figures: run.options,
  });
  for (const file of files) printLine(io.stdout, file);
  for (const line of run.record.damage) printLine(io.stderr, `note: ${line}`);
}

/**
 * Exports a run as OpenTelemetry spans. Prints the number and destination of the spans on stderr, because
 * `report` and `trace` print the path of their page on stdout.
 */
export async function printSpans(folder: string, otel: string, io: Io): Promise<void> {
  const { spans, place } = await exportSpans(folder, otel, io.env);
  printLine(io.stderr, `Wrote ${spans} OpenTelemetry spans to ${place}.`);
}
