import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';

/** A line that is no event. */
export interface BadLine {
  /** From 1. */
  readonly number: number;
  /** It has no newline: the writer was stopped in it. */
  readonly isCut: boolean;
}

/** Bytes read at once: far below the longest text that Node can hold, so that a journal may be of any size. */
const PIECE = 4 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Reads a journal's events one after the other.
 *
 * @param onEvent told of each event
 * @param onBad told of a line that is none; answers whether to read on
 * @returns lines of the file, those behind a refused one included
 * @throws AppError `journal_unreadable`
 */
export function readEvents(
  file: string,
  onEvent: (event: RunEvent) => void,
  onBad: (line: BadLine) => boolean,
): number {
  let number = 0;
  let reading = true;
  for (const { lines, isCut } of wholePieces(file)) {
    const together = reading ? eventsTogether(lines) : [];
    if (together !== undefined && reading) {
      number += together.length;
      for (const event of together) onEvent(event);
      continue;
    }
    for (const line of lines.split('\n')) {
      number += 1;
      if (!reading || line === '') continue;
      const event = eventOf(line);
      if (event === undefined) reading = onBad({ number, isCut });
      else onEvent(event);
    }
  }
  return number;
}

/** Parsing many lines as one array costs half of parsing each; undefined where one of them is no event. */
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
