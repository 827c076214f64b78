import type OpenAI from 'openai';
import { request } from '../../http/index.ts';
import { isDeeperThan, isObject } from '../../kernel/index.ts';
import { type Exchange, MalformedReply, type Protocol } from './types.ts';

/** Maximum nesting depth of a server's answer. */
const DEEPEST = 200;

/** Maximum size of a model server's response, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * `fetch` for the `openai` client. The client looks for the error of a failed response under `error` only. Google sends
 * a list of such responses, and other servers send the error itself: both are rewritten.
 */
export async function fetchWithPlainErrors(
  input: string | URL | Request,
  options?: RequestInit,
): Promise<Response> {
  const address = input instanceof Request ? input.url : input;
  // A model may think for minutes before its first byte. The caller limits the time of the whole request.
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

// The body has been replaced and is no longer compressed.
function withoutLength(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return headers;
}

/**
 * Reads an answer as a stream of events or as JSON, depending on its content. Servers may answer a stream
 * request with JSON, and may label either as plain text.
 *
 * @throws SyntaxError, TruncatedStream, MalformedReply, AnsweredError; the error of `fetch` if the body is
 *   incomplete
 */
export async function readAnswer(response: Response, protocol: Protocol, client: OpenAI): Promise<Exchange> {
  const body = await Body.of(response);
  if (!body.isEvents) return shallow(protocol.reply(JSON.parse(await new Response(body.stream()).text())));
  const whole = new Response(body.stream(), { headers: withoutLength(response.headers) });
  // The stream aborts its controller if it is left early. A separate controller prevents this from aborting
  // the caller's request.
  const { Stream } = await import('openai/streaming');
  const events = Stream.fromSSEResponse<unknown>(whole, new AbortController(), client);
  return shallow(protocol.reply(await protocol.assemble(events, () => body.closed)));
}

/** Rejects very deep values, which could not be written to the journal. */
function shallow(exchange: Exchange): Exchange {
  if (isDeeperThan(exchange, DEEPEST)) throw new MalformedReply(`it is nested deeper than ${DEEPEST} levels`);
  return exchange;
}

/** Start of a stream event. Comments count too. */
const EVENT_START = /^\s*(?:\u00ef\u00bb\u00bf)?\s*(?:data|event|id|retry)?:/;
/** Start of a JSON text in latin1, with or without a byte order mark. */
const JSON_START = /^\s*(?:\u00ef\u00bb\u00bf)?\s*[[{]/;
const LAST_MARK = 'data: [DONE]';

/** Body of an answer that detects its format from its first characters. */
class Body {
  /** True once the last mark of the stream has arrived. */
  closed = false;
  isEvents = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #seen: Uint8Array[] = [];
  #tail = '';

  static async of(response: Response): Promise<Body> {
    const body = new Body(response.body ?? new Blob([]).stream());
    const start = await body.#start();
    const type = response.headers.get('content-type') ?? '';
    body.isEvents = EVENT_START.test(start) || (type.includes('event-stream') && !JSON_START.test(start));
    return body;
  }

  private constructor(given: ReadableStream<Uint8Array>) {
    this.#reader = given.getReader();
  }

  /**
   * Returns the whole body. Call it once, after the format was detected: a stream starts reading when it is
   * created.
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
