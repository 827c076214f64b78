import { nearest, recordOf } from '../../kernel/index.ts';
import { PRICE_COLUMNS } from '../bars/bar-columns.ts';
import { type Columns, type MappedColumn, mappingToType } from '../columns/mapping.ts';

/** Positions of columns in a table, from 0. */
export interface ColumnPlan {
  readonly time: number;
  /** Separate column with the time of day. */
  readonly clock?: number;
  /** Open, high, low, close. */
  readonly prices: readonly number[];
  readonly volume?: number;
  readonly symbol?: number;
  /**
   * Position of the unadjusted close, if the close in `prices` is adjusted. Open, high and low are then
   * multiplied by adjusted close / unadjusted close.
   */
  readonly unadjusted?: number;
  /** Additional requested columns with their requested names. */
  readonly extra: readonly { readonly name: string; readonly position: number }[];
}

export interface HeaderReading {
  /** `undefined` if there is any fault. */
  readonly plan?: ColumnPlan;
  readonly faults: readonly string[];
  readonly adjustments: readonly string[];
  /** Notes that every user of the data must know. */
  readonly notes: readonly string[];
  /** True if a mapping was given but the table lacks all of its columns. */
  readonly isUnmapped?: boolean;
}

// Names of the time column, in order of preference. The first name that a table contains is used.
const TIME_NAMES = ['datetime', 'date time', 'timestamp', 'open time', 'date', 'time', 'day'];
const USUAL_NAMES: Record<Exclude<MappedColumn, 'time'>, readonly string[]> = {
  date: TIME_NAMES,
  open: ['open', 'o', 'open price'],
  high: ['high', 'h', 'high price'],
  low: ['low', 'l', 'low price'],
  close: ['close', 'c', 'close price'],
  volume: ['volume', 'vol', 'v'],
  symbol: ['symbol', 'ticker'],
};

/** Names of a close adjusted for splits and dividends, normalised by `plainName`. */
const ADJUSTED_CLOSE = /^(?:\d+ )?adj(?:usted)? ?close(?: price)?$/;

/**
 * Finds the columns of a bar by their headers. Case, order and common spelling variants do not matter.
 *
 * @param header cells of the header line
 * @param noVolume true if the user has declared that the data have no volume
 * @param extraColumns additional numeric columns that must exist
 * @param given mapping given by the user. Ignored for a table without any mapped header
 */
export function readHeader(
  header: readonly string[],
  noVolume: boolean,
  extraColumns: readonly string[] = [],
  given?: Columns,
): HeaderReading {
  const names = header.map(plainName);
  const faults: string[] = [];
  const adjustments: string[] = [];
  const notes: string[] = [];
  const positionOf = (wanted: string): number => {
    const exact = header.findIndex((cell) => cell.trim() === wanted);
    return exact >= 0 ? exact : names.indexOf(plainName(wanted));
  };
  const asked = Object.entries(given?.named ?? {}).filter(([, name]) => name !== 'none');
  const isUnmapped = asked.length > 0 && asked.every(([, name]) => positionOf(name) < 0);
  const mapping = isUnmapped ? undefined : given;
  const { named = {}, preset } = mapping ?? {};
  if (!isUnmapped) {
    for (const [column, name] of asked) {
      if (positionOf(name) < 0) faults.push(`no column "${name}", which --columns assigns to ${column}`);
    }
  }
  const isWithoutVolume = noVolume || named.volume === 'none';

  const find = (column: Exclude<MappedColumn, 'time'>): number => {
    const name = named[column];
    if (name !== undefined) return name === 'none' ? -1 : positionOf(name);
    const spellings = [...(preset?.names[column] ?? []), ...USUAL_NAMES[column]];
    const spelling = spellings.find((one) => names.includes(one));
    return spelling === undefined ? -1 : names.indexOf(spelling);
  };
  const found = {
    time: find('date'),
    ...recordOf(PRICE_COLUMNS, find),
    symbol: find('symbol'),
  };

  for (const [column, position] of Object.entries(found)) {
    const name = names[position];
    if (named[column === 'time' ? 'date' : (column as MappedColumn)] !== undefined) continue;
    if (name !== undefined && names.indexOf(name, position + 1) >= 0) {
      faults.push(`two columns are called "${name}", so ${column} could be either`);
    }
  }

  const missing: Exclude<MappedColumn, 'time'>[] = [];
  if (found.time < 0 && named.date === undefined) missing.push('date');
  for (const column of PRICE_COLUMNS) {
    const isAbsent = found[column] < 0 && (named[column] === undefined || named[column] === 'none');
    if (isAbsent && !(column === 'volume' && isWithoutVolume)) missing.push(column);
  }
  if (missing.length > 0) faults.push(missingColumns(missing, header, names, Object.values(found), mapping));

  const extra = extraColumns.map((name) => ({ name, position: names.indexOf(plainName(name)) }));
  for (const { name, position } of extra) {
    if (position < 0) {
      const meant = nearest(name, header);
      const hint = meant === undefined ? '' : `; did you mean "${meant.trim()}"?`;
      faults.push(`no column "${name}", which the settings require${hint}`);
    } else if (names.indexOf(names[position]!, position + 1) >= 0) {
      faults.push(`two columns are called "${name}"`);
    }
  }

  const clock = clockOf(names, found.time, named.time, positionOf);
  const others = TIME_NAMES.filter((name) => names.includes(name) && name !== names[found.time] && clock < 0);
  if (others.length > 0 && found.time >= 0 && named.date === undefined && preset === undefined) {
    adjustments.push(
      `time read from column "${header[found.time]!.trim()}", not from "${others.join('", "')}"`,
    );
  }
  if (found.volume < 0 && isWithoutVolume)
    adjustments.push('no volume column: the volume of every bar is set to 1');
  if (mapping !== undefined) adjustments.push(`columns read as set with --columns ${mapping.text}`);
  const adjusted = names.findIndex((name) => ADJUSTED_CLOSE.test(name));
  const isAdjusted = adjusted >= 0 && found.close === adjusted;
  const unadjusted = isAdjusted ? names.findIndex((name) => USUAL_NAMES.close.includes(name)) : -1;
  if (adjusted >= 0 && found.close >= 0) {
    const [other, used] = [header[adjusted]!.trim(), header[found.close]!.trim()];
    const scaled = `prices are adjusted: close is read from "${other}", and open, high and low are multiplied by "${other}" / "${header[unadjusted]?.trim()}"`;
    if (!isAdjusted)
      notes.push(
        `close is read from column "${used}", not from "${other}"; for adjusted prices use --columns close="${other}"`,
      );
    else if (unadjusted >= 0) adjustments.push(scaled);
  }
  if (faults.length > 0) return { faults, adjustments, notes, isUnmapped };

  const plan: ColumnPlan = {
    time: found.time,
    ...(clock < 0 ? {} : { clock }),
    prices: [found.open, found.high, found.low, found.close],
    ...(found.volume < 0 ? {} : { volume: found.volume }),
    ...(found.symbol < 0 ? {} : { symbol: found.symbol }),
    ...(unadjusted < 0 ? {} : { unadjusted }),
    extra,
  };
  return { plan, faults, adjustments, notes, isUnmapped };
}

// Returns the position of a separate column with the time of day. MetaTrader, for example, writes date and
// time of day in two columns. -1 without such a column.
function clockOf(
  names: readonly string[],
  time: number,
  asked: string | undefined,
  positionOf: (name: string) => number,
): number {
  if (asked === 'none') return -1;
  if (asked !== undefined) return positionOf(asked);
  return names[time] === 'date' ? names.indexOf('time') : -1;
}

/** Normalises a header for comparisons: lower case, one space between words. */
function plainName(cell: string): string {
  return cell
    .replace(/[<>"'\ufeff]/g, '')
    .replace(/[\s_.-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^(open|close)time$/, '$1 time');
}

function missingColumns(
  missing: readonly Exclude<MappedColumn, 'time'>[],
  header: readonly string[],
  names: readonly string[],
  used: readonly number[],
  mapping: Columns | undefined,
): string {
  const columns = missing.length === 1 ? `no column "${missing[0]}"` : `no columns "${missing.join('", "')}"`;
  if (isBareLine(header)) {
    const values = `${columns}: the first line contains values instead of column names`;
    return withHint(values, mappingToType({ missing, header, names, used, isBare: true, mapping }));
  }
  const shown = header.slice(0, 20).map((cell) => `"${cell.trim().slice(0, 40)}"`);
  const onlyVolume = missing.length === 1 && missing[0] === 'volume';
  const noVolume = onlyVolume
    ? '; if the data have no volume, add --no-volume (every bar then has volume 1)'
    : '';
  const hint = mappingToType({ missing, header, names, used, isBare: false, mapping });
  return withHint(`${columns} among ${shown.join(', ')}${noVolume}`, hint);
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** True if a line contains values instead of names. */
export function isBareLine(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => /^[\d\s.,:/TZ+-]*$/.test(cell));
}
