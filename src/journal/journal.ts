import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';

/** An open journal file: one JSON event a line, written in whole bars. */
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
  const descriptor = attempt(file, () => openSync(file, 'wx'));
  let pending = '';
  let flushedAt = performance.now();
  let open = true;
  const flush = (): void => {
    // Not writeSync: it may take a part only, and says so nowhere but in its result.
    attempt(file, () => writeFileSync(descriptor, pending));
    pending = '';
    flushedAt = performance.now();
  };
  return {
    append(event) {
      pending += `${JSON.stringify(event)}\n`;
      if (event.type !== 'bar') return;
      if (pending.length >= FLUSH_AT || performance.now() - flushedAt >= FLUSH_AFTER) flush();
    },
    close() {
      if (!open) return;
      open = false;
      if (pending !== '') flush();
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

function attempt<Result>(file: string, work: () => Result): Result {
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
