import { type CorporateAction, isShareAction } from '../market/index.ts';
import { type ActionParts, CorporateActions } from './corporate-actions.ts';
import { Funding } from './funding.ts';
import { Rolls } from './rolls.ts';

/** Applies rolls, corporate actions and funding to positions, each at its step within a bar. */
export class DatedActions {
  readonly #rolls: Rolls | undefined;
  readonly #shares: CorporateActions;
  readonly #funding: Funding | undefined;
  readonly #hasBar: (symbol: number) => boolean;
  #time = Number.NaN;

  /**
   * Returns `undefined` without any actions, so that the run skips all work for them.
   *
   * @throws AppError `bad_actions`, `bad_rolls` and `bad_funding` for actions that contradict each other or
   *   the bars
   */
  static of(actions: readonly CorporateAction[], parts: ActionParts): DatedActions | undefined {
    return actions.length === 0 ? undefined : new DatedActions(actions, parts);
  }

  private constructor(actions: readonly CorporateAction[], parts: ActionParts) {
    this.#rolls = Rolls.of(actions, parts);
    this.#shares = new CorporateActions(actions.filter(isShareAction), parts);
    this.#funding = Funding.of(actions, parts);
    this.#hasBar = (symbol) => parts.cursors[symbol]!.window.time.last === this.#time;
  }

  /** Called before a bar begins. No data of the bar are visible. */
  beforeBar(bar: number): void {
    this.#funding?.beforeBar(bar);
  }

  /** Called at the start of a bar. Its opens are the marks, and no orders have been filled. */
  atOpen(bar: number, time: number): void {
    this.#time = time;
    this.#rolls?.apply(bar, time);
    if (this.#shares.isDue(time)) this.#shares.apply(bar, time, this.#hasBar);
    this.#funding?.atOpen(bar);
  }

  /** Called at the end of a bar, after positions are marked. */
  atClose(bar: number): void {
    this.#funding?.atClose(bar);
  }
}
