import type { Environment, Meter } from '../agent/index.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { RunEnd } from './run-end.ts';

/** Hears what a run says while it is made; whoever prints does so here. */
export interface RunObserver {
  /** Worth knowing, for who wants to know such things. */
  note(text: string): void;
  /** Worth knowing for everybody. */
  warn(text: string): void;
  /** What is under way now, where it takes time. */
  stage(text: string): void;
  /** @param unit plural, such as `bars` */
  progress(label: string, done: number, total: number, unit: string): void;
  /** What is under way has ended. */
  progressEnd(): void;
  /** The run's files are written; the process may end after this. */
  ended(end: RunEnd): void;
}

/** How a run ends whose strategy took the process down, or would have. */
export type LastWords = (error: unknown, outcome: 'failed' | 'interrupted') => void;

/** One strategy of code that is watched. */
export interface Watch {
  /** The bar it decides at. */
  deciding(bar: number): void;
  /** Seconds that a decision may take; the file's loading is bound by the same. */
  limit(seconds: number): void;
  /** More of its code runs before its first decision: what makes its state. */
  loading(): void;
  /** It has been loaded. */
  loaded(): void;
  /** Writes what is known into the run's folder and reports it; called once at most, and the process ends after it. */
  onEnd(write: LastWords): void;
  /** Before the process may be killed without a word: what must be on the disk. */
  onBlocked(save: () => void): void;
  /**
   * Nothing of the strategy's is wanted any more.
   *
   * @param exitCode what the process must not fall below, whatever a timer of the strategy's still does
   */
  release(exitCode?: number): void;
}

/** Asks a run to stop, once it listens. */
export interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/** What a run is made in. */
export interface RunContext {
  readonly environment: Environment;
  readonly observer: RunObserver;
  /** Begins to listen for whoever wants the run to stop. */
  readonly listen: () => Interrupt;
  /** Watches code of a strategy's own in a process that may be ended for it; in another's, such as a test's, nobody may. */
  readonly watch?: (file: string, seconds: number) => Watch;
  /** Of a budget for models that this run shares with others. */
  readonly meter?: Meter | undefined;
  /** Longer limits of calls into Python, where answers must not depend on how busy the machine is. */
  readonly pythonLimits?: Pick<SandboxOptions, 'timeoutMs' | 'graceMs'> | undefined;
}

/** Says nothing. */
export const SILENT: RunObserver = {
  note: () => undefined,
  warn: () => undefined,
  stage: () => undefined,
  progress: () => undefined,
  progressEnd: () => undefined,
  ended: () => undefined,
};
