import type { BarContext, Decider } from '../../engine/index.ts';
import { RecentEvents } from '../../toolkit/index.ts';

/**
 * Decider for a client outside the run, for example over MCP. At each bar, the run waits until the client
 * calls `next`.
 */
export class ClientDrivenDecider implements Decider {
  #turn: Promise<BarContext | undefined>;
  #arrive!: (turn: BarContext | undefined) => void;
  #goOn: (() => void) | undefined;
  #skip = 0;
  #ended = false;
  readonly readsEvents = true;
  /** Events since the client's last decision. */
  readonly since = new RecentEvents();

  constructor() {
    this.#turn = this.#expect();
  }

  /**
   * Resolves to the turn (market and account) of the next decision, once the run has reached it. `undefined`
   * if the run has ended.
   */
  get turn(): Promise<BarContext | undefined> {
    return this.#turn;
  }

  /**
   * Ends the decision of the current bar.
   *
   * @param bars number of bars to advance. The bars in between have no decision
   * @returns next turn. `undefined` if the run ended earlier
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
