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
import { canonicalJson, requestHash } from './canonical.ts';
import type { ModelClient } from './client.ts';
import { isRetryable, ModelCallFailed } from './failures.ts';
import { type Clock, type Limiter, REAL_CLOCK } from './limiter.ts';
import type { Meter } from './meter.ts';
import { costOf, type Price } from './prices.ts';
import {
  type Body,
  type Exchange,
  isModelReply,
  type Message,
  type ModelReply,
  type ModelRequest,
  type Protocol,
} from './types.ts';
import { estimatedUsage } from './usage.ts';

interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  /** Milliseconds before the first retry; doubled for each further one, and drawn between none and all of it. */
  readonly baseMs: number;
  /** Longest wait, also when the server asks for more. */
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
  /** The recording answers only requests that are the same. */
  readonly otherRecord?: boolean | undefined;
  /** Nothing is sent: what is not recorded is an error. */
  readonly replayOnly: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The last look at everything a model is about to be sent; throws to forbid it. */
  readonly inspect?: ((request: string) => void) | undefined;
  /** Called for each exchange, replayed ones too. */
  readonly onExchange?: ((usage: TokenUsage | null, cost: string | null) => void) | undefined;
  /** Of a budget that other runs share: asked before each request that is sent. */
  readonly meter?: Meter | undefined;
  /** Called with how long a request took, in milliseconds: for the timing file. */
  readonly onTiming?: ((milliseconds: number, bar: number) => void) | undefined;
  /** Waits between attempts; a test brings its own. */
  readonly clock?: Clock | undefined;
  /** Uniform in [0, 1): spreads the waits of runs that failed together. */
  readonly random?: (() => number) | undefined;
}

/** One round's place in the run, and what it adds to the conversation. */
export interface RoundRequest {
  readonly turn: Pick<BarContext, 'bar' | 'record'>;
  readonly round: number;
  readonly speaker?: Speaker | undefined;
  readonly request: ModelRequest;
  readonly added: readonly Message[];
  /** Attempts made at this round before, with a longer conversation. */
  readonly attemptsBefore?: number;
}

/** A round that brought no reply, however often it was asked for. */
export class ModelUnavailable extends Error {
  readonly failure: ModelFailure;
  readonly attempts: number;

  constructor(failure: ModelFailure, attempts: number) {
    super(failure.message);
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** The one place where requests leave for a model and replies come in: sent or replayed, retried, recorded. */
export class Exchanger {
  readonly #options: ExchangerOptions;

  constructor(options: ExchangerOptions) {
    this.#options = options;
  }

  /**
   * One round: the request, again while it fails in a way that passes.
   *
   * @throws ModelUnavailable; RunStop `record_missing` in a replay; the signal's reason when the run is interrupted
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
      // A run that follows its own record is compared with it line by line: there a difference is reported as one.
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
      // Durable when this returns: nobody acts on a reply that a kill could lose.
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
        message: `There is no record of the exchange at bar ${bar}, round ${round}, and nothing may be sent.`,
        hint: 'Resume the run without --replay-only to ask the model, or restore the journal it was recorded in.',
      });
    }
    const startedAt = performance.now();
    try {
      const exchange = await limiter.run<Exchange>(
        Math.ceil(characters / CHARACTERS_PER_TOKEN),
        async () => {
          await meter?.ask();
          const { usage: counted, ...answer } = await client.send(body, signal);
          // A budget of tokens or dollars holds with servers that count nothing, or none.
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
    // Some jitter on top of what the server asked for, so that runs do not come back all at once.
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

/** Characters of JSON a token takes, roughly. */
const CHARACTERS_PER_TOKEN = 4;
