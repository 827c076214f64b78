import { AppError, nearest } from '../../kernel/index.ts';
import type { DateOrder } from '../reading/date-formats.ts';

/** Columns of a bar that may have custom names in a file. */
const MAPPED_COLUMNS = ['date', 'time', 'open', 'high', 'low', 'close', 'volume', 'symbol'] as const;
export type MappedColumn = (typeof MAPPED_COLUMNS)[number];

/** Known file format of one data source, such as yfinance: its header names and the form of its rows. */
export interface ColumnPreset {
  /** Description of the files that have this format, for the documentation. */
  readonly files: string;
  /**
   * Header names by column. The first name that exists in the file is used. Columns that are not listed here
   * use their usual names.
   */
  readonly names: Partial<Record<MappedColumn, readonly string[]>>;
  /** Column names for files without a header line. One list for each possible number of columns. */
  readonly bare?: readonly (readonly string[])[];
  /**
   * First cells that identify a second or third header line, in lower case. Such lines are not read as bars.
   */
  readonly furtherHeaders?: readonly string[];
  readonly dateOrder?: DateOrder;
  /** True if rows must be sorted, because files list the newest row first. */
  readonly sortRows?: true;
}

const BARE_BINANCE =
  'open time,open,high,low,close,volume,close time,quote volume,count,taker buy volume,taker buy quote volume,ignore';

/** Presets by name. Header names are written as `plainName` returns them: lower case, single spaces. */
const COLUMN_PRESETS = {
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

type ColumnPresetName = keyof typeof COLUMN_PRESETS;

export const COLUMN_PRESET_NAMES = Object.keys(COLUMN_PRESETS) as [ColumnPresetName, ...ColumnPresetName[]];

/** Mapping of columns to headers, for files with unusual headers. */
export type ColumnMapping = { readonly [Column in MappedColumn]?: string } & {
  /** Format of one source's files. Explicit columns override it. */
  readonly preset?: ColumnPresetName;
  /** `none`: the first line is a bar, and columns are identified by their numbers, from 1. */
  readonly header?: 'none';
};

/** Column mapping after parsing. */
export interface Columns {
  /** Mapping as text for the command line. */
  readonly text: string;
  readonly named: Partial<Record<MappedColumn, string>>;
  readonly preset?: ColumnPreset;
  readonly isBare: boolean;
}

const KEYS = ['preset', 'header', ...MAPPED_COLUMNS];
const EXAMPLE = 'Write --columns date="Gmt time",close=Close or --columns preset=dukascopy.';

/**
 * Parses a mapping: `date=Gmt time,close=Close`. A name with a comma needs double quotes.
 *
 * @throws AppError `bad_columns` with every fault
 */
export function readColumns(given: string | ColumnMapping): Columns {
  const faults: string[] = [];
  const pairs: [string, string][] =
    typeof given === 'string'
      ? pairsOf(given, faults)
      : (Object.entries(Object(given)) as [string, string][]);
  const mapping: Record<string, string> = {};
  for (const [key, value] of pairs) {
    if (value === undefined) continue;
    if (!KEYS.includes(key)) faults.push(`unknown key "${key}"${meantBy(key, KEYS)}`);
    else if (mapping[key] !== undefined) faults.push(`${key} is given twice`);
    else if (typeof value !== 'string' || value.trim() === '') faults.push(`${key} does not name a column`);
    else mapping[key] = value.trim();
  }
  const { preset, header, ...named } = mapping;
  if (preset !== undefined && !isPreset(preset))
    faults.push(`unknown preset "${preset}"${meantBy(preset, COLUMN_PRESET_NAMES)}`);
  if (header !== undefined && header !== 'none')
    faults.push(`header is "${header}": the only valid value is none`);
  if (header === 'none') faults.push(...numberFaults(named));
  faults.push(...sharedNames(named));
  if (faults.length === 0 && pairs.length === 0) faults.push('it does not name a column');
  if (faults.length > 0) throw badColumns(faults);
  return {
    text: Object.entries(mapping).map(written).join(','),
    named,
    ...(preset === undefined ? {} : { preset: COLUMN_PRESETS[preset as ColumnPresetName] }),
    isBare: header === 'none',
  };
}

function badColumns(faults: readonly string[]): AppError {
  return new AppError({
    code: 'bad_columns',
    message: `The columns cannot be read: ${faults.join('; ')}.`,
    hint: `${EXAMPLE} Presets: ${COLUMN_PRESET_NAMES.join(', ')}.`,
  });
}

function meantBy(word: string, among: readonly string[]): string {
  const meant = nearest(word, among);
  return meant === undefined ? `; there is ${among.join(', ')}` : `; did you mean ${meant}?`;
}

function isPreset(name: string): name is ColumnPresetName {
  return Object.hasOwn(COLUMN_PRESETS, name);
}

/**
 * Returns the faults of a mapping for a file without a header: columns not identified by a number, and
 * missing required columns.
 */
function numberFaults(named: Readonly<Record<string, string>>): string[] {
  const faults = Object.entries(named).flatMap(([column, value]) =>
    /^([1-9]\d{0,3}|none)$/.test(value)
      ? []
      : [`${column} is "${value}": without a header a column is named by its number, from 1`],
  );
  const missing = ['date', 'open', 'high', 'low', 'close'].filter((column) => named[column] === undefined);
  return missing.length === 0 ? faults : [...faults, `header=none needs ${missing.join(', ')} too`];
}

function sharedNames(named: Readonly<Record<string, string>>): string[] {
  const seen = new Map<string, string>();
  return Object.entries(named).flatMap(([column, value]) => {
    const other = seen.get(value);
    seen.set(value, column);
    return other === undefined || value === 'none'
      ? []
      : [`"${value}" cannot be both ${other} and ${column}`];
  });
}

function pairsOf(text: string, faults: string[]): [string, string][] {
  const part = /\s*([^=,]*)=\s*(?:"([^"]*)"|([^,"]*))\s*(?:,|$)/y;
  const pairs: [string, string][] = [];
  while (part.lastIndex < text.length) {
    const from = part.lastIndex;
    const match = part.exec(text);
    if (match === null) {
      faults.push(`"${text.slice(from, from + 40)}" is not of the form column=name`);
      return pairs;
    }
    pairs.push([match[1]!.trim().toLowerCase(), match[2] ?? match[3]!]);
  }
  return pairs;
}

/**
 * Formats an assignment such as `close=Last` for a command line. A name with special characters is quoted.
 */
function written([column, name]: readonly [string, string]): string {
  return `${column}=${/^[\w.-]+$/.test(name) ? name : `"${name}"`}`;
}

interface UnreadHeader {
  readonly missing: readonly Exclude<MappedColumn, 'time'>[];
  readonly header: readonly string[];
  /** Cells of the header in lower case and with single spaces. */
  readonly names: readonly string[];
  /** Indices of the header cells that are already assigned to a column. */
  readonly used: readonly number[];
  /** True if the first line contains values instead of headers. */
  readonly isBare: boolean;
  readonly mapping: Columns | undefined;
}

/** Words that suggest the meaning of a header. */
const LIKELY: Record<Exclude<MappedColumn, 'time'>, RegExp> = {
  date: /date|time|day|period|stamp/,
  open: /open|first/,
  high: /high|max/,
  low: /low|min/,
  close: /close|last|settle|price/,
  volume: /vol|quantity|qty|size|turnover/,
  symbol: /symbol|ticker|instrument|code/,
};

/**
 * Suggests a `--columns` value for a header that was not understood: a matching preset, or columns by the
 * likely meaning of their names.
 *
 * @returns undefined if every header is already assigned
 */
export function mappingToType(unread: UnreadHeader): string | undefined {
  const preset = unread.mapping === undefined ? knowing(unread) : undefined;
  if (preset !== undefined) return `use --columns preset=${preset}`;
  if (unread.isBare)
    return 'give the number of each column, from 1: --columns header=none,date=1,open=2,high=3,low=4,close=5,volume=6';
  const taken = new Set(unread.used);
  if (unread.names.every((_, index) => taken.has(index))) return undefined;
  const words = unread.missing.map((column) => {
    const position = unread.names.findIndex((name, index) => !taken.has(index) && LIKELY[column].test(name));
    if (position < 0) return `${column}=…`;
    taken.add(position);
    return written([column, unread.header[position]!.replaceAll(/["\ufeff]/g, '').trim()]);
  });
  const before = unread.mapping === undefined ? '' : `${unread.mapping.text},`;
  return `assign the headers to columns: --columns ${before}${words.join(',')}`;
}

function knowing({ missing, names, header, isBare }: UnreadHeader): string | undefined {
  const presets: [string, ColumnPreset][] = Object.entries(COLUMN_PRESETS);
  const found = presets.find(([, preset]) => {
    if (isBare) return bareNames(preset, header) !== undefined;
    return missing.every((column) => preset.names[column]?.some((name) => names.includes(name)) === true);
  });
  return found?.[0];
}

/**
 * Returns a preset's column names for a file without a header line. `undefined` if no list of the preset has
 * this number of columns. A list whose second column is `time` fits only if the second cell is a time of day;
 * any other list fits only if it is not.
 *
 * @param cells cells of the first line
 */
export function bareNames(preset: ColumnPreset, cells: readonly string[]): readonly string[] | undefined {
  const found = preset.bare?.find((names) => names.length === cells.length);
  if (found === undefined) return undefined;
  const isClock = /^\d{1,2}:\d{2}/.test(cells[1] ?? '');
  return isClock === (found[1] === 'time') ? found : undefined;
}
