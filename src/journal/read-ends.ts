import { type JournalEvent, parseEvent, typeOfLine } from './event.ts';
import { endLines } from './lines.ts';

const AT_THE_ENDS = new Set<string | undefined>(['run_started', 'run_finished', 'bar']);

/**
 * Looks at both ends of a journal, whatever its size.
 *
 * @returns the beginnings, ends and bars that are whole there; none where the file cannot be read
 */
export function readEnds(file: string): {
  readonly head: readonly JournalEvent[];
  readonly tail: readonly JournalEvent[];
} {
  const { head, tail } = endLines(file);
  return { head: eventsOf(head), tail: eventsOf(tail) };
}

// The first and last lines may be cut: they are no events then.
function eventsOf(lines: readonly string[]): JournalEvent[] {
  return lines
    .filter((line) => AT_THE_ENDS.has(typeOfLine(line)))
    .map(parseEvent)
    .filter((event) => event !== undefined);
}
