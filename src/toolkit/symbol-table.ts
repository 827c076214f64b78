import type { BarContext, EventsSince, Json } from '../engine/index.ts';
import { formatInstant } from '../kernel/index.ts';
import type { Window } from '../market/index.ts';

/**
 * Minimum number of symbols for which a table is the default. With fewer symbols, the last bar of each symbol
 * is shown instead.
 */
const TABLE_FROM = 6;
/** Number of bar-to-bar returns of the close from which the volatility is computed. */
const VOLATILITY_BARS = 20;

/** Last fill of each symbol, as text for the table of symbols. */
export class LastTrades {
  readonly #last = new Map<string, string>();

  /**
   * Stores the fills of the given events.
   *
   * @param since events since the previous call
   */
  note(since: EventsSince): void {
    for (const { symbol, side, quantity, price, bar } of since.of('order_filled'))
      this.#last.set(symbol, `${side} ${quantity} at ${price}, bar ${bar}`);
  }

  of(symbol: string): string | null {
    return this.#last.get(symbol) ?? null;
  }
}

interface Row {
  readonly turn: BarContext;
  readonly window: Window;
  readonly trades: LastTrades;
}

const lastOf =
  (name: 'open' | 'high' | 'low' | 'close' | 'volume') =>
  ({ window }: Row): Json =>
    finite(window[name].last);

/**
 * Columns of the table of symbols. Returns and weights are in percent; money is in the account's currency.
 */
const COLUMNS = {
  open: lastOf('open'),
  high: lastOf('high'),
  low: lastOf('low'),
  close: lastOf('close'),
  volume: lastOf('volume'),
  date: ({ window }: Row): Json => (window.bar === undefined ? null : formatInstant(window.bar.time)),
  return_1: ({ window }: Row): Json => returnOver(window, 1),
  return_5: ({ window }: Row): Json => returnOver(window, 5),
  return_20: ({ window }: Row): Json => returnOver(window, 20),
  volatility: ({ window }: Row): Json => volatility(window),
  position: ({ turn, window }: Row): Json => turn.account.units(window.symbol),
  weight({ turn: { account }, window }: Row): Json {
    if (account.units(window.symbol) === 0) return 0;
    return rounded((account.position(window.symbol).exposure.toNumber() / account.equity.toNumber()) * 100);
  },
  profit: ({ turn: { account }, window }: Row): Json =>
    account.units(window.symbol) === 0
      ? null
      : rounded(account.position(window.symbol).unrealisedPnl.toNumber()),
  last_trade: ({ window, trades }: Row): Json => trades.of(window.symbol),
} as const satisfies Record<string, (row: Row) => Json>;

export type TableColumn = keyof typeof COLUMNS;

export const TABLE_COLUMNS = Object.keys(COLUMNS) as readonly TableColumn[];

/** Columns shown by default. */
const DEFAULT_COLUMNS: readonly TableColumn[] = [
  'close',
  'return_1',
  'return_5',
  'return_20',
  'volatility',
  'weight',
  'profit',
  'last_trade',
];

/**
 * Returns the default columns of the table. `undefined` if there are few symbols, so that the last bar of
 * each symbol is shown instead.
 */
export function defaultColumns({ symbols }: Pick<BarContext, 'symbols'>): readonly TableColumn[] | undefined {
  return symbols.length < TABLE_FROM ? undefined : DEFAULT_COLUMNS;
}

/**
 * Returns the table of symbols, with a row for each traded symbol. Symbols without a bar at the current time
 * are listed as stale. Prices of a symbol that has not had a bar yet are `null`.
 */
export function symbolTable(
  turn: BarContext,
  columns: readonly TableColumn[],
  trades = new LastTrades(),
): Readonly<Record<string, Json>> {
  const windows = turn.symbols.map((symbol) => turn.windowOf(symbol));
  const stale = windows.flatMap(({ bar, symbol }) => (bar?.time === turn.time ? [] : [symbol]));
  return {
    columns: ['symbol', ...columns],
    rows: windows.map((window) => [
      window.symbol,
      ...columns.map((column) => COLUMNS[column]({ turn, window, trades })),
    ]),
    ...(stale.length === 0 ? {} : { stale }),
  };
}

/** Returns the change of the close over `bars` bars, in percent. `null` if the window is too short. */
function returnOver({ close, length }: Window, bars: number): Json {
  return length <= bars ? null : rounded((close.last / close.at(-1 - bars) - 1) * 100);
}

/**
 * Returns the standard deviation of the last 20 bar-to-bar returns, in percent. `null` if the window is too
 * short.
 */
function volatility({ close, length }: Window): Json {
  if (length <= VOLATILITY_BARS) return null;
  const closes = close.tail(VOLATILITY_BARS + 1);
  const returns = Array.from(
    { length: VOLATILITY_BARS },
    (_, index) => closes[index + 1]! / closes[index]! - 1,
  );
  const mean = returns.reduce((sum, value) => sum + value, 0) / VOLATILITY_BARS;
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return rounded(Math.sqrt(squares / (VOLATILITY_BARS - 1)) * 100);
}

function rounded(value: number): Json {
  return Number.isFinite(value) ? Number(value.toFixed(2)) + 0 : null;
}

function finite(value: number): Json {
  return Number.isFinite(value) ? value : null;
}
