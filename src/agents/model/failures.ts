import type { APIError, OpenAI } from 'openai';
import type { ModelFailure, ModelFailureKind } from '../../engine/index.ts';
import { HttpFailure, retryAfter } from '../../kernel/http/index.ts';
import { isObject, messageOf } from '../../kernel/index.ts';
import { AnsweredError, MalformedReply, TruncatedStream } from './types.ts';

/** Error of a model request that received no usable reply. */
export class ModelCallFailed extends Error {
  readonly failure: ModelFailure;
  /** Delay before a retry in milliseconds, as requested by the server. `undefined` if not requested. */
  readonly retryAfterMs: number | undefined;
  /**
   * True if a content filter refused the request. The caller then treats the refusal as a reply that ended
   * with `filtered`, not as an error.
   */
  readonly isFiltered: boolean;

  constructor(failure: ModelFailure, retryAfterMs?: number, isFiltered = false) {
    super(failure.message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.isFiltered = isFiltered;
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

/** Returns true if the failed request may succeed when it is sent again later. */
export function isRetryable({ kind }: ModelFailure): boolean {
  return RETRIED.includes(kind);
}

const LONGEST_MESSAGE = 500;

/**
 * Converts the error of a request to a failure.
 *
 * @param errors error classes of the `openai` package, which is loaded on demand
 * @param now milliseconds since 1970, for a `retry-after` that is a date
 * @param redact removes API keys from the server's text
 */
export function callFailure(
  error: unknown,
  errors: Pick<typeof OpenAI, 'APIConnectionError' | 'APIError'>,
  timedOut: boolean,
  now: number,
  redact: (text: string) => string,
): ModelCallFailed {
  const failed = (kind: ModelFailureKind, message: string, status: number | null = null): ModelCallFailed =>
    new ModelCallFailed({ kind, status, message: redact(message).slice(0, LONGEST_MESSAGE) });
  if (timedOut) return failed('timeout', 'the server did not answer in time');
  if (error instanceof TruncatedStream) return failed('truncated', error.message);
  if (error instanceof MalformedReply) return failed('malformed', error.message);
  if (error instanceof AnsweredError) return answeredFailure(error.error, undefined, now, redact);
  if (error instanceof SyntaxError) return failed('malformed', 'the answer is not JSON');
  if (error instanceof errors.APIConnectionError) return failed('connection', connectionText(error));
  if (error instanceof errors.APIError) return statusFailure(error, now, redact);
  if (error instanceof HttpFailure && error.kind === 'too_large') return failed('malformed', error.message);
  return failed('connection', connectionText(error));
}

function statusFailure(error: APIError, now: number, redact: (text: string) => string): ModelCallFailed {
  // An error event of a stream has no HTTP status, so the status is read from the error itself.
  if (error.status === undefined) return answeredFailure(error.error, error.headers, now, redact);
  // The text of a redirect contains the new address. Addresses must not be written to the journal, so a
  // constant text is used instead.
  const isElsewhere = error.status >= 300 && error.status < 400;
  const text = isElsewhere ? ELSEWHERE : serverText(error.error) || messageOf(error);
  const said = redact(text).slice(0, LONGEST_MESSAGE);
  return failureOf(error.status, error.error, said, error.headers, now);
}

/** Returns the failure for an error inside an answer with a successful HTTP status. */
function answeredFailure(
  error: unknown,
  headers: Headers | undefined,
  now: number,
  redact: (text: string) => string,
): ModelCallFailed {
  const said = redact(serverText(error) || 'the server failed without a reason').slice(0, LONGEST_MESSAGE);
  return failureOf(statusIn(error), error, said, headers, now);
}

function failureOf(
  status: number | null,
  error: unknown,
  message: string,
  headers: Headers | undefined,
  now: number,
): ModelCallFailed {
  const kind = kindOf(status, error, message);
  const wait = retryAfter(headers, now) ?? retryDelayIn(error);
  return new ModelCallFailed({ kind, status, message }, wait, isFiltered(error));
}

/**
 * Returns the HTTP status inside an error body, or `null`. A router forwards requests to other model servers
 * and reports their status in this field.
 */
function statusIn(error: unknown): number | null {
  if (!isObject(error)) return null;
  const { code, status } = error;
  return [code, status].map(Number).find((value) => value >= 400 && value <= 599) ?? null;
}

const ELSEWHERE =
  'base_url leads to another address, which is not followed; give the last one (https, the whole path)';
const NO_CREDIT =
  /insufficient.{0,3}(quota|balance|credit|funds)|exceeded your current quota, please check your plan/i;
const BAD_KEY =
  /(api.?key|credential|token).{0,20}(not valid|invalid|incorrect|expired)|(invalid|incorrect) api.?key/i;
/**
 * Error messages for a conversation that is too long. Sources: OpenAI, Anthropic, llama.cpp, Google,
 * Moonshot, vLLM, Mistral and OpenRouter, in this order.
 */
const TOO_LONG = [
  /context.{0,20}(length|window)|maximum context/i,
  /too many tokens|prompt is too long/i,
  /exceeds? the available context size|exceed_context_size/i,
  /input token count.{0,40}exceeds/i,
  /exceeded model token limit/i,
  /decoder prompt.{0,40}longer than|maximum model length/i,
  /too large for model with \d+ maximum context/i,
  /maximum (?:allowed )?(?:input|prompt) (?:length|tokens)/i,
];

function kindOf(status: number | null, error: unknown, message: string): ModelFailureKind {
  const codes = isObject(error) ? [error.code, error.type, error.status].map(String) : [];
  // If the account has no credit, a retry does not help.
  if (status === 402 || codes.includes('insufficient_quota') || NO_CREDIT.test(message))
    return 'insufficient_quota';
  if (status === 401 || status === 403) return 'unauthorised';
  // Groq answers 498 if its capacity is exceeded.
  if (status === 429 || status === 498) return 'rate_limited';
  if (status === 408 || status === 409 || status === 425) return 'server_error';
  const tooLong =
    codes.includes('context_length_exceeded') ||
    codes.includes('exceed_context_size_error') ||
    status === 413 ||
    TOO_LONG.some((words) => words.test(message));
  if (tooLong && status !== null) return 'context_too_long';
  if (status === null || status >= 500) return 'server_error';
  return BAD_KEY.test(message) ? 'unauthorised' : 'rejected';
}

/**
 * Error codes of content filters. Sources: Azure and Moonshot, OpenAI, Alibaba and OpenRouter, in this order.
 */
const FILTERS = ['content_filter', 'content_policy_violation', 'data_inspection_failed'];

function isFiltered(error: unknown): boolean {
  if (!isObject(error)) return false;
  const { code, type, metadata } = error;
  return (
    [code, type].some((word) => FILTERS.includes(String(word))) ||
    (isObject(metadata) && metadata.flagged_input !== undefined)
  );
}

function serverText(error: unknown): string {
  if (typeof error === 'string') return error;
  if (Array.isArray(error)) return serverText(error[0]);
  if (!isObject(error)) return '';
  for (const field of ['message', 'detail'] as const) {
    const said = error[field];
    if (typeof said === 'string' && said !== '') return said;
  }
  if ('error' in error) return serverText(error.error);
  return JSON.stringify(error);
}

/** Returns the delay from the details of Google's errors, `{"retryDelay": "34s"}`, in milliseconds. */
function retryDelayIn(error: unknown): number | undefined {
  const details = isObject(error) && Array.isArray(error.details) ? error.details : [];
  const delay = details
    .map((one: unknown) => (isObject(one) ? String(one.retryDelay) : ''))
    .find((text) => /^[\d.]+s$/.test(text));
  return delay === undefined ? undefined : Number.parseFloat(delay) * 1000;
}

// Uses only the operating system's error code, for example `ECONNREFUSED`. Messages contain addresses and
// ports, which are not written to the journal.
function connectionText(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return `the connection failed (${cause.code})`;
  }
  return 'the connection broke off';
}
