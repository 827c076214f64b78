import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Fault, messageOf, missingFile } from '../../kernel/index.ts';
import { seriesFrom } from '../bars/bar-columns.ts';
import type { Columns } from '../columns/mapping.ts';
import { furtherColumns } from '../features/bar-columns.ts';
import { type FileReading, sourceOf } from './data-source.ts';
import type { Database } from './database.ts';
import { dayBarsIn } from './day-bars.ts';
import { isPlainName, mostColumns, specialFileFault } from './file-bytes.ts';
import { type ColumnPlan, type HeaderReading, readHeader } from './headers.ts';
import { readPlainBars } from './plain-text.ts';

export const DATA_FILE = /\.(csv|tsv|parquet|pq|json|ndjson|jsonl)(\.gz)?$/i;
const CODE_FILE = /\.(py|m?ts|m?js)$/i;
const GLOB = /[*?[]/;

export interface FoundFiles {
  /** Paths without duplicates, in the order given by the user. Files of one folder or glob are sorted. */
  readonly files: readonly string[];
  /** Faults of paths that do not exist or match no file. */
  readonly faults: Fault[];
  /** Faults of paths that exist but cannot be read as a file, for example a FIFO. */
  readonly unreadable: readonly Fault[];
}

/** Fault of a path. `exists` is true if the path exists. */
interface PathFault {
  readonly fault: Fault;
  readonly exists: boolean;
}

/** Resolves files, folders (their direct data files) and globs. */
export async function findFiles(database: Database, paths: readonly string[]): Promise<FoundFiles> {
  const files: string[] = [];
  const faults: Fault[] = [];
  const unreadable: Fault[] = [];
  for (const named of paths) {
    const found = await resolveOne(database, named);
    if (Array.isArray(found)) files.push(...found);
    else (found.exists ? unreadable : faults).push(found.fault);
  }
  const seen = new Set<string>();
  const regular: string[] = [];
  for (const file of files) {
    const absolute = path.resolve(file);
    if (seen.has(absolute)) continue;
    seen.add(absolute);
    // A file whose type cannot be determined stays in the list. Reading the file reports the fault.
    const fault = await specialFileFault(file).catch(() => undefined);
    if (fault === undefined) regular.push(file);
    else unreadable.push(fault);
  }
  return { files: regular, faults, unreadable };
}

async function resolveOne(database: Database, named: string): Promise<string[] | PathFault> {
  const missing = (fault: Omit<Fault, 'where'>): PathFault => ({
    fault: { where: named, ...fault },
    exists: false,
  });
  if (named.trim() === '') {
    const fault = { where: '--data', message: 'an empty path', hint: 'name a file, a folder or a glob' };
    return { fault, exists: false };
  }
  try {
    const entry = await stat(named);
    if (entry.isDirectory()) {
      const files = await filesOfFolder(named);
      if (files.length > 0) return files;
      return missing({
        message: 'the folder contains no data file (.csv, .tsv, .parquet, .json, .ndjson; .gz of text files)',
      });
    }
    if (CODE_FILE.test(named))
      return missing({
        message: 'is a file of code, not of bars',
        hint: 'write the strategy before --data, which takes all values that follow',
      });
    return [named];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      return { fault: { where: named, message: `cannot be read (${messageOf(error)})` }, exists: true };
  }
  if (!GLOB.test(named)) return missing({ message: missingFile(named) });
  const matches = (await database.glob(named)).filter((file) => !path.basename(file).startsWith('.'));
  return matches.length > 0 ? matches.sort() : missing({ message: 'no file matches' });
}

async function filesOfFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .filter((name) => DATA_FILE.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Returns the symbol of a file without a symbol column: its base name in capitals (`BRK.B.csv` is BRK.B). */
export function symbolOfFile(file: string): string {
  const name = path.basename(file);
  return name
    .replace(/\.gz$/i, '')
    .replace(/\.(csv|tsv|txt|psv|parquet|pq|json|ndjson|jsonl)$/i, '')
    .toUpperCase();
}

export interface PlainProgress {
  /** Called with the number of bytes read from the file. */
  readonly onBytes?: ((done: number) => void) | undefined;
}

/** Options that determine if a file can be read without a database, and how. */
interface PlainOptions extends PlainProgress {
  readonly timezone?: string;
  readonly noVolume?: boolean;
  readonly keepColumns?: boolean;
  readonly extraColumns?: readonly string[];
  readonly unpackedLimit?: number | undefined;
}

/**
 * Reads a file of one symbol without a database. Returns `undefined` if the file needs a database, or if it
 * has any fault: reading it with the database then reports the fault.
 */
export async function readPlainFile(
  file: string,
  options: PlainOptions,
  wanted: readonly string[],
  only: string | undefined,
  columns: Columns | undefined,
): Promise<FileReading | undefined> {
  const symbol = only ?? symbolOfFile(file);
  const isOther = wanted.length > 0 && !wanted.includes(symbol);
  const isUnusual =
    options.timezone !== undefined || columns?.isBare === true || columns?.preset !== undefined;
  if (isOther || isUnusual || !isPlainName(file)) return undefined;
  let found:
    | (Pick<HeaderReading, 'adjustments' | 'notes'> & {
        readonly plan: ColumnPlan;
        readonly isUnmapped: boolean;
      })
    | undefined;
  const planOf = (header: readonly string[]): ColumnPlan | undefined => {
    if (header.length > mostColumns(options.unpackedLimit)) return undefined;
    const noVolume = options.noVolume === true;
    const read = readHeader(header, noVolume, options.extraColumns, columns);
    const { plan, isUnmapped } = read;
    if (plan === undefined || plan.symbol !== undefined || plan.clock !== undefined) return undefined;
    if (plan.unadjusted !== undefined) return undefined;
    const further =
      options.keepColumns === true ? furtherColumns(file, header, plan) : { named: [], adjustments: [] };
    const named = (texts: readonly string[]): string[] => texts.map((text) => `${file}: ${text}`);
    const adjustments = [...named(read.adjustments), ...further.adjustments];
    found = { plan, adjustments, notes: named(read.notes), isUnmapped: isUnmapped === true };
    return further.named.length === 0 ? plan : undefined;
  };
  const bars = await readPlainBars(file, planOf, options.onBytes);
  if (bars === undefined || found === undefined) return undefined;
  const series = seriesFrom(
    symbol,
    bars.columns,
    found.plan.extra.map(({ name }) => name),
  );
  if (dayBarsIn(series).length > 0) return undefined;
  const source = sourceOf(file, bars.sha256, [series]);
  return {
    file,
    series: [series],
    faults: [],
    ...(found.isUnmapped ? { isUnmapped: true } : {}),
    known: [symbol],
    adjustments: found.adjustments,
    notes: found.notes,
    sources: source === undefined ? [] : [source],
  };
}
