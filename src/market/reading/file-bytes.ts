import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { DEEPEST_INPUT, type Fault, hashOfFile, TOO_DEEP } from '../../kernel/index.ts';
import { type Database, sqlName, sqlPath } from './database.ts';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Measures how deep a JSON text is nested, chunk by chunk and without parsing the text. */
export class JsonDepth {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  /**
   * Reads the next chunk.
   *
   * @returns true if the text so far is nested deeper than `DEEPEST_INPUT` levels
   */
  read(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) {
        if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#depth += 1;
        if (this.#depth > DEEPEST_INPUT) return true;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
    }
    return false;
  }
}

const MEGABYTE = 1024 * 1024;
/** Minimum memory of a table row, in bytes. */
const SMALLEST_ROW = 64;

/**
 * Maximum number of columns per MB of the unpacked limit. The time to read a table grows with its columns.
 */
const COLUMNS_PER_MB = 4;

/** Default limit for the unpacked size of a data file, in MB of 1,048,576 bytes. */
const UNPACKED_LIMIT = 256;

export interface FileBytes {
  /** SHA-256 of the file before unpacking, in hex. */
  readonly sha256: string;
  /** Kind of the file by its first bytes. Only the file name distinguishes JSON from other text. */
  readonly kind: 'text' | 'json' | 'parquet';
  readonly gzip: boolean;
  /** True if every line of a text file ends with a carriage return alone. */
  readonly endsWithReturns: boolean;
  /** Limit for the unpacked size in MB. */
  readonly unpackedLimit: number;
  /** Reason why the file cannot be read, with its line if known. */
  readonly fault?: Fault;
}

/**
 * Hashes a file and detects its kind. Reads every byte, so that a damaged archive or binary data is detected.
 *
 * @param unpackedLimit maximum unpacked size of a gzip archive or a Parquet file in MB. Unpacking stops at
 *   the limit. Each row counts as at least 64 bytes, so that many tiny rows are limited too
 */
export async function inspectFile(file: string, unpackedLimit = UNPACKED_LIMIT): Promise<FileBytes> {
  const bytes = { sha256: '', kind: 'text', gzip: false, endsWithReturns: false, unpackedLimit } as const;
  const special = await specialFileFault(file);
  if (special !== undefined) return { ...bytes, fault: special };
  const head = await firstBytes(file, 4);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  const parquet = head.toString('latin1') === 'PAR1';
  const kind = parquet ? 'parquet' : isPlainName(file) ? 'text' : 'json';
  const found = { ...bytes, sha256: await hashOfFile(file), kind, gzip } as const;
  if (parquet) return found;
  if (/\.json$/i.test(file) && head.toString('latin1').startsWith('\xef\xbb\xbf')) {
    const message = 'begins with a byte order mark, which JSON does not allow';
    return { ...found, fault: { where: `${file} line 1`, message, hint: 'save it as UTF-8 without a BOM' } };
  }
  const lines = new LineEnds(file);
  const limit = gzip ? { json: kind === 'json', limit: unpackedLimit } : undefined;
  const message = await textFault(file, head, limit, lines);
  if (message !== undefined) return { ...found, fault: { where: file, message } };
  // The line ends of a JSON file are not checked, because JSON treats a carriage return between tokens as
  // whitespace.
  if (kind === 'json') return found;
  const { fault, areReturns } = lines;
  return { ...found, endsWithReturns: areReturns, ...(fault === undefined ? {} : { fault }) };
}

/** Counts the line ends of a text, chunk by chunk. */
class LineEnds {
  #feeds = 0;
  #returns = 0;
  /** Number of the line that ends with the first carriage return without a line feed. */
  #firstReturn = 0;
  #endsInReturn = false;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(chunk: Buffer): void {
    if (this.#endsInReturn && chunk[0] !== NEWLINE) this.#addReturn();
    this.#endsInReturn = chunk.at(-1) === RETURN;
    let from = 0;
    for (
      let at = chunk.indexOf(RETURN);
      at >= 0 && at < chunk.length - 1;
      at = chunk.indexOf(RETURN, at + 1)
    ) {
      if (chunk[at + 1] === NEWLINE) continue;
      if (this.#returns === 0) {
        this.#feeds += countOf(chunk.subarray(from, at), NEWLINE);
        from = at;
      }
      this.#addReturn();
    }
    this.#feeds += countOf(chunk.subarray(from), NEWLINE);
  }

  end(): void {
    // A carriage return at the end of the text is counted only if the text has no LF or CRLF line ends.
    // Otherwise it is harmless.
    if (this.#endsInReturn && (this.#returns > 0 || this.#feeds === 0)) this.#addReturn();
  }

  #addReturn(): void {
    if (this.#returns === 0) this.#firstReturn = this.#feeds + 1;
    this.#returns += 1;
  }

  /** True if every line ends with a carriage return without a line feed. */
  get areReturns(): boolean {
    return this.#returns > 0 && this.#feeds === 0;
  }

  /**
   * Fault of a text that contains both line feeds and carriage returns without a line feed. Such a carriage
   * return may be data instead of a line end.
   */
  get fault(): Fault | undefined {
    if (this.#returns === 0 || this.#feeds === 0) return undefined;
    return {
      where: `${this.#file} line ${this.#firstReturn}`,
      message: 'ends with a carriage return alone, and other lines end with a line feed',
      hint: 'end every line with LF or CRLF',
    };
  }
}

/**
 * Returns the fault of a path that is not a regular file. A FIFO, a socket or a device may never end or never
 * send a byte.
 */
export async function specialFileFault(file: string): Promise<Fault | undefined> {
  const entry = await stat(file);
  const kind = entry.isFIFO()
    ? 'a FIFO (named pipe)'
    : entry.isSocket()
      ? 'a socket'
      : entry.isFile() || entry.isDirectory()
        ? undefined
        : 'a device';
  if (kind === undefined) return undefined;
  return {
    where: file,
    message: `is ${kind}, not a regular file`,
    hint: 'remove it, or copy its content to a regular file',
  };
}

/** Returns true unless a file name has a JSON extension (.json, .ndjson or .jsonl, also with .gz). */
export function isPlainName(file: string): boolean {
  return !/\.(json|ndjson|jsonl)(\.gz)?$/i.test(file);
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// Returns the fault of a text file. A truncated archive is a fault, because DuckDB reads it as if it were
// complete. The character 0x1f is a fault, because `table.ts` uses this character as the delimiter.
async function textFault(
  file: string,
  head: Buffer,
  gzip: { readonly json: boolean; readonly limit: number } | undefined,
  lines: LineEnds,
): Promise<string | undefined> {
  if (head.length === 0) return 'the file is empty';
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    return 'the file is UTF-16 text; save it as UTF-8';
  }
  const stored = createReadStream(file);
  const unpacking = gzip === undefined ? undefined : createGunzip();
  // `pipe` does not forward read errors. A read error of the file is therefore passed to the unpacking stream
  // explicitly.
  if (unpacking !== undefined) stored.on('error', (error) => unpacking.destroy(error)).pipe(unpacking);
  const content = unpacking ?? stored;
  const depth = isPlainName(file) ? undefined : new JsonDepth();
  let [bytes, rows] = [0, 0];
  try {
    for await (const chunk of content) {
      if ((chunk as Buffer).includes(0) || (chunk as Buffer).includes(0x1f))
        return 'the file contains binary data, not text';
      lines.read(chunk as Buffer);
      if (depth?.read(chunk as Buffer) === true) return `is ${TOO_DEEP}`;
      if (gzip === undefined) continue;
      bytes += (chunk as Buffer).length;
      rows += countOf(chunk as Buffer, gzip.json ? OPENING : NEWLINE);
      if (isTooMuch(bytes, rows, gzip.limit)) return tooMuch('archive', gzip.limit);
    }
  } catch (error) {
    if (gzip === undefined) throw error;
    return 'the gzip archive is damaged or cut off';
  } finally {
    stored.destroy();
    unpacking?.destroy();
  }
  lines.end();
  return undefined;
}

const [NEWLINE, RETURN, OPENING] = [0x0a, 0x0d, 0x7b];

function countOf(bytes: Buffer, wanted: number): number {
  let count = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) count += 1;
  return count;
}

/** Returns true if the contents exceed a limit in MB. */
function isTooMuch(bytes: number, rows: number, limit: number): boolean {
  return Math.max(bytes, rows * SMALLEST_ROW) > limit * MEGABYTE;
}

function tooMuch(what: 'archive' | 'Parquet file', limit: number): string {
  const rows = Math.floor((limit * MEGABYTE) / SMALLEST_ROW).toLocaleString('en-US');
  return `the ${what} unpacks to more than ${limit} MB or ${rows} rows; allow more with --max-unpacked MB`;
}

/** Maximum number of columns of a table: 1,024 by default. */
export function mostColumns(limit = UNPACKED_LIMIT): number {
  return limit * COLUMNS_PER_MB;
}

export function tooWide(columns: number, limit: number): string {
  const needed = Math.ceil(columns / COLUMNS_PER_MB);
  return `the file has ${columns} columns; at most ${mostColumns(limit)} are read. Remove columns, or allow more with --max-unpacked ${needed}`;
}

/**
 * Minimum memory of a value in bytes. A Parquet file may store repeated values in almost no space, so the
 * size of the file does not limit the memory.
 */
const SMALLEST_VALUE = 8;
/**
 * DuckDB types whose values are always short as text. Columns of these types need no check of text lengths.
 */
const SHORT =
  /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|DATE|TIME.*|TIMESTAMP.*|UUID)$/;
/** Memory that reading may need in addition to the values, in MB. */
const BESIDE = 256;

/**
 * Returns the reason why a Parquet file is too large to be read, as a message for the user.
 *
 * The metadata (rows, values, bytes of pages) are checked first. Repeated texts need almost no space in the
 * file. The lengths of texts are therefore counted without storing the texts. If the metadata are wrong, the
 * count may reach its memory limit, and the file is refused.
 *
 * @param limit maximum unpacked size in MB
 */
export async function parquetFault(
  database: Database,
  file: string,
  limit: number,
): Promise<string | undefined> {
  const path = sqlPath(file);
  const [said] = await database.rows(`SELECT
    (SELECT coalesce(sum(num_rows), 0)::DOUBLE FROM parquet_file_metadata(${path})),
    (SELECT coalesce(sum(num_values), 0)::DOUBLE FROM parquet_metadata(${path})),
    (SELECT coalesce(sum(total_uncompressed_size), 0)::DOUBLE FROM parquet_metadata(${path}))`);
  const [rows, values, bytes] = said as [number, number, number];
  if (isTooMuch(Math.max(bytes, values * SMALLEST_VALUE), rows, limit)) return tooMuch('Parquet file', limit);
  const columns = await database.rows(
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(${path}))`,
  );
  const long = columns.filter(([, type]) => !SHORT.test(String(type))).map(([name]) => sqlName(String(name)));
  if (long.length === 0) return undefined;
  const lengths = long.map((name) => `coalesce(sum(strlen(${name}::VARCHAR)), 0)`).join(' + ');
  await database.run(`SET memory_limit = '${limit * 2 + BESIDE}MB'`);
  try {
    const [counted] = await database.rows(`SELECT (${lengths})::DOUBLE FROM read_parquet(${path})`);
    return isTooMuch(counted![0] as number, rows, limit) ? tooMuch('Parquet file', limit) : undefined;
  } catch (error) {
    if (error instanceof Error && /out of memory/i.test(error.message)) return tooMuch('Parquet file', limit);
    throw error;
  } finally {
    await database.run('RESET memory_limit');
  }
}

/** Called with the number of bytes read so far, and the total number of bytes of all files. */
export type ReadProgress = (done: number, total: number) => void;

/** Counts the bytes read from several files. */
export class BytesRead {
  readonly #sizes: readonly number[];
  readonly #total: number;
  readonly #report: ReadProgress;
  #file = -1;
  #before = 0;

  private constructor(sizes: readonly number[], report: ReadProgress) {
    this.#sizes = sizes;
    this.#total = sizes.reduce((sum, size) => sum + size, 0);
    this.#report = report;
  }

  /**
   * Returns a counter. `undefined` if there is no function to report to. A file whose size cannot be read
   * counts as 0 bytes.
   */
  static async of(
    files: readonly string[],
    report: ReadProgress | undefined,
  ): Promise<BytesRead | undefined> {
    if (report === undefined) return undefined;
    const sizes = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return new BytesRead(sizes, report);
  }

  /** Begins the next file. Returns a function to call with the number of bytes read from this file. */
  startFile(): (done: number) => void {
    this.#file += 1;
    return (done) => this.#report(this.#before + done, this.#total);
  }

  endFile(): void {
    this.#before += this.#sizes[this.#file]!;
    this.#report(this.#before, this.#total);
  }
}
