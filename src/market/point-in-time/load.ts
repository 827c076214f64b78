import { createHash } from 'node:crypto';
import { AppError, type Fault, faultsError } from '../../kernel/index.ts';
import { readDatedTables } from '../reading/dated-table.ts';
import type { Rows } from '../reading/sheet.ts';
import {
  DOCUMENTS_HINT,
  type DocumentRow,
  FUNDAMENTALS_HINT,
  type FundamentalRow,
  type LoadedPointInTime,
  type PointInTimeData,
  type PointInTimeSource,
  readDocuments,
  readFundamentals,
  readUniverse,
  UNIVERSE_HINT,
  type UniverseRow,
} from './read-tables.ts';

/**
 * Files of point-in-time data (documents, fundamentals and the universe of tradable symbols): paths, folders
 * or globs.
 */
export interface PointInTimeFiles {
  readonly documents?: readonly string[] | undefined;
  readonly fundamentals?: readonly string[] | undefined;
  /** Path of one file. */
  readonly universe?: string | undefined;
  /** Maximum unpacked size of a gzip archive or a Parquet file in MB. */
  readonly unpackedLimit?: number | undefined;
  /** Time zone of times without a zone, as an IANA name. Default: UTC. */
  readonly timezone?: string | undefined;
}

/** Point-in-time data as rows in memory. */
export interface PointInTimeRows {
  readonly documents?: readonly DocumentRow[] | undefined;
  readonly fundamentals?: readonly FundamentalRow[] | undefined;
  readonly universe?: readonly UniverseRow[] | undefined;
}

type Kind = PointInTimeSource['kind'];
type Part = { readonly found: Partial<PointInTimeData>; readonly faults: readonly Fault[] };

/**
 * Readers of each kind of data. `taken` contains the keys read so far, which must be unique across all files.
 */
const KINDS = {
  documents: {
    code: 'bad_documents',
    subject: 'The documents cannot be used',
    hint: DOCUMENTS_HINT,
    read(file: string, rows: Rows, taken: Map<string, string>): Part {
      const { documents, faults } = readDocuments(file, rows, taken);
      return { found: { documents }, faults };
    },
  },
  fundamentals: {
    code: 'bad_fundamentals',
    subject: 'The fundamentals cannot be used',
    hint: FUNDAMENTALS_HINT,
    read(file: string, rows: Rows, taken: Map<string, string>): Part {
      const { fundamentals, faults } = readFundamentals(file, rows, taken);
      return { found: { fundamentals }, faults };
    },
  },
  universe: {
    code: 'bad_universe',
    subject: 'The universe cannot be used',
    hint: UNIVERSE_HINT,
    read(file: string, rows: Rows): Part {
      const { universe, faults } = readUniverse(file, rows);
      return { found: { universe }, faults };
    },
  },
} as const;

/**
 * Reads documents, fundamentals and the universe from CSV, TSV, JSON, NDJSON or Parquet files.
 *
 * @throws AppError `bad_documents`, `bad_fundamentals` or `bad_universe` with every fault of every file of
 *   that kind, by line
 */
export async function loadPointInTime(files: PointInTimeFiles): Promise<LoadedPointInTime> {
  const { documents, fundamentals, universe } = files;
  const parts = [
    await filesOf('documents', documents, files),
    await filesOf('fundamentals', fundamentals, files),
    await filesOf('universe', universe === undefined ? undefined : [universe], files),
  ];
  return together(parts);
}

/**
 * Reads documents, fundamentals and the universe from rows in memory.
 *
 * @param timezone time zone of times without a zone, as an IANA name. Default: UTC
 * @throws AppError `bad_documents`, `bad_fundamentals` or `bad_universe` with every fault, by row
 */
export function pointInTimeData(given: PointInTimeRows, timezone?: string): LoadedPointInTime {
  return together([
    rowsOf('documents', given.documents, timezone),
    rowsOf('fundamentals', given.fundamentals, timezone),
    rowsOf('universe', given.universe, timezone),
  ]);
}

/** Combines several loaded data sets, for example files of one kind and rows of another kind. */
export function together(parts: readonly Partial<LoadedPointInTime>[]): LoadedPointInTime {
  const universes = parts.flatMap(({ universe }) => (universe === undefined ? [] : [universe]));
  return {
    documents: parts.flatMap(({ documents = [] }) => documents),
    fundamentals: parts.flatMap(({ fundamentals = [] }) => fundamentals),
    ...(universes.length === 0 ? {} : { universe: universes.flat() }),
    sources: parts.flatMap(({ sources = [] }) => sources),
  };
}

async function filesOf(
  kind: Kind,
  paths: readonly string[] | undefined,
  { unpackedLimit, timezone }: Pick<PointInTimeFiles, 'unpackedLimit' | 'timezone'>,
): Promise<Partial<LoadedPointInTime>> {
  if (paths === undefined) return {};
  const { code, subject, hint, read } = KINDS[kind];
  if (paths.length === 0)
    throw new AppError({
      code,
      message: `No file of ${kind} was named.`,
      hint: `Pass files, folders or globs with --${kind}, or remove --${kind}.`,
    });
  const { tables, faults: all } = await readDatedTables(paths, unpackedLimit, timezone);
  const parts: Partial<LoadedPointInTime>[] = [];
  const taken = new Map<string, string>();
  for (const { file, sha256, ...given } of tables) {
    const { found, faults: own } = read(file, given, taken);
    all.push(...own);
    parts.push({ ...found, sources: [{ file, sha256, kind, rows: given.rows.length }] });
  }
  if (all.length > 0) throw faultsError(code, subject, all, hint);
  return together(parts);
}

function rowsOf(
  kind: Kind,
  given: readonly object[] | undefined,
  timezone: string | undefined,
): Partial<LoadedPointInTime> {
  if (given === undefined) return {};
  const file = `(${kind} in memory)`;
  // An empty list of documents or fundamentals means no data. An empty universe means that no symbol is ever
  // tradable.
  if (given.length === 0)
    return kind === 'universe' ? withSource({ universe: [] }, { file, kind, rows: 0 }) : {};
  const header = [...new Set(given.flatMap((row) => Object.keys(row)))];
  const rows = given.map((row, index) => ({
    number: index + 1,
    cells: header.map((name) => cellOf(name, (row as Readonly<Record<string, unknown>>)[name])),
  }));
  const { code, subject, hint, read } = KINDS[kind];
  const whereOf = (number: number): string => `row ${number}`;
  const { found, faults } = read(file, { header, rows, whereOf, timezone }, new Map());
  if (faults.length > 0) throw faultsError(code, subject, faults, hint);
  return withSource(found, { file, kind, rows: rows.length });
}

function withSource(
  found: Partial<PointInTimeData>,
  source: Omit<PointInTimeSource, 'sha256'>,
): Partial<LoadedPointInTime> {
  const sha256 = createHash('sha256').update(JSON.stringify(found)).digest('hex');
  return { ...found, sources: [{ ...source, sha256 }] };
}

const TIMES = ['available_at', 'period_end', 'from', 'to'];

function cellOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null || Number.isNaN(value)) return null;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'number' || !TIMES.includes(name)) return String(value);
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}
