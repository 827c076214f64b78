import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Fault, formatInstant, hashOfFile, nearest, parseInstant } from '../../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS, seriesFrom } from '../bars/bar-columns.ts';
import type { DataSource, FileReading } from '../reading/data-source.ts';
import { type Database, sqlName, sqlPath } from '../reading/database.ts';
import type { Range } from '../reading/select.ts';
import { checkSeries } from '../reading/valid-series.ts';
import {
  badCatalog,
  type CatalogManifest,
  type CatalogReference,
  isMeant,
  readManifest,
  symbolFolder,
} from './manifest.ts';

/** Bars of one symbol that were read from a catalogue. */
interface CatalogReading {
  readonly series: BarSeries;
  readonly sources: readonly DataSource[];
}

/** Symbol that exists in a catalogue. */
interface CatalogEntry {
  readonly folder: string;
  readonly manifest: CatalogManifest;
}

/**
 * Returns the symbols that a reference matches. Returns a fault if no symbol matches. Also returns a fault if
 * several intervals exist and the reference names none.
 */
async function findInCatalog(
  reference: CatalogReference,
  wanted: string | undefined,
): Promise<readonly CatalogEntry[] | Fault> {
  const where = reference.text;
  const { root } = reference;
  const intervals = await foldersOf(root, 'interval=');
  if (intervals === undefined || intervals.length === 0)
    return {
      where,
      message: `no catalogue found in ${root}`,
      hint: 'create one with sandtable data download or data convert --out',
    };
  const asked = reference.interval ?? wanted;
  const found: CatalogEntry[] = [];
  const known: string[] = [];
  for (const interval of intervals) {
    for (const name of (await foldersOf(path.join(root, `interval=${interval}`), 'symbol=')) ?? []) {
      const symbol = decodeURIComponent(name);
      known.push(symbol);
      if (!isMeant(symbol, reference) || (asked !== undefined && asked !== interval)) continue;
      const folder = symbolFolder(root, interval, symbol);
      const manifest = readManifest(folder);
      if (manifest === undefined) throw badCatalog(`${folder} has no manifest.json`);
      if (manifest.parts.length > 0) found.push({ folder, manifest });
    }
  }
  if (found.length === 0) {
    const lengths = asked === undefined ? '' : ` in bars of ${asked}`;
    const meant = nearest(reference.pattern, known);
    const hint = meant === undefined ? `it has ${shown(known)}` : `did you mean @${meant}?`;
    return { where, message: `the catalogue in ${root} has no such symbol${lengths}`, hint };
  }
  const lengths = [...new Set(found.map(({ manifest }) => manifest.interval))];
  if (lengths.length === 1) return found;
  const hint = `choose one: ${lengths.map((one) => `${reference.text}:${one}`).join(' or ')}`;
  return { where, message: `the catalogue has bars of ${lengths.join(' and ')}`, hint };
}

function shown(symbols: readonly string[]): string {
  const names = [...new Set(symbols)].sort();
  return names.length > 20 ? `${names.slice(0, 20).join(', ')}, …` : names.join(', ');
}

async function foldersOf(folder: string, prefix: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
      .map((entry) => entry.name.slice(prefix.length))
      .sort();
  } catch {
    return undefined;
  }
}

/**
 * Reads one symbol's bars of a time range. Files outside the range are not opened. DuckDB skips row groups
 * (blocks of rows in a Parquet file) outside the range.
 *
 * @param extra additional numeric columns that must exist
 * @returns a series without bars if the range contains no bar
 * @throws AppError `bad_catalog` for a missing column, and for a file that is missing or was changed after it
 *   was written
 */
export async function readFromCatalog(
  database: Database,
  { folder, manifest }: CatalogEntry,
  range: Range,
  extra: readonly string[] = [],
): Promise<CatalogReading> {
  const { symbol, interval } = manifest;
  const missing = extra.filter((name) => !manifest.columns.includes(name));
  if (missing.length > 0) throw badCatalog(`${folder} has no column "${missing.join('", "')}"`);
  const parts = manifest.parts.filter(
    ({ firstBar, lastBar }) => parseInstant(firstBar)! <= range.to && parseInstant(lastBar)! >= range.from,
  );
  const files = parts.map(({ file }) => path.join(folder, file));
  for (const [index, part] of parts.entries()) {
    const hash = await hashOfFile(files[index]!).catch((cause: unknown) => {
      throw badCatalog(`${files[index]} is missing or cannot be read`, cause);
    });
    if (hash !== part.sha256)
      throw badCatalog(`${files[index]} does not match manifest.json: it was changed or truncated`);
  }
  const names = [...PRICE_COLUMNS, ...extra];
  const columns: Float64Array[] = ['time', ...names].map(() => new Float64Array(0));
  if (files.length > 0) {
    const source = `read_parquet([${files.map(sqlPath).join(', ')}], hive_partitioning = false)`;
    const isIn = `FROM ${source} WHERE ${within(range)}`;
    const [counted] = await database.rows(`SELECT count(*)::INTEGER ${isIn}`);
    for (const index of columns.keys()) columns[index] = new Float64Array(counted![0] as number);
    const at = new Int32Array(columns.length);
    await database.visit(
      `SELECT epoch_ms(date)::DOUBLE, ${names.map(sqlName).join(', ')} ${isIn} ORDER BY date`,
      (value, column) => {
        columns[column]![at[column]!] = value as number;
        at[column]! += 1;
      },
    );
  }
  const series = { ...seriesFrom(symbol, columns, extra), interval };
  checkSeries([series]);
  const sources = parts.map(({ sha256, bars, firstBar, lastBar }, index) => {
    return { file: files[index]!, sha256, symbols: [symbol], bars, firstBar, lastBar };
  });
  return { series, sources };
}

// Returns an SQL condition. The condition uses the column without a function, so that DuckDB can compare it
// with the bounds of row groups.
function within({ from, to }: Range): string {
  const stamp = (instant: number): string => `TIMESTAMP '${formatInstant(instant).replace('T', ' ')}'`;
  const bounds = [
    ...(Number.isFinite(from) ? [`date >= ${stamp(from)}`] : []),
    ...(Number.isFinite(to) ? [`date <= ${stamp(to)}`] : []),
  ];
  return bounds.length === 0 ? 'true' : bounds.join(' AND ');
}

interface Needed {
  readonly range: Range;
  /** Symbols in capitals. Empty for all symbols. */
  readonly wanted: readonly string[];
  readonly interval?: string;
  readonly extraColumns?: readonly string[];
}

/** Reads catalogue references such as `@AAPL`, limited to the needed symbols and period. */
export async function readReferences(
  database: Database,
  references: readonly CatalogReference[],
  { range, wanted, interval, extraColumns }: Needed,
): Promise<{ readonly readings: FileReading[]; readonly faults: Fault[] }> {
  const readings: FileReading[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const reference of references) {
    const found = await findInCatalog(reference, interval?.toLowerCase());
    if (!Array.isArray(found)) {
      faults.push(found as Fault);
      continue;
    }
    for (const entry of found) {
      const { folder, manifest } = entry;
      if (seen.has(folder)) continue;
      seen.add(folder);
      const nothing = { file: folder, faults: [], adjustments: [], known: [manifest.symbol] };
      if (wanted.length > 0 && !wanted.includes(manifest.symbol)) {
        readings.push({ ...nothing, sources: [], series: [] });
        continue;
      }
      const { series, sources } = await readFromCatalog(database, entry, range, extraColumns);
      const isEmpty = series.time.length === 0;
      const note = `${manifest.symbol} has no bar in the period and was omitted`;
      readings.push({
        ...nothing,
        sources,
        series: isEmpty ? [] : [series],
        adjustments: isEmpty ? [note] : [],
      });
    }
  }
  return { readings, faults };
}
