import {
  asJson,
  type BarContext,
  type ModelFailure,
  RunStop,
  type ServedBy,
  type Speaker,
  type TokenUsage,
} from '../../engine/index.ts';
import type { Recording } from '../record/recording.ts';
import type { Meter } from './budget.ts';
import type { ModelClient } from './client.ts';
import { isRetryable, ModelCallFailed } from './failures.ts';
import { type Clock, type Limiter, REAL_CLOCK } from './limiter.ts';
import { costOf, type Price } from './prices.ts';
import {
  type Body,
  type Exchange,
  estimatedUsage,
  isModelReply,
  type Message,
  type ModelReply,
  type ModelRequest,
  type Protocol,
} from './types.ts';
import { canonicalJson, requestHash } from './wire-parts.ts';

interface RetryPolicy {
  /** Maximum number of retries after the first attempt. */
  readonly retries: number;
  /**
   * Milliseconds before the first retry. Doubles with each retry. The actual delay is random, between 0 and
   * this value.
   */
  readonly baseMs: number;
  /** Maximum delay before a retry in milliseconds, even if the server requests a longer one. */
  readonly longestMs: number;
}

export interface ExchangerOptions {
  readonly sample: number;
  readonly protocol: Protocol;
  readonly client: ModelClient;
  readonly limiter: Limiter;
  readonly retry: RetryPolicy;
  readonly price: Price | null;
  readonly recording?: Recording | undefined;
  /** True if the recording belongs to another run. Its replies are then used only for identical requests. */
  readonly otherRecord?: boolean | undefined;
  /** If true, no request is sent, and an unrecorded request is an error. */
  readonly replayOnly: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Final check of a request's JSON body. Throws an error to prevent sending. */
  readonly inspect?: ((request: string) => void) | undefined;
  /** Called after each attempt, including failed and replayed attempts. */
  readonly onExchange?: ((usage: TokenUsage | null, cost: string | null) => void) | undefined;
  /** Meter of a budget that several runs share. Called before and after each sent request. */
  readonly meter?: Meter | undefined;
  /** Called with the duration of a request in milliseconds, for the timing file. */
  readonly onTiming?: ((milliseconds: number, bar: number) => void) | undefined;
  /** Clock for delays between attempts. Tests pass a simulated clock. */
  readonly clock?: Clock | undefined;
  /**
   * Returns uniform random numbers in [0, 1). They spread the retries of runs that failed at the same time.
   */
  readonly random?: (() => number) | undefined;
}

/**
 * Position of a round in the run, and the messages that the round adds to the conversation. A round is one
 * request and its reply.
 */
export interface RoundRequest {
  readonly turn: Pick<BarContext, 'bar' | 'record'>;
  readonly round: number;
  readonly speaker?: Speaker | undefined;
  readonly request: ModelRequest;
  readonly added: readonly Message[];
  /**
   * Number of earlier attempts at this round. The server refused them because the conversation was too long.
   */
  readonly attemptsBefore?: number;
}

/** Error of a round without a reply: a retry cannot help, or all retries have failed. */
export class ModelUnavailable extends Error {
  readonly failure: ModelFailure;
  readonly attempts: number;

  constructor(failure: ModelFailure, attempts: number) {
    super(failure.message);
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** Handles all model requests: sends, retries and records them, or replays recorded replies. */
export class Exchanger {
  readonly #options: ExchangerOptions;

  constructor(options: ExchangerOptions) {
    this.#options = options;
  }

  /**
   * Runs one round: sends the request, with retries after temporary failures, or replays the recorded reply.
   *
   * @throws ModelUnavailable; RunStop `record_missing` in a replay; the signal's reason if the run is
   *   interrupted
   */
  async round({
    turn,
    round,
    speaker,
    request,
    added,
    attemptsBefore = 0,
  }: RoundRequest): Promise<ModelReply> {
    const {
      sample,
      protocol,
      recording,
      otherRecord = false,
      retry,
      price,
      signal,
      inspect,
      onExchange,
    } = this.#options;
    const body = protocol.body(request);
    const canonical = canonicalJson(body);
    inspect?.(canonical);
    const hash = requestHash(canonical);
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      const attempt = attemptsBefore + tries;
      const found = recording?.exchange({ sample, bar: turn.bar, step: speaker?.step, round, attempt });
      // A reply from the recording of another run is used only if the request hash is equal. A run that
      // repeats its own record needs no such check: the new journal is compared with the record line by line.
      const recorded = otherRecord && found?.request !== hash ? undefined : found;
      const outcome =
        recorded === undefined
          ? await this.#send(body, canonical.length, turn.bar, round)
          : {
              usage: recorded.usage,
              ...(recorded.served === undefined ? {} : { served: recorded.served }),
              ...(isModelReply(recorded.reply) ? { reply: recorded.reply } : {}),
              ...(recorded.failure === undefined ? {} : { failure: recorded.failure }),
            };
      const { usage } = outcome;
      const cost = costOf(usage, price);
      if (recorded === undefined) await this.#options.meter?.paid(tokensOf(usage), Number(cost ?? 0));
      // The event is on the disk when this call returns. A killed process therefore cannot lose a reply whose
      // orders were placed.
      turn.record({
        type: 'model_called',
        bar: turn.bar,
        sample,
        ...speaker,
        round,
        attempt,
        added: attempt === 1 ? asJson(added) : [],
        request: hash,
        ...(outcome.reply === undefined ? {} : { reply: asJson(outcome.reply) }),
        ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
        ...(outcome.served === undefined ? {} : { served: outcome.served }),
        usage,
        cost,
      });
      onExchange?.(usage, cost);
      if (outcome.reply !== undefined) return outcome.reply;
      const failure = outcome.failure ?? {
        kind: 'malformed',
        status: null,
        message: 'the record has no reply',
      };
      if (!isRetryable(failure) || tries > retry.retries) throw new ModelUnavailable(failure, attempt);
      if (recorded === undefined)
        await this.#wait(tries, 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined);
    }
  }

  async #send(body: Body, characters: number, bar: number, round: number): Promise<Outcome> {
    const { client, limiter, replayOnly, signal, onTiming, meter } = this.#options;
    if (replayOnly) {
      throw new RunStop('stopped', {
        code: 'record_missing',
        message: `The record has no exchange at bar ${bar}, round ${round}, and --replay-only allows no request.`,
        hint: 'Resume the run without --replay-only, or restore the recorded journal.',
      });
    }
    const startedAt = performance.now();
    try {
      const exchange = await limiter.run<Exchange>(
        Math.ceil(characters / CHARACTERS_PER_TOKEN),
        async () => {
          await meter?.ask();
          const { usage: counted, ...answer } = await client.send(body, signal);
          // Some servers report no usage, or zero tokens. The usage is then estimated, so that budgets of
          // tokens and dollars still apply.
          const says = counted !== null && counted.input > 0;
          const usage = says ? counted : estimatedUsage(body, answer.reply);
          return { result: { ...answer, usage }, tokens: usage.input + usage.output };
        },
        signal,
      );
      return exchange;
    } catch (error) {
      if (!(error instanceof ModelCallFailed)) throw error;
      const { failure, retryAfterMs } = error;
      return { failure, usage: null, retryAfterMs };
    } finally {
      onTiming?.(performance.now() - startedAt, bar);
    }
  }

  async #wait(tries: number, retryAfterMs: number | undefined): Promise<void> {
    const { retry, limiter, signal, clock = REAL_CLOCK, random = Math.random } = this.#options;
    const backoff = retry.baseMs * 2 ** (tries - 1) * random();
    // A random delay is added to the delay that the server requests, so that runs do not all retry at the
    // same time.
    const wanted = retryAfterMs === undefined ? backoff : retryAfterMs + Math.min(backoff, retry.baseMs);
    const milliseconds = Math.min(wanted, retry.longestMs);
    if (retryAfterMs !== undefined) limiter.pause(Math.min(retryAfterMs, retry.longestMs));
    await clock.sleep(milliseconds, signal);
  }
}

interface Outcome {
  readonly reply?: ModelReply;
  readonly failure?: ModelFailure;
  readonly served?: ServedBy;
  readonly usage: TokenUsage | null;
  readonly retryAfterMs?: number | undefined;
}

function tokensOf(usage: TokenUsage | null): number {
  return usage === null ? 0 : usage.input + usage.output;
}

/** Approximate number of characters of JSON per token. Used for the limit of tokens per minute. */
const CHARACTERS_PER_TOKEN = 4;
