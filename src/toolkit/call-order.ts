import type { Json } from '../engine/index.ts';

/** Call that is not yet recorded. */
export interface UnderWay {
  /** Name of the tool. */
  readonly name: string;
  readonly writes: boolean;
  /**
   * Resolves when the call is recorded, which is after all earlier calls. Never rejects.
   *
   * Resolves to the error of this call or of an earlier one, if one broke.
   */
  readonly done: Promise<Broken | undefined>;
}

/** A tool failed for internal reasons. The run ends, and calls that waited for this one are not made. */
interface Broken {
  readonly error: unknown;
}

/**
 * Orders concurrent calls. Reads run in parallel, writes run alone. All calls are recorded in the order in
 * which they were made.
 */
export class CallOrder {
  #sequence = 0;
  #underWay: readonly UnderWay[] = [];

  /** Continues the numbering after the last call of the run that is resumed. */
  resumeAfter(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  /** Calls that are not yet recorded, oldest first. */
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
    // No other call is running, and most tools return synchronously, so no waiting is needed.
    try {
      const result = work(sequence);
      if (result instanceof Promise) return this.#enter({ name, writes }, result, record, sequence);
      record(result, sequence);
      return Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs a call after all calls that must not run in parallel with it. */
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
