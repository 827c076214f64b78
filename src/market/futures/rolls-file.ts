import { writeFileSync } from 'node:fs';
import { DAY, decimal, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import { isPrice, orderOfActions, type Roll } from '../actions/corporate-action.ts';
import { replaceFile } from '../catalog/write.ts';
import { fileSheet } from '../reading/sheet.ts';

/** Rolls of a file, and the description of the file for the run's manifest. */
export interface LoadedRolls {
  readonly rolls: readonly Roll[];
  readonly source: FuturesSource;
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['date'],
  from: ['from', 'from contract'],
  to: ['to', 'to contract'],
  from_price: ['from price'],
  to_price: ['to price'],
  gap: [],
  ratio: [],
} as const;
const NEEDED = ['symbol', 'date', 'from', 'to', 'from_price', 'to_price'] as const;

const HINT =
  'A line looks like ES,2024-03-11,ESH4,ESM4,5110.25,5168.5,58.25,1.0114 under symbol,date,from,to,from_price,to_price,gap,ratio, as sandtable data continuous writes it.';

/** Number of decimal places of a price ratio. */
const PLACES = 12;

/** Formats the rolls of a continuous series as CSV text for `loadRolls`. */
export function rollsCsv(rolls: readonly Roll[]): string {
  const lines = rolls.map(({ symbol, time, oldContract, newContract, oldPrice, newPrice }) =>
    [
      symbol,
      stampText(time),
      oldContract,
      newContract,
      oldPrice,
      newPrice,
      decimal(newPrice).minus(oldPrice).toString(),
      decimal(newPrice).dividedBy(oldPrice).toDecimalPlaces(PLACES).toString(),
    ].join(','),
  );
  return `${['symbol,date,from,to,from_price,to_price,gap,ratio', ...lines].join('\n')}\n`;
}

/**
 * Formats the time of a roll. A time of day gets the suffix Z for UTC, because the file may be read with
 * another default time zone.
 */
function stampText(time: Instant): string {
  return time % DAY === 0 ? formatInstant(time) : `${formatInstant(time)}Z`;
}

/**
 * Writes rolls to a CSV file that `loadRolls` can read.
 *
 * @throws AppError `file_unwritable`
 */
export async function saveRolls(rolls: readonly Roll[], file: string): Promise<void> {
  await replaceFile(file, (beside) => writeFileSync(beside, rollsCsv(rolls)));
}

/**
 * Reads the rolls of continuous series from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @param timezone time zone of times without a zone, as an IANA name. Default: UTC
 * @throws AppError `bad_rolls` with every fault, by line
 */
export async function loadRolls(
  file: string,
  unpackedLimit?: number,
  timezone?: string,
): Promise<LoadedRolls> {
  const { sheet, sha256 } = await fileSheet(file, { columns: COLUMNS, needed: NEEDED }, failed, {
    unpackedLimit,
    timezone,
  });
  const dates = sheet.stamps('date', true);
  const rolls: Roll[] = [];
  /** Newest roll of each symbol so far. */
  const before = new Map<string, Roll>();
  for (let row = 0; row < sheet.length; row++) {
    const [symbol, oldContract, newContract] = (['symbol', 'from', 'to'] as const).map((column) => {
      const text = sheet.text(row, column).toUpperCase();
      if (text === '') sheet.report(row, `${column} is empty`);
      return text;
    }) as [string, string, string];
    const [oldPrice, newPrice] = (['from_price', 'to_price'] as const).map((column) => {
      const text = sheet.text(row, column);
      if (!isPrice(text)) sheet.report(row, `${column} "${text}" is not a price above 0`);
      return text;
    }) as [string, string];
    const gap = sheet.text(row, 'gap');
    if (gap !== '' && isPrice(oldPrice) && isPrice(newPrice)) {
      const real = decimal(newPrice).minus(oldPrice);
      if (!real.equals(Number(gap)))
        sheet.report(row, `gap "${gap}" is not to_price minus from_price: ${real}`);
    }
    const time = dates[row]?.instant;
    if (time === undefined) continue;
    const last = before.get(symbol);
    if (last !== undefined && time <= last.time)
      sheet.report(row, `is not after the roll of ${symbol} before it, ${formatInstant(last.time)}`);
    else if (last !== undefined && last.newContract !== oldContract)
      sheet.report(row, `rolls from ${oldContract}, but the previous roll went into ${last.newContract}`);
    const roll = { symbol, time, kind: 'roll', oldContract, newContract, oldPrice, newPrice } as const;
    before.set(symbol, roll);
    rolls.push(roll);
  }
  if (sheet.faults.length > 0) throw failed(sheet.sorted());
  return { rolls: rolls.sort(orderOfActions), source: { file, sha256, kind: 'rolls', rows: rolls.length } };
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_rolls', 'The rolls cannot be used', faults, HINT);
}

/** File of rolls or funding rates, for a run's manifest. */
export interface FuturesSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: 'rolls' | 'funding';
  /** Number of rows, including rows of symbols that the run does not use. */
  readonly rows: number;
}
