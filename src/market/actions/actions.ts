import type { z } from 'zod';
import { type Fault, faultsError, type Instant, recordOf } from '../../kernel/index.ts';
import { fileSheet } from '../reading/sheet.ts';
import {
  type CorporateAction,
  contradictions,
  orderOfActions,
  type PlacedAction,
  rowFaults,
  rowSchema,
} from './corporate-action.ts';

export interface LoadedActions {
  /**
   * Sorted by time, then symbol. On the same day, a symbol's split precedes its dividend, and a delisting
   * comes last.
   */
  readonly actions: readonly CorporateAction[];
  readonly source: { readonly file: string; readonly sha256: string; readonly actions: number };
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['date', 'ex date', 'exdate', 'effective date'],
  kind: ['kind', 'type', 'action'],
  amount: ['amount', 'dividend'],
  ratio: ['ratio', 'split'],
  price: [],
} as const;
type Column = keyof typeof COLUMNS;
const NEEDED = ['symbol', 'date', 'kind'] as const;
const COLUMN_NAMES = Object.keys(COLUMNS) as readonly Column[];

const HINT =
  'A line looks like AAPL,2020-08-31,split,,4:1 under symbol,date,kind,amount,ratio,price; kinds are dividend (amount), split (ratio) and delisting (price, or the last close).';

/**
 * Reads dividends, splits and delistings from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @throws AppError `bad_actions` with every fault of the file, by line
 */
export async function loadActions(file: string, unpackedLimit?: number): Promise<LoadedActions> {
  const { sheet, sha256 } = await fileSheet(file, { columns: COLUMNS, needed: NEEDED }, failed, {
    unpackedLimit,
  });
  const dates = sheet.stamps('date', true);
  const found: PlacedAction[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const given = recordOf(COLUMN_NAMES, (column) => sheet.text(row, column));
    const raw = { ...given, kind: given.kind.toLowerCase() };
    const parsed = rowSchema.safeParse(raw);
    const time = dates[row]?.instant;
    const symbol = given.symbol.toUpperCase();
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    for (const fault of rowFaults(raw)) sheet.report(row, fault);
    if (parsed.success && symbol !== '' && time !== undefined)
      found.push({ where: sheet.where(row), action: actionOf(symbol, time, parsed.data) });
  }
  found.sort((a, b) => orderOfActions(a.action, b.action));
  sheet.faults.push(...contradictions(found));
  if (sheet.faults.length > 0) throw failed(sheet.sorted());
  const actions = found.map(({ action }) => action);
  return { actions, source: { file, sha256, actions: actions.length } };
}

function actionOf(symbol: string, time: Instant, row: z.infer<typeof rowSchema>): CorporateAction {
  if (row.kind === 'dividend') return { symbol, time, kind: 'dividend', amount: row.amount };
  if (row.kind === 'delisting')
    return { symbol, time, kind: 'delisting', ...(row.price === '' ? {} : { price: row.price }) };
  const [to = '1', from = '1'] = row.ratio.split(/[:/]/).map((part) => part.trim());
  return { symbol, time, kind: 'split', to, from };
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_actions', 'The corporate actions cannot be used', faults, HINT);
}
