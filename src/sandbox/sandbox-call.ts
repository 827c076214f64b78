import { z } from 'zod';
import { jsonSchema } from '../engine/index.ts';
import type { Window } from '../market/index.ts';
import type { SessionHeader } from './protocol.ts';
import type { PythonRuntime } from './provision/index.ts';

const text = z.string();

/** Optional output fields of every reply. */
const output = {
  stdout: text.optional(),
  stderr: text.optional(),
  names: z.array(text).optional(),
};

/**
 * Schema of Python's reply, which is not trusted. Every field has its type, and unknown fields are removed.
 *
 * `result` is any JSON value. The tool that made the call validates it further.
 */
const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: jsonSchema, note: text.optional(), ...output }),
  z.object({
    ok: z.literal(false),
    error: text,
    remediation: text,
    kind: text,
    line: z.number().int().optional(),
    traceback: text.optional(),
    note: text.optional(),
    ...output,
  }),
]);

type PythonReply = z.infer<typeof replySchema>;

/** Parses the body of a reply. Returns undefined if it is invalid. */
export function readReply(body: string): PythonReply | undefined {
  try {
    return replySchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Schema of the header of a frame from a child. */
export const replyHeaderSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('ready'),
    bootMs: z.number().nonnegative(),
    versions: z.object({ python: text }),
  }),
  z.strictObject({
    type: z.literal('reply'),
    spent: text.optional(),
    left: text.optional(),
    stopped: z.object({ grown: z.boolean() }).optional(),
  }),
  z.strictObject({ type: z.literal('part') }),
  z.strictObject({ type: z.literal('ask') }),
  z.strictObject({ type: z.literal('broken'), message: text }),
]);

export interface SandboxOptions {
  readonly runtime: PythonRuntime;
  readonly seed?: number;
  /** Milliseconds after which code is interrupted. */
  readonly timeoutMs?: number;
  /** Additional milliseconds after which code that cannot be interrupted is ended. */
  readonly graceMs?: number;
  /** Number of ready children in addition to the current one. */
  readonly spares?: number;
  /** Maximum size of the Python heap in megabytes. */
  readonly memoryMegabytes?: number;
  /**
   * If true, every call that was proved clean is checked for changes, and a change ends the run. If false, a
   * few calls, chosen by the seed, are repeated on the first heap and must give the same answer.
   */
  readonly paranoid?: boolean;
  /** True if `reset` can be called. Children then store a copy of their first heap. */
  readonly reusable?: boolean;
  /** If false, no call counts as clean: memory is restored after every call. Default true. */
  readonly proof?: boolean;
  /** One in this number of clean calls is repeated. Default: 512. */
  readonly sampled?: number;
}

/** Call of a sandbox. */
export interface SandboxCall {
  /** Operation of the Python runtime, for example `compute`. */
  readonly operation: string;
  /** Fields added to those of the sandbox: symbols, seed, bar and time. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly bar: number;
  readonly time: number;
  /** Bars of every symbol up to now. */
  readonly windows: readonly Window[];
  readonly timeoutMs?: number;
  /**
   * Published data other than bars and features. Only rows that the Python process does not have yet are sent.
   */
  readonly published?: readonly PublishedTable[];
  /** Session of the call. A call without a session starts clean and leaves no changes. */
  readonly session?: SessionHeader;
  /** Visible bars by symbol, for repeating an earlier call. Limited to the bars of the windows. */
  readonly sight?: ReadonlyMap<string, Sight>;
}

/** Rows that become known and remain known. `length` is their current number. */
export interface PublishedTable {
  readonly name: string;
  readonly length: number;
  rowAt(row: number): readonly unknown[];
}

/** Part of a symbol's bars that a call saw. */
export interface Sight {
  /** Number of bars revealed since the start. */
  readonly revealed: number;
  /** Number of revealed bars within the look-back. */
  readonly length: number;
  /** Number of known feature rows, as returned by `knownRows`. Omitted in a run without features. */
  readonly known?: readonly number[];
}

/** Python's reply, or an error of the same shape if Python had to be reset. */
export type SandboxReply =
  | Extract<PythonReply, { ok: true }>
  | (Extract<PythonReply, { ok: false }> & {
      /** Python was reset or its process was replaced. Every session is lost. */
      readonly replaced?: true;
    });

/** Number of all calls, and number of calls proved in advance to leave nothing behind in Python (`clean`). */
export interface SandboxCounts {
  readonly calls: number;
  readonly clean: number;
}
