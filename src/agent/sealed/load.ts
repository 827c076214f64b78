import { z } from 'zod';
import {
  type Decider,
  type Decision,
  DecisionFault,
  type Json,
  neverSettles,
  type Turn,
} from '../../engine/index.ts';
import { AppError, decimalString, messageOf } from '../../kernel/index.ts';
import type { Bar } from '../../market/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { RULE_TIMEOUT_SECONDS } from '../rules.ts';
import type { Strategy } from '../strategy.ts';
import { type BundledFile, bundleStrategy } from './bundle.ts';
import { pack, unpack } from './codec.ts';
import type { ChildMessage, HostMessage } from './messages.ts';
import { SealedProcess } from './process.ts';

type Failure = Extract<ChildMessage, { type: 'failed' }>;
type Question = Extract<ChildMessage, { type: 'ask' }>;
type Call = Extract<ChildMessage, { type: 'call' }>;

/** What a sealed strategy says of itself, and how it decides. */
export interface SealedStrategy {
  /** As far as it is not code. */
  readonly declared: Pick<Strategy, 'name' | 'summary' | 'tools' | 'budgets' | 'repl' | 'settings'>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly descriptorsClosed: boolean;
  /** Its own code, all of it. */
  readonly files: readonly BundledFile[];
  /** Bars that must have closed before it is first asked, where it says. */
  readonly warmUp?: number;
  createDecider(toolkit: Toolkit | undefined, lookback: number | null): Decider;
  close(): void;
}

/**
 * Loads a strategy into a process of its own.
 *
 * @throws AppError `strategy_broken`, `not_a_strategy`, `bad_parameters`, `strategy_ended`
 */
export async function loadSealed(
  file: string,
  given: Readonly<Record<string, string>>,
): Promise<SealedStrategy> {
  const { code, files } = await bundleStrategy(file);
  const child = await SealedProcess.start(file, code);
  const limit = setTimeout(() => child.kill(), RULE_TIMEOUT_SECONDS * 1000);
  try {
    const loaded = await child.exchange<Extract<ChildMessage, { type: 'loaded' }>>(
      { type: 'load', given },
      (message, done) => {
        if (message.type === 'loaded') done(message);
        else if (message.type === 'failed') throw loadError(file, message);
        else outOfTurn(message);
      },
    );
    const { name, summary, tools, budgets, repl, warmUpBars } = loaded;
    if (loaded.hasCosts) {
      throw new AppError({
        code: 'strategy_broken',
        message: `${file} has a cost model of its own, which the engine would have to ask in the middle of a fill.`,
        remedy: 'Use the models of the settings, or run it without --seal.',
      });
    }
    if (warmUpBars === null) {
      throw new AppError({
        code: 'strategy_broken',
        message: `warmUpBars of the strategy ${name} gave no number of bars.`,
        remedy: 'Return a number of bars, 0 or more.',
        kind: 'run',
      });
    }
    return {
      declared: {
        name,
        summary,
        tools,
        ...(budgets === undefined ? {} : { budgets }),
        ...(repl === undefined ? {} : { repl: repl as NonNullable<Strategy['repl']> }),
        settings: unpack(loaded.settings) as NonNullable<Strategy['settings']>,
      },
      parameters: unpack(loaded.parameters) as Record<string, unknown>,
      descriptorsClosed: child.descriptorsClosed,
      files,
      ...(warmUpBars === undefined ? {} : { warmUp: warmUpBars }),
      createDecider: (toolkit, lookback) =>
        new SealedDecider(child, name, warmUpBars ?? 0, toolkit, lookback),
      close: () => child.kill(),
    };
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

const FORGOTTEN: Bar = { time: -1, open: 0, high: 0, low: 0, close: 0, volume: 0 };

/** A strategy in another process: bars and account go there, orders and calls come back to the turn's own desk. */
class SealedDecider implements Decider {
  readonly decisionTimeout = RULE_TIMEOUT_SECONDS;
  readonly #child: SealedProcess;
  readonly #name: string;
  readonly #warmUp: number;
  readonly #toolkit: Toolkit | undefined;
  readonly #lookback: number | null;
  /** Bars it has not been sent: number of the symbol, time, open, high, low, close, volume. */
  #bars: number[][] = [];
  #revealed: number[] = [];
  #begun = false;

  constructor(
    child: SealedProcess,
    name: string,
    warmUp: number,
    toolkit: Toolkit | undefined,
    lookback: number | null,
  ) {
    this.#child = child;
    this.#name = name;
    this.#warmUp = warmUp;
    this.#toolkit = toolkit;
    this.#lookback = lookback;
  }

  decide(turn: Turn): undefined | Promise<Decision> {
    this.#gather(turn);
    if (turn.bar + 1 < this.#warmUp) return undefined;
    return this.#ask(turn);
  }

  waitedMs(): number {
    return this.#toolkit?.waitedMs() ?? 0;
  }

  close(): void {
    this.#child.kill();
  }

  // A window may forget, and the first bars of a run may be closed before anybody is asked.
  #gather(turn: Turn): void {
    for (const [index, symbol] of turn.symbols.entries()) {
      const window = turn.windowOf(symbol);
      const missing = window.revealed - (this.#revealed[index] ?? 0);
      this.#revealed[index] = window.revealed;
      for (let back = missing; back >= 1; back--) {
        // Beyond the look-back only the count of bars can be seen.
        const bar = window.barAt(-back) ?? FORGOTTEN;
        this.#bars.push([index, bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume]);
      }
    }
  }

  async #ask(turn: Turn): Promise<Decision> {
    if (!this.#begun) {
      this.#begun = true;
      await this.#begin(turn);
    }
    const bars = this.#bars;
    this.#bars = [];
    const { account } = turn;
    const message: HostMessage = {
      type: 'bar',
      bar: turn.bar,
      time: turn.time,
      bars,
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
    return this.#child.exchange<Decision>(message, (heard, done) => {
      if (heard.type === 'ask') this.#child.send(answered(heard, turn));
      else if (heard.type === 'call') this.#call(heard, turn);
      else if (heard.type === 'note') turn.record(heard.note);
      else if (heard.type === 'decided')
        done({ orders: heard.orders.map(unpack) as NonNullable<Decision['orders']> });
      else if (heard.type === 'failed') throw thrown(heard);
      else if (heard.type === 'stuck') throw neverSettles(turn.bar);
      else outOfTurn(heard);
    });
  }

  #begin({ symbols, account, orders }: Turn): Promise<undefined> {
    const message: HostMessage = {
      type: 'begin',
      symbols,
      currency: account.currency,
      lookback: this.#lookback,
      fillsAtClose: orders.fillsAtClose,
    };
    return this.#child.exchange(message, (heard, done) => {
      if (heard.type === 'ready') done(undefined);
      else if (heard.type === 'failed') throw thrown(heard);
      else outOfTurn(heard);
    });
  }

  #call({ id, tool, given }: Call, turn: Turn): void {
    const answer =
      this.#toolkit === undefined
        ? Promise.reject(
            new AppError({
              code: 'tools_not_declared',
              message: `The strategy ${this.#name} called ${tool} but declares no tools.`,
              remedy: `Add tools: ['${tool}'] to its defineStrategy.`,
            }),
          )
        : this.#toolkit.call(tool, unpack(given), turn);
    answer.then(
      (value: Json) => this.#child.send({ type: 'result', id, value }),
      (error: unknown) => this.#child.send({ type: 'unresolved', id, ...errorParts(error) }),
    );
  }
}

const symbolSchema = z.tuple([z.string()]);

function answered({ what, given }: Question, turn: Turn): HostMessage {
  try {
    const values = given.map(unpack);
    return { type: 'answer', value: pack(ask(what, values, turn)) };
  } catch (error) {
    return { type: 'refused', ...errorParts(error) };
  }
}

function ask(what: Question['what'], given: readonly unknown[], { account, orders }: Turn): unknown {
  if (what === 'cashByKind') return account.cashByKind;
  if (what === 'position') return account.position(symbolSchema.parse(given)[0]);
  if (what === 'units') return account.units(symbolSchema.parse(given)[0]);
  if (what === 'pending') return orders.pending();
  // The desk reads what it is given as it reads any strategy's, which may be JavaScript.
  const desk = orders[what] as (...values: readonly unknown[]) => unknown;
  return desk(...given);
}

function errorParts(error: unknown): { code: string; message: string; remedy: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message, remedy: error.remedy };
  return { code: '', message: messageOf(error), remedy: '' };
}

function thrown({ how, code, message, remedy }: Failure): Error {
  if (how === 'fault') return new DecisionFault(code, message, remedy);
  if (code === '') return new Error(message);
  return new AppError({ code, message, remedy, kind: how === 'input' ? 'input' : 'run' });
}

function loadError(file: string, failure: Failure): AppError {
  const { code, message, remedy, how } = failure;
  if (code === 'not_a_strategy')
    return new AppError({ code, message: message.replace('The file', file), remedy });
  if (code !== '') return new AppError({ code, message, remedy, kind: how === 'input' ? 'input' : 'run' });
  return new AppError({
    code: 'strategy_broken',
    message: `${file} cannot be loaded: ${message}`,
    remedy: 'Fix the file. What a sealed strategy may use is in docs/strategies.md.',
  });
}

function outOfTurn({ type }: ChildMessage): never {
  throw new Error(`a sealed strategy said ${type} out of turn`);
}
