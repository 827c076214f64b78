/** How long the trials of one job should take together, in milliseconds: the queue's own share is then small. */
const WORTHWHILE = 500;
const MOST = 100;
/** Trials a job before any has been timed. */
const FIRST = 8;
/** Jobs that should be left for each to have its share at the end. */
const SHARES = 64;

/** How many trials go into one job: small ones many, long ones few. */
export class BatchSize {
  readonly #fixed: number | undefined;
  /** Of one trial, in milliseconds; smoothed. */
  #mean: number | undefined;

  constructor(fixed?: number) {
    this.#fixed = fixed;
  }

  /** @param milliseconds that a job of so many trials took */
  learn(trials: number, milliseconds: number): void {
    // Times of jobs are not signed.
    if (trials === 0 || !(milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY)) return;
    const mean = milliseconds / trials;
    this.#mean = this.#mean === undefined ? mean : 0.8 * this.#mean + 0.2 * mean;
  }

  /** @param left trials that are not finished */
  next(left: number): number {
    if (this.#fixed !== undefined) return this.#fixed;
    const worthwhile = this.#mean === undefined ? FIRST : WORTHWHILE / Math.max(this.#mean, 1e-3);
    return Math.max(1, Math.floor(Math.min(worthwhile, MOST, Math.max(FIRST, left / SHARES))));
  }
}
