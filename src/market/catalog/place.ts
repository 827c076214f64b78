/**
 * Paths within a catalogue: `<root>/interval=1min/symbol=AAPL/2024.parquet`, with a `manifest.json` per
 * symbol folder. Daily and longer bars are one file, `all.parquet`.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DAY, type Instant } from '../../kernel/index.ts';
import { parseInterval } from '../interval.ts';

/** Root of the catalogue for references such as `@AAPL`. */
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

/** @returns undefined for other paths, and for paths that exist */
export function referenceOf(named: string): CatalogReference | undefined {
  const match = REFERENCE.exec(named.trim());
  if (match === null || existsSync(named)) return undefined;
  const interval = INTERVAL.exec(match[2]!)?.[1]?.toLowerCase();
  const pattern = match[2]!.replace(INTERVAL, '').toUpperCase();
  const root = match[1] === undefined ? CATALOG_ROOT : match[1] === '' ? '/' : match[1];
  return { text: named, root, pattern, ...(interval === undefined ? {} : { interval }) };
}

/** Returns true if a reference matches a symbol. */
export function isMeant(symbol: string, { pattern }: CatalogReference): boolean {
  if (!pattern.includes('*')) return symbol === pattern;
  const letters = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${letters.join('.*')}$`).test(symbol);
}

export function symbolFolder(root: string, interval: string, symbol: string): string {
  return path.join(root, `interval=${interval}`, `symbol=${folderName(symbol)}`);
}

// Characters with a special meaning in file systems are percent-encoded, as in DuckDB and pandas.
function folderName(symbol: string): string {
  return encodeURIComponent(symbol).replaceAll(/^\.|\*|\.$/g, (letter) => (letter === '*' ? '%2A' : '%2E'));
}

/** Returns the name of the file that contains a bar of this time. */
export function partOf(time: Instant, interval: string): string {
  if (parseInterval(interval).milliseconds >= DAY) return 'all.parquet';
  return `${new Date(time).getUTCFullYear()}.parquet`;
}
