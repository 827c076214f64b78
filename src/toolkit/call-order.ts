import type { Json } from '../engine/index.ts';

/** A call that has not been recorded yet. */
export interface UnderWay {
  /** Name of the tool. */
  readonly name: string;
  readonly writes: boolean;
  /**
   * Resolves when it is recorded, which is after every call made before it; never rejects.
   *
   * What it resolves to is how it or one of those before it broke, where one did.
   */
  readonly done: Promise<Broken | undefined>;
}

/** The machine under a tool is broken: the run ends, and no call that waited for this one is made. */
interface Broken {
  readonly error: unknown;
}

/** Keeps calls made at once in order: reads run together, writes alone, and all are recorded in the order they were made. */
export class CallOrder {
  #sequence = 0;
  #underWay: readonly UnderWay[] = [];

  /** The number of the last call of the run that is resumed. */
  resumeAfter(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  /** Calls that have not been recorded yet, oldest first. */
  get underWay(): readonly UnderWay[] {
    return this.#underWay;
  }

  run(
    { name, writes }: Pick<UnderWay, 'name' | 'writes'>,
    work: (sequence: number) => Json | Promise<Json>,
    record: (result: Json, sequence: number) => void,
  ): Promise<Json> {
    this.#sequence += 1;
    const sequence = this.#sequence;
    if (this.#underWay.length > 0)
      return this.#enter(
        { name, writes },
        this.#after(writes, () => work(sequence)),
        record,
        sequence,
      );
    // Alone, and most tools answer at once: nothing to wait for.
    try {
      const result = work(sequence);
      if (result instanceof Promise) return this.#enter({ name, writes }, result, record, sequence);
      record(result, sequence);
      return Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs once those are done that it must not run beside. */
  async #after(writes: boolean, work: () => Json | Promise<Json>): Promise<Json> {
    const before = this.#underWay.findLast((call) => writes || call.writes);
    const broken = await before?.done;
    if (broken !== undefined) throw broken.error;
    return work();
  }

  #enter(
    { name, writes }: Pick<UnderWay, 'name' | 'writes'>,
    result: Promise<Json>,
    record: (result: Json, sequence: number) => void,
    sequence: number,
  ): Promise<Json> {
    const previous = this.#underWay.at(-1)?.done;
    const recorded = (async () => {
      await Promise.allSettled([result, previous]);
      try {
        const value = await result;
        record(value, sequence);
        return value;
      } finally {
        this.#underWay = this.#underWay.filter((one) => one !== call);
      }
    })();
    const call: UnderWay = {
      name,
      writes,
      done: recorded.then(
        () => previous,
        (error: unknown) => ({ error }),
      ),
    };
    this.#underWay = [...this.#underWay, call];
    return recorded;
  }
}
