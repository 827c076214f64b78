import { AppError, faultsError, messageOf } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { inferInterval, intervalWords, isSameInterval, parseInterval } from '../bars/interval.ts';
import { isZone } from '../bars/zones.ts';
import { referenceOf } from '../catalog/manifest.ts';
import { readReferences } from '../catalog/read.ts';
import { type ColumnMapping, type Columns, readColumns } from '../columns/mapping.ts';
import { type FeatureTable, readBarColumns, sameTypes } from '../features/bar-columns.ts';
import { type Market, marketOf } from '../market.ts';
import { readRows } from './bar-rows.ts';
import { type DataSource, type FileReading, sourceOf } from './data-source.ts';
import { type Database, lazyDatabase } from './database.ts';
import { BytesRead, inspectFile, type ReadProgress } from './file-bytes.ts';
import { findFiles, type PlainProgress, readPlainFile, symbolOfFile } from './find-files.ts';
import { readHeader } from './headers.ts';
import { inRange, joinSeries, type Range, readRange } from './select.ts';
import { brokenRow, openTable, UnreadableTable } from './table.ts';
import { type RowRules, validateRows } from './validate.ts';

export interface LoadOptions extends RowRules {
  /** Files, folders (their data files) or globs. */
  readonly paths: readonly string[];
  /**
   * Symbols to include. Upper and lower case are equal. Default: all symbols. If there is a single file
   * without a symbol column, a single symbol in this list becomes the symbol of its bars.
   */
  readonly symbols?: readonly string[];
  /** First and last date, both included. A date without a time means its whole UTC day. */
  readonly from?: string;
  readonly to?: string;
  /** If true, data without a volume column are accepted. Every bar then gets the volume 1. */
  readonly noVolume?: boolean;
  /**
   * Length of each bar, for example `1h`. Default: inferred from the times between bars. Needed for symbols
   * with many missing bars, for which the inferred length would be too long.
   */
  readonly interval?: string;
  /** Maximum unpacked size of a gzip archive or a Parquet file in MB. Default: 256. */
  readonly unpackedLimit?: number | undefined;
  /** If true, columns other than those of the bars are loaded as features. */
  readonly keepColumns?: boolean;
  /**
   * Names of additional columns that every file must have. Their values are numbers of at least 0. Every
   * series then contains these columns.
   */
  readonly extraColumns?: readonly string[];
  /**
   * Mapping for unusual headers: `date=Gmt time,close=Close`, or `preset=dukascopy`. Ignored for a file
   * without any mapped header.
   */
  readonly columns?: string | ColumnMapping;
  /** If true, a mapping that matches no file is accepted. Used if the mapping is intended for other files. */
  readonly columnsOptional?: boolean;
  /** Called while files are read, with the number of bytes read so far and the total number of bytes. */
  readonly onRead?: ReadProgress | undefined;
}

export interface LoadedMarket extends Omit<LoadedSeries, 'series'> {
  readonly market: Market;
}

export interface LoadedSeries {
  readonly series: readonly BarSeries[];
  /** With `keepColumns`: additional columns of the files. */
  readonly features?: readonly FeatureTable[];
  readonly sources: readonly DataSource[];
  /** Descriptions of changes that options made to the data. Empty if the bars are unchanged. */
  readonly adjustments: readonly string[];
  /** Notes that every user of the data must know, for example which of two close columns is used. */
  readonly notes?: readonly string[];
  /** Symbols of the files that `symbols`, `from` and `to` excluded. */
  readonly omitted: readonly string[];
}

const DATA_HINT =
  'Fix the lines named. A file needs date, open, high, low, close and volume columns, one bar a line, oldest first; ' +
  'dates such as 2020-01-15, 2020-01-15 09:30, 15 Jan 2020 or epoch seconds. --allow-gaps leaves out rows without a value.';

const UNREADABLE_HINT = 'Pass regular files that this user may read.';

const PATH_HINT = 'Check the spelling, and that the path is right as seen from the current folder.';

/**
 * Loads bars from CSV, TSV, Parquet, JSON or NDJSON files (text also with gzip) and combines them on one
 * clock.
 *
 * @throws AppError with every fault of every file: `data_not_found`, `bad_data`, `unknown_symbol`,
 *   `bad_date`, `no_data`, `mixed_intervals` if bars of different lengths would share the clock
 */
export async function loadMarket(options: LoadOptions): Promise<LoadedMarket> {
  const { series, ...loaded } = await loadSeries(options);
  return { market: marketOf(series), ...loaded };
}

/**
 * Loads bars like `loadMarket`, but each symbol separately. Series that do not share a clock, such as
 * exchange rates, may have different intervals.
 */
export async function loadSeries(options: LoadOptions): Promise<LoadedSeries> {
  const range = readRange(options.from, options.to);
  const readings = await readAll(options, range);
  const adjustments = readings.flatMap((reading) => reading.adjustments);
  const parts = readings.flatMap(({ file, series }) => series.map((one) => ({ file, series: one })));
  const { interval } = options;
  const joined = joinSeries(parts);
  const whole =
    interval === undefined ? joined : joined.map((one) => declareInterval(one, interval, adjustments));
  const series = inRange(whole, range, adjustments);
  const known = new Set(readings.flatMap((reading) => reading.known));
  return {
    series,
    sources: readings.flatMap((reading) => reading.sources),
    adjustments,
    notes: readings.flatMap(({ notes = [] }) => notes),
    ...(options.keepColumns === true
      ? { features: sameTypes(readings.flatMap((reading) => reading.features ?? [])) }
      : {}),
    omitted: [...known].filter((symbol) => !series.some((one) => one.symbol === symbol)).sort(),
  };
}

function declareInterval(series: BarSeries, text: string, adjustments: string[]): BarSeries {
  const [declared, inferred] = [parseInterval(text), inferInterval(series.time)];
  if (inferred !== undefined && !isSameInterval(inferred.interval, declared))
    adjustments.push(
      `${series.symbol}: its bars are taken to last ${intervalWords(declared)}, as given by --interval; the steps between them indicate ${intervalWords(inferred.interval)}`,
    );
  return { ...series, interval: text };
}

async function readAll(options: LoadOptions, range: Range): Promise<FileReading[]> {
  if (options.paths.length === 0) {
    throw new AppError({
      code: 'data_not_found',
      message: 'No data was given.',
      hint: 'Pass files, folders or globs with --data.',
    });
  }
  if (options.timezone !== undefined) checkZone(options.timezone);
  const columns = options.columns === undefined ? undefined : readColumns(options.columns);
  const rules = columns === undefined ? options : { ...rulesOf(columns), ...options };
  const database = lazyDatabase();
  try {
    const references = options.paths.flatMap((named) => referenceOf(named) ?? []);
    const found = await findFiles(
      database,
      options.paths.filter((named) => referenceOf(named) === undefined),
    );
    const wanted = (options.symbols ?? []).map((symbol) => symbol.trim().toUpperCase());
    const only = found.files.length === 1 && wanted.length === 1 ? wanted[0] : undefined;
    const readings: FileReading[] = [];
    const bytes = await BytesRead.of(found.files, options.onRead);
    for (const file of found.files) {
      const onBytes = bytes?.startFile();
      readings.push(await readFile(database, file, { ...rules, onBytes }, wanted, only, columns));
      bytes?.endFile();
    }
    const fromCatalog = await readReferences(database, references, { ...options, range, wanted });
    found.faults.push(...fromCatalog.faults);
    const inFiles = readings.flatMap((reading) => reading.faults);
    if (
      columns !== undefined &&
      options.columnsOptional !== true &&
      readings.length > 0 &&
      readings.every(({ isUnmapped }) => isUnmapped === true)
    )
      inFiles.push({ where: '--columns', message: `no file has a column that ${columns.text} names` });
    const faults = [...found.faults, ...found.unreadable, ...inFiles];
    if (inFiles.length > 0) throw faultsError('bad_data', 'The data cannot be used', faults, DATA_HINT);
    if (found.unreadable.length > 0)
      throw faultsError('bad_data', 'The data cannot be read', faults, UNREADABLE_HINT);
    if (faults.length > 0) throw faultsError('data_not_found', 'The data cannot be found', faults, PATH_HINT);
    checkSymbols(
      wanted,
      [...readings, ...fromCatalog.readings].flatMap((reading) => reading.known),
    );
    return [...readings, ...fromCatalog.readings];
  } finally {
    database.close();
  }
}

function checkSymbols(wanted: readonly string[], known: readonly string[]): void {
  const unknown = wanted.filter((symbol) => !known.includes(symbol));
  if (unknown.length === 0) return;
  throw new AppError({
    code: 'unknown_symbol',
    message: `The data do not contain ${unknown.join(', ')}.`,
    hint: `Choose among ${[...new Set(known)].sort().slice(0, 50).join(', ')}.`,
  });
}

function checkZone(zone: string): void {
  if (isZone(zone)) return;
  throw new AppError({
    code: 'bad_date',
    message: `Unknown time zone "${zone}".`,
    hint: 'Write its IANA name, such as America/New_York or Europe/Berlin.',
  });
}

/** Returns the date order and the sorting that the files of a preset require. */
function rulesOf({ preset }: Columns): RowRules {
  return {
    ...(preset?.dateOrder === undefined ? {} : { dateOrder: preset.dateOrder }),
    ...(preset?.sortRows === undefined ? {} : { sortRows: preset.sortRows }),
  };
}

async function readFile(
  database: Database,
  file: string,
  options: LoadOptions & PlainProgress,
  wanted: readonly string[],
  only: string | undefined,
  columns: Columns | undefined,
): Promise<FileReading> {
  const nothing = { file, sources: [], series: [], adjustments: [], known: [] };
  const failed = (message: string): FileReading => ({ ...nothing, faults: [{ where: file, message }] });
  try {
    const plain = await readPlainFile(file, options, wanted, only, columns);
    if (plain !== undefined) return plain;
    const bytes = await inspectFile(file, options.unpackedLimit);
    if (bytes.fault !== undefined) return { ...nothing, faults: [bytes.fault] };
    const table = await openTable(database, file, bytes, columns);
    const broken = brokenRow(file, table);
    if (broken !== undefined) return { ...nothing, faults: [broken] };
    const { plan, faults, adjustments, notes, isUnmapped } = readHeader(
      table.header,
      options.noVolume === true,
      options.extraColumns,
      columns,
    );
    const unmapped = isUnmapped === true ? { isUnmapped } : {};
    const ownName = plan?.symbol === undefined ? (only ?? symbolOfFile(file)) : undefined;
    // A file of an excluded symbol is ignored, and its faults are not reported.
    if (ownName !== undefined && wanted.length > 0 && !wanted.includes(ownName))
      return { ...nothing, ...unmapped, faults: [], known: [ownName] };
    if (plan === undefined)
      return { ...nothing, ...unmapped, faults: faults.map((message) => ({ where: file, message })) };
    const rows = await readRows(database, table, plan);
    if (rows.number.length === 0) return failed('no row below the header');
    const symbolOf = (row: number): string | undefined => {
      if (ownName !== undefined) return ownName;
      const symbol = rows.symbol[row]!;
      return wanted.length === 0 || symbol === '' || wanted.includes(symbol) ? symbol : undefined;
    };
    const bars = validateRows(file, table, plan, rows, options, symbolOf);
    const known = ownName === undefined ? [...new Set(rows.symbol)] : [ownName];
    const beside =
      options.keepColumns === true && bars.faults.length === 0
        ? await readBarColumns(
            database,
            file,
            table,
            plan,
            bars.times,
            Array.from(rows.number, (_, row) => symbolOf(row)),
          )
        : { adjustments: [] };
    const source = sourceOf(file, bytes.sha256, bars.series);
    return {
      file,
      ...bars,
      ...unmapped,
      known,
      adjustments: [
        ...adjustments.map((note) => `${file}: ${note}`),
        ...bars.adjustments,
        ...beside.adjustments,
      ],
      notes: notes.map((note) => `${file}: ${note}`),
      ...(beside.table === undefined ? {} : { features: beside.table }),
      sources: source === undefined ? [] : [source],
    };
  } catch (error) {
    if (error instanceof UnreadableTable) return failed(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'EPERM') return failed('the file may not be read: permission denied');
    if (code !== undefined) return failed(`the file cannot be read (${messageOf(error)})`);
    throw error;
  }
}
