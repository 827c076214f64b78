import type { RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { BAR_LINE } from './bar-lines.ts';
import { LINK_TYPE } from './chain.ts';
import { type AnyEvent, anyEvent, eventFault, eventsTogether, lineCount, NO_EVENT } from './event.ts';
import { linePieces } from './lines.ts';
import { END_OMITTED, type EventOf, RecordBuilder, type RunRecord } from './record-builder.ts';

export { END_OMITTED, type EventOf, RecordBuilder, type RunRecord };

/**
 * Collects events into a record. Events of a last bar without its final `bar` event are omitted, and a note
 * in the record's `damage` states this.
 */
export function recordOf(
  events: readonly RunEvent[],
  damage: readonly string[] = [],
  endOmitted = false,
): RunRecord {
  const builder = new RecordBuilder();
  for (const event of events) builder.take(event);
  return builder.finish(damage, endOmitted);
}

/**
 * Reads a journal. A half-written last line is omitted, and a note in the record's `damage` states this.
 *
 * @param options.salvage if true, reads up to the first damaged line and reports the damage instead of
 *   throwing
 * @param options.lightBars if true, bars are read into columns, and the record's bars are `LightBar`s.
 *   Faster, and needs less memory. Ignored for runs with masked symbols, dates or prices
 * @throws AppError `journal_unreadable`, `not_a_journal`, `journal_damaged` if a line before the last is not
 *   an event
 */
export function readJournal(
  file: string,
  options: { readonly salvage?: boolean; readonly lightBars?: boolean } = {},
): RunRecord {
  const damage: string[] = [];
  const builder = new RecordBuilder(options.lightBars);
  let bad: BadLine | undefined;
  const take = (found: AnyEvent): string | undefined => {
    const fault = eventFault(found, builder.bars);
    if (fault !== undefined) return fault;
    const event = found as RunEvent;
    if (event.type === 'run_started' && event.schema !== SCHEMA) {
      if (options.salvage !== true) throw otherSchema(file, event.schema);
      damage.push(`${schemaText(event.schema)}. The contents may be wrong or incomplete.`);
    }
    builder.take(event);
    return undefined;
  };
  const refuse = (line: BadLine): boolean => {
    if (line.isCut) {
      damage.push(cutNote(line.number));
      return true;
    }
    if (options.salvage !== true && !builder.isEmpty) {
      throw new AppError({
        code: 'journal_damaged',
        message: `${file}:${line.number} ${line.fault}.`,
        hint: 'Restore the file from a copy, or run the backtest again. sandtable report shows the part before the damage.',
      });
    }
    bad = line;
    return false;
  };
  const takeBar: TakeBar = (text, start, end) => builder.takeBarLine(text, start, end);
  const lines = readEvents(file, take, refuse, options.lightBars === true ? takeBar : undefined);
  if (builder.isEmpty) throw noBeginning(lines, bad);
  if (bad !== undefined) damage.push(damageNote(bad, lines));
  return builder.finish(damage, bad !== undefined);
}

/** Returns the note for a journal whose last line is half-written. Lines are counted from 1. */
export function cutNote(line: number): string {
  return `Line ${line} is incomplete and was ignored.`;
}

/**
 * Returns the note for a journal that was read up to a damaged line.
 *
 * @param bad first damaged line
 * @param lines number of lines in the file
 */
export function damageNote(bad: Pick<BadLine, 'number' | 'fault'>, lines: number): string {
  const why = bad.fault === NO_EVENT ? '' : ` (it ${bad.fault})`;
  const after = lines - bad.number;
  return `Line ${bad.number} is damaged${why}. It and the ${after === 1 ? 'line' : `${after} lines`} after it were ignored.`;
}

const SCHEMA = 1;

function schemaText(schema: unknown): string {
  return `The journal has schema ${JSON.stringify(schema)}, and this version reads schema ${SCHEMA}`;
}

function otherSchema(file: string, schema: unknown): AppError {
  return new AppError({
    code: 'journal_damaged',
    message: `${schemaText(schema)}: ${file}.`,
    hint: 'Use the version that wrote it. manifest.json states the version.',
  });
}

function noBeginning(lines: number, bad: BadLine | undefined): AppError {
  const message =
    lines === 0
      ? 'The journal is empty: the run was killed before its start.'
      : `The journal does not begin with a run_started event${bad === undefined ? '' : `: line ${bad.number} ${bad.fault}`}.`;
  return new AppError({
    code: 'not_a_journal',
    message,
    hint: 'Pass the path of a run folder, or run the backtest again.',
  });
}

/** Line that is not an event, or is an invalid event. */
interface BadLine {
  /** Line number from 1. */
  readonly number: number;
  /** True if the line has no newline because the writer was stopped. */
  readonly isCut: boolean;
  /** Description of the fault. */
  readonly fault: string;
}

/** Reads a `bar` line at a position of a text without parsing. Returns false if the line must be parsed. */
type TakeBar = (text: string, start: number, end: number) => boolean;

/**
 * Reads the events of a journal in order.
 *
 * @param onEvent receives an event; returns a description of its fault, or `undefined` for a valid event
 * @param onBad receives a line with a fault; returns true to continue after the line, false to stop
 * @param onBar reads the lines of bars without parsing them; default: all lines are parsed
 * @returns number of lines in the file, including lines after the line at which reading stopped
 * @throws AppError `journal_unreadable`
 */
export function readEvents(
  file: string,
  onEvent: (event: AnyEvent) => string | undefined,
  onBad: (line: BadLine) => boolean,
  onBar?: TakeBar,
): number {
  let number = 0;
  let reading = true;
  for (const { text, isCut } of linePieces(file)) {
    if (onBar !== undefined && reading && !isCut) {
      for (let start = 0; start <= text.length; ) {
        const newline = text.indexOf('\n', start);
        const end = newline < 0 ? text.length : newline;
        number += 1;
        if (reading && !(text.startsWith(BAR_LINE, start) && onBar(text, start, end))) {
          const fault = faultOfLine(text.slice(start, end), onEvent);
          if (fault !== undefined) reading = onBad({ number, isCut, fault });
        }
        start = end + 1;
      }
      continue;
    }
    const together = reading ? eventsTogether(text) : undefined;
    const count = together?.length ?? lineCount(text);
    const lineAt = together === undefined ? text.split('\n') : [];
    for (let at = 0; at < count && reading; at++) {
      const event = together?.[at];
      const fault = event === undefined ? faultOfLine(lineAt[at]!, onEvent) : faultOfEvent(event, onEvent);
      if (fault !== undefined) reading = onBad({ number: number + at + 1, isCut, fault });
    }
    number += count;
  }
  return number;
}

function faultOfLine(line: string, onEvent: (event: AnyEvent) => string | undefined): string | undefined {
  if (line === '') return undefined;
  const event = anyEvent(line);
  return event === undefined ? NO_EVENT : faultOfEvent(event, onEvent);
}

function faultOfEvent(event: AnyEvent, onEvent: (event: AnyEvent) => string | undefined): string | undefined {
  return event.type === LINK_TYPE ? undefined : onEvent(event);
}
