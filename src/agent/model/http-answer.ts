import type OpenAI from 'openai';
import { request } from '../../http/index.ts';
import { isDeeperThan, isObject } from '../../kernel/index.ts';
import { type Exchange, MalformedReply, type Protocol } from './types.ts';

/** Deepest nesting of what a server answers. */
const DEEPEST = 200;

/** Largest response of a model server, in bytes. */
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
  // A model may think for minutes before its first byte: the time limit of the whole request is that of the caller.
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

// The body is another one now, and no longer compressed.
function withoutLength(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return headers;
}

/**
 * Reads an answer for what it is, a stream of events or one JSON text, whatever was asked for and whatever its content
 * type says: servers answer requests for a stream with JSON, and either of them as plain text.
 *
 * @throws SyntaxError, TruncatedStream, MalformedReply, AnsweredError; what `fetch` throws where the body breaks off
 */
export async function readAnswer(response: Response, protocol: Protocol, client: OpenAI): Promise<Exchange> {
  const body = await Body.of(response);
  if (!body.isEvents) return shallow(protocol.reply(JSON.parse(await new Response(body.stream()).text())));
  const whole = new Response(body.stream(), { headers: withoutLength(response.headers) });
  // The stream aborts its controller when it is left early, which is no end of the request for whoever waits for that.
  const { Stream } = await import('openai/streaming');
  const events = Stream.fromSSEResponse<unknown>(whole, new AbortController(), client);
  return shallow(protocol.reply(await protocol.assemble(events, () => body.closed)));
}

/** What is kept of an answer is written down, which a very deep value would break. */
function shallow(exchange: Exchange): Exchange {
  if (isDeeperThan(exchange, DEEPEST)) throw new MalformedReply(`it is nested deeper than ${DEEPEST} levels`);
  return exchange;
}

/** How an event of a stream begins; a comment is one. */
const EVENT_START = /^\s*(?:\u00ef\u00bb\u00bf)?\s*(?:data|event|id|retry)?:/;
/** How JSON begins, as latin1 with a mark of the order of bytes or without one. */
const JSON_START = /^\s*(?:\u00ef\u00bb\u00bf)?\s*[[{]/;
const LAST_MARK = 'data: [DONE]';

/** An answer's body, its first words looked at. */
class Body {
  /** Whether the last mark of a stream has come by. */
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

  /** All of it. To be asked for once, after its first words were looked at: a stream begins to be read when it is made. */
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

  /** As much of the text as shows what it is. */
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
