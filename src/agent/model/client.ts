import { callFailure } from './failures.ts';
import { fetchWithPlainErrors, readAnswer } from './http-answer.ts';
import type { Body, Exchange, Protocol } from './types.ts';

export interface ClientOptions {
  /** Address of the server. Its query, for example Azure's `?api-version=`, is sent with every request. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Headers of the strategy. They override the default headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocol: Protocol;
  /** Timeout of a whole request in milliseconds, including the response body. */
  readonly timeoutMs: number;
  /** Removes keys from texts of the server. */
  readonly redact: (text: string) => string;
}

/** Sends one request without retries. The caller decides on retries. */
export interface ModelClient {
  /** @throws ModelCallFailed, or the signal's reason if it was aborted */
  send(body: Body, signal?: AbortSignal): Promise<Exchange>;
}

export function createModelClient(options: ClientOptions): ModelClient {
  const { protocol, timeoutMs, redact } = options;
  const opening = openClient(options);
  // The first request reports this error.
  opening.catch(() => undefined);
  return {
    async send(body, signal) {
      const { client, errors } = await opening;
      const timer = new AbortController();
      // The client's timeout ends with the headers. This timer also covers the body.
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

/** Loaded only for strategies with a model, because the package has 150 files. */
async function openClient({ baseUrl, apiKey, headers = {}, timeoutMs }: ClientOptions) {
  const errors = await import('openai');
  const { address, query } = partsOf(baseUrl);
  const client = new errors.OpenAI({
    baseURL: address,
    defaultQuery: query,
    apiKey,
    // Azure expects the key in a separate header and treats the usual header as another kind of token.
    defaultHeaders: {
      ...(isAzure(baseUrl) ? { authorization: null, 'api-key': apiKey } : {}),
      ...headers,
    },
    fetch: fetchWithPlainErrors,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // Otherwise the client would read these values from the environment.
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

// If a server repeats a key in its reply, the key must not get into the journal.
function redacted(exchange: Exchange, redact: (text: string) => string): Exchange {
  const text = JSON.stringify(exchange);
  const clean = redact(text);
  return clean === text ? exchange : (JSON.parse(clean) as Exchange);
}
