import { nearest } from '../kernel/index.ts';
import { PRICE_COLUMNS } from './bar-series.ts';

/** Where a table holds what; positions count from 0. */
export interface ColumnPlan {
  readonly time: number;
  /** A separate column with the time of day. */
  readonly clock?: number;
  /** Open, high, low, close. */
  readonly prices: readonly number[];
  readonly volume?: number;
  readonly symbol?: number;
  /** Further columns that were asked for, by the names they were asked by. */
  readonly extra: readonly { readonly name: string; readonly position: number }[];
}

export interface HeaderReading {
  /** Undefined when there is any fault. */
  readonly plan?: ColumnPlan;
  readonly faults: readonly string[];
  readonly adjustments: readonly string[];
}

// In order of preference: the first spelling that a table has is taken.
const TIME_NAMES = ['datetime', 'date time', 'timestamp', 'open time', 'date', 'time', 'day'];
const VALUE_NAMES: Record<(typeof PRICE_COLUMNS)[number], readonly string[]> = {
  open: ['open', 'o', 'open price'],
  high: ['high', 'h', 'high price'],
  low: ['low', 'l', 'low price'],
  close: ['close', 'c', 'close price'],
  volume: ['volume', 'vol', 'v'],
};
const SYMBOL_NAMES = ['symbol', 'ticker'];

/**
 * Finds the columns of a bar by their headers, whatever their case, order and usual spelling.
 *
 * @param header cells of the header line
 * @param noVolume the user has said that there is no volume
 * @param extraColumns further columns of numbers that must be there
 */
export function readHeader(
  header: readonly string[],
  noVolume: boolean,
  extraColumns: readonly string[] = [],
): HeaderReading {
  const names = header.map(plainName);
  const faults: string[] = [];
  const adjustments: string[] = [];

  const find = (spellings: readonly string[]): number => {
    const spelling = spellings.find((name) => names.includes(name));
    return spelling === undefined ? -1 : names.indexOf(spelling);
  };
  const found = {
    time: find(TIME_NAMES),
    ...Object.fromEntries(PRICE_COLUMNS.map((column) => [column, find(VALUE_NAMES[column])])),
    symbol: find(SYMBOL_NAMES),
  } as Record<'time' | (typeof PRICE_COLUMNS)[number] | 'symbol', number>;

  for (const [column, position] of Object.entries(found)) {
    const name = names[position];
    if (name !== undefined && names.indexOf(name, position + 1) >= 0) {
      faults.push(`two columns are called "${name}", so ${column} could be either`);
    }
  }

  const missing: string[] = [];
  if (found.time < 0) missing.push('date');
  for (const column of PRICE_COLUMNS) {
    if (found[column] < 0 && !(column === 'volume' && noVolume)) missing.push(column);
  }
  if (missing.length > 0) faults.push(missingColumns(missing, header));

  const extra = extraColumns.map((name) => ({ name, position: names.indexOf(plainName(name)) }));
  for (const { name, position } of extra) {
    if (position < 0) {
      const meant = nearest(name, header);
      const hint = meant === undefined ? '' : `; did you mean "${meant.trim()}"?`;
      faults.push(`no column "${name}", which the settings ask for${hint}`);
    } else if (names.indexOf(names[position]!, position + 1) >= 0) {
      faults.push(`two columns are called "${name}"`);
    }
  }

  // MetaTrader and others write the day and the time of day in two columns.
  const clock = names[found.time] === 'date' ? names.indexOf('time') : -1;
  const others = TIME_NAMES.filter((name) => names.includes(name) && name !== names[found.time] && clock < 0);
  if (others.length > 0 && found.time >= 0) {
    adjustments.push(
      `time read from column "${header[found.time]!.trim()}", not from "${others.join('", "')}"`,
    );
  }
  if (found.volume < 0 && noVolume) adjustments.push('no volume column: the volume of every bar is set to 1');
  if (faults.length > 0) return { faults, adjustments };

  const plan: ColumnPlan = {
    time: found.time,
    ...(clock < 0 ? {} : { clock }),
    prices: [found.open, found.high, found.low, found.close],
    ...(found.volume < 0 ? {} : { volume: found.volume }),
    ...(found.symbol < 0 ? {} : { symbol: found.symbol }),
    extra,
  };
  return { plan, faults, adjustments };
}

function plainName(cell: string): string {
  return cell
    .replace(/[<>"'\ufeff]/g, '')
    .replace(/[\s_.-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^(open|close)time$/, '$1 time');
}

function missingColumns(missing: readonly string[], header: readonly string[]): string {
  const columns = missing.length === 1 ? `no column "${missing[0]}"` : `no columns "${missing.join('", "')}"`;
  if (header.length > 0 && header.every((cell) => /^[\d\s.,:/TZ+-]*$/.test(cell))) {
    return `${columns}: the first line holds values where the column names should be`;
  }
  const shown = header.slice(0, 20).map((cell) => `"${cell.trim().slice(0, 40)}"`);
  const onlyVolume = missing.length === 1 && missing[0] === 'volume';
  const hint = onlyVolume
    ? '; where there is none, say so with --no-volume (every bar then has volume 1)'
    : '';
  return `${columns} among ${shown.join(', ')}${hint}`;
}
