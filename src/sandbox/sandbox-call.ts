import type { Window } from '../market/index.ts';
import type { SessionHeader } from './protocol.ts';
import type { PythonRuntime } from './provision/index.ts';
import type { PythonReply } from './reply.ts';

export interface SandboxOptions {
  readonly runtime: PythonRuntime;
  readonly seed?: number;
  /** When code is interrupted, in milliseconds. */
  readonly timeoutMs?: number;
  /** Further time of code that cannot be interrupted before it is ended, in milliseconds. */
  readonly graceMs?: number;
  /** Children kept ready beside the one at work. */
  readonly spares?: number;
  /** What the Python heap may grow to. */
  readonly memoryMegabytes?: number;
  /**
   * Looks after every call that was proved clean whether it has left anything behind, and ends the run when it has.
   * Without it a few calls of a run, drawn by its seed, are made again on the first heap and must answer the same.
   */
  readonly paranoid?: boolean;
  /** Whether `reset` may be called: its children keep a copy of their first heap for that. */
  readonly reusable?: boolean;
  /** If false, no call counts as clean: memory is restored after every call. Default true. */
  readonly proof?: boolean;
  /** Of clean calls one in so many is made again; default 512. */
  readonly sampled?: number;
}

/** One call into a sandbox. */
export interface SandboxCall {
  /** Of the Python runtime: `compute` … */
  readonly operation: string;
  /** Added to what the sandbox itself sends: symbols, seed, bar, time. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly bar: number;
  readonly time: number;
  /** Every symbol's bars up to now. */
  readonly windows: readonly Window[];
  readonly timeoutMs?: number;
  /** What became known beside bars and features, of which the process is sent what it lacks. */
  readonly published?: readonly PublishedTable[];
  /** The session it works in; a call without one starts clean and leaves nothing. */
  readonly session?: SessionHeader;
  /** Shows the bars as they were at an earlier call, to run that call again: by symbol, as far as the windows have them. */
  readonly sight?: ReadonlyMap<string, Sight>;
}

/** Rows that become known and stay: `length` of them so far. */
export interface PublishedTable {
  readonly name: string;
  readonly length: number;
  rowAt(row: number): readonly unknown[];
}

/** How much of a symbol's bars a call saw. */
export interface Sight {
  /** Bars revealed since the start. */
  readonly revealed: number;
  /** Of them, those within the look-back. */
  readonly length: number;
  /** Rows of features that were known, as `knownRows` counts them; left out where a run has none. */
  readonly known?: readonly number[];
}

/** Python's reply, or an error of the same shape if Python had to be reset. */
export type SandboxReply =
  | Extract<PythonReply, { ok: true }>
  | (Extract<PythonReply, { ok: false }> & {
      /** Python was reset, in its process or with it: every session is lost. */
      readonly replaced?: true;
    });

/** How many calls were proved clean, of all that were made. */
export interface SandboxCounts {
  readonly calls: number;
  readonly clean: number;
}
