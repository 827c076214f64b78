import type { BarContext, Decider, Json } from '../../engine/index.ts';
import type { Window } from '../../market/index.ts';
import type { PythonRuntime } from '../../sandbox/index.ts';
import { publishedRequest } from '../../toolkit/index.ts';
import { RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import { answerQuestion, Notes, ordersNow, perform } from './desk.ts';
import { giveBack, type Held } from './interpreters.ts';
import { openStrategy, type PythonProgram } from './program.ts';
import { callError, readBegun, readDecided, toPython } from './replies.ts';

/** Inputs of a decider. */
export interface PythonDecisions {
  readonly program: PythonProgram;
  readonly runtime: PythonRuntime;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly warmUp: number;
  readonly seed: number;
  /** Time limit of a decision in seconds. */
  readonly seconds: number;
  /** Reports what a user should know. Not part of the journal. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** Share of the limit after which Python is interrupted, so that its error names the line before the engine gives up. */
const SOFT_SHARE = 0.9;
/** Longest time before the limit at which Python is interrupted, in milliseconds. */
const MOST_SPARED = 1_000;

/**
 * Decider whose strategy is Python code in a sandboxed process. One exchange per bar: bars and account are sent, and the
 * orders of the decision come back.
 */
export class PythonDecider implements Decider {
  readonly decisionTimeout = RULE_TIMEOUT_SECONDS;
  readonly readsEvents = true;
  readonly #own: PythonDecisions;
  readonly #timeoutMs: number;
  readonly #notes: Notes;
  #held: Held | undefined;
  #windows: readonly Window[] | undefined;
  #orders = '[]';
  #waitedMs = 0;

  constructor(own: PythonDecisions) {
    this.#own = own;
    this.#notes = new Notes(own.warn);
    const limit = own.seconds * 1000;
    this.#timeoutMs = Math.ceil(Math.max(limit * SOFT_SHARE, limit - MOST_SPARED));
  }

  decide(turn: BarContext): undefined | Promise<undefined> {
    if (turn.bar + 1 < this.#own.warmUp) return undefined;
    return this.#decide(turn);
  }

  waitedMs(): number {
    return this.#waitedMs;
  }

  close(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    held.loaded = undefined;
    giveBack(held);
  }

  async #decide(turn: BarContext): Promise<undefined> {
    this.#held ??= await this.#begin(turn);
    this.#windows ??= [...turn.symbols, ...turn.contextSymbols].map((symbol) => turn.windowOf(symbol));
    const { interpreter } = this.#held;
    const windows = this.#windows;
    const { bar, time } = turn;
    const published = publishedRequest(turn, () => true);
    const reply = readDecided(
      await interpreter.call({
        operation: 'strategy_bar',
        request: { bar, time, timeoutMs: this.#timeoutMs, ...this.#account(turn), ...published.request },
        time,
        windows,
        published: published.tables,
        timeoutMs: this.#timeoutMs,
        answerTo: (question) => answerQuestion(question, turn, this.#notes),
      }),
    );
    if (reply.actions.length > 0) perform(reply.actions, turn, this.#notes);
    if (!reply.ok) throw callError(reply, this.#own.program.folder, bar, this.#own.seconds);
    return undefined;
  }

  /** Account, resting orders and events. What is empty or unchanged is omitted. */
  #account(turn: BarContext): Record<string, Json> {
    const { account, eventsSince } = turn;
    const orders = ordersNow(turn);
    const text = orders.length === 0 ? '[]' : JSON.stringify(orders);
    const isSame = text === this.#orders;
    this.#orders = text;
    const positions = account.positions();
    const { events, profit } = eventsSince;
    return {
      account: [
        account.cash.toNumber(),
        account.equity.toNumber(),
        account.realisedPnl.toNumber(),
        account.commissionPaid.toNumber(),
      ],
      ...(positions.length === 0 ? {} : { positions: positions.map(positionFields) }),
      ...(isSame ? {} : { orders }),
      ...(events.length === 0 ? {} : { events: events.map((event) => toPython(event)) }),
      ...(profit === 0 ? {} : { profit }),
    };
  }

  async #begin(turn: BarContext): Promise<Held> {
    const startedAt = performance.now();
    const { program, runtime, parameters, seed } = this.#own;
    const held = await openStrategy(program, runtime, seed);
    this.#held = held;
    held.loaded = undefined;
    const reply = readBegun(
      await held.interpreter.call({
        operation: 'strategy_begin',
        request: {
          parameters: program.forPython(parameters),
          symbols: turn.symbols,
          contexts: turn.contextSymbols,
          currency: turn.account.currency,
        },
        time: turn.time,
        timeoutMs: this.#timeoutMs,
      }),
    );
    if (!reply.ok) throw callError(reply, program.folder, turn.bar, this.#own.seconds);
    this.#waitedMs += performance.now() - startedAt;
    return held;
  }
}

function positionFields(view: ReturnType<BarContext['account']['position']>): Json {
  return {
    symbol: view.symbol,
    quantity: view.quantity.toNumber(),
    average_price: view.averagePrice.toNumber(),
    price: view.mark.toNumber(),
    market_value: view.marketValue.toNumber(),
    exposure: view.exposure.toNumber(),
    unrealised_pnl: view.unrealisedPnl.toNumber(),
    multiplier: view.multiplier.toNumber(),
    currency: view.currency,
    stale: view.stale,
  };
}
