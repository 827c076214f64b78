/**
 * A journal's event as far as every version of Sandtable agrees on it.
 *
 * A trace shows journals of other versions too: nothing is taken for granted but the type.
 */
export interface TraceEvent {
  readonly type: string;
  readonly bar?: number;
  readonly [field: string]: unknown;
}

/** Undefined where a line is no event, or its bar is no number. */
export function parseEvent(line: string): TraceEvent | undefined {
  const event = looseEvent(line);
  return event !== undefined && hasSoundBar(event) ? event : undefined;
}

/** An event whatever its bar is; undefined where a line is no event. */
export function looseEvent(line: string): { readonly type: string; readonly bar?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value.type === 'string' ? (value as { type: string }) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an event's bar is a number, or it has none. */
export function hasSoundBar(event: { readonly bar?: unknown }): event is TraceEvent {
  return event.bar === undefined || isBarNumber(event.bar);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBarNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A field as a text: as it is, or as JSON; empty where there is none. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** What a tool's result says went wrong; undefined where nothing did. */
export function errorOf(result: unknown): string | undefined {
  return isObject(result) && 'error' in result ? textOf(result.error) || 'error' : undefined;
}
