import { type Fault, faultsError, type Instant } from '../../kernel/index.ts';
import { fileSheet } from '../sheet.ts';

/** Facts about a dated contract that are known from its first day. */
export interface Expiry {
  readonly contract: string;
  /** Last day of trading. */
  readonly expiry: Instant;
  /** Date at which the next contract replaces it, for rolls by date. */
  readonly roll?: Instant | undefined;
}

const COLUMNS = {
  contract: ['contract', 'symbol', 'ticker'],
  expiry: ['expiry', 'expires', 'expiration', 'last trading day'],
  roll: ['roll', 'roll date'],
} as const;

const HINT =
  'A line looks like ESH4,2024-03-15,2024-03-08 under contract,expiry,roll: the last day of trading, and for --roll dates the day from which the next contract takes its place.';

/**
 * Reads the expiries of contracts from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @throws AppError `bad_expiries` with every fault, by line
 */
export async function loadExpiries(file: string, unpackedLimit?: number): Promise<readonly Expiry[]> {
  const { sheet } = await fileSheet(file, { columns: COLUMNS, needed: ['contract', 'expiry'] }, failed, {
    unpackedLimit,
  });
  const [lasts, rolls] = [sheet.stamps('expiry', true), sheet.stamps('roll', false)];
  const expiries: Expiry[] = [];
  const seen = new Map<string, string>();
  for (let row = 0; row < sheet.length; row++) {
    const contract = sheet.text(row, 'contract').toUpperCase();
    if (contract === '') sheet.report(row, 'the contract is empty');
    const before = seen.get(contract);
    if (contract !== '' && before !== undefined)
      sheet.report(row, `repeats the contract ${contract} of ${before}`);
    seen.set(contract, sheet.where(row));
    const last = lasts[row];
    if (last !== undefined) expiries.push({ contract, expiry: last.instant, roll: rolls[row]?.instant });
  }
  if (sheet.faults.length === 0) return expiries;
  throw failed(sheet.sorted());
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_expiries', 'The expiries cannot be used', faults, HINT);
}
