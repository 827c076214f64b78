import { setTimeout as sleep } from 'node:timers/promises';
import { HttpFailure, request, retryAfter, socketMessages } from '../../kernel/http/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { addInterval, intervalText, readFeedDocument } from '../index.ts';
import type { FeedInput, FeedSource, FeedTerms } from './feed-source.ts';
import { Http } from './http.ts';
import { providerOf } from './providers/index.ts';

/** Settings of a feed that is read over a network. */
export interface RemoteOptions {
  /**
   * Environment variables, including API keys. `${NAME}` in an address or in a message of `send` is replaced
   * by the value of the variable `NAME`.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Milliseconds between two polls. Default: a tenth of the bar length, at least 1 and at most 30 seconds.
   * For a provider: at least its `spacing` and at most 60 seconds.
   */
  readonly poll: number | undefined;
  /** Messages sent to the server each time a WebSocket opens, for example subscriptions. */
  readonly send?: readonly string[] | undefined;
  /**
   * Address that returns the bars missed while a WebSocket was closed. Contains `{since}` (newest bar's time
   * in ms) or `{since_iso}` (the same time as ISO 8601).
   */
  readonly backfill?: string | undefined;
  /** Wait after the first failed request, in ms. Doubled after each consecutive failure. Default 1,000. */
  readonly firstWait?: number;
}

const MAX_BYTES = 32 * 2 ** 20;
const LONGEST_WAIT = 300_000;
/** Largest number of pages of one backfill. */
const MOST_PAGES = 10_000;

/** Counts consecutive failures of a connection. Computes the wait before the next attempt. */
class Backoff {
  readonly #first: number;
  #failures = 0;

  constructor(first = 1_000) {
    this.#first = first;
  }

  /**
   * Reports a lost connection, then waits before the next attempt.
   *
   * @param requested wait that the server requests, in ms
   */
  async *lost(problem: string, signal: AbortSignal, requested?: number): AsyncGenerator<FeedInput> {
    this.#failures += 1;
    yield { kind: 'connection', state: 'lost', problem };
    const wait = requested ?? this.#first * 2 ** (this.#failures - 1);
    await sleep(Math.min(LONGEST_WAIT, wait), undefined, { signal }).catch(() => undefined);
  }

  *restored(): Generator<FeedInput> {
    if (this.#failures > 0) yield { kind: 'connection', state: 'restored' };
    this.#failures = 0;
  }
}

/**
 * Returns a feed that polls an HTTP address for new bars. `{since}` in the address becomes the time of the
 * newest bar in ms since 1970, `{since_iso}` the same time as ISO 8601.
 */
export function httpFeed(address: string, options: RemoteOptions): FeedSource {
  return async function* read({ market, interval, signal }) {
    const backoff = new Backoff(options.firstWait);
    const poll = options.poll ?? Math.min(30_000, Math.max(1_000, interval.milliseconds / 10));
    while (!signal.aborted) {
      const since = market.clock.at(-1)!;
      const answer = await answerOf(urlSince(address, since, options), signal);
      if (signal.aborted) return;
      if ('problem' in answer) {
        yield* backoff.lost(answer.problem, signal, answer.wait);
        continue;
      }
      yield* backoff.restored();
      yield answer.input;
      yield { kind: 'idle' };
      await sleep(poll, undefined, { signal }).catch(() => undefined);
    }
  };
}

function urlSince(address: string, since: number, { environment }: RemoteOptions): string {
  return withKeys(address, environment)
    .replaceAll('{since}', String(since))
    .replaceAll('{since_iso}', new Date(since).toISOString());
}

/**
 * Requests the bars that were missed while a WebSocket was closed. Repeats the request until a response has
 * no newer bar.
 */
async function* backfilled(
  address: string,
  from: number,
  options: RemoteOptions,
  signal: AbortSignal,
): AsyncGenerator<FeedInput> {
  const backoff = new Backoff(options.firstWait);
  let since = from;
  for (let page = 0; page < MOST_PAGES && !signal.aborted; page++) {
    const answer = await answerOf(urlSince(address, since, options), signal);
    if (signal.aborted) return;
    if ('problem' in answer) {
      yield* backoff.lost(`backfill: ${answer.problem}`, signal, answer.wait);
      continue;
    }
    yield* backoff.restored();
    yield answer.input;
    if (answer.input.kind !== 'document') continue;
    const { messages } = readFeedDocument(answer.input.document);
    const newest = messages.reduce((latest, { time }) => Math.max(latest, time), since);
    if (newest === since) return;
    since = newest;
  }
}

type Answered =
  | { readonly input: FeedInput }
  | { readonly problem: string; readonly wait?: number | undefined };

async function answerOf(url: string, signal: AbortSignal): Promise<Answered> {
  try {
    const headers = { 'user-agent': 'sandtable', accept: 'application/json' };
    const response = await request(url, { headers, signal }, { maxBytes: MAX_BYTES, totalMs: 60_000 });
    const text = await response.text();
    const { status } = response;
    if (status !== 200) {
      const wait = retryAfter(response.headers, Date.now());
      return { problem: `HTTP ${status}`, wait };
    }
    const date = Date.parse(response.headers.get('date') ?? '');
    const input = documentOf(text);
    return {
      input: Number.isNaN(date) || input.kind !== 'document' ? input : { ...input, serverTime: date + 500 },
    };
  } catch (error) {
    if (signal.aborted || error instanceof HttpFailure) return { problem: messageOf(error) };
    throw error;
  }
}

/** Receives bars from a WebSocket. Reconnects after a lost connection. */
export function socketFeed(address: string, options: RemoteOptions): FeedSource {
  return async function* read({ market, interval, signal }) {
    const backoff = new Backoff(options.firstWait);
    const send = (options.send ?? []).map((text) => withKeys(text, options.environment));
    while (!signal.aborted) {
      try {
        const url = withKeys(address, options.environment);
        const idleMs = 2 * interval.milliseconds + 60_000;
        for await (const text of socketMessages(url, {
          send,
          idleMs: Math.min(idleMs, 2 ** 31 - 1),
          maxLength: MAX_BYTES,
          signal,
        })) {
          if (text === undefined) {
            // `undefined` means that the socket has opened. Its messages are read after the missed bars have
            // been received.
            const { backfill } = options;
            if (backfill !== undefined) yield* backfilled(backfill, market.clock.at(-1)!, options, signal);
            yield { kind: 'idle' };
          } else {
            yield* backoff.restored();
            yield documentOf(text);
          }
        }
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        yield* backoff.lost(error.message, signal);
      }
    }
  };
}

/** Polls a data provider for new bars. Supports the same providers as the command `data download`. */
export function providerFeed(
  name: string,
  options: RemoteOptions & { readonly baseUrl?: string },
): FeedSource {
  const provider = providerOf(name);
  return async function* read({ market, interval, signal }: FeedTerms) {
    const length = intervalText(interval);
    if (provider.intervals[length] === undefined)
      throw new AppError({
        code: 'bad_feed',
        message: `${provider.name} has no bars of ${length}.`,
        hint: `Available: ${Object.keys(provider.intervals).join(', ')}.`,
      });
    const backoff = new Backoff(options.firstWait);
    const http = new Http({
      provider: provider.name,
      baseUrl: options.baseUrl ?? provider.baseUrl,
      spacing: provider.spacing,
      environment: options.environment,
      ...(options.firstWait === undefined ? {} : { second: options.firstWait }),
      signal,
    });
    const poll = options.poll ?? Math.min(60_000, Math.max(provider.spacing, interval.milliseconds / 10));
    while (!signal.aborted) {
      try {
        for (const symbol of market.symbols) {
          const from = addInterval(market.clock.at(-1)!, interval);
          const wanted = { symbol, from, to: Math.max(from, Date.now()), interval: length, length: interval };
          for await (const { bars } of provider.pages(wanted, http))
            yield { kind: 'document', document: bars.map((bar) => ({ symbol, ...bar })) };
        }
        yield* backoff.restored();
        yield { kind: 'idle' };
        await sleep(poll, undefined, { signal }).catch(() => undefined);
      } catch (error) {
        if (signal.aborted) return;
        // A further attempt cannot fix a wrong key or symbol.
        if (!(error instanceof AppError) || error.code === 'download_refused') throw error;
        yield* backoff.lost(error.message, signal);
      }
    }
  };
}

function documentOf(text: string): FeedInput {
  try {
    return { kind: 'document', document: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'problem', problem: `not JSON: ${text.slice(0, 80)}` };
  }
}

/**
 * Replaces each `${NAME}` in a text by the environment variable.
 *
 * @throws AppError `bad_feed` for a variable that is not set
 */
function withKeys(text: string, environment: RemoteOptions['environment']): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = environment[name]?.trim() ?? '';
    if (value !== '') return value;
    throw new AppError({
      code: 'bad_feed',
      message: `The environment variable ${name} is not set, and the feed uses it.`,
      hint: `Set ${name}. Sandtable does not store its value.`,
    });
  });
}
