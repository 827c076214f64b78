import { type BacktestOptions, type BacktestResult, type RunEvent, runBacktest } from '../engine/index.ts';
import { type Journal, RecordBuilder, type RunRecord } from '../journal/index.ts';
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
  /** False where nobody will ask for its record. */
  readonly keepsRecord?: boolean;
  /** Given every event of the run after it is in the journal. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface ExecutedRun {
  readonly result: BacktestResult;
  readonly startedAt: Date;
  /** By the clock on the wall. */
  readonly seconds: number;
  /** Record of the run, as its journal has it. `undefined` if no record was requested or its last event could not be written. */
  readonly record: () => RunRecord | undefined;
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
  keepsRecord = true,
}: Execution): Promise<ExecutedRun> {
  const clockStart = performance.now();
  const recorder = recorderOn(journal, keepsRecord);
  const executed = (result: BacktestResult): ExecutedRun => ({
    result,
    startedAt,
    seconds: (performance.now() - clockStart) / 1000,
    record: () => recorder.record(),
  });
  try {
    recorder.append(started);
    for (const event of eventsOfGiven(files)) recorder.append(event);
    const result = await runBacktest({
      ...backtest,
      emitStart: false,
      // The record keeps every bar, and an amount takes less room than its text; a mask is undone bar by bar.
      lightBars: started.mask === undefined,
      onStart: (giveUp) =>
        onStart?.((error, outcome) => {
          const ended = executed(giveUp(error, outcome));
          recorder.close();
          return ended;
        }),
      onEvent:
        onEvent === undefined
          ? (event) => recorder.append(event)
          : (event) => {
              recorder.append(event);
              onEvent(event);
            },
    });
    return executed(result);
  } finally {
    recorder.close();
  }
}

interface Recorder {
  append(event: RunEvent): void;
  close(): void;
  record(): RunRecord | undefined;
}

/** Writes events down, and makes the record of what is written. */
function recorderOn(journal: Journal, keepsRecord: boolean): Recorder {
  let builder = keepsRecord ? new RecordBuilder() : undefined;
  let open = true;
  return {
    append(event) {
      const taking = builder;
      // Given back once the event is written: what could not be is in no record.
      builder = undefined;
      journal.append(event);
      builder = taking;
      if (open) builder?.takeLive(event);
    },
    close() {
      open = false;
      journal.close();
    },
    record: () => builder?.finish(),
  };
}
