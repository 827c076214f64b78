import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { messageOf } from '../index.ts';

/** Limits on the size and duration of one HTTP request. */
export interface HttpLimits {
  /** Maximum number of bytes of the response body, after decompression. */
  readonly maxBytes: number;
  /** Maximum time to open a connection, in ms. Default 10,000. */
  readonly connectMs?: number;
  /** Maximum time until the response headers arrive, in ms. `Infinity` for no limit. Default: `idleMs`. */
  readonly answerMs?: number;
  /** Maximum time without a received byte, in ms. `Infinity` for no limit. Default 60,000. */
  readonly idleMs?: number;
  /** Maximum time for the whole request, in ms. Default: no limit. */
  readonly totalMs?: number;
}

/** Method, headers, body and abort signal of a request. */
interface HttpInit {
  readonly method?: string | undefined;
  readonly headers?: HeadersInit | undefined;
  readonly body?: BodyInit | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** Failure kinds of a request without a complete response. */
type HttpFailureKind = 'connection' | 'timeout' | 'too_large';

/** Error of a request that got no complete response. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly kind: HttpFailureKind;
  /** Error code of the operating system, for example `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.code = systemCode(cause);
  }
}

export const CONNECT_MS = 10_000;
const IDLE_MS = 60_000;
const NULL_BODY_STATUS = [101, 204, 205, 304];
/**
 * Host names and addresses of this machine. A proxy cannot reach this machine, so such requests use no proxy.
 */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Sends one HTTP request. All outgoing requests of the program use this function.
 *
 * Redirects are not followed, because they could send credentials to another host. The caller gets the 3xx
 * response.
 * The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY` are used, except for the hosts in `NO_PROXY` and
 * for addresses of this machine. Failed requests are not retried; `retry` does this.
 *
 * @param url address, `http:` or `https:`
 * @throws HttpFailure if no complete response arrives within the limits; reading the body of the response can
 * also throw it.
 * Throws the reason of `init.signal` if the caller aborted the request.
 */
export async function request(url: URL | string, init: HttpInit, limits: HttpLimits): Promise<Response> {
  const { idleMs = IDLE_MS, answerMs = idleMs, totalMs } = limits;
  const address = readAddress(url);
  const headers = readHeaders(init.headers);
  const { fetch } = await import('undici');
  const dispatcher = await dispatcherFor(address, limits.connectMs ?? CONNECT_MS);
  const deadline = new Deadline(init.signal ?? undefined, totalMs);
  deadline.expect(answerMs, `no response within ${answerMs} ms`);
  try {
    const response = await fetch(address, {
      ...(init.method === undefined ? {} : { method: init.method }),
      headers,
      ...(init.body === undefined ? {} : { body: init.body as string | Uint8Array | null }),
      redirect: 'manual',
      signal: deadline.signal,
      dispatcher,
    });
    const { status, statusText, body } = response;
    const answer = { status, statusText, headers: new Headers([...response.headers]) };
    if (body === null || NULL_BODY_STATUS.includes(status)) {
      deadline.end();
      return new Response(null, answer);
    }
    deadline.expect(idleMs, `no data for ${idleMs} ms`);
    const chunks = limitedChunks(body as AsyncIterable<Uint8Array>, deadline, limits.maxBytes, idleMs);
    const stop = (reason: unknown): void => deadline.abort(reason);
    return new Response(streamOf(chunks, stop), answer);
  } catch (error) {
    throw deadline.failure(error);
  }
}

/**
 * Parses an address. The messages of `fetch` are not used, because they contain the whole address, which may
 * contain an API key.
 *
 * @throws HttpFailure
 */
export function readAddress(text: URL | string): URL {
  if (!URL.canParse(String(text))) throw new HttpFailure('connection', 'the address is not valid');
  const url = new URL(text);
  if (url.username === '' && url.password === '') return url;
  throw new HttpFailure(
    'connection',
    'the address contains a user name or a password, which is not supported; pass the key in the variable or header for it',
  );
}

/**
 * Returns the headers of a request. The messages of `Headers` are not used, because they contain the value,
 * which may be an API key.
 *
 * @throws HttpFailure for a header that HTTP does not allow
 */
function readHeaders(given: HeadersInit = {}): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(given));
  } catch {
    const problem = firstRefused(given);
    throw new HttpFailure('connection', `${problem} has characters that are not allowed in HTTP`);
  }
}

function firstRefused(given: HeadersInit): string {
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  for (const [name = '', value = ''] of pairs) {
    try {
      new Headers([[name, '']]);
    } catch {
      return 'the name of a header';
    }
    try {
      new Headers([[name, value]]);
    } catch {
      return `the value of the header ${name}`;
    }
  }
  return 'a header';
}

/** Cached HTTP connection pools (agents of undici), by connect timeout and proxy. */
const dispatchers = new Map<string, Dispatcher>();

/** Returns the cached connection pool for the proxy (or no proxy) of an address. Creates missing pools. */
export async function dispatcherFor(url: URL, connectMs: number): Promise<Dispatcher> {
  const { getProxyForUrl } = await import('proxy-from-env');
  const proxy = LOOPBACK.test(url.hostname) ? '' : getProxyForUrl(url.href);
  // Many proxies accept tunnels to port 443 only, so plain HTTP is forwarded.
  const proxyTunnel = url.protocol !== 'http:';
  const key = `${connectMs} ${proxyTunnel} ${proxy}`;
  const known = dispatchers.get(key);
  if (known !== undefined) return known;
  const { Agent, ProxyAgent } = await import('undici');
  // The limits of undici are off: `Deadline` limits the time for headers and body exactly, and its errors
  // name the step that took too long.
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectMs } };
  let made: Dispatcher;
  try {
    made = proxy === '' ? new Agent(options) : new ProxyAgent({ ...options, uri: proxy, proxyTunnel });
  } catch {
    // The address and the message of the error may contain a password, so the error shows only the variable
    // names.
    const names = 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY';
    throw new HttpFailure('connection', `the value of ${names} is not the address of an HTTP proxy`);
  }
  dispatchers.set(key, made);
  return made;
}

/** Aborts a request if the caller aborts, a step takes too long, or the request as a whole takes too long. */
class Deadline {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #given: AbortSignal | undefined;
  readonly #total: NodeJS.Timeout | undefined;
  #step: NodeJS.Timeout | undefined;

  constructor(given: AbortSignal | undefined, totalMs: number | undefined) {
    this.#given = given;
    this.signal = given === undefined ? this.#own.signal : AbortSignal.any([given, this.#own.signal]);
    if (totalMs !== undefined)
      this.#total = setTimeout(
        () => this.#expire(`no complete response within ${totalMs} ms`),
        totalMs,
      ).unref();
  }

  /** Ends the time limit of the previous step of the request and starts the time limit of the next step. */
  expect(milliseconds: number, problem: string): void {
    this.pause();
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    this.#step = setTimeout(() => this.#expire(problem), milliseconds).unref();
  }

  pause(): void {
    clearTimeout(this.#step);
  }

  end(): void {
    this.pause();
    clearTimeout(this.#total);
  }

  /** Ends the request and its time limits. */
  abort(reason: unknown): void {
    this.end();
    this.#own.abort(reason);
  }

  /** Ends the time limits and returns the error to throw for a failed request. */
  failure(error: unknown): unknown {
    this.end();
    if (this.#given?.aborted === true) return this.#given.reason as unknown;
    if (error instanceof HttpFailure) return error;
    if (this.#own.signal.aborted) return this.#own.signal.reason;
    const cause = causeOf(error);
    const isTimeout = systemCode(cause) === 'UND_ERR_CONNECT_TIMEOUT';
    return new HttpFailure(isTimeout ? 'timeout' : 'connection', messageOf(cause) || messageOf(error), cause);
  }

  #expire(problem: string): void {
    this.abort(new HttpFailure('timeout', problem));
  }
}

/** Yields the chunks of a response body. Throws `HttpFailure` if a limit of size or time is exceeded. */
async function* limitedChunks(
  body: AsyncIterable<Uint8Array>,
  deadline: Deadline,
  maxBytes: number,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new HttpFailure('too_large', `the response has more than ${maxBytes} bytes`);
      // Stops the idle time limit while the caller processes the chunk.
      deadline.pause();
      yield chunk;
      deadline.expect(idleMs, `no data for ${idleMs} ms`);
    }
  } catch (error) {
    throw deadline.failure(error);
  } finally {
    deadline.end();
  }
}

function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  stop: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: stop,
    },
    // A high-water mark of 0 reads the body only as fast as the caller reads the stream.
    { highWaterMark: 0 },
  );
}

/**
 * Returns the innermost cause of an error, because the message of `fetch` is only "fetch failed". If Node
 * tried several addresses of a host, returns the first of their errors.
 */
function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors[0];
  return cause;
}

function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Options of `retry`. */
interface RetryOptions {
  /** Maximum number of attempts, at least 1. */
  readonly attempts: number;
  /**
   * Returns the time to wait before the next attempt in ms, or `undefined` to stop and throw the error.
   *
   * @param attempt number of the failed attempt, from 1
   */
  readonly waitAfter: (error: unknown, attempt: number) => number | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((error: unknown, milliseconds: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a function until it succeeds, `waitAfter` returns `undefined`, or the number of attempts is reached.
 *
 * @throws the error of the last attempt; the reason of `signal` if the caller aborted
 */
export async function retry<T>(options: RetryOptions, attemptOnce: () => Promise<T>): Promise<T> {
  const { attempts, waitAfter, onRetry, signal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await attemptOnce();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = attempt < attempts ? waitAfter(error, attempt) : undefined;
      if (wait === undefined) throw error;
      onRetry?.(error, wait);
      await sleep(wait, undefined, { signal });
    }
  }
}

/**
 * Returns the wait time that a server requested, in ms. Reads the header `retry-after-ms`, or `retry-after`
 * in seconds or as a date. `undefined` without these headers.
 *
 * @param now milliseconds since 1970, for a date
 */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d+(\.\d+)?(e\d+)?$/i.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
