import {
  type BacktestOptions,
  type BacktestResult,
  type Decider,
  type RunEvent,
  type RunOutcome,
  runBacktest,
} from '../engine/index.ts';
import { type Journal, RecordBuilder, type RunRecord } from '../journal/index.ts';
import type { RunSummary } from '../results/analysis/index.ts';
import type { Vfs } from '../toolkit/vfs/index.ts';
import { eventsOfGiven } from './tool-extras.ts';

interface Execution {
  readonly startedAt: Date;
  readonly journal: Journal;
  readonly started: Extract<RunEvent, { type: 'run_started' }>;
  /** In-memory files at the start of the run. */
  readonly files: Vfs;
  readonly backtest: Omit<BacktestOptions, 'onEvent' | 'onStart' | 'emitStart'>;
  /**
   * Called with the function `giveUp`, which ends the run while a decision does not return. The process must
   * end after a call of `giveUp`.
   */
  readonly onStart?: (giveUp: (error: unknown, outcome: 'failed' | 'interrupted') => ExecutedRun) => void;
  /**
   * Replaces field names in messages about orders by the names in the strategy's language. Omitted for
   * TypeScript.
   */
  readonly wording?: ((text: string) => string) | undefined;
  /** False if the record (all events in memory) is not needed. Default: true. */
  readonly keepsRecord?: boolean;
  /**
   * Waits for checks of the strategy that are still running after the last bar. Returns `undefined` if the
   * checks passed. If a check failed, returns the decider with which the run is repeated. The journal then
   * contains only the repeated run.
   */
  readonly confirm?: () => Promise<Decider | undefined>;
  /** Called with every event of the run, after the event is in the journal. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface ExecutedRun {
  readonly result: BacktestResult;
  readonly startedAt: Date;
  /** Duration of the run in real time, in seconds. */
  readonly seconds: number;
  /** Returns the head of the hash chain, which covers all lines of the journal. */
  readonly journalHead: () => string | undefined;
  /**
   * Returns the record (all events) of the run, with the same content as its journal. Returns `undefined` if
   * no record was requested, the run was repeated, or its last event could not be written. The record must
   * then be read from the journal.
   */
  readonly record: () => RunRecord | undefined;
}

/** Runs a backtest and writes its journal. */
export async function executeRun({
  startedAt,
  journal,
  started,
  files,
  backtest,
  confirm,
  onEvent,
  onStart,
  wording,
  keepsRecord = true,
}: Execution): Promise<ExecutedRun> {
  const clockStart = performance.now();
  const recorder = recorderOn(journal, keepsRecord);
  const executed = (result: BacktestResult): ExecutedRun => ({
    result,
    startedAt,
    seconds: (performance.now() - clockStart) / 1000,
    journalHead: () => journal.head,
    record: () => recorder.record(),
  });
  try {
    recorder.append(started);
    for (const event of eventsOfGiven(files)) recorder.append(event);
    const restart = confirm === undefined ? undefined : recorder.savepoint();
    const options: BacktestOptions = {
      ...backtest,
      emitStart: false,
      // The record stores the amounts of every bar. Numbers need less memory than texts. A run with a mask
      // needs texts, because the amounts of each bar are unmasked in their text form.
      lightBars: started.mask === undefined,
      onStart: (giveUp) =>
        onStart?.((error, outcome) => {
          const ended = executed(giveUp(error, outcome));
          recorder.close();
          return ended;
        }),
      onEvent:
        onEvent === undefined && wording === undefined
          ? (event) => recorder.append(event)
          : (event) => {
              const worded = wording === undefined ? event : inWords(event, wording);
              recorder.append(worded);
              onEvent?.(worded);
            },
    };
    const result = await runBacktest(options);
    const failing = await confirm?.();
    if (failing === undefined) return executed(result);
    restart?.();
    const { signal: _, ...others } = options;
    return executed(await runBacktest({ ...others, decider: failing }));
  } finally {
    recorder.close();
  }
}

/** Returns an event with its message reworded for the strategy's language. */
function inWords(event: RunEvent, wording: (text: string) => string): RunEvent {
  if (event.type === 'order_rejected')
    return { ...event, message: wording(event.message), remedy: wording(event.remedy) };
  return event.type === 'order_cancelled' ? { ...event, message: wording(event.message) } : event;
}

interface Recorder {
  append(event: RunEvent): void;
  close(): void;
  /**
   * Returns a function that removes all events recorded after the call of `savepoint`. After a removal, the
   * record is read from the journal.
   */
  savepoint(): () => void;
  record(): RunRecord | undefined;
}

/** Writes events to the journal and builds the record from the written events. */
function recorderOn(journal: Journal, keepsRecord: boolean): Recorder {
  let builder = keepsRecord ? new RecordBuilder() : undefined;
  let open = true;
  return {
    append(event) {
      const taking = builder;
      // `builder` is set again only after the event is written. If writing fails, `builder` remains
      // undefined, because the record must not contain events that are missing in the journal.
      builder = undefined;
      journal.append(event);
      builder = taking;
      if (open) builder?.takeLive(event);
    },
    close() {
      open = false;
      journal.close();
    },
    savepoint() {
      const restore = journal.savepoint?.();
      return () => {
        if (restore === undefined) throw new Error('the journal has no savepoints');
        restore();
        builder = undefined;
      };
    },
    record: () => builder?.finish(),
  };
}

/** Result of a run that has ended, with its folder. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  /** Error that ended a run without a result. `undefined` if the run has a result. */
  readonly error: unknown;
  readonly folder: string;
  /** Content of `summary.json`. */
  readonly summary: RunSummary;
  /** Returns the record of the run. */
  readonly record: () => RunRecord;
  /** Number of processed bars. */
  readonly bars: number;
  /** Equity at each bar in the account's currency, not masked. */
  readonly equity: Float64Array;
  /**
   * Equity of the benchmark at the evaluated bars, which are the last bars of the run. `undefined` without a
   * benchmark.
   */
  readonly benchmarkEquity: Float64Array | undefined;
  /** Data files with the bars of the run. */
  readonly dataFiles: readonly string[];
  /** Path of the strategy's file, as given by the user. `null` for a strategy given in code. */
  readonly strategyFile: string | null;
  /** Kind of the strategy, and its parameters including defaults. */
  readonly strategy: { readonly kind: string; readonly parameters: Readonly<Record<string, unknown>> };
}
