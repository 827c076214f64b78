import { type JournalEvent, parseEvent, typeOfLine } from './event.ts';
import { endLines } from './lines.ts';

const AT_THE_ENDS = new Set<string | undefined>(['run_started', 'run_finished', 'bar']);

/**
 * Reads the first and last events of a journal of any size.
 *
 * @returns whole start, end and bar events; empty if the file cannot be read
 */
export function readEnds(file: string): {
  readonly head: readonly JournalEvent[];
  readonly tail: readonly JournalEvent[];
} {
  const { head, tail } = endLines(file);
  return { head: eventsOf(head), tail: eventsOf(tail) };
}

// The outermost lines may be cut and are then not events.
function eventsOf(lines: readonly string[]): JournalEvent[] {
  return lines
    .filter((line) => AT_THE_ENDS.has(typeOfLine(line)))
    .map(parseEvent)
    .filter((event) => event !== undefined);
}
