import { basename, join, relative } from 'node:path';
import { isResult } from '../engine/index.ts';
import { linkedReport } from '../pages/index.ts';
import { readRun, readRunInputs, writeOtherAnswer, writeWhole } from '../results/runs/index.ts';
import type { RunContext } from './context.ts';
import type { RunEnd } from './execute-run.ts';
import { type OtherRecord, openRecord, type RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';

/**
 * Run with the worse outcome of its ambiguous bars. If it has such bars and a result, a second run with the
 * better outcome.
 */
export interface BothAnswers {
  readonly worst: RunEnd;
  /** Undefined if the first run has no ambiguous bars or no result. */
  readonly best: RunEnd | undefined;
}

/**
 * Runs a backtest with both outcomes. In the second run, a model is answered from the record of the first.
 */
export async function runBothAnswers(request: RunRequest, context: RunContext): Promise<BothAnswers> {
  const run = async (resolve: 'worst' | 'best', change: Partial<RunRequest>): Promise<RunEnd> => {
    const settings = { ...request.settings, resolve };
    const end = await runRequested({ ...request, ...change, settings }, context);
    if (end === undefined) throw new Error('a run that is no replay has files');
    return end;
  };
  const worst = await run('worst', {});
  if (!isResult(worst.outcome) || worst.summary.ambiguousBars === 0) return { worst, best: undefined };
  const best = await run('best', recordOf(worst, request));
  if (isResult(best.outcome)) link(worst, best);
  return { worst, best };
}

/**
 * Returns the record of the first run for the second one. It is used as long as the requests are identical.
 */
function recordOf({ folder, summary }: RunEnd, { record }: RunRequest): { readonly record?: OtherRecord } {
  if (summary.activity.decisions === 0 && record === undefined) return {};
  const inputs = readRunInputs(folder);
  return inputs.model === undefined ? {} : { record: openRecord(folder, true) };
}

/** Stores each run's result in the folder of the other run, and shows both in the reports. */
function link(worst: RunEnd, best: RunEnd): void {
  const sides = [
    { own: worst, other: best, resolve: 'best' },
    { own: best, other: worst, resolve: 'worst' },
  ] as const;
  for (const { own, other, resolve } of sides) {
    const folder = relative(own.folder, other.folder) || basename(other.folder);
    writeOtherAnswer(own.folder, { resolve, folder, summary: other.summary });
    writeWhole(join(own.folder, 'report.html'), linkedReport(readRun(own.folder), own.folder));
  }
}
