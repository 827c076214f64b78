/**
 * Paths and manifests of a catalogue, a folder of downloaded or converted bars. A file is
 * `<root>/interval=1min/symbol=AAPL/2024.parquet`, with a `manifest.json` per symbol folder. Daily and longer
 * bars of a symbol are one file, `all.parquet`.
 */

import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  AppError,
  DAY,
  type Fault,
  type Instant,
  messageOf,
  nearest,
  parseJsonInput,
} from '../../kernel/index.ts';
import { parseInterval } from '../bars/interval.ts';
import { DATA_FILE } from '../reading/find-files.ts';

const text = z.string();

/** Schema of `manifest.json` for one symbol and interval in a catalogue. */
const catalogManifestSchema = z.strictObject({
  schema: z.literal(1),
  symbol: text,
  interval: text,
  /** Names of numeric columns in addition to the prices and the volume. */
  columns: z.array(text),
  parts: z.array(
    z.strictObject({
      file: text.regex(/^(all|\d{4})\.parquet$/),
      sha256: text,
      bars: z.number().int().min(1),
      firstBar: text,
      lastBar: text,
    }),
  ),
  /** Requests to data sources, oldest first. */
  obtained: z.array(
    z.strictObject({
      source: text,
      /** Parameters of the request, without API keys. */
      query: z.record(text, text),
      /** Time at which the response was received. */
      time: text,
      /** First and last date that the response covers, both included. */
      from: text,
      to: text,
      bars: z.number().int().min(0),
      /** SHA-256 of the response or the file, in hex. */
      sha256: text,
    }),
  ),
});

export type CatalogManifest = z.infer<typeof catalogManifestSchema>;

export const MANIFEST_FILE = 'manifest.json';

/**
 * Reads the manifest of a symbol.
 *
 * @param folder folder of one symbol
 * @returns undefined if the folder has no manifest
 * @throws AppError `bad_catalog` for a manifest that cannot be read or is invalid
 */
export function readManifest(folder: string): CatalogManifest | undefined {
  const file = path.join(folder, MANIFEST_FILE);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw badCatalog(`${file} cannot be read (${messageOf(error)})`, error);
  }
  try {
    return catalogManifestSchema.parse(parseJsonInput(content));
  } catch (error) {
    throw badCatalog(`${file} is not the manifest of a catalogue`, error);
  }
}

export function badCatalog(message: string, cause?: unknown): AppError {
  return new AppError({
    code: 'bad_catalog',
    message: `The catalogue cannot be used: ${message}.`,
    hint: 'Move this folder away, then download or convert its data again.',
    cause,
  });
}

/** Root folder of the catalogue if a reference contains no folder, as in `@AAPL`. */
const CATALOG_ROOT = 'data/catalog';

/** Parsed reference: `@AAPL`, `@AAPL:1h` or `folder/@BTC*`. */
export interface CatalogReference {
  readonly text: string;
  readonly root: string;
  /** Symbol in capitals. `*` matches any characters. */
  readonly pattern: string;
  /** Interval in the notation of the catalogue's folders, if given. */
  readonly interval?: string;
}

const REFERENCE = /^(?:(.*)\/)?@([^@]+)$/;
const INTERVAL = /:(\d+(?:ms|s|min|h|d|w|mo))$/i;

/**
 * Parses a reference to a catalogue, such as `@AAPL`.
 *
 * @returns undefined if the text is not a reference, or if a file with this name exists
 */
export function referenceOf(named: string): CatalogReference | undefined {
  const match = REFERENCE.exec(named.trim());
  if (match === null || existsSync(named)) return undefined;
  const interval = INTERVAL.exec(match[2]!)?.[1]?.toLowerCase();
  const pattern = match[2]!.replace(INTERVAL, '').toUpperCase();
  const root = match[1] === undefined ? CATALOG_ROOT : match[1] === '' ? '/' : match[1];
  return { text: named, root, pattern, ...(interval === undefined ? {} : { interval }) };
}

/** True if a reference matches a symbol. */
export function isMeant(symbol: string, { pattern }: CatalogReference): boolean {
  if (!pattern.includes('*')) return symbol === pattern;
  const letters = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${letters.join('.*')}$`).test(symbol);
}

export function symbolFolder(root: string, interval: string, symbol: string): string {
  return path.join(root, `interval=${interval}`, `symbol=${folderName(symbol)}`);
}

// Encodes characters that are invalid in file names, such as `*`, in the way DuckDB and pandas do.
function folderName(symbol: string): string {
  return encodeURIComponent(symbol).replaceAll(/^\.|\*|\.$/g, (letter) => (letter === '*' ? '%2A' : '%2E'));
}

/** Returns the name of the file that contains a bar of this time. */
export function partOf(time: Instant, interval: string): string {
  if (parseInterval(interval).milliseconds >= DAY) return 'all.parquet';
  return `${new Date(time).getUTCFullYear()}.parquet`;
}

const SOURCE = 'source=';

/**
 * Returns the tables of a catalogue that a reference matches. A table is a file of other data than bars, such
 * as an economic series. For example, `@GDP` and `@fred/GDP` match `<root>/source=fred/GDP.parquet`.
 *
 * @returns a fault if no table matches, or if several sources have the table
 */
export async function findTables(reference: CatalogReference): Promise<readonly string[] | Fault> {
  const { root, text: where } = reference;
  const sources = (await entriesOf(root)).filter((name) => name.startsWith(SOURCE));
  const tables: { readonly name: string; readonly source: string; readonly file: string }[] = [];
  for (const folder of sources.sort())
    for (const file of (await entriesOf(path.join(root, folder))).sort())
      if (DATA_FILE.test(file) && !file.startsWith('.'))
        tables.push({
          name: file.replace(DATA_FILE, '').toUpperCase(),
          source: folder.slice(SOURCE.length).toUpperCase(),
          file: path.join(root, folder, file),
        });
  if (tables.length === 0)
    return {
      where,
      message: `the catalogue in ${root} has only bars, no other table`,
      hint: `create one with sandtable data download fred, or put files into ${path.join(root, `${SOURCE}NAME`)}`,
    };
  const found = tables.filter(
    ({ name, source }) => isMeant(name, reference) || isMeant(`${source}/${name}`, reference),
  );
  if (found.length === 0) {
    const known = [...new Set(tables.map(({ name }) => name))].sort();
    const meant = nearest(reference.pattern, known);
    const hint = meant === undefined ? `it has ${known.slice(0, 20).join(', ')}` : `did you mean @${meant}?`;
    return { where, message: `the catalogue in ${root} has no such table`, hint };
  }
  if (!reference.pattern.includes('*') && found.length > 1) {
    const hint = `choose one: ${found.map(({ name, source }) => `@${source.toLowerCase()}/${name}`).join(' or ')}`;
    return { where, message: `the catalogue in ${root} has several of them`, hint };
  }
  return found.map(({ file }) => file);
}

async function entriesOf(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
