import type { Environment, Meter } from '../agents/index.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { RunEnd } from './execute-run.ts';

/** Receives the messages of a run. Implementations print them. */
export interface RunObserver {
  /** Additional information. Hidden with `--quiet`. */
  note(text: string): void;
  /** Important information. Always shown. */
  warn(text: string): void;
  /** Current stage of slow work. */
  stage(text: string): void;
  /** @param unit plural, such as `bars` */
  progress(label: string, done: number, total: number, unit: string): void;
  /** The current stage has ended. */
  progressEnd(): void;
  /** The run's files are written. The process may end after this call. */
  ended(end: RunEnd): void;
}

const MB = 1_000_000;
/**
 * Total size of data files, in bytes, up to which no progress is shown. Such files are read in less than a
 * second.
 */
const QUICKLY_READ = 8 * MB;

/** Returns a receiver of bytes read that shows the progress of large files in MB. */
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
 * Writes the results so far when the strategy has blocked or ended the process. The process ends afterwards.
 */
export type LastWords = (error: unknown, outcome: 'failed' | 'interrupted') => void;

/** Watches the code of one strategy for endless loops and for calls that end the process. */
export interface Watch {
  /** Reports the bar of the decision that begins. */
  deciding(bar: number): void;
  /** Time limit of a decision in seconds. Also applies to loading the file. */
  limit(seconds: number): void;
  /** Reports that the strategy's code creates its state, before the first decision. */
  loading(): void;
  /** Reports that the strategy has been loaded. */
  loaded(): void;
  /**
   * Registers a function that writes the known results to the run's folder and reports them. It is called at
   * most once, and the process ends afterwards.
   */
  onEnd(write: LastWords): void;
  /**
   * Registers a function that saves unsaved data. It is called before the process may be killed without
   * further notice.
   */
  onBlocked(save: () => void): void;
  /**
   * Ends the watch. Later actions of the strategy are ignored.
   *
   * @param exitCode minimum exit code of the process, even if a timer of the strategy sets a lower one
   */
  release(exitCode?: number): void;
}

/** Signal that requests a run to stop. Requests are received until `release` is called. */
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
   * Starts a watch on a strategy's code. The watch may end the process. Absent in processes that must not be
   * ended, for example in tests.
   */
  readonly watch?: (file: string, seconds: number) => Watch;
  /** Meter of a model budget that several runs share. */
  readonly meter?: Meter | undefined;
  /** Longer limits of Python calls, for runs whose answers must not depend on the load of the machine. */
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
