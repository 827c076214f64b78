import { closeSync, fdatasync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';
import { eventLine } from './event-line.ts';

/**
 * Open journal file with one JSON event per line. Written in whole bars, and immediately after paid model
 * replies.
 */
export interface Journal {
  append(event: RunEvent): void;
  /** Writes buffered events. Call before the process may be killed. */
  flush(): void;
  /** Writes buffered events, flushes them to disk and closes the file. */
  close(): void;
}

/** Number of buffered characters that triggers a write. A bar is never split over two writes. */
const FLUSH_AT = 64 * 1024;
/** Milliseconds after which finished bars are written regardless of size. Limits what a killed run loses. */
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

/**
 * Returns a journal that appends to an open file.
 *
 * @param end current size of the file in bytes
 */
export function journalOn(descriptor: number, file: string, end = 0): Journal {
  let written = end;
  let pending = '';
  let flushedAt = performance.now();
  let open = true;
  let broken = false;
  const disk = syncer(descriptor, file);
  // A signal handler may interrupt at any point, also in this function, and call `flush`. Text stays pending
  // until it is written, and a repeated write goes to the same position in the file.
  const flush = (): void => {
    const [text, place] = [pending, written];
    flushedAt = performance.now();
    let bytes = 0;
    try {
      bytes = attempt(file, () => writeAt(descriptor, text, place));
    } catch (error) {
      // Text after a half-written line would make the journal unreadable, so nothing more is written.
      broken = true;
      throw error;
    }
    if (written !== place) return;
    written = place + bytes;
    pending = pending === text ? '' : pending.slice(text.length);
  };
  return {
    append(event) {
      // Events after the end of the run are ignored. The descriptor may already belong to another file.
      if (broken || !open) return;
      disk.check();
      // Format the line before reading `pending`: an interruption during formatting may flush.
      const line = `${eventLine(event)}\n`;
      pending += line;
      if (event.type === 'model_called' || event.type === 'agent_replied') {
        // Written before anyone acts on a reply, so that a killed run never repeats a paid request.
        flush();
        disk.sync();
      }
      // Resuming a killed run requires its first line.
      if (event.type === 'run_started') flush();
      if (event.type !== 'bar') return;
      if (pending.length >= FLUSH_AT || performance.now() - flushedAt >= FLUSH_AFTER) flush();
    },
    flush() {
      if (open && pending !== '' && !broken) flush();
    },
    close() {
      if (!open) return;
      open = false;
      if (pending !== '' && !broken) flush();
      attempt(file, () => fsyncSync(descriptor));
      closeSync(descriptor);
    },
  };
}

/**
 * Writes text at a position. The system may write fewer bytes than requested, so the loop continues with the
 * remaining bytes. Some systems repeat a write after an interruption; because the position is explicit, the
 * bytes stay the same.
 *
 * @returns number of bytes of the text
 */
function writeAt(descriptor: number, text: string, place: number): number {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, place + done);
  return bytes.length;
}

/**
 * Flushes to disk in parallel with the following work, so that the next request hides the milliseconds of the
 * disk. A power cut during these milliseconds loses a reply, as it would while waiting for the disk.
 */
function syncer(descriptor: number, file: string): { sync(): void; check(): void } {
  let running = false;
  let again = false;
  let problem: unknown;
  const sync = (): void => {
    again = running;
    if (running) return;
    running = true;
    fdatasync(descriptor, (error) => {
      running = false;
      // Closing the file has already flushed it.
      if (error !== null && error.code !== 'EBADF') problem = error;
      else if (again && error === null) sync();
    });
  };
  return {
    sync,
    check() {
      if (problem === undefined) return;
      const cause = problem;
      attempt(file, () => {
        throw cause;
      });
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
      hint: 'Check the folder, its permissions and the free space, or choose another with --out.',
      kind: 'run',
      cause,
    });
  }
}
