import { closeSync, fdatasyncSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';

/** An open journal file: one JSON event a line, written in whole bars, and at once where an event was paid for. */
export interface Journal {
  append(event: RunEvent): void;
  /** Writes what is buffered and makes it durable. */
  close(): void;
}

/** Characters gathered before a write; a bar is never split over two. */
const FLUSH_AT = 64 * 1024;
/** Milliseconds after which a finished bar is written whatever its size: what a killed run may lose. */
const FLUSH_AFTER = 100;

/**
 * Opens a new journal.
 *
 * @param file must not exist yet
 * @throws AppError `journal_unwritable`
 */
export function openJournal(file: string): Journal {
  return journalOn(
    attempt(file, () => openSync(file, 'wx')),
    file,
  );
}

/** A journal that writes to the end of an open file. */
export function journalOn(descriptor: number, file: string): Journal {
  let pending = '';
  let flushedAt = performance.now();
  let open = true;
  let broken = false;
  const flush = (): void => {
    // Not writeSync: it may take a part only, and says so nowhere but in its result.
    const text = pending;
    pending = '';
    flushedAt = performance.now();
    try {
      attempt(file, () => writeFileSync(descriptor, text));
    } catch (error) {
      // What follows a half-written line would make the journal unreadable: the file ends here.
      broken = true;
      throw error;
    }
  };
  return {
    append(event) {
      if (broken) return;
      pending += `${JSON.stringify(event)}\n`;
      if (event.type === 'model_called') {
        // Nobody acts on a reply before it is safe: a run that is killed after it never asks for it again.
        flush();
        attempt(file, () => fdatasyncSync(descriptor));
      }
      // A killed run is resumed from its first line on.
      if (event.type === 'run_started') flush();
      if (event.type !== 'bar') return;
      if (pending.length >= FLUSH_AT || performance.now() - flushedAt >= FLUSH_AFTER) flush();
    },
    close() {
      if (!open) return;
      open = false;
      if (pending !== '' && !broken) flush();
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

export function attempt<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new AppError({
      code: 'journal_unwritable',
      message: `Cannot write the journal ${file}: ${fileProblem(cause)}.`,
      remedy: 'Check the folder, its permissions and the free space, or choose another with --out.',
      kind: 'run',
      cause,
    });
  }
}
