/** Trial in the queue. Only workers interpret its input. */
export interface QueueTrial {
  readonly id: string;
  readonly input: unknown;
}

/**
 * Trials that are not in a job. Fresh trials share jobs. Each trial that was lost before gets a separate job.
 */
export class Backlog {
  readonly #fresh: QueueTrial[];
  #taken = 0;
  readonly #alone: QueueTrial[] = [];

  constructor(trials: readonly QueueTrial[]) {
    this.#fresh = [...trials];
  }

  get isEmpty(): boolean {
    return this.#alone.length === 0 && this.#taken === this.#fresh.length;
  }

  add(trial: QueueTrial): void {
    this.#fresh.push(trial);
  }

  addAlone(trial: QueueTrial): void {
    this.#alone.push(trial);
  }

  /** Returns the trials of the next job. */
  take(size: number): QueueTrial[] {
    const alone = this.#alone.shift();
    if (alone !== undefined) return [alone];
    const trials = this.#fresh.slice(this.#taken, this.#taken + size);
    this.#taken += trials.length;
    return trials;
  }
}
