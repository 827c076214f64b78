/**
 * Messages between the engine and a sandbox child.
 *
 * A frame consists of three lengths (uint32, little-endian) and three parts: a JSON header of one of the
 * types below, a UTF-8 body, and raw float64 columns. The engine writes to the child's descriptor 4 and reads
 * from its descriptor 3. Only one request is in progress at a time, and every request has one reply. Before its
 * reply, a call of a strategy may send questions, each of which is answered. A batch has a reply for each of its calls,
 * of which all but the last are parts.
 */

import type { SessionRow } from '../market/index.ts';
import type { BootFiles } from './provision/start-python.ts';

/**
 * Bars that a child does not have yet. Binary part: time, open, high, low, close, volume, with `count`
 * numbers each.
 */
export interface Feed {
  readonly symbol: string;
  readonly count: number;
  /**
   * Features by name. Omitted in a run without features. Numeric features are additional columns of the
   * binary part.
   */
  readonly features?: {
    readonly numbers: readonly string[];
    readonly others: readonly string[];
    /** Values of these bars for each non-numeric feature. */
    readonly values: readonly (readonly (string | boolean | null)[])[];
  };
}

/** Data other than bars that became known since the last feed. */
export type KnownFeed = KnownRowsFeed | SessionsFeed | PublishedFeed;

/** Rows of a table, for example documents. */
interface PublishedFeed {
  readonly table: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** Sessions started by a symbol's bars. */
interface SessionsFeed {
  readonly symbol: string;
  readonly early: number;
  readonly sessions: readonly SessionRow[];
}

/** Feature rows; times in milliseconds. */
interface KnownRowsFeed {
  readonly group: number;
  readonly names: readonly string[];
  /** Date, publication time and values of each row. */
  readonly rows: readonly (readonly (number | string | boolean | null)[])[];
}

/** Session of a call: a separate Python heap that only calls of the same session see. */
export interface SessionHeader {
  readonly id: string;
  /** True if the session begins with this call. Otherwise a missing session is an error. */
  readonly begin: boolean;
  /**
   * True if the session lasts for the whole run. Otherwise it lasts for one bar: it ends with the first call of any
   * session that has another simulated time.
   */
  readonly lasting: boolean;
}

/** Bars and rows that became known since the last request. */
export interface NewRows {
  readonly feeds: readonly Feed[];
  /** Omitted if no data other than bars became known. */
  readonly known?: readonly KnownFeed[];
  /** Symbols and columns to align by date before the code runs. Omitted if the code does not mention `frame`. */
  readonly aligned?: { readonly symbols: readonly string[]; readonly columns: readonly string[] };
}

/** Call of a batch, with the bytes of its bars in the binary part of the frame. */
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
      /** True if calls may request a fingerprint, which costs memory and start-up time. */
      readonly paranoid: boolean;
      /** True if `reset` may be requested, for which the child stores a copy of its heap. */
      readonly reusable: boolean;
      /** True if Python may send questions during a call. */
      readonly asks: boolean;
    }
  /** Resets the child to the state when it became ready: no bars, sessions or traces of calls. */
  | { readonly type: 'reset' }
  /**
   * Bars and rows that Python receives before a call, because writing them takes longer than the call may take. The reply
   * has no body.
   */
  | ({ readonly type: 'feed' } & NewRows)
  /** Answer to a question. Body: JSON for Python. */
  | { readonly type: 'answer' }
  | (NewRows & {
      /** Body: the operation's request, as JSON for Python. */
      readonly type: 'call';
      readonly operation: string;
      /** Time of the bar, which the clock of the sandbox shows. */
      readonly time: number;
      /** Milliseconds after which the code is interrupted. */
      readonly timeoutMs: number;
      readonly session?: SessionHeader;
      /** True if the call was proved to leave nothing behind. After any other call the heap is restored. */
      readonly clean: boolean;
      /**
       * True if the memory of Python is not restored after the call, because the call belongs to a strategy
       * with a separate process.
       */
      readonly keeps?: boolean;
      /** Check for a wrong proof. Only for clean calls. */
      readonly check?: CleanCheck;
    })
  /**
   * Calls of a strategy, which are answered in order without waiting for the engine. Python gets the bars of a call
   * when that call begins. Body: the requests as JSON, one per line.
   */
  | { readonly type: 'batch'; readonly calls: readonly BatchedCall[] };

/**
 * `again`: the call is repeated from the first heap and must give the same answer. `fingerprint`: the state
 * that a later call could see must be unchanged.
 */
export type CleanCheck = 'again' | 'fingerprint';

export type ReplyHeader =
  | { readonly type: 'ready'; readonly bootMs: number; readonly versions: { readonly python: string } }
  /** Body: Python's reply, as JSON. */
  | {
      readonly type: 'reply';
      /** State outside the heap has changed permanently. The child must not be used again. */
      readonly spent?: string;
      /**
       * Reply to a SIGINT. The call has no answer, and all sessions are lost. `grown`: the heap remains
       * larger.
       */
      readonly stopped?: { readonly grown: boolean };
      /** Changes left by a call that was proved to leave none. */
      readonly left?: string;
    }
  /** Reply to a call of a batch, except the last one. Body: Python's reply, as JSON. */
  | { readonly type: 'part' }
  /** Question of a strategy during a call. Body: JSON. The call continues after the answer. */
  | { readonly type: 'ask' }
  | { readonly type: 'broken'; readonly message: string };

/** Message between the engine and a Python process. */
export interface Frame<Header> {
  readonly header: Header;
  readonly body: string;
  readonly binary: Uint8Array;
}

export const PREFIX_BYTES = 12;
/** Maximum bytes of a part. A larger part means that the other side is broken or hostile. */
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
