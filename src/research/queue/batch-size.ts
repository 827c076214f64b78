/** Target duration of a job in milliseconds. The overhead of the queue is then small. */
const WORTHWHILE = 500;
const MOST = 100;
/** Trials per job before any duration is known. */
const FIRST = 8;
/**
 * Number of jobs into which the remaining trials are divided, so that all workers stay busy until the end.
 */
const SHARES = 64;

/** Chooses the number of trials per job: many short trials or few long ones. */
export class BatchSize {
  readonly #fixed: number | undefined;
  /** Smoothed duration of one trial in milliseconds. */
  #mean: number | undefined;

  constructor(fixed?: number) {
    this.#fixed = fixed;
  }

  /** @param milliseconds duration of the job */
  learn(trials: number, milliseconds: number): void {
    // Durations of jobs are not signed and can be invalid.
    if (trials === 0 || !(milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY)) return;
    const mean = milliseconds / trials;
    this.#mean = this.#mean === undefined ? mean : 0.8 * this.#mean + 0.2 * mean;
  }

  /** @param left number of trials that are not finished */
  next(left: number): number {
    if (this.#fixed !== undefined) return this.#fixed;
    const worthwhile = this.#mean === undefined ? FIRST : WORTHWHILE / Math.max(this.#mean, 1e-3);
    return Math.max(1, Math.floor(Math.min(worthwhile, MOST, Math.max(FIRST, left / SHARES))));
  }
}
