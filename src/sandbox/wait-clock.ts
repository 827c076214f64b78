/** Measures the total time in which at least one wait is in progress. */
export class WaitClock {
  #underWay = 0;
  #since = 0;
  #total = 0;

  /** Milliseconds waited so far, including a wait in progress. */
  get ms(): number {
    return this.#total + (this.#underWay > 0 ? performance.now() - this.#since : 0);
  }

  async during<Value>(waiting: Promise<Value>): Promise<Value> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await waiting;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#total += performance.now() - this.#since;
    }
  }
}
