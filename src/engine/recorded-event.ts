import { AppError, describeValue, isObject, nearest } from '../kernel/index.ts';
import { RECORDED_TYPES, recordedFault } from './event-shape.ts';
import type { DeciderEvent } from './events.ts';

const HINT = "Record a note: turn.record({ type: 'note', bar: turn.bar, text: '…' }).";

/** Largest size of a note, in characters. Fields other than `type`, `bar` and `text` count with their names, as JSON. */
const LONGEST_NOTE = 262_144;
/** Largest number of notes recorded at one bar. */
const MOST_NOTES = 10_000;
/** Largest total size of the notes recorded at one bar, in characters. */
const MOST_CHARACTERS = 4_194_304;

/** Counts the notes recorded at a bar. Without a limit, a decider could fill the disk within one bar. */
export class NoteLimit {
  #bar = -1;
  #notes = 0;
  #characters = 0;

  /**
   * Counts an event that `checkRecorded` accepted. Events other than notes do not count.
   *
   * @param bar number of the current bar
   * @throws AppError `too_many_notes`
   */
  count(event: DeciderEvent, bar: number): void {
    if (event.type !== 'note') return;
    if (bar !== this.#bar) [this.#bar, this.#notes, this.#characters] = [bar, 0, 0];
    this.#notes += 1;
    this.#characters += sizeOf(event);
    if (this.#notes <= MOST_NOTES && this.#characters <= MOST_CHARACTERS) return;
    throw new AppError({
      code: 'too_many_notes',
      message: `At bar ${bar} turn.record was given ${this.#notes} notes of ${this.#characters} characters in total; at most ${MOST_NOTES} notes and ${MOST_CHARACTERS} characters are allowed at one bar.`,
      hint: 'Record fewer or shorter notes.',
      kind: 'run',
    });
  }
}

/**
 * Checks an event that a decider or a tool records, with the rules of the journal's reader. Strategies may be JavaScript,
 * so the type of `record` does not guarantee a readable event.
 *
 * @param bar number of the current bar
 * @throws AppError `bad_record`
 */
export function checkRecorded(event: unknown, bar: number): asserts event is DeciderEvent {
  const fault = faultOf(event, bar);
  if (fault === undefined) return;
  throw new AppError({
    code: 'bad_record',
    message: `The event that turn.record was given at bar ${bar} ${fault}.`,
    hint: HINT,
    kind: 'run',
  });
}

/** The fault as a predicate. `undefined` for a readable event. */
function faultOf(event: unknown, bar: number): string | undefined {
  if (!isObject(event)) return `is ${describeValue(event)}, not an object`;
  const { type } = event;
  if (type === undefined) return `has no type; its fields are ${Object.keys(event).join(', ') || 'missing'}`;
  if (typeof type !== 'string' || !RECORDED_TYPES.includes(type)) return `has ${unknownType(type)}`;
  const fault = recordedFault(event as typeof event & { readonly type: string });
  if (fault !== undefined) return `${fault} (type ${type})`;
  if (Number(event.bar) > bar) return `is of bar ${String(event.bar)}, which has not been reached`;
  const size = type === 'note' ? sizeOf(event) : 0;
  return size > LONGEST_NOTE
    ? `is a note of ${size} characters; at most ${LONGEST_NOTE} are allowed`
    : undefined;
}

function sizeOf(note: Readonly<Record<string, unknown>>): number {
  const isPlain = Object.keys(note).length === 3;
  return isPlain ? String(note.text).length : JSON.stringify(note).length;
}

function unknownType(type: unknown): string {
  const near = typeof type === 'string' ? nearest(type, RECORDED_TYPES) : undefined;
  return `the unknown type ${describeValue(type)}${near === undefined ? '' : ` (the nearest is ${near})`}`;
}
