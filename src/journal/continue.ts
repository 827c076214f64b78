import { ftruncateSync, openSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { type Difference, differenceOf } from './difference.ts';
import type { EarlierJournal } from './earlier.ts';
import { eventLine } from './event-line.ts';
import { attempt, type Journal, journalOn } from './journal.ts';

/** A journal that first walks again over what is written. */
export interface FollowingJournal extends Journal {
  /** Lines there are to repeat. */
  readonly lines: number;
  /** Lines that came again as they are written. */
  readonly matched: number;
  /** Where the walk first left the record. */
  readonly difference: Difference | undefined;
}

interface Following {
  readonly lines: readonly string[];
  /** Told once all lines have come again. */
  readonly onEnd?: () => void;
  /** What comes after the last line: where it is written, or what is made of it. */
  readonly rest: Journal | 'ignored' | 'a difference';
}

/**
 * Continues a journal in its own file. A run is the same bytes each time, so the resumed one first repeats what is
 * written, line for line, and then writes on: the file only ever grows, and a kill at any moment loses nothing more.
 *
 * @param keep whole lines of the earlier journal that stay; the rest is cut off
 * @throws AppError `journal_differs` from `append` when the run does not repeat itself; the file is left as it was
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
 * Holds a run against a recorded one; nothing is written.
 *
 * @param onEnd called when the record has no more to compare with but its ending
 */
export function compareJournal(earlier: EarlierJournal, onEnd: () => void): FollowingJournal {
  const last = earlier.events.at(-1);
  // A run that was killed or interrupted ends where its record does: there is nothing to hold a later event against.
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
      // After the first difference nothing can be compared, and nothing may be written.
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
