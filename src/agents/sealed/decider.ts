import {
  type BarContext,
  type Decider,
  type Decision,
  DecisionFault,
  type Json,
  neverSettles,
  strategyUncaught,
} from '../../engine/index.ts';
import { AppError, decimalString, messageOf } from '../../kernel/index.ts';
import { type Bar, FeatureSender, featuresOf, type GrowingFeature, sessionRows } from '../../market/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { afterCalls, RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import { pack, unpack } from './codec.ts';
import type { ChildMessage, HostMessage } from './messages.ts';
import type { SealedProcess } from './process.ts';

type Call = Extract<ChildMessage, { type: 'call' }>;

const FORGOTTEN: Bar = { time: -1, open: 0, high: 0, low: 0, close: 0, volume: 0 };

interface OwnParts {
  readonly file: string;
  readonly name: string;
  readonly warmUp: number;
  /** Converts the stack trace of a failure to positions in the source files. */
  readonly inSources: (failure: Failure) => Failure;
}

/**
 * Decider for a strategy that runs in a separate process. Sends bars and account data to this process. Places
 * the strategy's orders and makes its tool calls in the engine.
 */
export class SealedDecider implements Decider {
  readonly decisionTimeout = RULE_TIMEOUT_SECONDS;
  readonly #child: SealedProcess;
  readonly #own: OwnParts;
  readonly #toolkit: Toolkit | undefined;
  readonly #lookback: number | null;
  /**
   * Rows for the strategy that have not been sent yet. The row of a bar contains the number of its series,
   * time, open, high, low, close and volume. See `bars` in `HostMessage` for the other kinds of rows.
   */
  #bars: number[][] = [];
  #revealed: number[] = [];
  /** Number of price adjustments (`rebasings`) that are already in rows for the strategy, by series. */
  #rebasings: number[] = [];
  /** Date of the newest session that has been sent, by series. */
  readonly #sessions: number[] = [];
  readonly #features = new FeatureSender();
  #hasFeatures = false;
  /** Number of bars whose features have not been sent, by symbol. */
  #unsent: number[] = [];
  #begun = false;
  /** Newest bar for which the strategy has finished its decision. `undefined` during a decision. */
  #decided: BarContext | undefined;
  #hasCalled = false;

  constructor(child: SealedProcess, own: OwnParts, toolkit: Toolkit | undefined, lookback: number | null) {
    this.#child = child;
    this.#own = own;
    this.#toolkit = toolkit;
    this.#lookback = lookback;
  }

  // The look-back limits how many past bars a window contains. A window may drop bars before the first
  // decision, but the strategy's indicators need these bars. They are therefore stored at every bar.
  watch(turn: BarContext): void {
    if (this.#lookback !== null) this.#gather(turn);
  }

  decide(turn: BarContext): undefined | Promise<Decision> {
    this.#gather(turn);
    if (turn.bar + 1 < this.#own.warmUp) return undefined;
    return this.#ask(turn);
  }

  waitedMs(): number {
    return this.#toolkit?.waitedMs() ?? 0;
  }

  async close(): Promise<void> {
    try {
      if (this.#decided !== undefined && this.#hasCalled) await this.#end(this.#decided);
    } finally {
      this.#child.kill();
    }
  }

  /**
   * Waits after the last bar for tool calls that the strategy did not await. Such a call can still fail with
   * an error that the strategy does not handle.
   */
  async #end(turn: BarContext): Promise<void> {
    const late = `still waited for a call ${RULE_TIMEOUT_SECONDS} seconds after its last bar`;
    const limit = setTimeout(() => this.#child.kill(late), RULE_TIMEOUT_SECONDS * 1000);
    try {
      await this.#child.exchange<undefined>({ type: 'end' }, (heard, done) => {
        if (heard.type === 'ask') this.#child.send(answered(heard, turn));
        else if (heard.type === 'call') this.#call(heard, turn);
        else if (heard.type === 'note') turn.record(heard.note);
        else if (heard.type === 'ended') done(undefined);
        else if (heard.type === 'failed') throw this.#thrown(heard, turn.bar);
        else outOfTurn(heard);
      });
    } finally {
      clearTimeout(limit);
    }
  }

  // Stores the rows that the next message to the strategy contains. If a look-back limits the window, this is
  // called at every bar, because the window may drop bars before the next message.
  #gather(turn: BarContext): void {
    for (const [index, symbol] of [...turn.symbols, ...turn.contextSymbols].entries()) {
      const window = turn.windowOf(symbol);
      const missing = window.revealed - (this.#revealed[index] ?? 0);
      const { rebasings } = window;
      const known = this.#rebasings[index] ?? 0;
      this.#rebasings[index] = rebasings.length;
      // If no bar has been sent yet, all bars are sent with their current prices, which already include the
      // adjustments.
      const isFirst = missing === window.revealed;
      this.#revealed[index] = window.revealed;
      this.#unsent[index] = (this.#unsent[index] ?? 0) + missing;
      const first = Math.max(window.length - missing, 0);
      if (window.sessions !== undefined)
        for (const row of sessionRows(
          window.sessions,
          window.time.tail(window.length - first),
          this.#sessions[index],
        )) {
          this.#bars.push([index, ...row]);
          this.#sessions[index] = row[1];
        }
      for (let back = missing; back >= 1; back--) {
        // A bar older than the look-back cannot be read any more. An empty bar is sent instead, so that the
        // number of bars is correct.
        const bar = window.barAt(-back) ?? FORGOTTEN;
        this.#bars.push([index, bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume]);
      }
      if (!isFirst)
        for (const { price, volume, shift } of rebasings.slice(known))
          this.#bars.push([index, price, volume, ...(shift === undefined ? [] : [shift])]);
    }
  }

  async #ask(turn: BarContext): Promise<Decision> {
    if (!this.#begun) {
      this.#begun = true;
      await this.#begin(turn);
    }
    const bars = this.#bars;
    this.#bars = [];
    const unsent = this.#unsent;
    this.#unsent = [];
    const { account } = turn;
    const message: HostMessage = {
      type: 'bar',
      bar: turn.bar,
      time: turn.time,
      bars,
      ...(this.#hasFeatures ? { known: this.#features.news(featuresIn(turn), unsent) } : {}),
      account: {
        cash: decimalString(account.cash),
        equity: decimalString(account.equity),
        realisedPnl: decimalString(account.realisedPnl),
        commissionPaid: decimalString(account.commissionPaid),
        positions: account
          .positions()
          .map((view) => ({ view: pack(view), units: account.units(view.symbol) })),
      },
    };
    this.#decided = undefined;
    let unread: readonly string[] = [];
    const decision = await this.#child.exchange<Decision>(message, (heard, done) => {
      if (heard.type === 'ask') this.#child.send(answered(heard, turn));
      else if (heard.type === 'call') this.#call(heard, turn);
      else if (heard.type === 'note') turn.record(heard.note);
      else if (heard.type === 'decided') {
        unread = heard.unread ?? [];
        done({ orders: heard.orders.map(unpack) as NonNullable<Decision['orders']> });
      } else if (heard.type === 'failed') throw this.#thrown(heard, turn.bar);
      else if (heard.type === 'stuck') throw neverSettles(turn.bar);
      else outOfTurn(heard);
    });
    this.#decided = turn;
    return afterCalls(decision, this.#toolkit, turn.bar, () => unread);
  }

  #begin(turn: BarContext): Promise<undefined> {
    const { bar, symbols, account, orders } = turn;
    const features = this.#features.shapeOf(featuresIn(turn));
    this.#hasFeatures = features !== undefined;
    const sessions = [...symbols, ...turn.contextSymbols].map(
      (symbol) => turn.windowOf(symbol).sessions?.early ?? null,
    );
    const message: HostMessage = {
      type: 'begin',
      symbols,
      currency: account.currency,
      lookback: this.#lookback,
      fillsAtClose: orders.fillsAtClose,
      barLength: turn.window.barLength ?? null,
      ...(turn.contextSymbols.length === 0
        ? {}
        : {
            contexts: turn.contextSymbols.map((symbol) => ({
              symbol,
              barLength: turn.context(symbol).barLength ?? null,
            })),
          }),
      ...(sessions.some((each) => each !== null) ? { sessions } : {}),
      ...(features === undefined ? {} : { features }),
    };
    return this.#child.exchange(message, (heard, done) => {
      if (heard.type === 'ready') done(undefined);
      else if (heard.type === 'failed') throw this.#thrown(heard, bar);
      else outOfTurn(heard);
    });
  }

  #thrown(failure: Failure, bar: number): Error {
    const error = errorOf(this.#own.inSources(failure));
    return failure.how === 'uncaught' ? strategyUncaught(this.#own.file, error, bar) : error;
  }

  #call({ id, tool, given }: Call, turn: BarContext): void {
    this.#hasCalled = true;
    const answer =
      this.#toolkit === undefined
        ? Promise.reject(
            new AppError({
              code: 'tools_not_declared',
              message: `The strategy ${this.#own.name} called ${tool} but declares no tools.`,
              hint: `Add tools: ['${tool}'] to its defineStrategy.`,
            }),
          )
        : this.#toolkit.call(tool, unpack(given), turn);
    answer.then(
      (value: Json) => this.#child.send({ type: 'result', id, value }),
      (error: unknown) => this.#child.send({ type: 'unresolved', id, ...errorParts(error) }),
    );
  }
}

function featuresIn({ symbols, windowOf }: BarContext): (readonly GrowingFeature[])[] {
  return symbols.map((symbol) => featuresOf(windowOf(symbol)));
}

export type Failure = Extract<ChildMessage, { type: 'failed' }>;
type Question = Extract<ChildMessage, { type: 'ask' }>;

/** Answers a request of the strategy with data of the turn: account, orders, documents and events. */
function answered({ what, given }: Question, turn: BarContext): HostMessage {
  try {
    const values = given.map(unpack);
    return { type: 'answer', value: pack(ask(what, values, turn)) };
  } catch (error) {
    return { type: 'refused', ...errorParts(error) };
  }
}

function ask(what: Question['what'], given: readonly unknown[], turn: BarContext): unknown {
  const { account, orders, documents } = turn;
  if (what === 'cashByKind') return account.cashByKind;
  // An unknown symbol is not checked here, because `account.position` throws an error for it.
  if (what === 'position') return account.position(given[0] as string);
  if (what === 'units') return account.units(given[0] as string);
  if (what === 'pending') return orders.pending();
  if (what === 'documentCount') return documents.length;
  if (what === 'documentSearch') return documents.search(given[0] as Parameters<typeof documents.search>[0]);
  if (what === 'documentRead') return documents.read(given[0] as string);
  if (what === 'documentTail') return documents.tail(given[0] as number);
  if (what === 'fundamentals') return turn.fundamentals(...(given as Parameters<BarContext['fundamentals']>));
  if (what === 'universe') return turn.universe();
  if (what === 'eventsSince') return turn.eventsSince;
  // A strategy may be JavaScript, so the types of the arguments are unknown. The methods of `turn.orders`
  // validate them.
  const desk = orders[what] as (...values: readonly unknown[]) => unknown;
  return desk(...given);
}

/** Returns the fields of an error that the strategy receives. */
function errorParts(error: unknown): { code: string; message: string; remedy: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message, remedy: error.hint };
  return { code: '', message: messageOf(error), remedy: '' };
}

/** Converts a failure that the process of a sealed strategy reported to an error. */
export function errorOf({ how, code, message, remedy, stack }: Failure): Error {
  if (how === 'fault') return new DecisionFault(code, message, remedy);
  const error =
    code === ''
      ? new Error(message)
      : new AppError({ code, message, hint: remedy, kind: how === 'input' ? 'input' : 'run' });
  error.stack = `Error: ${message}\n${stack ?? ''}`;
  return error;
}

/** Refuses a message that is not expected at this point. @throws Error */
export function outOfTurn({ type }: ChildMessage): never {
  throw new Error(`a sealed strategy sent ${type} outside its turn`);
}
