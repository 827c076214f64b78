import { shapeFault } from '../engine/index.ts';
import { isObject } from '../kernel/index.ts';

/** What a line must be to be an event at all. */
export interface AnyEvent extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly bar?: unknown;
}

/**
 * A journal's event as far as every version of Sandtable agrees on it.
 *
 * A trace shows journals of other versions too: nothing is taken for granted but the type. An event that `eventFault`
 * finds nothing wrong with is a `RunEvent`, as far as figures and charts need it.
 */
export interface JournalEvent extends AnyEvent {
  readonly bar?: number;
  readonly [field: string]: unknown;
}

export const NO_EVENT = 'is not a journal event';

/** An event whatever its bar is; undefined where a line is no event. */
export function anyEvent(line: string): AnyEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where a line is no event, or its bar is no number. */
export function parseEvent(line: string): JournalEvent | undefined {
  const event = anyEvent(line);
  return event !== undefined && hasSoundBar(event) ? event : undefined;
}

/**
 * The events of many lines: parsing them as one array takes less time than one by one.
 *
 * @returns undefined where one of them is no event
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

/** The type that a line begins with, seen without parsing it; undefined where it begins otherwise. */
export function typeOfLine(line: string): string | undefined {
  return /^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(line)?.[1];
}

/** Whether an event's bar is a number, or it has none. */
export function hasSoundBar(event: AnyEvent): event is JournalEvent {
  const { bar } = event;
  return bar === undefined || (typeof bar === 'number' && Number.isSafeInteger(bar) && bar >= 0);
}

/**
 * What is wrong with a line of a journal, in words; undefined where a reader can count on it.
 *
 * @param event undefined where the line is no event
 * @param bars that ended before it
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
