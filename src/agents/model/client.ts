import type OpenAI from 'openai';
import { request } from '../../kernel/http/index.ts';
import { isDeeperThan, isObject } from '../../kernel/index.ts';
import { callFailure } from './failures.ts';
import { type Body, type Exchange, MalformedReply, type Protocol } from './types.ts';

/** Maximum nesting depth of a server's answer. */
const DEEPEST = 200;

/** Maximum size of a model server's response, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * `fetch` for the `openai` client, which reads an error only from the field `error` of a JSON object. Google
 * wraps this object in a list, and some servers omit the field. Both forms are rewritten to `{"error": …}`.
 */
async function fetchWithPlainErrors(input: string | URL | Request, options?: RequestInit): Promise<Response> {
  const address = input instanceof Request ? input.url : input;
  // No time limit here, because a model may think for minutes before its first byte. The caller limits the
  // time of the whole request.
  const response = await request(address, options ?? {}, {
    maxBytes: MAX_BYTES,
    answerMs: Number.POSITIVE_INFINITY,
    idleMs: Number.POSITIVE_INFINITY,
  });
  if (response.ok) return response;
  const { status, headers } = response;
  return new Response(plainError(await response.text()), { status, headers: withoutLength(headers) });
}

function plainError(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (isDeeperThan(value, DEEPEST)) return 'an error nested too deep to be read';
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return JSON.stringify(isObject(first) && 'error' in first ? first : { error: first });
}

// Removes the headers about length and compression, because they describe the original body and not the new
// one.
function withoutLength(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return headers;
}

/**
 * Reads a model server's answer. Detects from the first characters if the body is a stream of events or JSON.
 * A server may answer a stream request with JSON, and may label both formats as plain text.
 *
 * @throws SyntaxError, TruncatedStream, MalformedReply, AnsweredError; the error of `fetch` if the body is
 *   incomplete
 */
async function readAnswer(response: Response, protocol: Protocol, client: OpenAI): Promise<Exchange> {
  const body = await HttpBody.of(response);
  if (!body.isEvents) return shallow(protocol.reply(JSON.parse(await new Response(body.stream()).text())));
  const whole = new Response(body.stream(), { headers: withoutLength(response.headers) });
  // If reading stops early, the stream aborts the controller that it was given. A separate controller is
  // passed, so that this does not abort the caller's request.
  const { Stream } = await import('openai/streaming');
  const events = Stream.fromSSEResponse<unknown>(whole, new AbortController(), client);
  return shallow(protocol.reply(await protocol.assemble(events, () => body.closed)));
}

/** Returns the exchange. Throws if it is nested so deeply that it could not be written to the journal. */
function shallow(exchange: Exchange): Exchange {
  if (isDeeperThan(exchange, DEEPEST)) throw new MalformedReply(`it is nested deeper than ${DEEPEST} levels`);
  return exchange;
}

/** Start of an event in a stream, or of a comment in a stream (a line that begins with `:`). */
const EVENT_START = /^\s*(?:\u00ef\u00bb\u00bf)?\s*(?:data|event|id|retry)?:/;
/** Start of a JSON text in latin1, with or without a byte order mark. */
const JSON_START = /^\s*(?:\u00ef\u00bb\u00bf)?\s*[[{]/;
const LAST_MARK = 'data: [DONE]';

/** Body of an answer. Detects the format from the first characters. */
class HttpBody {
  /** True once `data: [DONE]`, the end mark of a stream, has arrived. */
  closed = false;
  isEvents = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #seen: Uint8Array[] = [];
  #tail = '';

  static async of(response: Response): Promise<HttpBody> {
    const body = new HttpBody(response.body ?? new Blob([]).stream());
    const start = await body.#start();
    const type = response.headers.get('content-type') ?? '';
    body.isEvents = EVENT_START.test(start) || (type.includes('event-stream') && !JSON_START.test(start));
    return body;
  }

  private constructor(given: ReadableStream<Uint8Array>) {
    this.#reader = given.getReader();
  }

  /**
   * Returns a stream of the whole body, including the bytes read to detect the format. Must be called only
   * once, and after the detection, because the returned stream starts to read when it is created.
   */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        const next = this.#seen.shift() ?? (await this.#read());
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
      cancel: (reason) => this.#reader.cancel(reason),
    });
  }

  /** Reads enough text to detect the format. */
  async #start(): Promise<string> {
    let start = '';
    while (start.trim().length < LAST_MARK.length) {
      const chunk = await this.#read();
      if (chunk === undefined) break;
      this.#seen.push(chunk);
      start += Buffer.from(chunk).toString('latin1');
    }
    return start;
  }

  async #read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#reader.read();
    if (done) return undefined;
    this.#tail = (this.#tail + this.#decoder.decode(value, { stream: true })).slice(-200);
    this.closed ||= /(?:^|[\r\n])data: ?\[DONE\]/.test(this.#tail);
    return value;
  }
}

interface ClientOptions {
  /** Address of the server. Its query, for example `?api-version=` of Azure, is sent with every request. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** HTTP headers that the strategy sets. They override the default headers of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocol: Protocol;
  /** Timeout of a whole request in milliseconds, including the response body. */
  readonly timeoutMs: number;
  /** Removes API keys from texts that the server sends. */
  readonly redact: (text: string) => string;
}

/** Client that sends each request once. The caller decides on retries. */
export interface ModelClient {
  /**
   * Sends a request body and returns the reply.
   *
   * @throws ModelCallFailed, or the signal's reason if it was aborted
   */
  send(body: Body, signal?: AbortSignal): Promise<Exchange>;
}

export function createModelClient(options: ClientOptions): ModelClient {
  const { protocol, timeoutMs, redact } = options;
  const opening = openClient(options);
  // Prevents an unhandled rejection. The first request awaits `opening` and reports the error.
  opening.catch(() => undefined);
  return {
    async send(body, signal) {
      const { client, errors } = await opening;
      const timer = new AbortController();
      // The client's own timeout ends when the headers arrive. This timer also covers the body.
      const timeout = setTimeout(() => timer.abort(), timeoutMs);
      const ending = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
      try {
        const response = await client.post(protocol.path, { body, signal: ending }).asResponse();
        const exchange = await readAnswer(response, protocol, client);
        if (timer.signal.aborted) throw new Error('timed out');
        return redacted(exchange, redact);
      } catch (error) {
        signal?.throwIfAborted();
        const failed = callFailure(error, errors, timer.signal.aborted, Date.now(), redact);
        if (!failed.isFiltered) throw failed;
        return { reply: { text: failed.message, toolCalls: [], end: 'filtered' }, usage: null };
      } finally {
        clearTimeout(timeout);
      }
    },
  };
}

/**
 * Loads the `openai` package and creates its client. The package has 150 files, so it is loaded only for
 * strategies with a model.
 */
async function openClient({ baseUrl, apiKey, headers = {}, timeoutMs }: ClientOptions) {
  const errors = await import('openai');
  const { address, query } = partsOf(baseUrl);
  const client = new errors.OpenAI({
    baseURL: address,
    defaultQuery: query,
    apiKey,
    // Azure expects the key in the header `api-key`. It would treat `authorization` as another kind of token.
    defaultHeaders: {
      ...(isAzure(baseUrl) ? { authorization: null, 'api-key': apiKey } : {}),
      ...headers,
    },
    fetch: fetchWithPlainErrors,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // Explicit `null`, because the client would otherwise read these values from environment variables.
    organization: null,
    project: null,
    webhookSecret: null,
  });
  return { client, errors };
}

function partsOf(baseUrl: string): { address: string; query: Record<string, string> } {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  return { address: url.toString().replace(/\/$/, ''), query };
}

function isAzure(baseUrl: string): boolean {
  const { hostname, searchParams } = new URL(baseUrl);
  return /(^|\.)azure\.com$/.test(hostname) || searchParams.has('api-version');
}

// A server may repeat an API key in its reply. The key must not be written to the journal.
function redacted(exchange: Exchange, redact: (text: string) => string): Exchange {
  const text = JSON.stringify(exchange);
  const clean = redact(text);
  return clean === text ? exchange : (JSON.parse(clean) as Exchange);
}
