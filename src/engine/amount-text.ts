import type { Exact } from '../kernel/index.ts';

/**
 * Caches the text of an amount that seldom changes. Formatting it takes as long as the rest of a bar's event.
 */
export class AmountText {
  #amount: Exact | undefined;
  #text = '';

  of(amount: Exact): string {
    if (amount !== this.#amount) {
      this.#amount = amount;
      this.#text = amount.toString();
    }
    return this.#text;
  }
}
