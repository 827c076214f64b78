/**
 * Messages between the engine and a sandbox child, the process that runs Python. A message is called a frame.
 *
 * A frame consists of three lengths (uint32, little-endian) and three parts: a JSON header of one of the
 * types below, a body in UTF-8, and raw float64 columns. The engine writes to the child's descriptor 4 and
 * reads from its descriptor 3. Only one request is in progress at a time, and every request has one reply.
 * Before the reply, a strategy can send questions, each of which the engine answers. A batch has one reply
 * for each of its calls; all replies except the last have the type `part`.
 *
 * Before a call, the engine checks its code statically. If the check finds that the call leaves nothing
 * behind (no change that a later call could see), the call is called proved or clean. After other calls
 * outside sessions, the child restores Python's memory.
 */

import type { SessionRow } from '../market/index.ts';
import type { BootFiles } from './provision/start-python.ts';

/**
 * Bars of one symbol that a child has not received yet. The binary part contains their columns time, open,
 * high, low, close and volume, each with `count` numbers.
 */
export interface Feed {
  readonly symbol: string;
  readonly count: number;
  /**
   * Names of the features. Omitted in a run without features. Numeric features are additional columns of the
   * binary part.
   */
  readonly features?: {
    readonly numbers: readonly string[];
    readonly others: readonly string[];
    /** Values for these bars, for each feature that is not numeric. */
    readonly values: readonly (readonly (string | boolean | null)[])[];
  };
}

/** Data other than bars that became known since the last request. */
export type KnownFeed = KnownRowsFeed | SessionsFeed | PublishedFeed;

/** New rows of a table of published data, for example of documents. */
interface PublishedFeed {
  readonly table: string;
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Trading sessions that began with the new bars of a symbol. `early`: milliseconds to subtract from a bar's
 * timestamp before its session is looked up. 1 if timestamps are the ends of bars, otherwise 0.
 */
interface SessionsFeed {
  readonly symbol: string;
  readonly early: number;
  readonly sessions: readonly SessionRow[];
}

/** New rows of one table of features. `group` is the number of the table. Times are in milliseconds. */
interface KnownRowsFeed {
  readonly group: number;
  readonly names: readonly string[];
  /** Date, publication time and values of each row. */
  readonly rows: readonly (readonly (number | string | boolean | null)[])[];
}

/**
 * Session of a call: a separate Python heap, and so separate variables, for all calls with the same `id`. Not
 * a trading session.
 */
export interface SessionHeader {
  readonly id: string;
  /** True if the session begins with this call. If false and the session is missing, the call fails. */
  readonly begin: boolean;
  /**
   * If true, the session lasts for the whole run. If false, it lasts for one bar: it ends with the first call
   * of any session at another simulated time.
   */
  readonly lasting: boolean;
}

/** Bars and rows that became known since the last request. */
export interface NewRows {
  readonly feeds: readonly Feed[];
  /** Omitted if only bars became known. */
  readonly known?: readonly KnownFeed[];
  /**
   * Symbols and columns that the child aligns by date before the code runs, for the Python function `frame`.
   * Omitted if the code does not contain the word `frame`.
   */
  readonly aligned?: { readonly symbols: readonly string[]; readonly columns: readonly string[] };
}

/** Call within a batch, with the number of bytes that its bars have in the binary part of the frame. */
type BatchedCall = Pick<
  Extract<RequestHeader, { type: 'call' }>,
  'operation' | 'feeds' | 'known' | 'time' | 'timeoutMs'
> & { readonly bytes: number };

export type RequestHeader =
  | {
      readonly type: 'boot';
      readonly runtime: BootFiles;
      readonly seed: number;
      readonly memoryMegabytes: number;
      /**
       * True if calls may request a fingerprint, a comparison of Python's state before and after the call. It
       * needs more memory and a longer start.
       */
      readonly paranoid: boolean;
      /** True if `reset` may be requested. The child then stores a copy of its initial heap. */
      readonly reusable: boolean;
      /** True if Python may send questions during a call. */
      readonly asks: boolean;
    }
  /** Restores the state after the start: no bars, no sessions and no effects of calls. */
  | { readonly type: 'reset' }
  /**
   * Bars and rows that Python receives before a call. Sent separately, because writing them may take longer
   * than the time limit of the call. The reply has no body.
   */
  | ({ readonly type: 'feed' } & NewRows)
  /** Answer of the engine to a question of a strategy. Body: JSON for Python. */
  | { readonly type: 'answer' }
  | (NewRows & {
      /** Body: the request of the operation, as JSON for Python. */
      readonly type: 'call';
      readonly operation: string;
      /** Time of the bar, which the clock of the sandbox shows. */
      readonly time: number;
      /** Milliseconds after which the code is interrupted. */
      readonly timeoutMs: number;
      readonly session?: SessionHeader;
      /**
       * True if the static check found that the call leaves nothing behind. After any other call, the heap is
       * restored.
       */
      readonly clean: boolean;
      /**
       * True if Python's memory is not restored after the call. Used for a strategy that has its own process.
       */
      readonly keeps?: boolean;
      /** Check at run time that the call left nothing behind. Only for calls with `clean: true`. */
      readonly check?: CleanCheck;
    })
  /**
   * Calls of a strategy. The child answers them in order without waiting for the engine. Python receives the
   * bars of a call when this call begins. Body: the requests as JSON, one per line.
   */
  | { readonly type: 'batch'; readonly calls: readonly BatchedCall[] };

/**
 * Method to check at run time that a call left nothing behind. `again`: the call is repeated from the clean
 * (initial) heap and must give the same answer. `fingerprint`: Python's state that a later call could see
 * must be unchanged.
 */
export type CleanCheck = 'again' | 'fingerprint';

export type ReplyHeader =
  | { readonly type: 'ready'; readonly bootMs: number; readonly versions: { readonly python: string } }
  /** Body: Python's reply, as JSON. */
  | {
      readonly type: 'reply';
      /** Reason why the child must not be used again: state outside the heap has changed permanently. */
      readonly spent?: string;
      /**
       * Present if a SIGINT ended the call. The call has no answer, and all sessions are lost. If `grown` is
       * true, the heap has become larger.
       */
      readonly stopped?: { readonly grown: boolean };
      /**
       * Description of state changes that the call left behind. Present only if a static check of the code
       * (the proof) had found that the call cannot leave any.
       */
      readonly left?: string;
    }
  /** Reply to a call of a batch, for all calls except the last. Body: Python's reply, as JSON. */
  | { readonly type: 'part' }
  /** Question of a strategy during a call. Body: JSON. The call continues after the answer. */
  | { readonly type: 'ask' }
  | { readonly type: 'broken'; readonly message: string };

/** Message between the engine and a sandbox child. */
export interface Frame<Header> {
  readonly header: Header;
  readonly body: string;
  readonly binary: Uint8Array;
}

export const PREFIX_BYTES = 12;
/**
 * Maximum size in bytes of one part of a frame: header, body or binary part. A larger part means that the
 * sender is broken or hostile.
 */
const LARGEST_PART = 512 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

export function encodeFrame(
  header: RequestHeader | ReplyHeader,
  body = '',
  binary: Uint8Array = NOTHING,
): Buffer {
  const head = JSON.stringify(header);
  const headBytes = Buffer.byteLength(head);
  const bodyBytes = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + headBytes + bodyBytes + binary.length);
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(bodyBytes, 4);
  frame.writeUInt32LE(binary.length, 8);
  frame.write(head, PREFIX_BYTES);
  frame.write(body, PREFIX_BYTES + headBytes);
  frame.set(binary, PREFIX_BYTES + headBytes + bodyBytes);
  return frame;
}

/** Returns the number of bytes of the frame that begins with this prefix. */
export function frameBytes(prefix: Buffer): number {
  const parts = [prefix.readUInt32LE(0), prefix.readUInt32LE(4), prefix.readUInt32LE(8)];
  if (parts.some((part) => part > LARGEST_PART)) throw new Error('a frame is larger than any honest one');
  return PREFIX_BYTES + parts[0]! + parts[1]! + parts[2]!;
}

export function decodeFrame<Header>(frame: Buffer): Frame<Header> {
  const headEnd = PREFIX_BYTES + frame.readUInt32LE(0);
  const bodyEnd = headEnd + frame.readUInt32LE(4);
  return {
    header: JSON.parse(frame.toString('utf8', PREFIX_BYTES, headEnd)) as Header,
    body: frame.toString('utf8', headEnd, bodyEnd),
    binary: frame.subarray(bodyEnd, frameBytes(frame)),
  };
}
