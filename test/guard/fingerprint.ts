import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Events of the journal that record orders, fills, trades and money. */
const EVENT =
  /^(bar|order_|trade_|target_|rebalance|dividend|interest|funding|fee|roll|split|liquidat|borrow|run_finished)/;
/** Values that are dates, decimals or short codes. Longer texts are prose, which may be reworded. */
const DATA_TEXT =
  /^(-?\d+(\.\d+)?(e[+-]?\d+)?|\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?|[A-Z0-9._/-]{1,20}|[a-z_]{1,30})$/;
/** Fields of the summary whose values depend on the folder's name or on earlier runs. */
const VOLATILE = new Set([
  'runId',
  'luck',
  'looks',
  'deflatedSharpe',
  'trialsSeen',
  'store',
  'usage',
  'alarms',
  'verdict',
]);

/** Returns `value` without prose: numbers, booleans, decimals, dates and codes remain. */
function dataOf(value: unknown): unknown {
  if (typeof value === 'string') return DATA_TEXT.test(value) ? value : undefined;
  if (Array.isArray(value)) return value.map(dataOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VOLATILE.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, dataOf(inner)]),
  );
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of `value` as JSON. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** Hashes of one run: tables byte for byte, events and figures without prose. */
export interface RunHashes {
  readonly equity: string;
  readonly trades: string;
  readonly events: string;
  readonly figures: string;
}

/**
 * Returns the hashes of a finished run folder.
 *
 * @throws if a file of the run is missing
 */
export function hashesOfRun(folder: string): RunHashes {
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const events = text('journal.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string })
    .filter(({ type }) => EVENT.test(type));
  return {
    equity: hashOf(text('equity.csv')),
    trades: hashOf(text('trades.csv')),
    events: hashOf(events.map(dataOf)),
    figures: hashOf(dataOf(JSON.parse(text('summary.json')))),
  };
}

/** Returns the hash of a result file such as `sweep.json`, without prose. */
export function hashOfResult(folder: string, names: readonly string[]): string {
  const name = names.find((one) => existsSync(join(folder, one)));
  if (name === undefined) throw new Error(`${folder} has none of ${names.join(', ')}`);
  return hashOf(dataOf(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}
