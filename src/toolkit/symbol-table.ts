import type { BarContext, EventsSince, Json } from '../engine/index.ts';
import { formatInstant } from '../kernel/index.ts';
import type { Window } from '../market/index.ts';

/** Symbols from which a table takes the place of their bars, where nobody chooses columns. */
const TABLE_FROM = 6;
/** Returns behind the volatility. */
const VOLATILITY_BARS = 20;

/** The last fill of each symbol, as the table shows it. */
export class LastTrades {
  readonly #last = new Map<string, string>();

  /** @param since what happened since this was last looked at */
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

/** What a table may show of a symbol: percents of prices and of the equity, money in the account's currency. */
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

/** What a table shows where nobody says. */
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

/** The columns of a run's table where nobody chooses any; undefined where it has so few symbols that each shows its bar. */
export function defaultColumns({ symbols }: Pick<BarContext, 'symbols'>): readonly TableColumn[] | undefined {
  return symbols.length < TABLE_FROM ? undefined : DEFAULT_COLUMNS;
}

/** A row for each symbol that has had a bar; one that had none now is named as stale. */
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

/** Percent by which the close has changed over so many bars; null before there are as many. */
function returnOver({ close, length }: Window, bars: number): Json {
  return length <= bars ? null : rounded((close.last / close.at(-1 - bars) - 1) * 100);
}

/** The standard deviation of the last 20 returns from bar to bar, in percent; null before there are as many. */
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
