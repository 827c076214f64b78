import type { z } from 'zod';
import { type Fault, faultsError, type Instant, messageOf, recordOf } from '../kernel/index.ts';
import {
  type CorporateAction,
  contradictions,
  orderOfActions,
  type PlacedAction,
  rowFaults,
  rowSchema,
} from './corporate-action.ts';
import { openDatabase } from './database.ts';
import { readDates } from './dates.ts';
import { inspectFile } from './file-bytes.ts';
import { openTable, UnreadableTable } from './table.ts';

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

const REMEDY =
  'A line looks like AAPL,2020-08-31,split,,4:1 under symbol,date,kind,amount,ratio,price; kinds are dividend (amount), split (ratio) and delisting (price, or the last close).';

/**
 * Reads dividends, splits and delistings from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @throws AppError `bad_actions` with every fault of the file, by line
 */
export async function loadActions(file: string, unpackedLimit?: number): Promise<LoadedActions> {
  const { sha256, header, rows, unit } = await readTable(file, unpackedLimit);
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
  if (faults.length > 0)
    throw faultsError('bad_actions', 'The corporate actions cannot be used', faults, REMEDY);
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
  const names = header.map((cell) =>
    cell
      .replaceAll(/[\s_.-]+/g, ' ')
      .replace('\ufeff', '')
      .trim()
      .toLowerCase(),
  );
  const position = recordOf(COLUMN_NAMES, (column) =>
    names.findIndex((name) => (COLUMNS[column] as readonly string[]).includes(name)),
  );
  const missing = (['symbol', 'date', 'kind'] as const).filter((column) => position[column] < 0);
  if (missing.length === 0) return position;
  const message = `no column "${missing.join('", "')}" among "${header.join('", "')}"`;
  throw faultsError(
    'bad_actions',
    'The corporate actions cannot be used',
    [{ where: file, message }],
    REMEDY,
  );
}

interface RawTable {
  readonly sha256: string;
  readonly header: readonly string[];
  readonly rows: readonly { readonly number: number; readonly cells: readonly (string | null)[] }[];
  readonly unit: 'line' | 'row';
}

async function readTable(file: string, unpackedLimit?: number): Promise<RawTable> {
  const failed = (message: string): Error =>
    faultsError('bad_actions', 'The corporate actions cannot be used', [{ where: file, message }], REMEDY);
  const database = await openDatabase();
  try {
    const bytes = await inspectFile(file, unpackedLimit);
    if (bytes.fault !== undefined) throw failed(bytes.fault);
    const { header, unit } = await openTable(database, file, bytes);
    const found = await database.rows('SELECT number, cell FROM cells ORDER BY number');
    const rows = found.map(([number, cells]) => ({
      number: number as number,
      cells: cells as readonly (string | null)[],
    }));
    return { sha256: bytes.sha256, header, rows, unit };
  } catch (error) {
    if (error instanceof UnreadableTable) throw failed(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw failed('there is no such file');
    if (code === 'EISDIR') throw failed('it is a folder; name one file');
    if (code === 'EACCES' || code === 'EPERM') throw failed(`cannot be read (${messageOf(error)})`);
    throw error;
  } finally {
    database.close();
  }
}
