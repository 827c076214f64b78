import { type BacktestOptions, type BacktestResult, type RunEvent, runBacktest } from '../engine/index.ts';
import type { Journal } from '../journal/index.ts';
import type { Vfs } from '../vfs/index.ts';
import { eventsOfGiven } from './tool-extras.ts';

interface Execution {
  readonly startedAt: Date;
  readonly journal: Journal;
  readonly started: Extract<RunEvent, { type: 'run_started' }>;
  /** The in-memory files, as the run begins with them. */
  readonly files: Vfs;
  readonly backtest: Omit<BacktestOptions, 'onEvent' | 'onStart' | 'emitStart'>;
  /** Given what ends the run in the middle of a decision that does not come back; the process must end then. */
  readonly onStart?: (giveUp: (error: unknown, outcome: 'failed' | 'interrupted') => ExecutedRun) => void;
  /** Given every event of the run after it is in the journal. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface ExecutedRun {
  readonly result: BacktestResult;
  readonly startedAt: Date;
  /** By the clock on the wall. */
  readonly seconds: number;
}

/** Runs a backtest into its journal, and closes that. */
export async function executeRun({
  startedAt,
  journal,
  started,
  files,
  backtest,
  onEvent,
  onStart,
}: Execution): Promise<ExecutedRun> {
  const clockStart = performance.now();
  const executed = (result: BacktestResult): ExecutedRun => ({
    result,
    startedAt,
    seconds: (performance.now() - clockStart) / 1000,
  });
  try {
    journal.append(started);
    for (const event of eventsOfGiven(files)) journal.append(event);
    const result = await runBacktest({
      ...backtest,
      emitStart: false,
      onStart: (giveUp) =>
        onStart?.((error, outcome) => {
          const ended = executed(giveUp(error, outcome));
          journal.close();
          return ended;
        }),
      onEvent:
        onEvent === undefined
          ? (event) => journal.append(event)
          : (event) => {
              journal.append(event);
              onEvent(event);
            },
    });
    return executed(result);
  } finally {
    journal.close();
  }
}
