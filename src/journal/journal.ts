import { closeSync, fdatasync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';
import { eventLine } from './event-line.ts';

/** An open journal file: one JSON event a line, written in whole bars, and at once where an event was paid for. */
export interface Journal {
  append(event: RunEvent): void;
  /** Writes what is buffered, before the process may be killed. */
  flush(): void;
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

/**
 * A journal that writes on in an open file.
 *
 * @param end bytes that the file has
 */
export function journalOn(descriptor: number, file: string, end = 0): Journal {
  let written = end;
  let pending = '';
  let flushedAt = performance.now();
  let open = true;
  let broken = false;
  const disk = syncer(descriptor, file);
  // Whoever watches a run interrupts it anywhere, in here too, and has it flushed: text is pending until it is written,
  // and what is written a second time for that goes to the same place.
  const flush = (): void => {
    const [text, place] = [pending, written];
    flushedAt = performance.now();
    let bytes = 0;
    try {
      bytes = attempt(file, () => writeAt(descriptor, text, place));
    } catch (error) {
      // What follows a half-written line would make the journal unreadable: the file ends here.
      broken = true;
      throw error;
    }
    if (written !== place) return;
    written = place + bytes;
    pending = pending === text ? '' : pending.slice(text.length);
  };
  return {
    append(event) {
      // What a strategy still does after its run belongs to no run, and the descriptor may be another file's by now.
      if (broken || !open) return;
      disk.check();
      // Made before `pending` is read: an interruption in its making may flush.
      const line = `${eventLine(event)}\n`;
      pending += line;
      if (event.type === 'model_called' || event.type === 'agent_replied') {
        // Written before anybody acts on a reply: a run that is killed after it never asks for it again.
        flush();
        disk.sync();
      }
      // A killed run is resumed from its first line on.
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
 * Each part at its place: a write may take less than it is given, and one that the system carries out again, as some do
 * after an interruption, leaves the same bytes.
 *
 * @returns how many bytes there are of the text
 */
function writeAt(descriptor: number, text: string, place: number): number {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, place + done);
  return bytes.length;
}

/**
 * Brings what is written to the disk beside the work that follows it, not before it: that hides the disk's milliseconds
 * behind the next request. Only a power cut within them loses a reply, as it would while waiting for the disk.
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
      // Whoever closes the file has made it durable.
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
