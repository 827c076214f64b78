import { type CorporateAction, isShareAction } from '../market/index.ts';
import { type ActionParts, CorporateActions } from './corporate-actions.ts';
import { Funding } from './funding.ts';
import { Rolls } from './rolls.ts';

/** What happens to what is held without an order, each at its place in a bar's walk. */
export class DatedActions {
  readonly #rolls: Rolls | undefined;
  readonly #shares: CorporateActions;
  readonly #funding: Funding | undefined;
  readonly #hasBar: (symbol: number) => boolean;
  #time = Number.NaN;

  /**
   * Undefined where nothing happens: such a run does no work for it.
   *
   * @throws AppError `bad_actions`, `bad_rolls` and `bad_funding` for what contradicts itself or the bars
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

  /** A bar is about to begin: nothing of it is there. */
  beforeBar(bar: number): void {
    this.#funding?.beforeBar(bar);
  }

  /** A bar has begun, with its opens as marks, and nothing has filled. */
  atOpen(bar: number, time: number): void {
    this.#time = time;
    this.#rolls?.apply(bar, time);
    if (this.#shares.isDue(time)) this.#shares.apply(bar, time, this.#hasBar);
    this.#funding?.atOpen(bar);
  }

  /** A bar has ended: positions are marked. */
  atClose(bar: number): void {
    this.#funding?.atClose(bar);
  }
}
