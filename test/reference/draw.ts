import { createRandom } from '../../src/kernel/index.ts';

/** Random choices that depend only on a seed. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    const random = createRandom(seed);
    this.#next = () => random.next();
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  /** Returns a random whole number from `least` to `most`, including both. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }
}
