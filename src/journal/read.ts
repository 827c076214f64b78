import type { RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { type AnyEvent, eventFault, NO_EVENT } from './event.ts';
import { type BadLine, readEvents } from './read-events.ts';
import type { EventOf, RunRecord } from './record.ts';
import { END_LEFT_OUT, RecordBuilder } from './record-builder.ts';

export { END_LEFT_OUT, type EventOf, RecordBuilder, type RunRecord };

/** Collects events into a record. Events of an unfinished bar are omitted and reported in `damage`. */
export function recordOf(
  events: readonly RunEvent[],
  damage: readonly string[] = [],
  endLeftOut = false,
): RunRecord {
  const builder = new RecordBuilder();
  for (const event of events) builder.take(event);
  return builder.finish(damage, endLeftOut);
}

/**
 * Reads a journal. A half-written last line is omitted and reported in `damage`.
 *
 * @param options.salvage if true, reads up to the first damaged line and reports the damage instead of
 *   throwing
 * @throws AppError `journal_unreadable`, `not_a_journal`, `journal_damaged` if a line before the last is not
 *   an event
 */
export function readJournal(file: string, options: { readonly salvage?: boolean } = {}): RunRecord {
  const damage: string[] = [];
  const builder = new RecordBuilder();
  let bad: BadLine | undefined;
  const take = (found: AnyEvent): string | undefined => {
    const fault = eventFault(found, builder.bars);
    if (fault !== undefined) return fault;
    const event = found as RunEvent;
    if (event.type === 'run_started' && event.schema !== SCHEMA) {
      if (options.salvage !== true) throw otherSchema(file, event.schema);
      damage.push(`${schemaText(event.schema)}: what is shown may be wrong, and something may be missing.`);
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
        hint: 'Restore the file from a copy, or run the backtest again; sandtable report shows what comes before.',
      });
    }
    bad = line;
    return false;
  };
  const lines = readEvents(file, take, refuse);
  if (builder.isEmpty) throw noBeginning(lines, bad);
  if (bad !== undefined) damage.push(damageNote(bad, lines));
  return builder.finish(damage, bad !== undefined);
}

/** Returns the note for a journal whose last line is half-written. Lines are counted from 1. */
export function cutNote(line: number): string {
  return `Line ${line} is half-written and was left out.`;
}

/**
 * Returns the note for a journal that was read up to a damaged line.
 *
 * @param lines number of lines in the file
 */
export function damageNote(bad: Pick<BadLine, 'number' | 'fault'>, lines: number): string {
  const why = bad.fault === NO_EVENT ? '' : `, for it ${bad.fault}`;
  return `Line ${bad.number} is damaged: it and the ${lines - bad.number} after it were left out${why}.`;
}

const SCHEMA = 1;

function schemaText(schema: unknown): string {
  return `The journal is of schema ${JSON.stringify(schema)}, and this Sandtable reads schema ${SCHEMA}`;
}

function otherSchema(file: string, schema: unknown): AppError {
  return new AppError({
    code: 'journal_damaged',
    message: `${schemaText(schema)}: ${file}.`,
    hint: 'Read it with the version that made it; manifest.json names it.',
  });
}

function noBeginning(lines: number, bad: BadLine | undefined): AppError {
  const message =
    lines === 0
      ? 'The journal is empty, without even a run_started event: the run was killed before it began.'
      : `The journal does not begin with a run_started event${bad === undefined ? '' : `: line ${bad.number} ${bad.fault}`}.`;
  return new AppError({
    code: 'not_a_journal',
    message,
    hint: 'Name a run folder that Sandtable made, or run the backtest again.',
  });
}
