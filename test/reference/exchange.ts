import { Account } from './account.ts';
import { applyActions } from './actions.ts';
import { type Choice, choose } from './choose.ts';
import { Claims } from './claims.ts';
import { Desk } from './desk.ts';
import { countBars, expire } from './lifetime.ts';
import { closeEverything, liquidate } from './margin.ts';
import { contractsOf } from './order.ts';
import { fillAtClose, fillAtOpen } from './path.ts';
import { endingsOf } from './paths.ts';
import { Rational, ZERO } from './rational.ts';
import { flatten, Losses } from './risk.ts';
import { insideOf, wholeStages } from './stages.ts';
import { type BookedFill, Given, State } from './state.ts';
import type { Fill, Outcome, Play } from './types.ts';

const NO_LIMIT = Rational.of(1e30);

/**
 * Slow reference implementation of the broker. Processes a run bar by bar, and each bar along every possible
 * price path.
 */
class ReferenceExchange {
  readonly #given: Given;
  readonly #desk = new Desk();
  readonly #losses: Losses;
  #state: State;
  readonly #fills: Fill[] = [];
  readonly #refusals: string[] = [];
  readonly #cancels: string[] = [];
  readonly #equity: string[] = [];
  readonly #ambiguity: string[] = [];
  /**
   * Highest minus lowest equity of the current bar over all price paths. `undefined` if all paths give the
   * same fills.
   */
  #difference: Rational | undefined;

  constructor(play: Play) {
    this.#given = new Given(play);
    const cash = Rational.of(play.terms.cash);
    this.#state = new State(this.#given, new Account(cash, contractsOf(play.terms)));
    this.#losses = new Losses(cash);
  }

  run(): Outcome {
    let isInsolvent = false;
    for (let bar = 0; bar < this.#given.length && !isInsolvent; bar++) {
      this.#state.bar = bar;
      isInsolvent = this.#runBar(bar);
    }
    return {
      fills: this.#fills,
      trades: this.#state.account.trades,
      refusals: this.#refusals,
      cancels: this.#cancels,
      equity: this.#equity,
      ambiguity: this.#ambiguity,
      end: isInsolvent ? 'insolvent' : 'completed',
    };
  }

  /** Processes one bar. Returns true if the account is insolvent at its close. */
  #runBar(bar: number): boolean {
    const { terms, play } = this.#given;
    this.#value('open');
    for (const symbol of this.#given.symbols) this.#state.budget.set(symbol, this.#budgetOf(symbol));
    applyActions(this.#state);
    this.#losses.startBar(this.#state);
    expire(this.#state);
    const whole = wholeStages(this.#given, bar);
    fillAtOpen(this.#state, whole);
    this.#inside();
    if (this.#difference !== undefined) this.#ambiguity.push(`${bar} ${this.#difference}`);
    this.#difference = undefined;
    countBars(this.#state);
    this.#value('close');
    let isOver = this.#endsBroke();
    if (!isOver) {
      this.#losses.endBar(this.#state);
      liquidate(this.#state);
      flatten(this.#state);
      for (const step of play.steps) if (step.bar === bar) this.#desk.do(this.#state, step);
      if (terms.fillOn === 'close') {
        fillAtClose(this.#state, whole);
        isOver = this.#endsBroke();
      }
    }
    this.#equity.push(String(this.#state.account.equity()));
    this.#keep(new Set());
    return isOver;
  }

  #endsBroke(): boolean {
    const { allowNegativeEquity } = this.#given.terms;
    if (allowNegativeEquity === true || this.#state.account.equity().sign() > 0) return false;
    closeEverything(this.#state);
    return true;
  }

  #value(price: 'open' | 'close'): void {
    const { account, bar } = this.#state;
    const { play, symbols } = this.#given;
    const euro = play.euro?.[bar]?.[price === 'open' ? 0 : 1];
    for (const symbol of symbols) {
      const candle = this.#given.bar(symbol, bar);
      if (candle !== null) account.marks.set(symbol, candle[price]);
      if (euro !== undefined && play.terms.instruments?.[symbol]?.currency === 'EUR')
        account.rates.set(symbol, Rational.of(euro));
    }
  }

  #budgetOf(symbol: string): Rational {
    const { participation } = this.#given.terms;
    if (participation === undefined) return NO_LIMIT;
    const volume = this.#given.bar(symbol, this.#state.bar)?.volume ?? ZERO;
    return volume.times(Rational.of(participation)).downTo(this.#given.instrument(symbol).lot);
  }

  #inside(): void {
    this.#keep(new Set());
    const { terms } = this.#given;
    for (const { stages, opens } of insideOf(this.#given, this.#state.bar)) {
      if (opens) {
        for (const { symbol, bar } of stages) this.#state.account.marks.set(symbol, bar.open);
        fillAtOpen(this.#state, stages, true);
        this.#keep(new Set());
      }
      const claims = new Claims(this.#state, stages);
      for (const stage of claims.order) {
        this.#state.inside = claims.begin(this.#state, stage);
        const choice = choose(endingsOf(this.#state, stage).all, 0, terms.resolve);
        this.#state = choice.booked.state;
        claims.end(this.#state, stage);
        this.#state.inside = undefined;
        if (choice.isAmbiguous) this.#difference = (this.#difference ?? ZERO).plus(differenceOf(choice));
        this.#keep(choice.ambiguous);
      }
    }
  }

  /**
   * Moves fills, rejections and cancellations from the state to the result. In the state, they would be
   * copied for every price path.
   */
  #keep(ambiguous: ReadonlySet<BookedFill>): void {
    const state = this.#state;
    for (const fill of state.fills) {
      const { order, symbol, side } = fill;
      this.#fills.push({
        bar: state.bar,
        order,
        symbol,
        side,
        quantity: String(fill.quantity),
        price: String(fill.price),
        commission: String(fill.commission),
        cash: String(fill.cash),
        ambiguous: ambiguous.has(fill),
      });
    }
    this.#refusals.push(...state.refusals);
    this.#cancels.push(...state.cancels);
    state.fills = [];
    state.refusals = [];
    state.cancels = [];
  }
}

const differenceOf = ({ better, worse }: Choice): Rational => better.minus(worse);

export const runReference = (play: Play): Outcome => new ReferenceExchange(play).run();
