import { createRandom } from '../../src/kernel/index.ts';

/** Seeded choices. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    const random = createRandom(seed);
    this.#next = () => random.next();
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  /** Both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }
}
