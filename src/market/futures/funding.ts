import { decimal, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import { type FundingRate, isRate, orderOfActions, RATE_HINT } from '../actions/corporate-action.ts';
import { fileSheet } from '../reading/sheet.ts';
import type { FuturesSource } from './rolls-file.ts';

/** Funding rates of a file, and the description of the file for the run's manifest. */
export interface LoadedFunding {
  readonly rates: readonly FundingRate[];
  readonly source: FuturesSource;
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['date', 'time', 'timestamp', 'instant', 'funding time', 'fundingtime'],
  rate: ['rate', 'funding rate', 'fundingrate'],
} as const;
const NEEDED = ['symbol', 'date', 'rate'] as const;

const HINT =
  'A line looks like BTCUSDT,2024-01-01T08:00,0.0001 under symbol,date,rate: what longs pay to shorts at that instant, as a fraction of the value of their position.';

/**
 * Reads the funding rates of perpetual contracts from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @param timezone time zone of times without a zone, as an IANA name. Default: UTC
 * @throws AppError `bad_funding` with every fault, by line, including duplicate or unsorted rows of a symbol
 */
export async function loadFunding(
  file: string,
  unpackedLimit?: number,
  timezone?: string,
): Promise<LoadedFunding> {
  const { sheet, sha256 } = await fileSheet(file, { columns: COLUMNS, needed: NEEDED }, failed, {
    unpackedLimit,
    timezone,
  });
  const dates = sheet.stamps('date', true);
  const rates: FundingRate[] = [];
  const before = new Map<string, { readonly time: Instant; readonly where: string }>();
  for (let row = 0; row < sheet.length; row++) {
    const symbol = sheet.text(row, 'symbol').toUpperCase();
    const rate = sheet.text(row, 'rate');
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    if (!isRate(rate)) sheet.report(row, rate === '' ? 'the rate is empty' : `rate "${rate}": ${RATE_HINT}`);
    const time = dates[row]?.instant;
    if (time === undefined) continue;
    const last = before.get(symbol);
    if (last?.time === time) sheet.report(row, `repeats the time ${formatInstant(time)} of ${last.where}`);
    else if (last !== undefined && time < last.time)
      sheet.report(
        row,
        `${formatInstant(time)} is earlier than ${formatInstant(last.time)} of ${last.where}`,
      );
    before.set(symbol, { time, where: sheet.where(row) });
    if (isRate(rate)) rates.push({ symbol, time, kind: 'funding', rate: decimal(rate).toFixed() });
  }
  if (sheet.faults.length > 0) throw failed(sheet.sorted());
  return { rates: rates.sort(orderOfActions), source: { file, sha256, kind: 'funding', rows: rates.length } };
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_funding', 'The funding rates cannot be used', faults, HINT);
}
