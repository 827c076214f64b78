import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { isResult, type RunEvent } from '../engine/index.ts';
import { AppError, fileProblem, isObject } from '../kernel/index.ts';
import { checkMaskVersion } from '../masking/index.ts';
import { Chain } from './chain.ts';
import { anyEvent, eventLine, eventsTogether, NO_EVENT } from './event.ts';
import { linePieces } from './lines.ts';

/**
 * Open journal file with one JSON event per line.
 *
 * Events are buffered and written after whole bars. A reply of a model or an agent is written immediately,
 * because it may have been paid for.
 */
export interface Journal {
  append(event: RunEvent): void;
  /** Writes buffered events. Call before the process may be killed. */
  flush(): void;
  /** Writes buffered events, flushes them to disk and closes the file. */
  close(): void;
  /**
   * Returns a function that removes all events appended after the call of `savepoint`. Not available for a
   * journal that compares the events of a repeated run with recorded lines.
   */
  savepoint?(): () => void;
  /**
   * Head of the hash chain over all lines so far (see `Chain.head`). `undefined` if the journal is from an
   * early version without a hash chain.
   */
  readonly head: string | undefined;
}

/**
 * Number of buffered characters that triggers a write at the end of a bar. The events of a bar are therefore
 * in one write.
 */
const FLUSH_AT = 64 * 1024;
/**
 * Milliseconds after which finished bars are written even if the buffer is small. Limits how many bars a
 * killed run loses.
 */
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
    { end: 0, chain: new Chain(), link: undefined },
  );
}

/** State of an existing journal file to which new events are appended. */
interface Continuation {
  /** Current size of the file in bytes. */
  readonly end: number;
  /** Hash chain over the lines of the file. `undefined` if the file has no links. */
  readonly chain: Chain | undefined;
  /**
   * Link line to write before the next event. A link line contains the hash of the lines before it.
   * `undefined` if the next line must not be a link.
   */
  readonly link: string | undefined;
}

/** Returns a journal that appends events to an open file. */
export function journalOn(
  descriptor: number,
  file: string,
  { end, chain: earlier, link }: Continuation,
): Journal {
  let chain = earlier;
  let written = end;
  let pending = link === undefined ? '' : `${link}\n`;
  let flushedAt = performance.now();
  let open = true;
  let broken = false;
  const disk = syncer(descriptor, file);
  // A signal handler may call `flush` at any point, even while another call of `flush` runs. Text therefore
  // remains in `pending` until it is written, and a second write of it goes to the same position in the file.
  const flush = (): void => {
    const [text, place] = [pending, written];
    flushedAt = performance.now();
    let bytes = 0;
    try {
      bytes = attempt(file, () => writeAt(descriptor, text, place));
    } catch (error) {
      // Nothing more is written, because text after a half-written line would make the journal unreadable.
      broken = true;
      throw error;
    }
    if (written !== place) return;
    written = place + bytes;
    pending = pending === text ? '' : pending.slice(text.length);
  };
  return {
    get head() {
      return chain?.head;
    },
    append(event) {
      // Events after `close` are ignored, because the operating system may have reused the descriptor for
      // another file.
      if (broken || !open) return;
      disk.check();
      // Format the line before reading `pending`: if a signal handler flushes during formatting, `pending`
      // changes.
      const line = eventLine(event);
      const due = chain?.take(line);
      const text = due === undefined ? `${line}\n` : `${line}\n${due}\n`;
      pending += text;
      if (event.type === 'model_called' || event.type === 'agent_replied') {
        // A reply is written to the file before the run uses the reply, so that a resumed run does not repeat
        // a paid request. The flush to disk continues in the background.
        flush();
        disk.sync();
      }
      // The first line is written immediately, because a run can be resumed only if its file has this line.
      if (event.type === 'run_started') flush();
      if (event.type !== 'bar') return;
      if (pending.length >= FLUSH_AT || performance.now() - flushedAt >= FLUSH_AFTER) flush();
    },
    flush() {
      if (open && pending !== '' && !broken) flush();
    },
    savepoint() {
      const [place, text, chained] = [written, pending, chain?.copy()];
      return () => {
        if (broken || !open) return;
        attempt(file, () => ftruncateSync(descriptor, place));
        [written, pending, chain] = [place, text, chained];
      };
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
 * Writes text at a position. The system may write fewer bytes than requested, so a loop writes the remaining
 * bytes. The position is explicit, so a write that the system repeats after an interruption leaves the same
 * bytes.
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
 * Returns functions that flush the file to disk in the background. The run continues meanwhile, so flushing
 * does not delay the next request to the model. A power failure before the flush has finished loses the last
 * reply. `check` throws if an earlier flush failed.
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
      // `EBADF` means that the file was closed meanwhile. Closing a journal flushes the file, so `EBADF` is
      // not an error.
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

/** Journal of a process that has ended: its whole lines, and the event of each line. */
export interface EarlierJournal {
  readonly file: string;
  readonly lines: readonly string[];
  readonly events: readonly RunEvent[];
}

/**
 * Reads a journal line by line, for continuing it or for comparing a repeated run with it. Ignores a
 * half-written last line.
 *
 * @throws AppError `journal_unreadable`, `journal_damaged` if a whole line is not an event, `not_a_journal`,
 *   `other_mask`
 */
export function readEarlier(file: string): EarlierJournal {
  const lines: string[] = [];
  const events: RunEvent[] = [];
  for (const { text, isCut } of linePieces(file)) {
    if (isCut) break;
    const found = text.split('\n');
    const parsed =
      eventsTogether(text) ?? found.map((line, at) => anyEvent(line) ?? damaged(file, lines.length + at + 1));
    for (const [at, event] of parsed.entries()) {
      lines.push(found[at]!);
      // The cast is safe: only the version that wrote a journal continues it, and each line is compared with
      // the repeated run.
      events.push(event as RunEvent);
    }
  }
  if (events[0]?.type !== 'run_started') {
    throw new AppError({
      code: 'not_a_journal',
      message: `${file} does not begin with a run_started event: the run was killed before its start.`,
      hint: 'Run the backtest again.',
    });
  }
  checkMaskVersion(events[0], file);
  return { file, lines, events };
}

/** @throws AppError `journal_damaged` */
function damaged(file: string, line: number): never {
  throw new AppError({
    code: 'journal_damaged',
    message: `${file}:${line} ${NO_EVENT}.`,
    hint: 'Restore the file from a copy, or run the backtest again.',
  });
}

/**
 * Returns how many lines of an earlier journal a resumed run retains. Some lines at the end are removed,
 * because the resumed run replaces them: an incomplete decision of an agent, a failed model request, a
 * reached limit, and the early end of the run.
 *
 * @returns number of lines
 */
export function linesToKeep({ events }: EarlierJournal): number {
  let kept = events.length;
  const last = events.at(-1);
  if (last?.type === 'run_finished' && isResult(last.outcome)) return kept;
  if (last?.type === 'run_finished') kept -= 1;
  const asked = cutDecision(events, kept);
  if (asked !== undefined) return asked;
  if (last?.type !== 'run_finished') return kept;
  const ending = events[kept - 1];
  if (ending?.type === 'limit_reached' && ending.scope === 'run') return kept - 1;
  if (ending?.type !== 'model_unavailable' || ending.policy !== 'stop') return kept;
  kept -= 1;
  // The resumed run repeats the model request, so the record of the failed request is removed.
  for (let event = events[kept - 1]; isFailureOf(event, ending); event = events[kept - 1]) kept -= 1;
  return kept;
}

function isFailureOf(
  event: RunEvent | undefined,
  ending: { readonly bar: number; readonly step?: number; readonly round: number },
): boolean {
  return (
    event?.type === 'model_called' &&
    event.failure !== undefined &&
    event.bar === ending.bar &&
    event.step === ending.step &&
    event.round === ending.round
  );
}

/**
 * Finds an incomplete decision of an agent at the end of the lines. The agent must repeat this decision from
 * its beginning, because a restarted agent does not know its earlier messages.
 *
 * @param kept number of lines to consider
 * @returns number of lines before the bar of the incomplete decision; `undefined` if the last decision is
 *   complete
 */
function cutDecision(events: readonly RunEvent[], kept: number): number | undefined {
  let isCut: boolean | undefined;
  for (let at = kept - 1; at >= 0; at--) {
    const event = events[at]!;
    if (event.type === 'bar' || event.type === 'run_started') return isCut === true ? at + 1 : undefined;
    if (event.type === 'agent_replied') isCut ??= !isObject(event.message) || event.message.type !== 'done';
    if (event.type === 'agent_asked') isCut ??= true;
  }
  return undefined;
}
