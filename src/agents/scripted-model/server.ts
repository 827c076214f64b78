import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { AppError, messageOf } from '../../kernel/index.ts';
import { chatAnswer, chatChunks, responsesAnswer, responsesEvents } from './response-formats.ts';
import {
  type Conversation,
  conversationOf,
  holds,
  type RawAnswer,
  type Script,
  type ScriptStep,
} from './script.ts';

/** Request that the server has received, with the script step that answered it. */
export interface ScriptedCall {
  /** Number of the request, from 1. */
  readonly request: number;
  readonly path: string;
  readonly body: unknown;
  /** Step that answered: its name, or its number from 0. `null` if the request was refused without a step. */
  readonly step: string | null;
}

export interface ScriptedModelOptions {
  /** Port to listen on. Default: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Called for each request when it arrives. */
  readonly onCall?: (call: ScriptedCall) => void;
}

/** Server that implements the protocol of a model and answers from a script. */
export interface ScriptedModel {
  /** Address of the server, for `OPENAI_BASE_URL`. */
  readonly url: string;
  readonly calls: readonly ScriptedCall[];
  /** Descriptions of requests that were invalid or that no step matched. */
  readonly unexpected: readonly string[];
  /** Returns descriptions of steps that have answered fewer requests than expected. */
  leftover(): string[];
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/**
 * Starts a server that answers model requests from a script.
 *
 * @param script result of `readScript`
 * @throws AppError `port_taken`
 */
export async function startScriptedModel(
  script: Script,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const player = new Player(script, options.onCall);
  const server = createServer((request, response) => {
    player.answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) send(response, 500, { error: { message: messageOf(error) } });
      else response.destroy();
    });
  });
  const { host = '127.0.0.1', port = 0 } = options;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new AppError({
          code: 'port_taken',
          message: `Cannot listen on ${host}:${port}: ${messageOf(cause)}.`,
          hint: 'Choose another port with --port, or omit --port to use a free port.',
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/v1`,
    calls: player.calls,
    unexpected: player.unexpected,
    leftover: () => player.leftover(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Finds the step of the script that answers a request, and records all requests. */
class Player {
  readonly calls: ScriptedCall[] = [];
  readonly unexpected: string[] = [];
  readonly #script: Script;
  readonly #used: number[];
  readonly #onCall: ScriptedModelOptions['onCall'];

  constructor(script: Script, onCall: ScriptedModelOptions['onCall']) {
    this.#script = script;
    this.#used = script.steps.map(() => 0);
    this.#onCall = onCall;
  }

  leftover(): string[] {
    return this.#script.steps.flatMap((step, index) => {
      const used = this.#used[index]!;
      if (step.times === 'any' || used >= step.times) return [];
      return [`step ${nameOf(step, index)} was used ${used} of ${step.times} times`];
    });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', 'http://scripted');
    const path = address.pathname;
    if (request.method === 'GET' && path.endsWith('/models')) {
      send(response, 200, {
        object: 'list',
        data: [{ id: 'scripted', object: 'model', owned_by: 'sandtable' }],
      });
      return;
    }
    const body = readJson(await text(request));
    const number = this.calls.length + 1;
    const refuse = (status: number, message: string): undefined => {
      this.#note({ request: number, path, body, step: null });
      this.unexpected.push(`request ${number}: ${message}`);
      send(response, status, {
        error: {
          message: `The script did not expect this: ${message}`,
          type: 'scripted_model',
          code: 'unexpected_request',
        },
      });
    };
    const known = path.endsWith('/chat/completions') || path.endsWith('/responses');
    if (request.method !== 'POST' || !known) return refuse(404, `${request.method} ${path} is not served`);
    const { api_key: key } = this.#script;
    const given = [request.headers.authorization, `Bearer ${String(request.headers['api-key'])}`];
    if (key !== undefined && !given.includes(`Bearer ${key}`)) {
      return refuse(401, 'the key is missing or wrong');
    }
    const conversation = conversationOf(address, body, request.headers);
    if (conversation === undefined) return refuse(400, 'the body is not a request of the protocol');
    const index = this.#script.steps.findIndex(
      (step, at) =>
        (step.times === 'any' || this.#used[at]! < step.times) && holds(step.when, conversation, number),
    );
    if (index < 0)
      return refuse(
        422,
        `no step is left for round ${conversation.round}; its last message is ${excerpt(conversation)}`,
      );
    const step = this.#script.steps[index]!;
    this.#used[index]! += 1;
    this.#note({ request: number, path, body, step: nameOf(step, index) });
    if (step.delay_ms > 0) await sleep(step.delay_ms);
    play(step, path, conversation, response);
  }

  #note(call: ScriptedCall): void {
    this.calls.push(call);
    this.#onCall?.(call);
  }
}

function nameOf(step: ScriptStep, index: number): string {
  return step.name ?? String(index);
}

function excerpt({ texts }: Conversation): string {
  const last = texts.at(-1) ?? '';
  return JSON.stringify(last.length > 200 ? `${last.slice(0, 200)}…` : last);
}

function readJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function play(step: ScriptStep, path: string, conversation: Conversation, response: ServerResponse): void {
  const { fail, raw } = step;
  const isChat = path.endsWith('/chat/completions');
  const reply = step.reply ?? { text: 'This answer is cut in its middle.', tool_calls: [] };
  if (raw !== undefined) sendRaw(raw, response);
  else if (typeof fail === 'object') refuseWith(fail, response);
  else if (fail === 'drop') response.destroy();
  else if (conversation.stream) stream(isChat, fail, reply, conversation, response);
  else if (fail === 'malformed') send(response, 200, '{"choices": [{"message"');
  else if (fail === 'empty') send(response, 200, {});
  else {
    const answer = isChat ? chatAnswer(reply, conversation) : responsesAnswer(reply, conversation);
    if (fail === 'truncate') sendHalf(response, JSON.stringify(answer));
    else send(response, 200, answer);
  }
}

function sendRaw(raw: RawAnswer, response: ServerResponse): void {
  const { status, body, chunks, done, content_type, headers, gzip } = raw;
  const isStream = chunks !== undefined;
  response.writeHead(status, {
    'content-type': content_type ?? (isStream ? 'text/event-stream' : 'application/json'),
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    ...headers,
  });
  const whole = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  if (!isStream) response.end(gzip ? gzipSync(whole) : whole);
  else {
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end(done ? 'data: [DONE]\n\n' : '');
  }
}

function refuseWith(fail: Extract<ScriptStep['fail'], object>, response: ServerResponse): void {
  const { status, message, code, retry_after: seconds, retry_after_ms: milliseconds } = fail;
  const headers = {
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    ...(milliseconds === undefined ? {} : { 'retry-after-ms': String(milliseconds) }),
  };
  send(response, status, { error: { message, type: 'scripted_failure', code: code ?? null } }, headers);
}

function sendHalf(response: ServerResponse, whole: string): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(whole),
  });
  response.write(whole.slice(0, whole.length / 2), () => response.destroy());
}

function stream(
  isChat: boolean,
  fail: ScriptStep['fail'],
  reply: NonNullable<ScriptStep['reply']>,
  conversation: Conversation,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (fail === 'malformed') {
    response.end('data: {"choices": [{"delta"\n\n');
    return;
  }
  const events = isChat ? chatChunks(reply, conversation) : responsesEvents(reply, conversation);
  const count = fail === 'truncate' ? Math.floor(events.length / 2) : fail === 'empty' ? 0 : events.length;
  for (const event of events.slice(0, count)) {
    response.write(`${isChat ? '' : `event: ${String(event.type)}\n`}data: ${JSON.stringify(event)}\n\n`);
  }
  // A truncated stream ends without `[DONE]`.
  response.end(isChat && fail === undefined ? 'data: [DONE]\n\n' : '');
}
