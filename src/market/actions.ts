import type { z } from 'zod';
import { type Fault, faultsError, type Instant, recordOf } from '../kernel/index.ts';
import {
  type CorporateAction,
  contradictions,
  orderOfActions,
  type PlacedAction,
  rowFaults,
  rowSchema,
} from './corporate-action.ts';
import { columnPositions, readDatedTable } from './dated-table.ts';
import { readDates } from './dates.ts';

export interface LoadedActions {
  /** By time, then symbol; on one day a symbol's split comes before its dividend, and a delisting last. */
  readonly actions: readonly CorporateAction[];
  readonly source: { readonly file: string; readonly sha256: string; readonly actions: number };
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['date', 'ex date', 'exdate', 'effective date'],
  kind: ['kind', 'type', 'action'],
  amount: ['amount', 'dividend'],
  ratio: ['ratio', 'split'],
  price: ['price'],
} as const;
type Column = keyof typeof COLUMNS;
const COLUMN_NAMES = Object.keys(COLUMNS) as readonly Column[];

const HINT =
  'A line looks like AAPL,2020-08-31,split,,4:1 under symbol,date,kind,amount,ratio,price; kinds are dividend (amount), split (ratio) and delisting (price, or the last close).';

/**
 * Reads dividends, splits and delistings from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @throws AppError `bad_actions` with every fault of the file, by line
 */
export async function loadActions(file: string, unpackedLimit?: number): Promise<LoadedActions> {
  const reading = await readDatedTable(file, unpackedLimit);
  if ('fault' in reading) throw failed(reading.fault);
  const { sha256, header, rows, unit } = reading.table;
  const position = readColumns(header, file);
  const cellOf = (cells: readonly (string | null)[], column: Column): string =>
    (cells[position[column]] ?? '').trim();
  const dates = readDates(rows.map(({ cells }) => cellOf(cells, 'date')));
  const faults: Fault[] = [];
  const found: PlacedAction[] = [];
  rows.forEach(({ number, cells }, row) => {
    const where = `${file} ${unit} ${number}`;
    const given = recordOf(COLUMN_NAMES, (column) => cellOf(cells, column));
    const raw = { ...given, kind: given.kind.toLowerCase() };
    const parsed = rowSchema.safeParse(raw);
    const time = dates.times[row]!;
    const symbol = given.symbol.toUpperCase();
    const add = (message: string): void => void faults.push({ where, message });
    if (cells.length !== header.length)
      add(`has ${cells.length} cells where the header has ${header.length}`);
    if (symbol === '') add('symbol is empty');
    if (Number.isNaN(time)) add(dateFault(given.date, dates.ambiguous));
    for (const fault of rowFaults(raw)) add(fault);
    if (parsed.success && symbol !== '' && !Number.isNaN(time))
      found.push({ where, action: actionOf(symbol, time, parsed.data) });
  });
  found.sort((a, b) => orderOfActions(a.action, b.action));
  faults.push(...contradictions(found));
  if (faults.length > 0) throw failed(...faults);
  const actions = found.map(({ action }) => action);
  return { actions, source: { file, sha256, actions: actions.length } };
}

function dateFault(text: string, ambiguous: string | undefined): string {
  if (text === '') return 'date is empty';
  return `"${text}" ${ambiguous === undefined ? 'is no date' : 'could be two dates: write it as 2020-03-31'}`;
}

function actionOf(symbol: string, time: Instant, row: z.infer<typeof rowSchema>): CorporateAction {
  if (row.kind === 'dividend') return { symbol, time, kind: 'dividend', amount: row.amount };
  if (row.kind === 'delisting')
    return { symbol, time, kind: 'delisting', ...(row.price === '' ? {} : { price: row.price }) };
  const [to = '1', from = '1'] = row.ratio.split(/[:/]/).map((part) => part.trim());
  return { symbol, time, kind: 'split', to, from };
}

function readColumns(header: readonly string[], file: string): Record<Column, number> {
  const position = columnPositions(header, COLUMNS);
  const missing = (['symbol', 'date', 'kind'] as const).filter((column) => position[column] < 0);
  if (missing.length === 0) return position;
  throw failed({
    where: file,
    message: `no column "${missing.join('", "')}" among "${header.join('", "')}"`,
  });
}

function failed(...faults: readonly Fault[]): Error {
  return faultsError('bad_actions', 'The corporate actions cannot be used', faults, HINT);
}
