import { DecisionFault } from './decision.ts';

/** What a decision that took too long is called, wherever that is noticed. */
function decisionTimeout(bar: number, seconds: number): DecisionFault {
  return new DecisionFault(
    'decision_timeout',
    `The decision at bar ${bar} did not end within ${seconds} s.`,
    'Look for a loop or a promise that never ends; --decision-timeout SECONDS, or decisionTimeout in the settings, allows more.',
  );
}

/** What a decision is called that nothing can end any more. */
export function neverSettles(bar: number): DecisionFault {
  return new DecisionFault(
    'decision_never_settles',
    `The decision at bar ${bar} waits for a promise that nothing is left to settle.`,
    'Look for a promise whose resolve is never called.',
  );
}

/**
 * Ends the wait for decisions that do not come. It has one timer for a whole run: a decision that answers at once costs
 * a promise and nothing more.
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

  /** @param waitedMs milliseconds waited so far for what is not the decider's to answer for */
  constructor(seconds: number, waitedMs: () => number = () => 0) {
    this.#seconds = seconds;
    this.#waitedMs = waitedMs;
    this.#limitMs = seconds * 1000;
  }

  /** Waits for a decision. @throws AppError `decision_timeout`, `decision_never_settles`, and what it rejects with */
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

  /** Lets the process end. */
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
    // A process with nothing left to do would end in the middle of the run: that is heard, not waited for.
    this.#timer.unref();
    process.on('beforeExit', this.#onIdle);
  }

  readonly #onIdle = (): void => this.#reject?.(neverSettles(this.#bar));
}
