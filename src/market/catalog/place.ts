/**
 * Where a catalogue keeps what: `<root>/interval=1min/symbol=AAPL/2024.parquet`, and `manifest.json` beside the parts of a
 * symbol. Bars of a day and longer are one part, `all.parquet`.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DAY, type Instant } from '../../kernel/index.ts';
import { parseInterval } from '../interval.ts';

/** The catalogue that `@AAPL` means. */
const CATALOG_ROOT = 'data/catalog';

/** What `@AAPL`, `@AAPL:1h` or `folder/@BTC*` names. */
export interface CatalogReference {
  readonly text: string;
  readonly root: string;
  /** A symbol in capitals; `*` stands for any letters. */
  readonly pattern: string;
  /** As the catalogue's folders have it, where it was said. */
  readonly interval?: string;
}

const REFERENCE = /^(?:(.*)\/)?@([^@]+)$/;
const INTERVAL = /:(\d+(?:ms|s|min|h|d|w|mo))$/i;

/** @returns undefined for a path of another kind, and for one that is there */
export function referenceOf(named: string): CatalogReference | undefined {
  const match = REFERENCE.exec(named.trim());
  if (match === null || existsSync(named)) return undefined;
  const interval = INTERVAL.exec(match[2]!)?.[1]?.toLowerCase();
  const pattern = match[2]!.replace(INTERVAL, '').toUpperCase();
  const root = match[1] === undefined ? CATALOG_ROOT : match[1] === '' ? '/' : match[1];
  return { text: named, root, pattern, ...(interval === undefined ? {} : { interval }) };
}

/** Whether a symbol is meant by a reference. */
export function isMeant(symbol: string, { pattern }: CatalogReference): boolean {
  if (!pattern.includes('*')) return symbol === pattern;
  const letters = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${letters.join('.*')}$`).test(symbol);
}

export function symbolFolder(root: string, interval: string, symbol: string): string {
  return path.join(root, `interval=${interval}`, `symbol=${folderName(symbol)}`);
}

// What file systems take for something else is written as in addresses, as DuckDB and pandas write it too.
function folderName(symbol: string): string {
  return encodeURIComponent(symbol).replaceAll(/^\.|\*|\.$/g, (letter) => (letter === '*' ? '%2A' : '%2E'));
}

/** The file that a bar belongs to, among those of its symbol. */
export function partOf(time: Instant, interval: string): string {
  if (parseInterval(interval).milliseconds >= DAY) return 'all.parquet';
  return `${new Date(time).getUTCFullYear()}.parquet`;
}
