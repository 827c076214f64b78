import { type LoadedStrategy, placeIn } from '../../agent/index.ts';
import type { RunSummary } from '../../analysis/index.ts';
import { isResult, type RunOutcome } from '../../engine/index.ts';
import { AppError, messageOf, thrownText } from '../../kernel/index.ts';
import { summaryText } from '../../pages/index.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';
import type { WorldFiles } from '../load-world.ts';

/** Names of the data's files, shortened where there are many. */
export function dataNames({ sources }: WorldFiles): string {
  const names = sources.map((source) => source.file);
  return names.length <= 2 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
}

/** @param equity at each bar, in real money */
export function printSummary(
  summary: RunSummary,
  equity: Float64Array,
  shown: { folder: string; data: string; json: boolean; silent: boolean },
  io: Io,
): void {
  if (shown.json) {
    printLine(io.stdout, JSON.stringify(summary, null, 2));
  } else if (!shown.silent) {
    const style = {
      width: widthOf(io.stdout, io.env),
      colour: mayColour(io.stdout, io.env),
      ascii: io.env.TERM === 'dumb',
    };
    printLine(io.stdout, summaryText(summary, { ...style, equity, data: shown.data, folder: shown.folder }));
  }
}

/** Tells how a run ended that did not just complete; gives the exit code. */
export function outcomeCode(
  outcome: RunOutcome,
  error: unknown,
  run: { strategy: LoadedStrategy; folder: string; bars: number },
  io: Io,
): number {
  if (isResult(outcome)) return 0;
  const kept = `What was done is in ${run.folder}.`;
  if (outcome === 'interrupted') {
    printLine(io.stderr, `Stopped after bar ${run.bars - 1} as you asked. ${kept}`);
  } else if (outcome === 'stopped' || outcome === 'budget_exhausted') {
    printLine(io.stderr, `${messageOf(error)} ${kept}`);
    const resume = `npx sandtable resume ${run.folder}`;
    const remedy = error instanceof AppError ? error.remedy : '';
    if (outcome === 'stopped') printLine(io.stderr, `  Go on with: ${resume}`);
    printLine(io.stderr, `  ${remedy.replace('npx sandtable resume RUN', resume)}`);
  } else if (error instanceof AppError) {
    printLine(io.stderr, `error: ${error.message}\n  ${error.remedy}\n  ${kept}`);
  } else {
    printLine(
      io.stderr,
      `error: ${run.strategy.file} failed at bar ${run.bars}: ${thrownText(error)}${placeIn(error, run.strategy.file)}`,
    );
    printLine(io.stderr, `  Mend the strategy. ${kept}`);
  }
  return 1;
}
