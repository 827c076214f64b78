import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError, unwritable } from '../kernel/index.ts';
import { linkedReport, REPORT_FILE, reportPage } from '../pages/index.ts';
import { readRun } from '../results/runs/index.ts';
import type { Evaluation } from './evaluation.ts';

/** Options of `plot`: where the page is written, and whether it is opened. */
export interface PlotOptions {
  /**
   * Path of the page. Default: the page in the run's folder. For a run without a folder: `<strategy>.html` in
   * the current folder.
   */
  readonly file?: string;
  /** If true, opens the page in the system's browser. */
  readonly open?: boolean;
}

/** Part of the result of `runStrategy` that `plot` needs. */
interface PlottedRun {
  readonly folder: string | undefined;
}

const evaluations = new WeakMap<PlottedRun, Evaluation>();

/**
 * Stores the evaluation of a run without a folder. `plot` later creates the page from this evaluation.
 * Returns the run.
 */
export function canPlot<Run extends PlottedRun>(run: Run, evaluation: Evaluation): Run {
  evaluations.set(run, evaluation);
  return run;
}

/**
 * Writes the report of a run as one HTML page that works offline. If the run has a folder, its existing page
 * is used.
 *
 * @param run result of `runStrategy`, or the path of a run folder
 * @returns the absolute path of the page
 * @throws AppError `bad_options`, `no_run`, `page_unwritable`
 */
export function plot(run: PlottedRun | string, options: PlotOptions = {}): string {
  const folder = typeof run === 'string' ? run : run?.folder;
  const evaluation = typeof run === 'object' && run !== null ? evaluations.get(run) : undefined;
  if (typeof folder !== 'string' && evaluation === undefined)
    throw new AppError({
      code: 'bad_options',
      message: 'plot was called without a run.',
      hint: 'Pass the result of runStrategy, or the path of a run folder.',
    });
  const page =
    typeof folder === 'string' ? storedPage(folder, options.file) : newPage(evaluation!, options.file);
  if (options.open === true) openPage(page);
  return page;
}

function storedPage(folder: string, file: string | undefined): string {
  const own = resolve(folder, REPORT_FILE);
  // An existing page is used. The page of a killed run may be missing and is then written.
  if (file === undefined && existsSync(own)) return own;
  const place = resolve(file ?? own);
  write(place, linkedReport(readRun(folder, { lightBars: true }), dirname(place)));
  return place;
}

function newPage({ record, metrics, options }: Evaluation, file: string | undefined): string {
  const runId = record.started.strategy.name;
  const place = resolve(file ?? `${runId}.html`);
  write(place, reportPage({ runId, record, manifest: undefined, options, metrics }));
  return place;
}

function write(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (cause) {
    throw unwritable(file, cause, {
      code: 'page_unwritable',
      hint: 'Check the folder, its permissions and the free space.',
      kind: 'run',
    });
  }
}

/** Opens a file with the system's program. Does nothing if there is no such program. */
function openPage(file: string): void {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '']
        : ['xdg-open'];
  const opened = spawn(program!, [...words, file], { detached: true, stdio: 'ignore' });
  opened.on('error', () => undefined);
  opened.unref();
}
