import type { Environment, Meter } from '../agents/index.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { RunEnd } from './execute-run.ts';

/** Receives the messages of a run. Implementations print them. */
export interface RunObserver {
  /** Shows additional information. `--quiet` hides it. */
  note(text: string): void;
  /** Shows important information, also with `--quiet`. */
  warn(text: string): void;
  /** Shows the name of the current step of slow work, such as starting Python. */
  stage(text: string): void;
  /**
   * Shows the progress of slow work.
   *
   * @param unit unit of `done` and `total` in the plural, for example `bars`
   */
  progress(label: string, done: number, total: number, unit: string): void;
  /** Called when the step that `stage` or `progress` reports has ended. */
  progressEnd(): void;
  /** Called when the files of the run are written. The process may end after this call. */
  ended(end: RunEnd): void;
}

const MB = 1_000_000;
/**
 * Total size of data files in bytes, up to which no progress is shown, because reading takes less than a
 * second.
 */
const QUICKLY_READ = 8 * MB;

/** Returns a function that receives the number of bytes read. It shows the progress of large files in MB. */
export function readProgress(
  { progress }: Partial<Pick<RunObserver, 'progress'>>,
  label: string,
): ((done: number, total: number) => void) | undefined {
  if (progress === undefined) return undefined;
  return (done, total) => {
    if (total > QUICKLY_READ) progress(label, done / MB, total / MB, 'MB');
  };
}

/**
 * Writes the results so far, when the strategy blocks the process or ends it. The process ends after this
 * call.
 */
export type LastWords = (error: unknown, outcome: 'failed' | 'interrupted') => void;

/** Watches the code of one strategy for endless loops and for calls that end the process. */
export interface Watch {
  /** Called at the start of a decision with the number of its bar. */
  deciding(bar: number): void;
  /** Sets the time limit of a decision in seconds. The limit also applies to loading the file. */
  limit(seconds: number): void;
  /** Called before the strategy's code creates its state, which happens before the first decision. */
  loading(): void;
  /** Called when the strategy has been loaded. */
  loaded(): void;
  /**
   * Registers a function that writes the results so far to the run's folder and reports them. The function is
   * called at most once, and the process ends afterwards.
   */
  onEnd(write: LastWords): void;
  /**
   * Registers a function that saves unsaved data. The function is called before the process may be killed
   * without a warning.
   */
  onBlocked(save: () => void): void;
  /**
   * Ends the watch. Later actions of the strategy have no effect on the run and its output.
   *
   * @param exitCode minimum exit code of the process, even if a timer of the strategy sets a lower one
   */
  release(exitCode?: number): void;
}

/** Request from the user to stop a run. Requests are received until `release` is called. */
export interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/** Environment in which a run is executed. */
export interface RunContext {
  readonly environment: Environment;
  readonly observer: RunObserver;
  /** Starts to listen for a request to stop. */
  readonly listen: () => Interrupt;
  /**
   * Starts a watch on a strategy's code. The watch may end the process. Absent in a process that must not be
   * ended, for example a test.
   */
  readonly watch?: (file: string, seconds: number) => Watch;
  /** Counter of a model budget that several runs share. */
  readonly meter?: Meter | undefined;
  /**
   * Longer time limits of Python calls, for runs whose results must not depend on the load of the machine.
   */
  readonly pythonLimits?: Pick<SandboxOptions, 'timeoutMs' | 'graceMs'> | undefined;
}

/** Observer that ignores all messages. */
export const SILENT: RunObserver = {
  note: () => undefined,
  warn: () => undefined,
  stage: () => undefined,
  progress: () => undefined,
  progressEnd: () => undefined,
  ended: () => undefined,
};
