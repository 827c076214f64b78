import OpenAI from 'openai';
import { callFailure } from './failures.ts';
import type { Body, Exchange, Protocol } from './types.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly protocol: Protocol;
  /** Milliseconds for one whole request, its answer included. */
  readonly timeoutMs: number;
  /** Takes keys out of what servers say. */
  readonly redact: (text: string) => string;
}

/** Sends one request once; what is tried again, and when, is decided by whoever calls. */
export interface ModelClient {
  /** @throws ModelCallFailed, or the signal's reason when it was aborted */
  send(body: Body, signal?: AbortSignal): Promise<Exchange>;
}

export function createModelClient(options: ClientOptions): ModelClient {
  const { baseUrl, apiKey, protocol, timeoutMs, redact } = options;
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // The client would read these from the environment of the process.
    organization: null,
    project: null,
    webhookSecret: null,
  });
  return {
    async send(body, signal) {
      const timer = new AbortController();
      // The client's own timeout ends with the headers; this one covers the body.
      const timeout = setTimeout(() => timer.abort(), timeoutMs);
      const ending = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
      try {
        const answer = await client.post<unknown>(protocol.path, {
          body,
          signal: ending,
          ...(body.stream === true ? { stream: true } : {}),
        });
        const whole = body.stream === true ? await protocol.assemble(eventsOf(answer)) : answer;
        if (timer.signal.aborted) throw new Error('timed out');
        return redacted(protocol.reply(whole), redact);
      } catch (error) {
        signal?.throwIfAborted();
        throw callFailure(error, timer.signal.aborted, Date.now(), redact);
      } finally {
        clearTimeout(timeout);
      }
    },
  };
}

function eventsOf(answer: unknown): AsyncIterable<unknown> {
  return answer as AsyncIterable<unknown>;
}

// A server that repeats a key in its reply must not get it into the journal.
function redacted(exchange: Exchange, redact: (text: string) => string): Exchange {
  const text = JSON.stringify(exchange);
  const clean = redact(text);
  return clean === text ? exchange : (JSON.parse(clean) as Exchange);
}
