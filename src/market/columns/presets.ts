import type { DateOrder } from '../dates.ts';

/** Columns of a bar that may have custom names in a file. */
export const MAPPED_COLUMNS = ['date', 'time', 'open', 'high', 'low', 'close', 'volume', 'symbol'] as const;
export type MappedColumn = (typeof MAPPED_COLUMNS)[number];

/** File format of one data source. */
export interface ColumnPreset {
  /** Origin of the names, for the documentation. */
  readonly files: string;
  /**
   * Names by column. The first name that exists is used. Columns that are not listed use their usual names.
   */
  readonly names: Partial<Record<MappedColumn, readonly string[]>>;
  /** Column names of files without a header line, by number of columns. */
  readonly bare?: readonly (readonly string[])[];
  /** First cells of additional header lines. */
  readonly furtherHeaders?: readonly string[];
  readonly dateOrder?: DateOrder;
  /** Rows are sorted from the newest to the oldest. */
  readonly sortRows?: true;
}

const BARE_BINANCE =
  'open time,open,high,low,close,volume,close time,quote volume,count,taker buy volume,taker buy quote volume,ignore';

/** Names are normalised as by `plainName`: lower case, single spaces. */
export const COLUMN_PRESETS = {
  yfinance: {
    files: 'history(…).to_csv() and download(…).to_csv(), with one header line or three',
    names: { date: ['date', 'datetime', 'price'] },
    furtherHeaders: ['ticker', 'date', 'datetime'],
  },
  dukascopy: {
    files: 'historical data export: Gmt time or Local time, day first',
    names: { date: ['gmt time', 'local time', 'utc time', 'utc', 'etc/utc'] },
    dateOrder: 'dmy',
  },
  binance: {
    files: 'klines of data.binance.vision, without a header line or with one',
    names: { date: ['open time'] },
    bare: [BARE_BINANCE.split(',')],
  },
  metatrader: {
    files: 'MT5 bars with tick volume; MT4 without a header line',
    names: { date: ['date'], time: ['time'], volume: ['tickvol', 'tick volume', 'volume'] },
    bare: ['date,time,open,high,low,close,tickvol'.split(',')],
  },
  stooq: {
    files: 'one symbol as CSV, and the bulk files with TICKER and PER',
    names: { date: ['date'], time: ['time'], symbol: ['ticker'] },
  },
  alphavantage: {
    files: 'datatype=csv, newest row first',
    names: {
      date: ['timestamp', 'time'],
      open: ['open', '1 open', '1a open (usd)'],
      high: ['high', '2 high', '2a high (usd)'],
      low: ['low', '3 low', '3a low (usd)'],
      close: ['close', '4 close', '4a close (usd)'],
      volume: ['volume', '5 volume', '6 volume'],
    },
    sortRows: true,
  },
  kraken: {
    files: 'OHLCVT files, without a header line',
    names: { date: ['time', 'timestamp'] },
    bare: [
      'time,open,high,low,close,volume,trades'.split(','),
      'time,open,high,low,close,vwap,volume,count'.split(','),
    ],
  },
  ib: {
    files: 'historical bars of TWS and ib_insync',
    names: { date: ['date', 'datetime', 'time'] },
  },
} as const satisfies Record<string, ColumnPreset>;

export type ColumnPresetName = keyof typeof COLUMN_PRESETS;

export const COLUMN_PRESET_NAMES = Object.keys(COLUMN_PRESETS) as [ColumnPresetName, ...ColumnPresetName[]];
