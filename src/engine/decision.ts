import { AppError, type AppErrorOptions, describeValue, inspectable, thrownText } from '../kernel/index.ts';
import type { Decision } from './decider.ts';

/** Largest number of orders of one decision. A larger number is certainly a mistake in the strategy. */
const MOST_ORDERS = 100_000;

/** Violation of the decider's interface. The run fails, and its journal contains the code. */
export class DecisionFault extends AppError {
  constructor(code: string, message: string, hint: string) {
    super({ code, message, hint, kind: 'run' });
  }
}

/**
 * Returns the orders in the result of a decider.
 *
 * @param answer any value, because a strategy may be JavaScript
 * @throws AppError `bad_decision`
 */
export function ordersOf(answer: unknown, bar: number): NonNullable<Decision['orders']> {
  if (answer === undefined || answer === null) return [];
  const refuse = (what: string): never => {
    throw new DecisionFault(
      'bad_decision',
      `The decision at bar ${bar} ${what}.`,
      'Return { orders: [{ action: "buy", quantity: 10 }] } or undefined.',
    );
  };
  if (typeof answer !== 'object') return refuse(`is ${describeValue(answer)}, which is not a decision`);
  if (Array.isArray(answer)) return refuse('is a list, which is not a decision');
  const stray = Object.keys(answer).find((key) => key !== 'orders');
  if (stray !== undefined)
    return refuse(`has the unknown field ${describeValue(stray)}. A decision has orders only`);
  const { orders } = answer as { readonly orders?: unknown };
  if (orders === undefined) return [];
  if (!Array.isArray(orders)) return refuse(`has orders that are ${describeValue(orders)}, not a list`);
  if (orders.length > MOST_ORDERS)
    return refuse(`has ${orders.length} orders. At most ${MOST_ORDERS} are allowed`);
  return orders as NonNullable<Decision['orders']>;
}

/** Returns the error for a decision that took too long. */
function decisionTimeout(bar: number, seconds: number): DecisionFault {
  return new DecisionFault(
    'decision_timeout',
    `The decision at bar ${bar} exceeded the timeout of ${seconds} s.`,
    'Check for a loop or a promise that never ends. Raise the limit with --decision-timeout SECONDS or the setting decisionTimeout.',
  );
}

/** Returns the error for a decision whose promise can never settle. */
export function neverSettles(bar: number): DecisionFault {
  return new DecisionFault(
    'decision_never_settles',
    `The decision at bar ${bar} waits for a promise that never settles.`,
    'Check for a promise whose resolve is never called.',
  );
}

/**
 * Limits the duration of decisions. One timer serves all decisions of a run, so the limit adds almost no cost
 * to a decision that returns immediately.
 */
export class Deadline {
  readonly #limitMs: number;
  readonly #seconds: number;
  readonly #waitedMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #bar = 0;
  #startedAt = 0;
  #waitedBefore = 0;
  #reject: ((reason: DecisionFault) => void) | undefined;

  /**
   * @param waitedMs returns the milliseconds waited so far for reasons outside the decider. This time does
   *   not count against the limit
   */
  constructor(seconds: number, waitedMs: () => number = () => 0) {
    this.#seconds = seconds;
    this.#waitedMs = waitedMs;
    this.#limitMs = seconds * 1000;
  }

  /**
   * Waits for a decision.
   *
   * @throws AppError `decision_timeout`, `decision_never_settles`, and the error of the decision
   */
  wait<Answer>(answer: Promise<Answer>, bar: number): Promise<Answer> {
    this.#begin();
    this.#bar = bar;
    this.#startedAt = performance.now();
    this.#waitedBefore = this.#waitedMs();
    return new Promise<Answer>((resolve, reject) => {
      this.#reject = reject;
      answer.then(resolve, reject);
    });
  }

  /** Removes the timer, so that the process can end. */
  release(): void {
    clearInterval(this.#timer);
    if (this.#timer !== undefined) process.off('beforeExit', this.#onIdle);
    this.#timer = undefined;
    this.#reject = undefined;
  }

  #begin(): void {
    if (this.#timer !== undefined) return;
    const step = Math.min(1000, Math.max(10, this.#limitMs / 10));
    this.#timer = setInterval(() => {
      const waited = this.#waitedMs() - this.#waitedBefore;
      if (performance.now() - this.#startedAt - waited >= this.#limitMs)
        this.#reject?.(decisionTimeout(this.#bar, this.#seconds));
    }, step);
    // The timer must not keep the process alive. If nothing else does, Node emits `beforeExit`, which shows
    // that the decision can never settle.
    this.#timer.unref();
    process.on('beforeExit', this.#onIdle);
  }

  readonly #onIdle = (): void => this.#reject?.(neverSettles(this.#bar));
}

/** Thrown by a decider to end its run cleanly. The run can be resumed later. */
export class RunStop extends AppError {
  readonly outcome: 'stopped' | 'budget_exhausted';

  constructor(outcome: RunStop['outcome'], options: AppErrorOptions) {
    super({ ...options, kind: 'run' });
    this.outcome = outcome;
  }
}

/** Returns ` (file:line)` of the strategy's stack frame in an error. Empty if the error has no such frame. */
export function placeIn(thrown: unknown, file: string): string {
  const error = inspectable(thrown);
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return '';
  const frame = stack.split('\n').find((line) => line.includes(name) && /:\d+:\d+\)?$/.test(line.trim()));
  const line = frame === undefined ? null : /:(\d+):\d+\)?$/.exec(frame.trim());
  return line === null ? '' : ` (${file}:${line[1]})`;
}

/**
 * Returns the error of a run whose strategy caused an unhandled rejection or an uncaught error in a callback.
 *
 * @param bar last bar with a decision; `undefined` before the first
 */
export function strategyUncaught(file: string, error: unknown, bar: number | undefined): DecisionFault {
  const when = bar === undefined ? '' : `, noticed at bar ${bar}`;
  return new DecisionFault(
    'strategy_uncaught',
    `Uncaught error in ${file}: ${thrownText(error)}${placeIn(error, file)}${when}`,
    'Await every promise, and catch errors in timers and callbacks.',
  );
}
