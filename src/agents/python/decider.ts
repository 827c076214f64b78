import type {
  CancelReceipt,
  Order,
  OrderReceipt,
  OrderRequest,
  RebalanceReceipt,
  RebalanceRequest,
  Refusal,
} from '../../broker/index.ts';
import type { BarContext, Decider, DeciderEvent, Json } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { Window } from '../../market/index.ts';
import type { PythonRuntime } from '../../sandbox/index.ts';
import { publishedRequest } from '../../toolkit/index.ts';
import { RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import { giveBack, type Held } from './interpreters.ts';
import { openStrategy, type PythonProgram } from './program.ts';
import {
  type Action,
  callError,
  errorInPython,
  fromPython,
  inPython,
  readBegun,
  readDecided,
  readQuestion,
  toPython,
} from './replies.ts';

/** Inputs of the decider of a Python strategy. */
export interface PythonDecisions {
  readonly program: PythonProgram;
  readonly runtime: PythonRuntime;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly warmUp: number;
  readonly seed: number;
  /** Time limit of a decision in seconds. */
  readonly seconds: number;
  /** Shows a warning to the user. Warnings are not part of the journal. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * Fraction of a decision's time limit after which Python is interrupted. Python's error then contains the
 * line of code. At the full limit, the engine ends the process without this information.
 */
const SOFT_SHARE = 0.9;
/** Maximum time between Python's interruption and the time limit, in milliseconds. */
const MOST_SPARED = 1_000;

/**
 * Decider of a Python strategy with `on_bar`. The strategy runs in a sandboxed process. There is one exchange
 * per bar: the engine sends bars and account, and receives the orders of the decision.
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

  /** Returns account, resting orders and events for Python. Unchanged orders and empty parts are omitted. */
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

type Fields = { readonly [name: string]: Json };

/** Maximum number of characters that prints and notes of one run add to the journal. */
const MOST_NOTED = 5_000_000;

/** Text that a strategy prints, and notes that it records. Both are added to the journal up to a limit. */
class Notes {
  readonly #warn: ((text: string) => void) | undefined;
  #left = MOST_NOTED;

  constructor(warn?: (text: string) => void) {
    this.#warn = warn;
  }

  record(turn: BarContext, text: string, fields: Fields = {}): void {
    if (this.#left < 0) return;
    const { bar } = turn;
    this.#left -= text.length + (Object.keys(fields).length === 0 ? 0 : JSON.stringify(fields).length);
    if (this.#left >= 0) {
      turn.record({ ...fields, type: 'note', bar, text } as DeciderEvent);
      return;
    }
    const most = `${MOST_NOTED.toLocaleString('en-US')} characters`;
    turn.record({
      type: 'note',
      bar,
      text: `More than ${most} printed and noted. Later ones are not recorded.`,
    });
    this.#warn?.(
      `The strategy printed and noted more than ${most}. From bar ${bar} on they are not recorded. Print less: at some bars only, or one value instead of a table.`,
    );
  }
}

/**
 * Executes the actions of a decision, such as orders and notes, in their order. Returns the result of each
 * action, in the format for Python.
 */
function perform(actions: readonly Action[], turn: BarContext, notes: Notes): Fields[] {
  try {
    return actions.map((action) => performOne(action, turn, notes));
  } catch (error) {
    throw errorInPython(error);
  }
}

function performOne(action: Action, turn: BarContext, notes: Notes): Fields {
  const { orders } = turn;
  switch (action[0]) {
    case 'submit':
      return orderReceipt(orders.submit(requestOf(action[1]) as unknown as OrderRequest));
    case 'rebalance':
      return rebalanceReceipt(orders.rebalance(action[1] as unknown as RebalanceRequest));
    case 'cancel':
      return cancelReceipt(orders.cancel(action[1]));
    case 'replace':
      return orderReceipt(orders.replace(action[1], requestOf(action[2]) as Partial<OrderRequest>));
    case 'note':
      notes.record(turn, action[1], action[2]);
      return {};
    default:
      notes.record(turn, action[1].replace(/\n$/, ''), { printed: true });
      return {};
  }
}

/**
 * Answers a question that the strategy sends during its decision. Before that, executes the actions that
 * preceded the question.
 */
function answerQuestion(text: string, turn: BarContext, notes: Notes): string {
  try {
    const { actions, question } = readQuestion(JSON.parse(text));
    const receipts = perform(actions, turn, notes);
    return JSON.stringify({ receipts, ...(question === null ? {} : { value: ordersNow(turn) }) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return JSON.stringify({ failed: error.message, remedy: error.hint });
  }
}

/** Returns the resting orders in the format for Python, oldest first. */
function ordersNow({ orders, symbols }: BarContext): Fields[] {
  return orders.pending().map((order) => orderFields(order, symbols));
}

function orderFields(order: Order, symbols: readonly string[]): Fields {
  const { symbol, size, barsLeft, expiresAt, ...others } = order;
  return {
    ...(toPython(others) as Fields),
    symbol: symbols[symbol] ?? null,
    size: toPython(size),
    quantity: size.kind === 'units' ? size.units.toNumber() : null,
    bars_left: toPython(barsLeft),
    expires_at: toPython(expiresAt),
  };
}

function requestOf(fields: Fields): Json {
  return fromPython(fields);
}

function orderReceipt(receipt: OrderReceipt): Fields {
  if (!receipt.accepted) return refused(receipt.refusal);
  const { order, cut } = receipt;
  return { accepted: true, id: order.id, ...(cut === undefined ? {} : { cut: toPython(cut) }) };
}

function cancelReceipt(receipt: CancelReceipt): Fields {
  return receipt.cancelled ? { accepted: true } : refused(receipt.refusal);
}

function rebalanceReceipt(receipt: RebalanceReceipt): Fields {
  return receipt.accepted ? (toPython(receipt) as Fields) : refused(receipt.refusal);
}

function refused({ code, message, remedy }: Refusal): Fields {
  return { accepted: false, code, message: inPython(message), remedy: inPython(remedy) };
}
