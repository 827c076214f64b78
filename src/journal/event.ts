import { type BarEvent, type RunEvent, shapeFault } from '../engine/index.ts';
import { isDeeperThan, isObject } from '../kernel/index.ts';

/** Minimal fields of an event in a journal. The value of `bar` is not checked. */
export interface AnyEvent extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly bar?: unknown;
}

/**
 * Event that may be from a journal of any version of Sandtable.
 *
 * Only `type` is guaranteed. If `eventFault` finds no fault, the event has all fields of a `RunEvent` that
 * metrics and charts need.
 */
export interface JournalEvent extends AnyEvent {
  readonly bar?: number;
  readonly [field: string]: unknown;
}

export const NO_EVENT = 'is not a journal event';

/**
 * Maximum nesting of objects and lists in a line. Deeper values would overflow the stack of readers. The
 * engine writes lines with less nesting.
 */
const DEEPEST_LINE = 1_000;
/** Minimum length of a line that can be nested too deep, in characters. Each level has two brackets. */
const SHORTEST_DEEP_LINE = 2 * DEEPEST_LINE;

/**
 * Parses a line as an event with any value of `bar`. `undefined` if the line is not an event or is nested too
 * deep.
 */
export function anyEvent(line: string): AnyEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) && !isTooDeep(value, line.length) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a line as an event. `undefined` if the line is not an event or its `bar` is not a bar number. */
export function parseEvent(line: string): JournalEvent | undefined {
  const event = anyEvent(line);
  return event !== undefined && hasSoundBar(event) ? event : undefined;
}

/**
 * Parses many lines as one array, which is faster than parsing line by line.
 *
 * @returns `undefined` if one of the lines is not an event or is nested too deep
 */
export function eventsTogether(lines: string): AnyEvent[] | undefined {
  try {
    const values = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as unknown[];
    if (!values.every(isEvent) || values.length !== lineCount(lines)) return undefined;
    const longest = longestLine(lines);
    return values.some((value) => isTooDeep(value, longest)) ? undefined : values;
  } catch {
    return undefined;
  }
}

/**
 * Counts the lines of a text.
 *
 * @param lines text of at least one line, without a newline at its end
 */
export function lineCount(lines: string): number {
  let count = 1;
  for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * Returns the type at the beginning of a line without parsing the line. `undefined` if the line does not
 * start with a type.
 */
export function typeOfLine(line: string): string | undefined {
  return /^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(line)?.[1];
}

/** True if the field `bar` of the event is missing or a valid bar number. */
export function hasSoundBar(event: AnyEvent): event is JournalEvent {
  const { bar } = event;
  return bar === undefined || (typeof bar === 'number' && Number.isSafeInteger(bar) && bar >= 0);
}

/**
 * Describes the fault of a journal line, as a clause without a subject. `undefined` if the line is valid.
 *
 * @param event `undefined` if the line is not an event
 * @param bars number of `bar` events before this line, which is the expected number of the next bar
 */
export function eventFault(event: AnyEvent | undefined, bars: number): string | undefined {
  if (event === undefined) return NO_EVENT;
  if (event.type === 'bar' && event.bar !== bars) return `has bar ${String(event.bar)}, expected bar ${bars}`;
  return shapeFault(event);
}

/**
 * True if the value is nested deeper than `DEEPEST_LINE`.
 *
 * @param length length of the line in characters, or an upper bound of this length
 */
function isTooDeep(value: AnyEvent, length: number): boolean {
  return length >= SHORTEST_DEEP_LINE && isDeeperThan(value, DEEPEST_LINE);
}

function longestLine(lines: string): number {
  let longest = 0;
  let start = 0;
  for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', start)) {
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return Math.max(longest, lines.length - start);
}

function isEvent(value: unknown): value is AnyEvent {
  return isObject(value) && typeof value.type === 'string';
}

/** Formats an event as a line of a journal, without the newline. Same output as `JSON.stringify`. */
export function eventLine(event: RunEvent): string {
  return (event.type === 'bar' ? barLine(event) : undefined) ?? JSON.stringify(event);
}

// Faster than `JSON.stringify` for bars, which are most lines of a journal. Returns `undefined` for bars that
// `JSON.stringify` must format: with additional fields, without prices, or with prices that are not finite.
function barLine({
  bar,
  date,
  cash,
  equity,
  exposure,
  ambiguity,
  bounds,
  prices,
}: BarEvent): string | undefined {
  if (ambiguity !== undefined || bounds !== undefined || prices === undefined) return undefined;
  let text = `{"type":"bar","bar":${bar},"date":"${date}","cash":"${cash}","equity":"${equity}","exposure":${exposure},"prices":[`;
  for (let symbol = 0; symbol < prices.length; symbol++) {
    const values = prices[symbol]!;
    if (symbol > 0) text += ',';
    if (values === null) text += 'null';
    else {
      const [open, high, low, close, volume] = values;
      // JSON cannot represent NaN and infinities, so `JSON.stringify` formats such bars.
      if (!Number.isFinite(open + high + low + close + volume)) return undefined;
      text += `[${open},${high},${low},${close},${volume}]`;
    }
  }
  return `${text}]}`;
}
