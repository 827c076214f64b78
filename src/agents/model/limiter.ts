import { setTimeout as sleep } from 'node:timers/promises';

/** Request limits of one server. A missing limit means unlimited. */
export interface Limits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Maximum number of concurrent requests. */
  readonly concurrency?: number | undefined;
}

/** Source of time and delays. Tests pass a simulated clock. */
export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

const MINUTE = 60_000;

interface Spent {
  readonly at: number;
  tokens: number;
}

/** Enforces the limits of one server across all runs of this process. */
export class Limiter {
  readonly #clock: Clock;
  #limits: Limits;
  #recent: Spent[] = [];
  #active = 0;
  #pausedUntil = 0;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #waiting: (() => void)[] = [];

  constructor(limits: Limits = {}, clock: Clock = REAL_CLOCK) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Applies further limits. For each limit, the smaller of the previous and the new value is used. */
  tighten(limits: Limits): void {
    const least = (one: number | undefined, other: number | undefined): number | undefined =>
      one === undefined ? other : other === undefined ? one : Math.min(one, other);
    this.#limits = {
      requestsPerMinute: least(this.#limits.requestsPerMinute, limits.requestsPerMinute),
      tokensPerMinute: least(this.#limits.tokensPerMinute, limits.tokensPerMinute),
      concurrency: least(this.#limits.concurrency, limits.concurrency),
    };
  }

  /**
   * Waits until the limits allow a request, then runs `work`. Waiting requests are served in the order of
   * their arrival.
   *
   * @param tokens expected number of tokens
   * @param work sends the request, and returns its result and the actual number of tokens, if known
   */
  async run<Result>(
    tokens: number,
    work: () => Promise<{ readonly result: Result; readonly tokens: number | undefined }>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const place = this.#queue.then(() => this.#turn(tokens, signal));
    this.#queue = place.catch(() => undefined);
    const spent = await place;
    try {
      const done = await work();
      if (done.tokens !== undefined) spent.tokens = done.tokens;
      return done.result;
    } finally {
      this.#active -= 1;
      this.#waiting.shift()?.();
    }
  }

  /**
   * Blocks all requests to the server for a number of milliseconds. Called after the server refused a request
   * and set a delay, because the server would also refuse the requests of other runs.
   */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds);
  }

  async #turn(tokens: number, signal?: AbortSignal): Promise<Spent> {
    const { concurrency = Number.POSITIVE_INFINITY } = this.#limits;
    while (this.#active >= concurrency) await this.#oneDone(signal);
    for (let wait = this.#wait(tokens); wait > 0; wait = this.#wait(tokens)) {
      await this.#clock.sleep(wait, signal);
    }
    signal?.throwIfAborted();
    const spent = { at: this.#clock.now(), tokens };
    this.#recent.push(spent);
    this.#active += 1;
    return spent;
  }

  #oneDone(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', aborted, { once: true });
      this.#waiting.push(() => {
        signal?.removeEventListener('abort', aborted);
        resolve();
      });
    });
  }

  /**
   * Returns the milliseconds until the limits allow a request with this number of tokens. 0 if allowed now.
   */
  #wait(tokens: number): number {
    const now = this.#clock.now();
    const fresh = this.#recent.findIndex(({ at }) => now - at < MINUTE);
    if (fresh !== 0) this.#recent.splice(0, fresh < 0 ? this.#recent.length : fresh);
    const { requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } =
      this.#limits;
    let wait = Math.max(this.#pausedUntil - now, 0);
    const surplus = this.#recent.length + 1 - requestsPerMinute;
    if (surplus > 0) wait = Math.max(wait, this.#leaves(surplus - 1, now));
    if (tokensPerMinute === Number.POSITIVE_INFINITY) return wait;
    let total = this.#recent.reduce((sum, spent) => sum + spent.tokens, tokens);
    // A request with more tokens than the limit per minute starts when no request was sent in the last
    // minute.
    for (let index = 0; total > tokensPerMinute && index < this.#recent.length; index++) {
      wait = Math.max(wait, this.#leaves(index, now));
      total -= this.#recent[index]!.tokens;
    }
    return wait;
  }

  #leaves(index: number, now: number): number {
    const spent = this.#recent[Math.min(index, this.#recent.length - 1)];
    return spent === undefined ? 0 : Math.max(spent.at + MINUTE - now, 1);
  }
}

const byServer = new Map<string, Limiter>();

/** Returns the limiter of a server, shared by all runs of this process. */
export function sharedLimiter(baseUrl: string, limits: Limits): Limiter {
  const server = new URL(baseUrl).host;
  let limiter = byServer.get(server);
  if (limiter === undefined) {
    limiter = new Limiter();
    byServer.set(server, limiter);
  }
  limiter.tighten(limits);
  return limiter;
}
