import {
  featuresOf,
  type GrowingFeature,
  type KnownRows,
  sessionRows,
  type Window,
} from '../market/index.ts';
import type { Feed, KnownFeed, RequestHeader } from './protocol.ts';
import type { PublishedTable, SandboxCall } from './sandbox-call.ts';

/**
 * Bars that a sandbox child (the process that runs Python) has received, by symbol. `count`: number of bars
 * sent, including adjusted bars that were sent again. `revealed`: number of bars that the engine had revealed
 * at that time. `rebasings`: number of price adjustments at that time. `session`: date of the last trading
 * session that was sent.
 */
export type BarsSent = Map<
  string,
  { count: number; revealed: number; rebasings: number; session?: number | undefined }
>;

/**
 * Feature rows that a child has received, by table of features (also called group). `group`: number that
 * identifies the table in the child. `count`: number of rows sent.
 */
type RowsSent = Map<KnownRows, { readonly group: number; count: number }>;

// The keys of both maps are the `BarsSent` of children. A restarted child has a new key, because it has
// received neither bars nor rows.
const rowsSent = new WeakMap<BarsSent, RowsSent>();
/**
 * Number of rows that a child has received of each table in `SandboxCall.published`, by name of the table.
 */
const publishedSent = new WeakMap<BarsSent, Map<string, number>>();

/**
 * Returns the bars and rows that a child has not received yet, in the format of `protocol.ts`. Records them
 * as sent.
 *
 * @param all bars that the child has received. The function updates this map
 */
export function pendingBars(
  all: BarsSent,
  windows: readonly Window[],
  published: readonly PublishedTable[] = [],
): { readonly feeds: Feed[]; readonly known: KnownFeed[]; readonly binary: Uint8Array } {
  // An empty map means that the process is new or was reset. It has then received no rows of tables either.
  if (all.size === 0) publishedSent.delete(all);
  const feeds: Feed[] = [];
  const columns: Float64Array[] = [];
  const known: KnownFeed[] = [];
  for (const window of windows) {
    let sent = all.get(window.symbol);
    if (sent === undefined) {
      sent = { count: 0, revealed: 0, rebasings: 0 };
      all.set(window.symbol, sent);
    }
    const features = window.features.length === 0 ? NONE : featuresOf(window);
    if (features.length > 0) known.push(...pendingRows(all, features));
    // A split, dividend or roll adjusts earlier prices. The adjusted history is then sent again and stored
    // after the earlier bars. `visibleBars` refers to the newer copy.
    const isRebased = window.rebasings.length > sent.rebasings;
    const count = isRebased ? window.length : Math.min(window.revealed - sent.revealed, window.length);
    if (count === 0) continue;
    const { time, open, high, low, close, volume } = window;
    for (const column of [time, open, high, low, close, volume]) columns.push(column.tail(count));
    if (window.sessions !== undefined) {
      const rows = sessionRows(window.sessions, time.tail(count), sent.session);
      if (rows.length > 0)
        known.push({ symbol: window.symbol, early: window.sessions.early, sessions: rows });
      sent.session = rows.at(-1)?.[1] ?? sent.session;
    }
    feeds.push({ symbol: window.symbol, count, ...featureFeed(features, count, columns) });
    sent.count += count;
    sent.revealed = window.revealed;
    sent.rebasings = window.rebasings.length;
  }
  known.push(...published.flatMap((table) => pendingPublished(all, table)));
  const binary = new Uint8Array(columns.reduce((bytes, column) => bytes + column.byteLength, 0));
  let offset = 0;
  for (const column of columns) {
    binary.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return { feeds, known, binary };
}

const NONE: readonly GrowingFeature[] = [];

function featureFeed(
  features: readonly GrowingFeature[],
  count: number,
  columns: Float64Array[],
): Pick<Feed, 'features'> {
  if (features.length === 0) return {};
  const numbers: string[] = [];
  const others: string[] = [];
  const values: (string | boolean | null)[][] = [];
  for (const feature of features) {
    const newest = feature.tail(count);
    if (newest instanceof Float64Array) {
      numbers.push(feature.name);
      columns.push(newest);
    } else {
      others.push(feature.name);
      values.push(newest.map((value) => (typeof value === 'number' ? String(value) : value)));
    }
  }
  return { features: { numbers, others, values } };
}

function pendingRows(all: BarsSent, features: readonly GrowingFeature[]): KnownFeed[] {
  let sent = rowsSent.get(all);
  if (sent === undefined) {
    sent = new Map();
    rowsSent.set(all, sent);
  }
  const news: KnownFeed[] = [];
  for (const rows of groupsOf(features)) {
    let held = sent.get(rows);
    if (held === undefined) {
      held = { group: sent.size, count: 0 };
      sent.set(rows, held);
    }
    if (held.count === rows.length) continue;
    const { names } = rows;
    const from = held.count;
    news.push({
      group: held.group,
      names,
      rows: Array.from({ length: rows.length - from }, (_, index) => [
        rows.dateOf(from + index),
        rows.availableAt(from + index),
        ...names.map((_name, column) => rows.valueOf(from + index, column)),
      ]),
    });
    held.count = rows.length;
  }
  return news;
}

function pendingPublished(all: BarsSent, { name, length, rowAt }: PublishedTable): KnownFeed[] {
  const sent = publishedSent.get(all) ?? new Map<string, number>();
  publishedSent.set(all, sent);
  const from = sent.get(name) ?? 0;
  if (from >= length) return [];
  sent.set(name, length);
  return [{ table: name, rows: Array.from({ length: length - from }, (_, row) => rowAt(from + row)) }];
}

function groupsOf(features: readonly GrowingFeature[]): Set<KnownRows> {
  return new Set(features.flatMap(({ known }) => known.map(({ rows }) => rows)));
}

/** Returns, for each table of features that a window contains, the number of rows that are visible now. */
export function knownRows(window: Window): readonly number[] {
  if (window.features.length === 0) return [];
  return [...groupsOf(featuresOf(window))].map((rows) => rows.length);
}

/**
 * Returns, for each symbol, the bars and rows in the child that a call can read. The readable bars are those
 * from position `start` up to, but not including, position `length` in the child's bars.
 */
export function visibleBars(
  all: BarsSent,
  { windows, sight }: SandboxCall,
): {
  readonly symbol: string;
  readonly start: number;
  readonly length: number;
  /** True if the run limits the number of visible bars (look-back), so that earlier bars are hidden. */
  readonly isCut?: true;
  /** Time from a bar's timestamp to its end: milliseconds, and months for monthly bars. */
  readonly barLength?: readonly [milliseconds: number, months: number | null];
  /**
   * Tables of features (groups) for the symbol: number that identifies the table in the child, and number of
   * rows that the call can read.
   */
  readonly known?: readonly (readonly [group: number, count: number])[];
}[] {
  const held = rowsSent.get(all);
  return windows.map((window) => {
    const sent = all.get(window.symbol)?.count ?? 0;
    const earlier = sight?.get(window.symbol);
    const { revealed, length } = earlier ?? window;
    const end = Math.max(0, sent - (window.revealed - revealed));
    const { barLength } = window;
    const bars = {
      symbol: window.symbol,
      start: Math.max(0, end - length),
      length: end,
      ...(revealed > length ? { isCut: true as const } : {}),
      ...(barLength === undefined
        ? {}
        : { barLength: [barLength.milliseconds, barLength.months ?? null] as const }),
    };
    if (held === undefined || window.features.length === 0) return bars;
    const known = [...groupsOf(featuresOf(window))].map(
      (rows, index) => [held.get(rows)!.group, earlier?.known?.[index] ?? rows.length] as const,
    );
    return { ...bars, known };
  });
}

type Aligned = NonNullable<Extract<RequestHeader, { type: 'call' }>['aligned']>;

const MENTION = /\bframe\b/;
const CALL = /\bframe\s*\(\s*(?:column\s*=\s*)?(['"])([^'"\\]{1,200})\1/g;

/**
 * Returns the columns that agent code requests from `frame`, the Python function that returns one column of
 * several symbols. The child aligns these columns by date before it starts the code and its time limit.
 *
 * The columns are found by a text search. Python aligns other columns when the code requests them.
 * `undefined` if the code does not contain the word `frame`.
 */
export function frameColumns(
  { code, expr }: Readonly<Record<string, unknown>>,
  symbols: readonly string[],
): Aligned | undefined {
  const text = typeof code === 'string' ? code : typeof expr === 'string' ? expr : '';
  if (symbols.length === 0 || !MENTION.test(text)) return undefined;
  const columns = new Set([...text.matchAll(CALL)].map(([, , column]) => column!));
  if (/\bframe\s*\(\s*\)/.test(text)) columns.add('close');
  return { symbols, columns: [...columns] };
}
