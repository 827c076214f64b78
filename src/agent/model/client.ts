import { callFailure } from './failures.ts';
import { fetchWithPlainErrors, readAnswer } from './http-answer.ts';
import type { Body, Exchange, Protocol } from './types.ts';

export interface ClientOptions {
  /** The address; its query, as Azure's `?api-version=`, goes with every request. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The strategy's own headers, which win over ours. */
  readonly headers?: Readonly<Record<string, string>>;
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
  const { protocol, timeoutMs, redact } = options;
  const opening = openClient(options);
  // Told by the first request.
  opening.catch(() => undefined);
  return {
    async send(body, signal) {
      const { client, errors } = await opening;
      const timer = new AbortController();
      // The client's own timeout ends with the headers; this one covers the body.
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

/** Loaded for a strategy that has a model alone: 150 files, which no other run needs. */
async function openClient({ baseUrl, apiKey, headers = {}, timeoutMs }: ClientOptions) {
  const errors = await import('openai');
  const { address, query } = partsOf(baseUrl);
  const client = new errors.OpenAI({
    baseURL: address,
    defaultQuery: query,
    apiKey,
    // Azure takes a key in a header of its own, and what is in the usual one for a token of another kind.
    defaultHeaders: {
      ...(isAzure(baseUrl) ? { authorization: null, 'api-key': apiKey } : {}),
      ...headers,
    },
    fetch: fetchWithPlainErrors,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // The client would read these from the environment of the process.
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

// A server that repeats a key in its reply must not get it into the journal.
function redacted(exchange: Exchange, redact: (text: string) => string): Exchange {
  const text = JSON.stringify(exchange);
  const clean = redact(text);
  return clean === text ? exchange : (JSON.parse(clean) as Exchange);
}
