import { isResult } from '../engine/index.ts';
import { AppError, messageOf } from '../kernel/index.ts';
import { summaryText } from '../pages/index.ts';
import type { RunEnd } from '../runner/index.ts';
import { type Io, printLine, textStyle } from './io.ts';

/** Names of the data's files, shortened where there are many. */
function dataNames({ dataFiles }: RunEnd): string {
  return dataFiles.length <= 2 ? dataFiles.join(', ') : `${dataFiles[0]} and ${dataFiles.length - 1} more`;
}

export function printSummary(end: RunEnd, shown: { json: boolean; silent: boolean }, io: Io): void {
  const { summary, equity, folder } = end;
  if (shown.json) printLine(io.stdout, JSON.stringify(summary, null, 2));
  else if (!shown.silent)
    printLine(io.stdout, summaryText(summary, { ...textStyle(io), equity, data: dataNames(end), folder }));
}

/** Says how a run ended that did not just complete; gives the exit code. */
export function printOutcome({ outcome, error, folder, bars, strategyFile }: RunEnd, io: Io): number {
  if (isResult(outcome)) return 0;
  const kept = `What was done is in ${folder}.`;
  if (outcome === 'interrupted') {
    printLine(io.stderr, `Stopped after bar ${bars - 1} as you asked. ${kept}`);
  } else if (outcome === 'stopped' || outcome === 'budget_exhausted') {
    printLine(io.stderr, `${messageOf(error)} ${kept}`);
    const resume = `npx sandtable resume ${folder}`;
    const remedy = error instanceof AppError ? error.remedy : '';
    if (outcome === 'stopped') printLine(io.stderr, `  Go on with: ${resume}`);
    printLine(io.stderr, `  ${remedy.replace('npx sandtable resume RUN', resume)}`);
  } else if (error instanceof AppError) {
    printLine(io.stderr, `error: ${error.message}\n  ${error.remedy}\n  ${kept}`);
  } else {
    const file = strategyFile ?? 'the strategy';
    printLine(io.stderr, `error: ${file} failed at bar ${bars}: ${messageOf(error)}${placeIn(error, file)}`);
    printLine(io.stderr, `  Fix the strategy. ${kept}`);
  }
  return 1;
}

/** ` (file:line)` of the strategy's own frame, where the error has one. */
function placeIn(error: unknown, file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const frame =
    error instanceof Error ? error.stack?.split('\n').find((line) => line.includes(name)) : undefined;
  const line = frame === undefined ? null : /:(\d+):\d+\)?$/.exec(frame.trim());
  return line === null ? '' : ` (${file}:${line[1]})`;
}
