import { type AnyEvent, anyEvent, eventsTogether, lineCount, NO_EVENT } from './event.ts';
import { linePieces } from './lines.ts';

/** A line that is no event, or one that nobody can count on. */
export interface BadLine {
  /** From 1. */
  readonly number: number;
  /** It has no newline: the writer was stopped in it. */
  readonly isCut: boolean;
  /** What is wrong with it. */
  readonly fault: string;
}

/**
 * Reads a journal's events one after the other.
 *
 * @param onEvent takes an event, or says what is wrong with it
 * @param onBad called with a bad line; answers whether to read on
 * @returns lines of the file, those behind a refused one included
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
