import { APIConnectionError, APIError } from 'openai';
import type { ModelFailure, ModelFailureKind } from '../../engine/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { MalformedReply, StreamedError, TruncatedStream } from './types.ts';

/** A request that brought no reply. */
export class ModelCallFailed extends Error {
  readonly failure: ModelFailure;
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: ModelFailure, retryAfterMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

const RETRIED: readonly ModelFailureKind[] = [
  'timeout',
  'rate_limited',
  'server_error',
  'connection',
  'truncated',
  'malformed',
];

/** Whether the same request may work when it is made again. */
export function isRetryable({ kind }: ModelFailure): boolean {
  return RETRIED.includes(kind);
}

const LONGEST_MESSAGE = 500;

/**
 * What went wrong with a request.
 *
 * @param now milliseconds since 1970, for a `retry-after` that is a date
 * @param redact takes keys out of what the server said
 */
export function callFailure(
  error: unknown,
  timedOut: boolean,
  now: number,
  redact: (text: string) => string,
): ModelCallFailed {
  const failed = (kind: ModelFailureKind, message: string, status: number | null = null): ModelCallFailed =>
    new ModelCallFailed({ kind, status, message: redact(message).slice(0, LONGEST_MESSAGE) });
  if (timedOut) return failed('timeout', 'the server did not answer in time');
  if (error instanceof TruncatedStream) return failed('truncated', error.message);
  if (error instanceof MalformedReply) return failed('malformed', error.message);
  if (error instanceof StreamedError) return failed('server_error', serverText(error.error));
  if (error instanceof SyntaxError) return failed('malformed', 'the answer is not JSON');
  if (error instanceof APIConnectionError) return failed('connection', connectionText(error));
  if (error instanceof APIError) return statusFailure(error, now, redact);
  // A body that breaks off is a plain TypeError of fetch.
  return failed('connection', connectionText(error));
}

function statusFailure(error: APIError, now: number, redact: (text: string) => string): ModelCallFailed {
  const status = error.status ?? null;
  const message = redact(serverText(error.error) || messageOf(error)).slice(0, LONGEST_MESSAGE);
  return new ModelCallFailed(
    { kind: kindOf(status, error, message), status, message },
    retryAfter(error.headers, now),
  );
}

function kindOf(status: number | null, error: APIError, message: string): ModelFailureKind {
  if (status === 401 || status === 403) return 'unauthorised';
  // An empty purse is not fixed by waiting.
  if (status === 402 || error.code === 'insufficient_quota') return 'unauthorised';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 409 || status === 425) return 'server_error';
  if (status === null || status >= 500) return 'server_error';
  const tooLong = /context.{0,20}(length|window)|maximum context|too many tokens|prompt is too long/i;
  if (error.code === 'context_length_exceeded' || status === 413 || tooLong.test(message))
    return 'context_too_long';
  return 'rejected';
}

function serverText(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return '';
  if ('message' in error && typeof error.message === 'string') return error.message;
  if ('error' in error) return serverText(error.error);
  return JSON.stringify(error);
}

// By the system's code alone: messages name addresses and ports, which are no part of a journal.
function connectionText(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return `the connection failed (${cause.code})`;
  }
  return 'the connection broke off';
}

/** Milliseconds to wait by `retry-after-ms`, or by `retry-after` in seconds or as a date. */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get('retry-after') ?? '';
  if (text === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(seconds * 1000, 0);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
