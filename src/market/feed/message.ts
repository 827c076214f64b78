import { z } from 'zod';
import { AppError, type Instant, issueText, parseInstant } from '../../kernel/index.ts';
import { type BarSeries, mapColumns } from '../bars/bar-columns.ts';
import { type Market, trusted } from '../market.ts';
import { keepInterval } from '../reading/one-interval.ts';

/** One bar that a feed has sent, after parsing. */
export interface FeedMessage {
  /** `undefined` if the feed has one symbol and does not name it. */
  readonly symbol: string | undefined;
  readonly time: number;
  readonly values: BarNumbers;
  /** True if the feed states that the bar has ended, false if it states that it has not. */
  readonly final: boolean | undefined;
}

/** Bars and faults of one document of a feed. */
export interface FeedDocument {
  readonly messages: readonly FeedMessage[];
  /** Time of the server in milliseconds since 1970, if the document states it. */
  readonly serverTime?: number | undefined;
  /** Descriptions of the items that are not bars. */
  readonly faults: readonly string[];
}

const number = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .refine(Number.isFinite, { error: 'is not a number' });

const instant = z.union([z.number(), z.string()]).transform((value, context) => {
  const time = typeof value === 'number' ? value : /^\d{9,}$/.test(value) ? Number(value) : parseTime(value);
  if (time !== undefined && Number.isFinite(time)) return time;
  context.addIssue({ code: 'custom', message: `"${value}" is not a date` });
  return z.NEVER;
});

// Cuts fractions of a second to milliseconds, because providers send up to nanoseconds.
function parseTime(text: string): number | undefined {
  return parseInstant(text.replace(/(\.\d{3})\d+/, '$1'));
}

/** Bar in the format documented in docs/forward.md. */
const plainBar = z
  .object({
    symbol: z.string().optional(),
    time: instant,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number.default(1),
    final: z.boolean().optional(),
  })
  .transform(({ symbol, time, open, high, low, close, volume, final }) =>
    messageOf(symbol, time, [open, high, low, close, volume], final),
  );

/** Bar of a stock data provider, with one-letter names. The symbol is in `S` or in the enclosing document. */
const shortBar = z
  .object({
    S: z.string().optional(),
    t: instant,
    o: number,
    h: number,
    l: number,
    c: number,
    v: number.default(1),
  })
  .transform((bar) => messageOf(bar.S, bar.t, [bar.o, bar.h, bar.l, bar.c, bar.v], undefined));

/** Candle of a crypto exchange's REST interface: an array of the time, then prices and volume as texts. */
const candleRow = z
  .tuple([instant, number, number, number, number, number], z.unknown())
  .transform(([time, open, high, low, close, volume]) =>
    messageOf(undefined, time, [open, high, low, close, volume], undefined),
  );

/** Candle of a crypto exchange's WebSocket. `x` is true in the last message about a bar. */
const candleEvent = z
  .object({
    E: z.number().optional(),
    s: z.string(),
    k: z.object({ t: instant, o: number, h: number, l: number, c: number, v: number, x: z.boolean() }),
  })
  .transform(({ s, k }) => messageOf(s, k.t, [k.o, k.h, k.l, k.c, k.v], k.x));

function messageOf(
  symbol: string | undefined,
  time: number,
  values: BarNumbers,
  final: boolean | undefined,
): FeedMessage {
  return { symbol: symbol?.trim().toUpperCase(), time, values, final };
}

/**
 * Reads one document of a feed: a bar, an array of bars, or an object with `bars`. Messages about the
 * connection, such as an accepted subscription, contain no bar and are ignored.
 */
export function readFeedDocument(document: unknown): FeedDocument {
  const messages: FeedMessage[] = [];
  const faults: string[] = [];
  take(document, undefined, messages, faults, 0);
  const serverTime = fieldsOf(document)?.E;
  return { messages, faults, ...(typeof serverTime === 'number' ? { serverTime } : {}) };
}

/** Maximum depth of nested arrays and objects in which bars are searched. */
const DEEPEST = 8;
/** Largest number of faults of one document that are described. */
const MOST_FAULTS = 5;

function take(
  value: unknown,
  symbol: string | undefined,
  messages: FeedMessage[],
  faults: string[],
  depth: number,
): void {
  if (depth > DEEPEST) {
    fault(faults, `nested deeper than ${DEEPEST} levels`);
    return;
  }
  if (Array.isArray(value) && !isCandleRow(value)) {
    for (const one of value) take(one, symbol, messages, faults, depth + 1);
    return;
  }
  const fields = fieldsOf(value);
  if (fields?.bars !== undefined && fields.bars !== null) {
    const named = typeof fields.symbol === 'string' ? fields.symbol : symbol;
    const bySymbol = Array.isArray(fields.bars) ? undefined : fieldsOf(fields.bars);
    if (bySymbol === undefined) take(fields.bars, named, messages, faults, depth + 1);
    else for (const [name, bars] of Object.entries(bySymbol)) take(bars, name, messages, faults, depth + 1);
    return;
  }
  if (fields?.data !== undefined && fields.stream !== undefined) {
    take(fields.data, symbol, messages, faults, depth + 1);
    return;
  }
  const schema = schemaOf(value, fields);
  if (schema === undefined) return;
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    messages.push({ ...parsed.data, symbol: parsed.data.symbol ?? symbol?.trim().toUpperCase() });
    return;
  }
  const [issue] = parsed.error.issues;
  const text = `${issue?.path.join('.') ?? ''} ${issue === undefined ? '' : issueText(issue, value)}`;
  fault(faults, text.trim().slice(0, LONGEST_FAULT));
}

/** Longest description of a fault, in characters. */
const LONGEST_FAULT = 200;

function fault(faults: string[], text: string): void {
  if (faults.length < MOST_FAULTS) faults.push(text);
  else faults[MOST_FAULTS] = 'more parts of this document are not bars';
}

function schemaOf(value: unknown, fields: Readonly<Record<string, unknown>> | undefined) {
  if (Array.isArray(value)) return candleRow;
  if (fields === undefined) return plainBar;
  if ('k' in fields) return candleEvent;
  if ('time' in fields || 'open' in fields) return plainBar;
  if ('t' in fields && 'o' in fields) return shortBar;
  return undefined;
}

function isCandleRow(value: readonly unknown[]): boolean {
  return value.length >= 6 && (typeof value[0] === 'number' || typeof value[0] === 'string');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** Open, high, low, close and volume of one bar. */
export type BarNumbers = readonly [open: number, high: number, low: number, close: number, volume: number];

/** Maximum number of bars that can be appended: two years of one-minute bars. */
const ROOM = 2 ** 20;

/** Market to which bars can be appended. Its columns grow in place, so all their readers see the new bars. */
export interface GrowingMarket {
  readonly market: Market;
  /**
   * Appends the bars of one instant.
   *
   * @param bars by symbol; symbols without a bar at this instant are omitted
   * @throws AppError `feed_too_long` if more than `ROOM` bars of a symbol are appended
   */
  append(time: Instant, bars: ReadonlyMap<string, BarNumbers>): void;
}

/** Returns a copy of a market to which bars can be appended. At first it contains only the given history. */
export function growingMarket(history: Market): GrowingMarket {
  const series: BarSeries[] = history.series.map(({ extra: _, ...one }) =>
    mapColumns(keepInterval(one), growing),
  );
  const single = series.length === 1;
  const clock = single ? series[0]!.time : growing(history.clock);
  const market = trusted({ ...history, series, clock, growing: true });
  return {
    market,
    append(time, bars) {
      for (const one of series) {
        const values = bars.get(one.symbol);
        if (values === undefined) continue;
        push(one.time, time);
        push(one.open, values[0]);
        push(one.high, values[1]);
        push(one.low, values[2]);
        push(one.close, values[3]);
        push(one.volume, values[4]);
      }
      if (!single) push(clock, time);
    },
  };
}

/**
 * Returns a copy of a column that can grow. A typed array without a fixed length grows with its buffer, so
 * existing references see the appended values.
 */
function growing(column: Float64Array): Float64Array {
  const size = column.byteLength;
  const copy = new Float64Array(
    new ArrayBuffer(size, { maxByteLength: size + ROOM * column.BYTES_PER_ELEMENT }),
  );
  copy.set(column);
  return copy;
}

function push(column: Float64Array, value: number): void {
  const buffer = column.buffer as ArrayBuffer;
  const size = buffer.byteLength + column.BYTES_PER_ELEMENT;
  if (size > buffer.maxByteLength)
    throw new AppError({
      code: 'feed_too_long',
      message: `The feed has more than ${ROOM} bars.`,
      hint: 'Start a new forward run whose history includes these bars.',
      kind: 'run',
    });
  buffer.resize(size);
  column[column.length - 1] = value;
}
