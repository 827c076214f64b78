import type { Json } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { toolNamed } from './registry.ts';
import { failure } from './tool.ts';

/** Counts tool calls within one decision, which is the decision of one bar. */
export class Budget {
  readonly #limits: ReadonlyMap<string, number>;
  readonly #used = new Map<string, number>();
  #bar = -1;

  constructor(limits: Readonly<Record<string, number>>) {
    this.#limits = new Map(Object.entries(limits));
    for (const [name, limit] of this.#limits) {
      toolNamed(name);
      if (Number.isInteger(limit) && limit >= 0) continue;
      throw new AppError({
        code: 'bad_budget',
        message: `The budget of ${name} is ${String(limit)}, which is not a whole number of at least 0.`,
        hint: `Give the number of calls one decision may make, such as {"${name}": 5}.`,
      });
    }
  }

  spend(name: string, bar: number): Json | undefined {
    const limit = this.#limits.get(name);
    if (limit === undefined) return undefined;
    if (bar !== this.#bar) {
      this.#bar = bar;
      this.#used.clear();
    }
    const used = this.#used.get(name) ?? 0;
    if (used >= limit) {
      return failure(
        `${name} may be called ${limit === 1 ? 'once' : `${limit} times`} in one decision, and was.`,
        'Decide with what you know; at the next bar the budget is whole again.',
        { code: 'over_budget' },
      );
    }
    this.#used.set(name, used + 1);
    return undefined;
  }
}
