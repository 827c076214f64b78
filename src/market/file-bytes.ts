import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { hashOfFile } from '../kernel/index.ts';

const MEGABYTE = 1024 * 1024;
/** Bytes of memory that the smallest row of a table takes. */
const SMALLEST_ROW = 64;

/** How much a compressed data file may unpack to, in MB of 1,048,576 bytes. */
const UNPACKED_LIMIT = 256;

export interface FileBytes {
  /** Hex digest of the file as it lies on the disk. */
  readonly sha256: string;
  /** By its first bytes, and by its name to tell JSON from other text. */
  readonly kind: 'text' | 'json' | 'parquet';
  readonly gzip: boolean;
  /** MB that it may unpack to. */
  readonly unpackedLimit: number;
  /** What makes it unfit to read, in words for the user. */
  readonly fault?: string;
}

/**
 * Hashes a file and learns what it is; reads every byte, so that a damaged archive or binary data is found here.
 *
 * @param unpackedLimit MB that a gzip archive, or a Parquet file, may unpack to; beyond it no more is unpacked. Every row counts as at least
 *   64 bytes, so that many tiny rows are bound as well
 */
export async function inspectFile(file: string, unpackedLimit = UNPACKED_LIMIT): Promise<FileBytes> {
  const head = await firstBytes(file, 4);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  const parquet = head.toString('latin1') === 'PAR1';
  const kind = parquet ? 'parquet' : isPlainName(file) ? 'text' : 'json';
  const sha256 = await hashOfFile(file);
  const fault = parquet
    ? undefined
    : await textFault(file, head, gzip ? { json: kind === 'json', limit: unpackedLimit } : undefined);
  return { sha256, kind, gzip, unpackedLimit, ...(fault === undefined ? {} : { fault }) };
}

/** Whether a file's name is that of a table of text. */
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

// DuckDB reads an archive that was cut off as if it ended there, and takes 0x1f as our marker between cells.
async function textFault(
  file: string,
  head: Buffer,
  gzip: { readonly json: boolean; readonly limit: number } | undefined,
): Promise<string | undefined> {
  if (head.length === 0) return 'the file is empty';
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    return 'the file is UTF-16 text; save it as UTF-8';
  }
  const stored = createReadStream(file);
  const unpacking = gzip === undefined ? undefined : createGunzip();
  // A fault of the disk must end the unpacking too.
  if (unpacking !== undefined) stored.on('error', (error) => unpacking.destroy(error)).pipe(unpacking);
  const content = unpacking ?? stored;
  let [bytes, rows] = [0, 0];
  try {
    for await (const chunk of content) {
      if ((chunk as Buffer).includes(0) || (chunk as Buffer).includes(0x1f))
        return 'the file holds binary data, not text';
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
  return undefined;
}

const [NEWLINE, OPENING] = [0x0a, 0x7b];

function countOf(bytes: Buffer, wanted: number): number {
  let count = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) count += 1;
  return count;
}

/** Whether contents go beyond a limit in MB. */
export function isTooMuch(bytes: number, rows: number, limit: number): boolean {
  return Math.max(bytes, rows * SMALLEST_ROW) > limit * MEGABYTE;
}

export function tooMuch(what: 'archive' | 'Parquet file', limit: number): string {
  const rows = Math.floor((limit * MEGABYTE) / SMALLEST_ROW).toLocaleString('en-US');
  return `the ${what} unpacks to more than ${limit} MB or ${rows} rows; allow more with --max-unpacked MB`;
}
