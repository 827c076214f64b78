import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';

/** A line that is no event, or one that nobody can count on. */
export interface BadLine {
  /** From 1. */
  readonly number: number;
  /** It has no newline: the writer was stopped in it. */
  readonly isCut: boolean;
  /** What is wrong with it. */
  readonly fault: string;
}

export const NO_EVENT = 'is not a journal event';

/** Bytes read at once: far below the longest text that Node can hold, so that a journal may be of any size. */
const PIECE = 4 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Reads a journal's events one after the other.
 *
 * @param onEvent takes an event, or says what is wrong with it
 * @param onBad told of a bad line; answers whether to read on
 * @returns lines of the file, those behind a refused one included
 * @throws AppError `journal_unreadable`
 */
export function readEvents(
  file: string,
  onEvent: (event: RunEvent) => string | undefined,
  onBad: (line: BadLine) => boolean,
): number {
  let number = 0;
  let reading = true;
  for (const { lines, isCut } of wholePieces(file)) {
    const together = reading ? eventsTogether(lines) : undefined;
    const count = together?.length ?? countOf(lines);
    const lineAt = together === undefined ? lines.split('\n') : [];
    for (let at = 0; at < count && reading; at++) {
      if (together === undefined && lineAt[at] === '') continue;
      const event = together?.[at] ?? eventOf(lineAt[at]!);
      const fault = event === undefined ? NO_EVENT : onEvent(event);
      if (fault !== undefined) reading = onBad({ number: number + at + 1, isCut, fault });
    }
    number += count;
  }
  return number;
}

/** Parsing many lines as one array takes less time than one by one; undefined where one of them is no event. */
function eventsTogether(lines: string): RunEvent[] | undefined {
  try {
    const values = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as unknown[];
    return values.every(isEvent) && values.length === countOf(lines) ? values : undefined;
  } catch {
    return undefined;
  }
}

function countOf(lines: string): number {
  let count = 1;
  for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) count += 1;
  return count;
}

function eventOf(line: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is RunEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

interface Piece {
  /** Without the newline of the last one. */
  readonly lines: string;
  readonly isCut: boolean;
}

/** A file's text in pieces of whole lines; what follows the last newline is a piece of its own. */
function* wholePieces(file: string): Generator<Piece> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const length = Math.min(PIECE, fstatSync(descriptor).size + 1);
    let carried: Buffer[] = [];
    for (;;) {
      const piece = Buffer.allocUnsafe(length);
      const bytes = piece.subarray(0, readSync(descriptor, piece));
      if (bytes.length === 0) break;
      const end = bytes.lastIndexOf(NEWLINE);
      if (end < 0) {
        carried.push(bytes);
        continue;
      }
      yield { lines: Buffer.concat([...carried, bytes.subarray(0, end)]).toString('utf8'), isCut: false };
      carried = [bytes.subarray(end + 1)];
    }
    const rest = Buffer.concat(carried).toString('utf8');
    if (rest !== '') yield { lines: rest, isCut: true };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError({
      code: 'journal_unreadable',
      message: `Cannot read the journal ${file}: ${fileProblem(cause)}.`,
      remedy: 'Name a run folder that Sandtable made.',
      cause,
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
