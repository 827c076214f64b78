import { z } from 'zod';
import type { ClientDrivenDecider } from '../../agents/index.ts';
import type { BarContext, Json } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import {
  argumentsFor,
  defaultColumns,
  failure,
  type RecentEvents,
  symbolTable,
  type Toolkit,
} from '../../toolkit/index.ts';

/** Definition of the tool that advances the market of a session. */
export const nextBarTool = {
  name: 'next_bar',
  description: `End your decision at this bar and advance the market. Your orders can fill at the open of the next bar.

  bars   number of bars to advance, 1 to 10000 (default 1); bars in between pass without a decision

The answer is {moved, since_last_decision, bar, date, bars: {symbol: {open, high, low, close, volume}}, cash, equity} at the new bar;
from six symbols on, a table {columns, rows, stale} instead of bars.
since_last_decision contains the events on the way: profit and, if there are any, fills, closed_trades, refused (orders that could not
fill), cancelled, new_orders (stops and targets that came with a fill), dividends, splits, margin_calls, financing, new_documents.
At the end of the data moved is smaller than bars, and note states this: call finish then.

Examples: {}   {"bars": 5}`,
  parameters: z.strictObject({
    bars: z.number().int().min(1).max(10_000).default(1).describe('Number of bars to advance'),
  }),
  example: { bars: 1 },
} as const;

export const finishTool = {
  name: 'finish',
  description: `End the run at this bar and write its reports. Resting orders never fill; open positions are valued at the last close.
A run that ends before the end of its data is recorded as interrupted.

The answer is {finished: true, outcome, run, folder, summary: {final_equity, total_return, max_drawdown, sharpe, trades, …}}.

Example: {}`,
  parameters: z.strictObject({}),
  example: {},
} as const;

/** Maximum number of context symbols (readable but not traded) whose bars are in one answer. */
const MOST = 50;

/**
 * Returns the answer to a client after the market has advanced: the events since the client's last decision,
 * and the new bars.
 *
 * @param moved number of bars by which the market has advanced
 */
export function movedAnswer(turn: BarContext, moved: number, since: RecentEvents): Record<string, Json> {
  return {
    moved,
    ...(moved === 0 ? {} : { since_last_decision: since.view(turn) }),
    ...barOf(turn, since),
    cash: turn.account.cash.toNumber(),
    equity: turn.account.equity.toNumber(),
  };
}

/** Returns the current bar of every symbol, or one table if there are many symbols. */
function barOf(turn: BarContext, { trades }: RecentEvents): Record<string, Json> {
  const columns = defaultColumns(turn);
  const bars = (columns === undefined ? turn.symbols : []).flatMap((symbol): [string, Json][] => {
    const { bar } = turn.windowOf(symbol);
    if (bar === undefined) return [];
    const { time, ...prices } = bar;
    return [[symbol, time === turn.time ? prices : { ...prices, stale: true }]];
  });
  const context = turn.contextSymbols.slice(0, MOST).flatMap((symbol): [string, Json][] => {
    const { bar } = turn.context(symbol);
    if (bar === undefined) return [];
    const { time, ...prices } = bar;
    return [[symbol, { date: formatInstant(time), ...prices }]];
  });
  return {
    bar: turn.bar,
    date: formatInstant(turn.time),
    ...(columns === undefined
      ? { bars: Object.fromEntries(bars) }
      : { table: symbolTable(turn, columns, trades) }),
    ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
  };
}

interface SessionParts {
  readonly decider: ClientDrivenDecider;
  readonly toolkit: Toolkit;
  /** Number of bars on the market's clock. */
  readonly bars: number;
  /** Ends the run after the current bar. Resolves to the answer of `finish`. */
  end(): Promise<Json>;
}

/** Run that a client controls by calling the tools, `next_bar` and `finish`. */
export class TradingSession {
  readonly #parts: SessionParts;
  #queue: Promise<unknown> = Promise.resolve();
  #ended: Promise<Json> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /**
   * Answers a call. Calls are executed one after another, so the market does not advance during another call.
   */
  call(name: string, given: unknown): Promise<Json> {
    const answer = this.#queue.then(() => this.#answer(name, given));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /** Ends the run after the calls in progress. Further calls of `stop` return the same answer. */
  stop(): Promise<Json> {
    const ended = this.#queue.then(() => this.#end());
    this.#queue = ended.catch(() => undefined);
    return ended;
  }

  #end(): Promise<Json> {
    this.#ended ??= this.#parts.end();
    return this.#ended;
  }

  async #answer(name: string, given: unknown): Promise<Json> {
    const turn = this.#ended === undefined ? await this.#parts.decider.turn : undefined;
    if (turn === undefined)
      return failure('The run is finished.', 'Start the server again for another run.', { code: 'finished' });
    if (name === nextBarTool.name) return this.#nextBar(given, turn);
    if (name !== finishTool.name) return this.#parts.toolkit.call(name, given, turn);
    const read = argumentsFor(finishTool, given);
    return read.ok ? this.#end() : read.failure;
  }

  async #nextBar(given: unknown, turn: BarContext): Promise<Json> {
    const read = argumentsFor(nextBarTool, given);
    if (!read.ok) return read.failure;
    const { decider, bars } = this.#parts;
    const wanted = read.parameters.bars;
    const moved = Math.min(wanted, bars - 1 - turn.bar);
    const note = moved < wanted ? { note: 'This is the last bar of the data. Call finish.' } : {};
    decider.since.decided(turn);
    const arrived = moved === 0 ? turn : await decider.next(moved);
    // If `next` returns no turn, the run has ended because of insolvency on the way to the requested bar. The
    // answer then contains the result, and the client need not call `finish`.
    if (arrived === undefined) return this.#end();
    return { ...movedAnswer(arrived, moved, decider.since), ...note };
  }
}
