import { type BarContext, type Json, publishedData } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import type { Window } from '../../market/index.ts';
import {
  contractsOf,
  featuresText,
  featureView,
  newDocumentsText,
  type RecentEvents,
  symbolTable,
  type TableColumn,
} from '../../toolkit/index.ts';
import type { PROMPT_VARIABLES, PromptVariable } from './read-prompt.ts';

/** Maximum number of characters of an earlier decision's conclusion that the model is shown. */
const MOST = 500;

/** Conclusion of an earlier decision. */
interface Note {
  readonly date: string;
  readonly text: string;
}

/** Stores the conclusions of the last `most` decisions. */
export class Notes {
  readonly #most: number;
  readonly #notes: Note[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get all(): readonly Note[] {
    return this.#notes;
  }

  add({ time }: BarContext, text: string): void {
    if (this.#most === 0) return;
    this.#notes.push({ date: formatInstant(time), text: conclusionOf(text) });
    if (this.#notes.length > this.#most) this.#notes.shift();
  }
}

/** Matches a line that starts with a word such as "Conclusion", with any Markdown marks around the word. */
const CONCLUSION =
  /^[ \t]*(?:[#>*_-]+[ \t]*)*(?:final (?:answer|decision|summary)|conclusion|decision|summary|verdict|in (?:short|summary|conclusion)|to (?:sum up|conclude))\b[*_]*[ \t]*[:.,–—-]?[ \t]*[*_]*[ \t]*/gim;

/**
 * Returns the conclusion of a decision's text, in at most `most` characters.
 *
 * Returns a short text unchanged. From a longer text, returns the part after the last word such as
 * "Conclusion" or "Decision", or else the end of the text. Cuts at a paragraph or sentence if possible.
 */
export function conclusionOf(text: string, most = MOST): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const mark = [...whole.matchAll(CONCLUSION)].at(-1);
  const said = mark === undefined ? '' : whole.slice(mark.index + mark[0].length).trim();
  if (said === '') return endOf(whole, most);
  return said.length <= most ? said : beginningOf(said, most);
}

function endOf(text: string, most: number): string {
  const end = text.slice(1 - most);
  for (const border of [/\n\s*\n\s*/, /[.!?]["')\]]*\s+|\n/, /\s+/]) {
    const found = border.exec(end);
    if (found !== null && found.index + found[0].length < end.length)
      return `…${end.slice(found.index + found[0].length)}`;
  }
  return `…${end}`;
}

function beginningOf(text: string, most: number): string {
  const beginning = text.slice(0, most - 1);
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(beginning);
  return sentence === null ? `${beginning}…` : sentence[0];
}

/**
 * Returns the observation: the data that the model receives at the start of a decision.
 *
 * @param columns columns of a table with one row per symbol. `undefined`: the last bar of each symbol is
 *   shown instead of a table
 */
export function observationOf(
  turn: BarContext,
  since: RecentEvents,
  notes: readonly Note[],
  columns: readonly TableColumn[] | undefined,
): Readonly<Record<string, Json>> {
  const { account } = turn;
  return {
    since_last_decision: since.view(turn),
    bar: turn.bar,
    date: formatInstant(turn.time),
    ...(columns === undefined
      ? { symbols: Object.fromEntries(turn.symbols.map((symbol) => [symbol, lastBar(turn, symbol)])) }
      : tableOf(turn, columns, since)),
    ...(turn.contextSymbols.length === 0
      ? {}
      : {
          context: Object.fromEntries(turn.contextSymbols.map((symbol) => [symbol, lastBar(turn, symbol)])),
        }),
    account: {
      cash: account.cash.toNumber(),
      equity: account.equity.toNumber(),
      positions: Object.fromEntries(
        account.positions().map((position) => [
          position.symbol,
          {
            size: position.quantity.toNumber(),
            avg_price: position.averagePrice.toNumber(),
            // If the table has a column for the profit, the profit is omitted here.
            ...(columns?.includes('profit') ? {} : { unrealised_pnl: position.unrealisedPnl.toNumber() }),
          },
        ]),
      ),
      ...contractsOf(account, turn.symbols),
    },
    pending_orders: turn.orders.pending().map((order) => ({
      order_id: order.id,
      symbol: turn.symbols[order.symbol]!,
      action: order.action,
      order_type: order.type,
      quantity: order.size.kind === 'units' ? order.size.units.toNumber() : null,
      ...(order.filled.isZero() ? {} : { filled: order.filled.toNumber() }),
      ...(Number.isNaN(order.limitPrice) ? {} : { price: order.limitPrice }),
      ...(Number.isNaN(order.stopPrice) ? {} : { stop_price: order.stopPrice }),
      ...(order.role === 'order' ? {} : { role: order.role }),
    })),
    ...universeOf(turn),
    notes: notes.map(({ date, text }) => ({ date, text })),
  };
}

function tableOf(
  turn: BarContext,
  columns: readonly TableColumn[],
  { trades }: RecentEvents,
): Readonly<Record<string, Json>> {
  const windows = turn.symbols.map((symbol) => turn.windowOf(symbol));
  const known = windows.filter(({ features }) => features.length > 0);
  return {
    table: symbolTable(turn, columns, trades),
    ...(known.length === 0
      ? {}
      : { features: Object.fromEntries(known.map((window) => [window.symbol, featureView(window)])) }),
  };
}

function lastBar(turn: BarContext, symbol: string): Json {
  const window = turn.windowOf(symbol);
  const { bar } = window;
  if (bar === undefined) return null;
  const { time, open, high, low, close, volume } = bar;
  // A symbol without a bar at this time is shown with its last bar and the date of that bar.
  return {
    ...(time === turn.time ? {} : { date: formatInstant(time) }),
    open,
    high,
    low,
    close,
    volume,
    ...features(window),
  };
}

function features(window: Window): Readonly<Record<string, Json>> {
  return window.features.length === 0 ? {} : { features: featureView(window) };
}

/**
 * Returns the field `universe`: the symbols that are tradable at this bar. Returns an empty object if the run
 * has no universe. A universe is a list of tradable symbols that changes over time.
 */
function universeOf(turn: BarContext): Readonly<Record<string, Json>> {
  const { universe } = publishedData(turn);
  return universe === undefined ? {} : { universe: [...universe()] };
}

/** Returns the values of a prompt's variables at the current bar. */
export function promptValues(
  turn: BarContext,
  tools: readonly string[],
  rounds: number,
  documentsSeen: number,
): Readonly<Record<PromptVariable, string>> {
  const values: Record<PromptVariable, string> = {
    bar: String(turn.bar),
    date: formatInstant(turn.time),
    bars: String(turn.window.length),
    symbol: turn.window.symbol,
    symbols: turn.symbols.join(', '),
    close: String(turn.window.close.last),
    cash: turn.account.cash.toString(),
    equity: turn.account.equity.toString(),
    position: String(turn.account.units(turn.window.symbol)),
    features: featuresText(turn),
    documents: newDocumentsText(turn, documentsSeen),
    universe: turn.universe().join(', '),
    tools: tools.join(', '),
    rounds: String(rounds),
  };
  return values satisfies Record<keyof typeof PROMPT_VARIABLES, string>;
}
