import { DecisionFault, isResult, placeIn } from '../engine/index.ts';
import { AppError, messageOf, printable, thrownText } from '../kernel/index.ts';
import { briefText, summaryText } from '../pages/index.ts';
import { alarmsForQuiet } from '../results/analysis/index.ts';
import type { RunEnd } from '../runner/index.ts';
import { type Io, printLine, printText, textStyle } from './io.ts';

/** Returns the names of the data files, shortened if there are many. */
function dataNames({ dataFiles }: RunEnd): string {
  return dataFiles.length <= 2 ? dataFiles.join(', ') : `${dataFiles[0]} and ${dataFiles.length - 1} more`;
}

/** Form of a run's summary. */
interface ShownSummary {
  readonly json: boolean;
  readonly silent: boolean;
  /** If true, prints the table against the benchmark and all notes. */
  readonly verbose: boolean;
  /** Returns command lines to continue with. */
  readonly next?: (end: RunEnd) => readonly string[];
}

/**
 * Prints the summary of a run.
 *
 * @param shown with `silent`, only alarms are printed, each on one line of stderr
 * @param printed alarms that were printed before, for commands with several runs
 */
export function printSummary(end: RunEnd, shown: ShownSummary, io: Io, printed = new Set<string>()): void {
  const { summary, equity, benchmarkEquity, folder } = end;
  if (shown.json) printLine(io.stdout, JSON.stringify(summary, null, 2));
  else if (shown.silent) {
    const lines = alarmLines(summary).filter((line) => !printed.has(line));
    for (const line of lines) printed.add(line);
    printAlarms(lines, io);
  } else {
    const options = { ...textStyle(io), equity, benchmarkEquity, data: dataNames(end), folder };
    const next = shown.next?.(end) ?? [];
    const more = 'The report has all figures; --verbose prints them';
    printText(
      io,
      shown.verbose ? summaryText(summary, options) : briefText(summary, { ...options, next, more }),
    );
  }
}

/** Returns one line per alarm that `--quiet` does not hide. */
export function alarmLines({ alarms }: RunEnd['summary']): string[] {
  return alarmsForQuiet(alarms).map(({ problem, nextStep }) => `${problem} ${nextStep}`);
}

/** Prints one warning per line on stderr. */
export function printAlarms(lines: readonly string[], io: Io): void {
  // Problems can contain messages of strategies.
  for (const line of lines) printLine(io.stderr, `warning: ${printable(line, textStyle(io))}`);
}

/** Prints the outcome of a run without a result. Returns the exit code. */
export function printOutcome(end: RunEnd, io: Io): number {
  const text = outcomeText(end);
  if (text !== '') printLine(io.stderr, text);
  return isResult(end.outcome) ? 0 : 1;
}

/** Describes the outcome of a run without a result, with a remedy. Empty for a run with a result. */
export function outcomeText({ outcome, error, folder, bars, strategyFile }: RunEnd): string {
  if (isResult(outcome)) return '';
  const kept = `Results so far are in ${folder}.`;
  if (outcome === 'interrupted') return `Stopped after bar ${bars - 1} on request. ${kept}`;
  if (outcome === 'stopped' || outcome === 'budget_exhausted') {
    const resume = `npx sandtable resume ${folder}`;
    const hint = error instanceof AppError ? error.hint : '';
    const goOn = outcome === 'stopped' ? `\n  Resume with: ${resume}` : '';
    return `${messageOf(error)} ${kept}${goOn}\n  ${hint.replace('npx sandtable resume RUN', resume)}`;
  }
  const file = strategyFile ?? 'the strategy';
  const place = placeIn(error, file);
  const failed = `${file} failed at bar ${bars}: `;
  if (!(error instanceof AppError))
    return `error: ${failed}${thrownText(error)}${place}\n  Fix the strategy. ${kept}`;
  // Failed call of the strategy. Errors of the run itself already contain their place.
  const isCall = place !== '' && !(error instanceof DecisionFault);
  return `error: ${isCall ? failed : ''}${error.message}${isCall ? place : ''}\n  ${error.hint}\n  ${kept}`;
}
