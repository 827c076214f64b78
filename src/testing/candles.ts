import {
  isStrategy,
  orderScriptDecider,
  parseOrderScript,
  readParameters,
  ruleDecider,
  type Strategy,
} from '../agents/index.ts';
import type { OrderRequest } from '../broker/index.ts';
import {
  type BacktestOptions,
  type BacktestResult,
  type Decider,
  type RunEvent,
  runBacktest,
} from '../engine/index.ts';
import { type RunRecord, recordOf } from '../journal/index.ts';
import { AppError, type Fault, faultsError, formatInstant, parseInstant } from '../kernel/index.ts';
import { type Bar, barSeries, createMarket, type Market, PRICE_COLUMNS } from '../market/index.ts';
import type { Toolkit } from '../toolkit/index.ts';

const SYMBOL = 'ACME';
const VOLUME = '1000';

/**
 * Creates a market from a table of bars: `| date | open | high | low | close |`, with optional columns
 * `symbol` (default ACME) and `volume` (default 1000).
 *
 * @throws AppError `bad_table` with every fault, and the errors of `createMarket`
 */
export function candleMarket(table: string): Market {
  const { rows } = readTable(
    table,
    ['date', 'symbol', ...PRICE_COLUMNS],
    ['date', 'open', 'high', 'low', 'close'],
  );
  const faults: Fault[] = [];
  const bars = new Map<string, Bar[]>();
  for (const [index, row] of rows.entries()) {
    const { date = '', symbol = SYMBOL } = row;
    const where = `row ${index + 1}`;
    const time = parseInstant(date);
    if (time === undefined) faults.push({ where, message: `"${date}" is not a date` });
    const number = (column: string): number => {
      const text = row[column] ?? VOLUME;
      const value = text === '' ? Number.NaN : Number(text);
      if (!Number.isFinite(value))
        faults.push({ where, message: `its ${column}, "${text}", is not a number` });
      return value;
    };
    const [open, high, low, close, volume] = [
      number('open'),
      number('high'),
      number('low'),
      number('close'),
      number('volume'),
    ];
    bars.set(symbol, [...(bars.get(symbol) ?? []), { time: time ?? 0, open, high, low, close, volume }]);
  }
  if (faults.length > 0) throw tableError(faults);
  return createMarket([...bars].map(([symbol, own]) => barSeries(symbol, own)));
}

/**
 * Order with the bar at whose close the order is placed: the number of the bar from 0, or its date. `id` is
 * an optional name of the order.
 */
export type CandleOrder = OrderRequest & { readonly id?: string } & (
    | { readonly bar: number }
    | { readonly date: string }
  );

/** Source of the orders: a strategy, a decider (object whose `decide` is called at each bar), or a list. */
export type CandleTrader = Strategy | Decider | readonly CandleOrder[];

/** Options of `tradeCandles`: the options of `runBacktest`, and inputs of a strategy. */
export interface CandleOptions
  extends Partial<Omit<BacktestOptions, 'market' | 'decider' | 'onEvent' | 'emitStart' | 'onStart'>> {
  /** Parameters of a strategy, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Toolkit that executes the tool calls of a strategy. */
  readonly toolkit?: Toolkit;
}

/** Fill as texts, for comparison with a table. */
export interface FillRow {
  readonly bar: string;
  /** Date of the bar. */
  readonly date: string;
  /** Number of the order, from 1. */
  readonly order: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
  readonly commission: string;
  /** Reason of the order. Empty if it has no reason. */
  readonly reason: string;
}

/** Result of `tradeCandles`. */
export interface CandleRun {
  readonly result: BacktestResult;
  readonly record: RunRecord;
  readonly fills: readonly FillRow[];
}

/**
 * Runs a backtest on hand-written candles.
 *
 * @param candles a table for `candleMarket`, or a market
 * @param trader strategy, decider or list of orders
 * @throws AppError the errors of `candleMarket` and `runBacktest`; also errors thrown by the trader
 */
export async function tradeCandles(
  candles: string | Market,
  trader: CandleTrader,
  { parameters = {}, toolkit, ...options }: CandleOptions = {},
): Promise<CandleRun> {
  const market = typeof candles === 'string' ? candleMarket(candles) : candles;
  const decider = deciderOf(trader, parameters, toolkit, market);
  const events: RunEvent[] = [];
  const result = await runBacktest({ ...options, market, decider, onEvent: (event) => events.push(event) });
  if (result.error !== undefined) throw result.error;
  const record = recordOf(events);
  const fills = record.fills.map(
    ({ bar, orderId, symbol, side, quantity, price, commission, reason = '' }): FillRow => {
      const date = formatInstant(market.clock[bar] ?? 0);
      return {
        bar: String(bar),
        date,
        order: String(orderId),
        symbol,
        side,
        quantity,
        price,
        commission,
        reason,
      };
    },
  );
  return { result, record, fills };
}

function deciderOf(
  trader: CandleTrader,
  parameters: Readonly<Record<string, unknown>>,
  toolkit: Toolkit | undefined,
  { clock }: Market,
): Decider {
  if (isStrategy(trader)) return ruleDecider(trader, readParameters(trader, parameters), toolkit);
  if ('decide' in trader) return trader;
  return orderScriptDecider(parseOrderScript(JSON.stringify({ orders: trader }), 'the orders', clock));
}

const FILL_COLUMNS = [
  'bar',
  'date',
  'order',
  'symbol',
  'side',
  'quantity',
  'price',
  'commission',
  'reason',
] as const;

/**
 * Checks that the fills of a run equal the rows of a table, in the same order. The table may have any columns
 * of `FillRow`, for example `| date | side | quantity | price |`. Numbers are compared by value.
 *
 * @throws AppError `fills_differ` if the fills differ, with both tables; `bad_table` for an invalid table
 */
export function checkFills({ fills }: Pick<CandleRun, 'fills'>, table: string): void {
  const { columns, rows } = readTable(table, FILL_COLUMNS, []);
  const actual = fills.map((fill): TableRow => ({ ...fill }));
  const isSame =
    rows.length === actual.length &&
    rows.every((row, at) =>
      columns.every((column) => isEqual(row[column] ?? '', actual[at]?.[column] ?? '')),
    );
  if (isSame) return;
  throw new AppError({
    code: 'fills_differ',
    message: `The fills are not those of the table. Expected:\n${drawTable(columns, rows)}\nFilled:\n${drawTable(columns, actual)}`,
    hint: 'docs/fill-rules.md describes at which price an order fills.',
    kind: 'run',
  });
}

function isEqual(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  return expected !== '' && actual !== '' && Number(expected) === Number(actual);
}

/** Row of a text table, by column. */
type TableRow = Readonly<Record<string, string>>;

/** Text table. */
interface DrawnTable {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

/**
 * Parses a table written as `| date | open |` lines, with the header first. Empty lines and lines of dashes
 * are ignored.
 *
 * @param known allowed columns
 * @param needed required columns
 * @throws AppError `bad_table` with every fault
 */
function readTable(text: string, known: readonly string[], needed: readonly string[]): DrawnTable {
  const [header, ...lines] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[|\s:-]+$/.test(line))
    .map(cellsOf);
  const columns = header ?? [];
  const faults: Fault[] = [
    ...columns
      .filter((column, index) => !known.includes(column) || columns.indexOf(column) !== index)
      .map((column) => ({
        where: 'the header',
        message: known.includes(column)
          ? `has the duplicate column ${column}`
          : `has the unknown column "${column}"`,
        hint: `columns are ${known.join(', ')}`,
      })),
    ...needed
      .filter((column) => !columns.includes(column))
      .map((column) => ({ where: 'the header', message: `has no ${column}` })),
    ...lines.flatMap((cells, index) =>
      cells.length === columns.length
        ? []
        : [{ where: `row ${index + 1}`, message: `has ${cells.length} cells, the header ${columns.length}` }],
    ),
  ];
  if (faults.length > 0) throw tableError(faults);
  const rows = lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
  return { columns, rows };
}

/**
 * Returns the error for a faulty table.
 *
 * @param faults faults of the table, at least one
 */
function tableError(faults: readonly Fault[]): Error {
  return faultsError('bad_table', 'The table', faults, 'Draw it as | date | open | high | low | close |.');
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Formats a table with aligned columns, for comparing two tables. */
function drawTable(columns: readonly string[], rows: readonly TableRow[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines
    .map((cells) => `  | ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}
