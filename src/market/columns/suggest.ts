import { COLUMN_PRESETS, type ColumnPreset, type Columns, type MappedColumn, written } from './mapping.ts';

interface UnreadHeader {
  readonly missing: readonly Exclude<MappedColumn, 'time'>[];
  readonly header: readonly string[];
  /** Normalised cells of the header. */
  readonly names: readonly string[];
  /** Positions that are already assigned to a column. */
  readonly used: readonly number[];
  /** True if the first line contains values. */
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
 * Suggests a `--columns` value for a header that was not understood: a matching preset, or columns by their
 * likely meaning.
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
 * Returns the column names of a file without a header, if a preset has a matching format with this number of
 * columns.
 */
export function bareNames(preset: ColumnPreset, cells: readonly string[]): readonly string[] | undefined {
  const found = preset.bare?.find((names) => names.length === cells.length);
  if (found === undefined) return undefined;
  const isClock = /^\d{1,2}:\d{2}/.test(cells[1] ?? '');
  return isClock === (found[1] === 'time') ? found : undefined;
}
