/** A trial as the queue carries it: what it is made of is the workers' business. */
export interface QueueTrial {
  readonly id: string;
  readonly input: unknown;
}

/** Trials that are in no job: fresh ones go into jobs together, those that were lost before each into one of its own. */
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

  /** The trials of the next job. */
  take(size: number): QueueTrial[] {
    const alone = this.#alone.shift();
    if (alone !== undefined) return [alone];
    const trials = this.#fresh.slice(this.#taken, this.#taken + size);
    this.#taken += trials.length;
    return trials;
  }
}
