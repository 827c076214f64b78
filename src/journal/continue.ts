import { ftruncateSync, openSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { type Difference, differenceOf } from './difference.ts';
import type { EarlierJournal } from './earlier.ts';
import { eventLine } from './event-line.ts';
import { attempt, type Journal, journalOn } from './journal.ts';

/** Journal that first compares a repeated run with the lines of a recorded one. */
export interface FollowingJournal extends Journal {
  /** Number of recorded lines to repeat. */
  readonly lines: number;
  /** Number of lines that were repeated identically. */
  readonly matched: number;
  /** First difference between the repeated and the recorded run. */
  readonly difference: Difference | undefined;
}

interface Following {
  readonly lines: readonly string[];
  /** Called when all recorded lines have been repeated. */
  readonly onEnd?: () => void;
  /**
   * Handling of events after the last recorded line: append to a journal, ignore, or report as a difference.
   */
  readonly rest: Journal | 'ignored' | 'a difference';
}

/**
 * Continues a journal in its own file. A run produces the same bytes each time. The resumed run therefore
 * first repeats the written lines, which are compared, and then appends. The file only grows, so killing the
 * process at any moment loses nothing more.
 *
 * @param keep number of whole lines of the earlier journal that stay; later lines are cut off
 * @throws AppError `journal_differs` from `append` if the run does not repeat itself; the file is unchanged
 */
export function continueJournal(earlier: EarlierJournal, keep: number): FollowingJournal {
  const { file } = earlier;
  const lines = earlier.lines.slice(0, keep);
  let journal: Journal | undefined;
  const open = (): Journal => {
    const descriptor = attempt(file, () => openSync(file, 'r+'));
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    attempt(file, () => ftruncateSync(descriptor, bytes));
    return journalOn(descriptor, file, bytes);
  };
  return follow({
    lines,
    rest: {
      append(event) {
        journal ??= open();
        journal.append(event);
      },
      flush: () => journal?.flush(),
      close: () => journal?.close(),
    },
  });
}

/**
 * Compares a run with a recorded one. Writes nothing.
 *
 * @param onEnd called when the run has repeated all recorded lines of an interrupted record
 */
export function compareJournal(earlier: EarlierJournal, onEnd: () => void): FollowingJournal {
  const last = earlier.events.at(-1);
  // The record of a killed or interrupted run ends early, so later events have nothing to compare with.
  const cutShort = last?.type !== 'run_finished' || last.outcome === 'interrupted';
  const lines = cutShort && last?.type === 'run_finished' ? earlier.lines.slice(0, -1) : earlier.lines;
  return follow({
    lines,
    ...(cutShort ? { onEnd } : {}),
    rest: cutShort ? 'ignored' : 'a difference',
  });
}

function follow({ lines, rest, onEnd }: Following): FollowingJournal {
  let matched = 0;
  let difference: Difference | undefined;
  if (lines.length === 0) onEnd?.();
  return {
    lines: lines.length,
    get matched() {
      return matched;
    },
    get difference() {
      return difference;
    },
    append(event: RunEvent) {
      // After the first difference, nothing can be compared and nothing may be written.
      if (difference !== undefined) return;
      if (matched === lines.length && rest !== 'a difference') {
        if (rest !== 'ignored') rest.append(event);
        return;
      }
      const text = eventLine(event);
      if (text !== lines[matched]) {
        difference = differenceOf(matched + 1, lines[matched], text);
        throw differs(difference);
      }
      matched += 1;
      if (matched === lines.length) onEnd?.();
    },
    flush() {
      if (typeof rest === 'object') rest.flush();
    },
    close() {
      if (typeof rest === 'object') rest.close();
    },
  };
}

function differs(difference: Difference): AppError {
  return new AppError({
    code: 'journal_differs',
    message: `The run does not repeat its record: ${difference.text}`,
    hint: 'Look for what changed since it was recorded: the version of Sandtable, files a strategy imports, prices, or state outside the run.',
    kind: 'run',
  });
}
