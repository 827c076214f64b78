import { shapeFault } from '../engine/index.ts';
import { isObject } from '../kernel/index.ts';

/** Minimal shape of every event. */
export interface AnyEvent extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly bar?: unknown;
}

/**
 * Event with the fields that all versions of Sandtable share.
 *
 * A trace also shows journals of other versions, so only the type is guaranteed. If `eventFault` finds no
 * fault, the event has all fields of a `RunEvent` that figures and charts need.
 */
export interface JournalEvent extends AnyEvent {
  readonly bar?: number;
  readonly [field: string]: unknown;
}

export const NO_EVENT = 'is not a journal event';

/** Parses a line as an event with any value of `bar`. `undefined` if the line is not an event. */
export function anyEvent(line: string): AnyEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a line as an event. `undefined` if the line is not an event or its bar is not a number. */
export function parseEvent(line: string): JournalEvent | undefined {
  const event = anyEvent(line);
  return event !== undefined && hasSoundBar(event) ? event : undefined;
}

/**
 * Parses many lines as one array, which is faster than parsing line by line.
 *
 * @returns `undefined` if one of the lines is not an event
 */
export function eventsTogether(lines: string): AnyEvent[] | undefined {
  try {
    const values = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as unknown[];
    return values.every(isEvent) && values.length === lineCount(lines) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** @param lines without the newline of the last one */
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

/** True if the event has no bar or a valid bar number. */
export function hasSoundBar(event: AnyEvent): event is JournalEvent {
  const { bar } = event;
  return bar === undefined || (typeof bar === 'number' && Number.isSafeInteger(bar) && bar >= 0);
}

/**
 * Describes the fault of a journal line. `undefined` if the line is valid.
 *
 * @param event `undefined` if the line is not an event
 * @param bars number of bars that ended before this line
 */
export function eventFault(event: AnyEvent | undefined, bars: number): string | undefined {
  if (event === undefined) return NO_EVENT;
  if (event.type === 'bar' && event.bar !== bars)
    return `is of bar ${String(event.bar)} where bar ${bars} follows`;
  return shapeFault(event);
}

function isEvent(value: unknown): value is AnyEvent {
  return isObject(value) && typeof value.type === 'string';
}
