import type { JournalEvent } from '../../journal/index.ts';
import { decimal, decimalString, isObject, numberOf, ZERO } from '../../kernel/index.ts';

/** Tokens and cost of a run's models so far. */
export interface ModelTotals {
  readonly decisions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars. `null` if the cost of at least one request is unknown. */
  readonly cost: string | null;
}

/** Sums the usage of a run's decisions. */
export class ModelCounter {
  #decisions = 0;
  #input = 0;
  #output = 0;
  #cost = ZERO;
  #known = true;

  get totals(): ModelTotals {
    return {
      decisions: this.#decisions,
      inputTokens: this.#input,
      outputTokens: this.#output,
      cost: this.#known && this.#decisions > 0 ? decimalString(this.#cost) : null,
    };
  }

  add({ usage, cost }: JournalEvent): void {
    this.#decisions += 1;
    if (isObject(usage)) {
      this.#input += numberOf(usage.input) ?? 0;
      this.#output += numberOf(usage.output) ?? 0;
    }
    if (typeof cost === 'string' && /^-?\d+(\.\d+)?$/.test(cost)) this.#cost = this.#cost.plus(decimal(cost));
    else this.#known = false;
  }
}
