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
 * Schema of Python's reply, which is not trusted. Checks the type of every field and removes unknown fields.
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

/** Parses the body of a reply. Returns `undefined` if the body is invalid. */
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
  /** Milliseconds after which the code of a call is interrupted. Default: 500. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds from `timeoutMs` to the hard deadline. At the hard deadline, code that cannot be interrupted
   * is ended. Default: 400.
   */
  readonly graceMs?: number;
  /** Number of spare Python processes, started in advance in addition to the current one. Default: 1. */
  readonly spares?: number;
  /** Maximum size of the Python heap in megabytes. */
  readonly memoryMegabytes?: number;
  /**
   * If true, Python's state is compared before and after every proved call, and a change ends the run. A call
   * is proved if the static check of its code found no change that a later call could see. If false, only a
   * few proved calls, chosen by the seed, are checked. They are repeated from Python's initial memory and
   * must give the same answer.
   */
  readonly paranoid?: boolean;
  /** If true, `Sandbox.reset` can be called. Python processes then store a copy of their initial memory. */
  readonly reusable?: boolean;
  /**
   * If false, the result of the static check is ignored: no call counts as proved, and Python's memory is
   * restored after every call. Default: true.
   */
  readonly proof?: boolean;
  /** One in this number of proved calls is repeated as a check, unless `paranoid` is true. Default: 512. */
  readonly sampled?: number;
}

/** Call of a sandbox. */
export interface SandboxCall {
  /** Operation of the Python runtime, for example `compute`. */
  readonly operation: string;
  /** Fields of the request. The sandbox adds symbols, seed, bar and time. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly bar: number;
  readonly time: number;
  /** Visible bars of every symbol. */
  readonly windows: readonly Window[];
  readonly timeoutMs?: number;
  /**
   * Published data other than bars and features. The Python process receives only rows that it does not have
   * yet.
   */
  readonly published?: readonly PublishedTable[];
  /** Session of the call. A call without a session starts with a clean heap and leaves nothing behind. */
  readonly session?: SessionHeader;
  /**
   * Bars that an earlier call could read, by symbol. If set, this call can read only these bars, so that it
   * repeats the earlier call. Bars outside `windows` are not available.
   */
  readonly sight?: ReadonlyMap<string, Sight>;
}

/** Table to which rows are only added. `length` is the current number of rows. */
export interface PublishedTable {
  readonly name: string;
  readonly length: number;
  rowAt(row: number): readonly unknown[];
}

/** Bars of a symbol that an earlier call could read. */
export interface Sight {
  /** Number of bars revealed since the start of the run. */
  readonly revealed: number;
  /** Number of these bars that are within the look-back. */
  readonly length: number;
  /** Number of known feature rows, as returned by `knownRows`. Omitted in a run without features. */
  readonly known?: readonly number[];
}

/**
 * Reply of Python. If Python was reset or replaced during the call, the failure is described in the same
 * form.
 */
export type SandboxReply =
  | Extract<PythonReply, { ok: true }>
  | (Extract<PythonReply, { ok: false }> & {
      /** True if Python was reset or its process was replaced. Every session is then lost. */
      readonly replaced?: true;
    });

/**
 * Numbers of calls of a sandbox since its start or last reset. `calls` counts all calls. `clean` counts the
 * proved calls: those for which the static check found no change that a later call could see.
 */
export interface SandboxCounts {
  readonly calls: number;
  readonly clean: number;
}
