import { DecisionFault } from './decision.ts';

/** Returns the error for a decision that took too long. */
function decisionTimeout(bar: number, seconds: number): DecisionFault {
  return new DecisionFault(
    'decision_timeout',
    `The decision at bar ${bar} did not end within ${seconds} s.`,
    'Look for a loop or a promise that never ends; --decision-timeout SECONDS, or decisionTimeout in the settings, allows more.',
  );
}

/** Returns the error for a decision whose promise can never settle. */
export function neverSettles(bar: number): DecisionFault {
  return new DecisionFault(
    'decision_never_settles',
    `The decision at bar ${bar} waits for a promise that nothing is left to settle.`,
    'Look for a promise whose resolve is never called.',
  );
}

/**
 * Limits the duration of decisions. Uses one timer for the whole run, so that a decision that returns
 * immediately only costs a promise.
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
   * @param waitedMs returns the milliseconds waited so far for reasons outside the decider, which do not
   *   count
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
    // The timer must not prevent the process from ending: `beforeExit` shows that the decision can never
    // settle.
    this.#timer.unref();
    process.on('beforeExit', this.#onIdle);
  }

  readonly #onIdle = (): void => this.#reject?.(neverSettles(this.#bar));
}
