import type { BarContext, Decider } from '../engine/index.ts';
import { SinceDecision } from '../toolkit/index.ts';

/** A decider for whoever stands outside the run: each bar waits until its holder says to go on. */
export class ClientDrivenDecider implements Decider {
  #turn: Promise<BarContext | undefined>;
  #arrive!: (turn: BarContext | undefined) => void;
  #goOn: (() => void) | undefined;
  #skip = 0;
  #ended = false;
  readonly readsEvents = true;
  /** What happened since the client's last decision. */
  readonly since = new SinceDecision();

  constructor() {
    this.#turn = this.#expect();
  }

  /** The turn under way, once it has come; undefined when the run has ended. */
  get turn(): Promise<BarContext | undefined> {
    return this.#turn;
  }

  /**
   * Ends this bar's decision.
   *
   * @param bars how many bars to move; those between pass without a decision
   * @returns the turn then; undefined when the run ended on the way
   */
  next(bars = 1): Promise<BarContext | undefined> {
    const goOn = this.#goOn;
    if (goOn === undefined || this.#ended) return this.#turn;
    this.#goOn = undefined;
    this.#skip = bars - 1;
    this.#turn = this.#expect();
    goOn();
    return this.#turn;
  }

  decide(turn: BarContext): void | Promise<void> {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return this.since.pass(turn);
    }
    return new Promise((goOn) => {
      this.#goOn = goOn;
      this.#arrive(turn);
    });
  }

  close(): void {
    this.#ended = true;
    this.#arrive(undefined);
  }

  #expect(): Promise<BarContext | undefined> {
    return new Promise((arrive) => {
      this.#arrive = arrive;
    });
  }
}
