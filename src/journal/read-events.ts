import { type AnyEvent, anyEvent, eventsTogether, lineCount, NO_EVENT } from './event.ts';
import { linePieces } from './lines.ts';

/** Line that is not an event, or is an invalid event. */
export interface BadLine {
  /** Line number from 1. */
  readonly number: number;
  /** True if the line has no newline because the writer was stopped. */
  readonly isCut: boolean;
  /** Description of the fault. */
  readonly fault: string;
}

/**
 * Reads the events of a journal in order.
 *
 * @param onEvent receives an event; returns a description if the event is faulty
 * @param onBad receives a bad line; returns true to continue reading
 * @returns number of lines in the file, including lines after a bad one
 * @throws AppError `journal_unreadable`
 */
export function readEvents(
  file: string,
  onEvent: (event: AnyEvent) => string | undefined,
  onBad: (line: BadLine) => boolean,
): number {
  let number = 0;
  let reading = true;
  for (const { text, isCut } of linePieces(file)) {
    const together = reading ? eventsTogether(text) : undefined;
    const count = together?.length ?? lineCount(text);
    const lineAt = together === undefined ? text.split('\n') : [];
    for (let at = 0; at < count && reading; at++) {
      if (together === undefined && lineAt[at] === '') continue;
      const event = together?.[at] ?? anyEvent(lineAt[at]!);
      const fault = event === undefined ? NO_EVENT : onEvent(event);
      if (fault !== undefined) reading = onBad({ number: number + at + 1, isCut, fault });
    }
    number += count;
  }
  return number;
}
