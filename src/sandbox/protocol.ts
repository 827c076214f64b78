/**
 * What the engine and a sandbox child say to each other.
 *
 * A frame is three lengths (uint32, little-endian: header, body, binary) and then the three parts: a JSON header of one
 * of the types below, a UTF-8 body, and raw float64 columns. The engine writes to the child's descriptor 4 and reads
 * from its descriptor 3; one request is under way at a time and every request has one reply.
 */
import type { SessionRow } from '../market/index.ts';
import type { BootFiles } from './provision/boot-files.ts';

/** Bars that a child has not been given yet. Binary part: time, open, high, low, close, volume, `count` numbers each. */
export interface Feed {
  readonly symbol: string;
  readonly count: number;
  /** Features beside the bars, by name; left out in a run without any. Numbers are further columns of the binary part. */
  readonly features?: {
    readonly numbers: readonly string[];
    readonly others: readonly string[];
    /** Of each of the others, the values of these bars. */
    readonly values: readonly (readonly (string | boolean | null)[])[];
  };
}

/** What has become known beside the bars since the child was last fed. */
export type KnownFeed = KnownRowsFeed | SessionsFeed | PublishedFeed;

/** Rows of a table, such as documents. */
interface PublishedFeed {
  readonly table: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** Sessions that bars of a symbol have begun. */
interface SessionsFeed {
  readonly symbol: string;
  readonly early: number;
  readonly sessions: readonly SessionRow[];
}

/** Rows of features; times in milliseconds. */
interface KnownRowsFeed {
  readonly group: number;
  readonly names: readonly string[];
  /** What each is about, when it was known, and its values. */
  readonly rows: readonly (readonly (number | string | boolean | null)[])[];
}

/** The session a call works in: a Python heap of its own, which nothing but calls of the same session sees. */
export interface SessionHeader {
  readonly id: string;
  /** Whether it begins with this call; a session that is not there otherwise is an error of its own. */
  readonly begin: boolean;
  /** Whether it outlives the bar: others are gone with the first call of another time. */
  readonly lasting: boolean;
}

export type RequestHeader =
  | {
      readonly type: 'boot';
      readonly runtime: BootFiles;
      readonly seed: number;
      readonly memoryMegabytes: number;
      /** Whether calls may ask for a fingerprint: it costs memory and time to prepare. */
      readonly paranoid: boolean;
      /** Whether it may be asked to go back to its first state: a copy of its heap is kept for that. */
      readonly reusable: boolean;
    }
  /** Back to how it was when it became ready: without bars, sessions or anything that calls have left. */
  | { readonly type: 'reset' }
  | {
      /** Body: the operation's request, as JSON for Python. */
      readonly type: 'call';
      readonly operation: string;
      readonly feeds: readonly Feed[];
      /** Left out where nothing has become known beside the bars. */
      readonly known?: readonly KnownFeed[];
      /** The bar's time: what the clock of the sandbox shows. */
      readonly time: number;
      /** When the code is interrupted, in milliseconds after the child began. */
      readonly timeoutMs: number;
      readonly session?: SessionHeader;
      /** Proved, before it was sent, to leave nothing behind; any other call has its heap put back. */
      readonly clean: boolean;
      /** Symbols and columns to align by date before the code runs; omitted if the code does not mention `frame`. */
      readonly aligned?: { readonly symbols: readonly string[]; readonly columns: readonly string[] };
      /** What is done to find a proof that was wrong; of clean calls only. */
      readonly check?: CleanCheck;
    };

/**
 * `again`: the call is made once more from the first heap, and must answer the same.
 * `fingerprint`: all that a later call could see must be what it was.
 */
export type CleanCheck = 'again' | 'fingerprint';

export type ReplyHeader =
  | { readonly type: 'ready'; readonly bootMs: number; readonly versions: { readonly python: string } }
  /** Body: Python's reply, as JSON. */
  | {
      readonly type: 'reply';
      /** Something outside the heap has changed for good: the child must not be used again. */
      readonly spent?: string;
      /** Reply to a SIGINT: the call was ended, has no answer, and all sessions are lost. `grown`: its memory remains. */
      readonly stopped?: { readonly grown: boolean };
      /** What a call has left behind that was proved to leave nothing. */
      readonly left?: string;
    }
  | { readonly type: 'broken'; readonly message: string };

export interface Frame<Header> {
  readonly header: Header;
  readonly body: string;
  readonly binary: Uint8Array;
}

export const PREFIX_BYTES = 12;
/** No honest frame is larger; a longer one means the other side is broken or hostile. */
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

/** Bytes of the whole frame that begins with this prefix. */
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
