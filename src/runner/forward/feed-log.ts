import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, fileProblem, formatInstant, parseInstant } from '../../kernel/index.ts';
import type { BarGroup, BarNumbers } from '../../market/index.ts';

/** Name of the file with the received bars and the times of the decisions. */
export const FEED_FILE = 'feed.jsonl';

/** Line of `feed.jsonl`. Times are ISO texts in UTC. See docs/forward.md for the fields. */
export type FeedEntry =
  | {
      readonly type: 'started';
      readonly at: string;
      readonly feed: string;
      readonly clock: string;
      readonly grace: number;
      readonly registrationWrittenAt?: string;
    }
  | {
      readonly type: 'bar';
      readonly bar: number;
      readonly time: string;
      readonly receivedAt: string;
      readonly bars: Readonly<Record<string, BarNumbers>>;
      readonly duplicates?: number;
      readonly unfinished?: number;
      readonly afterGap?: true;
    }
  | { readonly type: 'asked' | 'missed'; readonly bar: number; readonly at: string }
  /**
   * `late` has one entry for each order and cancellation of a decision: its time if it came after the next
   * open, else `null`.
   */
  | {
      readonly type: 'decided';
      readonly bar: number;
      readonly at: string;
      readonly late?: readonly (string | null)[];
    }
  | {
      readonly type: 'revised' | 'late' | 'refused';
      readonly at: string;
      readonly symbol?: string;
      readonly time?: string;
      readonly values?: BarNumbers;
      readonly problem?: string;
    }
  | { readonly type: 'problem' | 'lost' | 'restored'; readonly at: string; readonly problem?: string }
  | { readonly type: 'skew'; readonly at: string; readonly milliseconds: number }
  | { readonly type: 'ended'; readonly at: string; readonly reason: string };

/** Content of `feed.jsonl`: recorded bars and decisions of an earlier process. */
export interface FeedRecord {
  readonly groups: readonly Pick<BarGroup, 'time' | 'bars'>[];
  /**
   * Indices of the bars at which a decision was requested (`asked`), and of the bars without a decision
   * because a later bar was already known (`missed`).
   */
  readonly asked: ReadonlySet<number>;
  readonly missed: ReadonlySet<number>;
  /**
   * For each decision, by bar: one entry per order or cancellation. The entry is the time if the order or
   * cancellation was late, else `null`. The list is empty if nothing was late.
   */
  readonly decided: ReadonlyMap<number, readonly (number | null)[]>;
  /** Revised and late bars, which were ignored. Each entry is a result of `keyOf`. */
  readonly notApplied: ReadonlySet<string>;
  /**
   * Duration after the open of a bar in which an order still counts as placed before the open, in
   * milliseconds. `undefined` for a new run.
   */
  readonly grace: number | undefined;
  /** Length of all complete lines in bytes. */
  readonly bytes: number;
}

/** Empty record of a new run. */
export const NO_RECORD: FeedRecord = {
  groups: [],
  asked: new Set(),
  missed: new Set(),
  decided: new Map(),
  notApplied: new Set(),
  grace: undefined,
  bytes: 0,
};

/**
 * Reads the record of a forward run. Ignores an incomplete last line.
 *
 * @throws AppError `not_a_forward_run`, `feed_damaged`
 */
export function readFeed(folder: string): FeedRecord {
  const file = join(folder, FEED_FILE);
  if (!existsSync(file))
    throw new AppError({
      code: 'not_a_forward_run',
      message: `${folder} has no ${FEED_FILE}: the run is not a forward run.`,
      hint: 'Pass the folder of a run that npx sandtable forward made.',
    });
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const groups: Pick<BarGroup, 'time' | 'bars'>[] = [];
  const [asked, missed, notApplied] = [new Set<number>(), new Set<number>(), new Set<string>()];
  const decided = new Map<number, readonly (number | null)[]>();
  let grace: number | undefined;
  for (const [at, line] of whole.split('\n').slice(0, -1).entries()) {
    const entry = entryOf(line, `${file}:${at + 1}`);
    if (entry.type === 'bar')
      groups.push({ time: timeOf(entry.time), bars: new Map(Object.entries(entry.bars)) });
    else if (entry.type === 'asked') asked.add(entry.bar);
    else if (entry.type === 'missed') missed.add(entry.bar);
    else if (entry.type === 'started') grace ??= entry.grace;
    else if (entry.type === 'revised' || entry.type === 'late') notApplied.add(keyOf(entry));
    // If a bar has several recorded decisions, the first one counts. Later entries were written when a
    // resumed run repeated the decision.
    else if (entry.type === 'decided' && !decided.has(entry.bar))
      decided.set(
        entry.bar,
        (entry.late ?? []).map((time) => (time === null ? null : timeOf(time))),
      );
  }
  return { groups, asked, missed, decided, notApplied, grace, bytes: Buffer.byteLength(whole) };
}

/** Returns a text that identifies an ignored bar. */
export function keyOf(entry: {
  readonly type: string;
  readonly symbol?: string | undefined;
  readonly time?: string | undefined;
  readonly values?: BarNumbers | undefined;
}): string {
  return JSON.stringify([entry.type, entry.symbol, entry.time, entry.values]);
}

function timeOf(text: string): number {
  return parseInstant(text) ?? Date.parse(text);
}

function entryOf(line: string, where: string): FeedEntry {
  try {
    return JSON.parse(line) as FeedEntry;
  } catch (cause) {
    throw new AppError({
      code: 'feed_damaged',
      message: `${where} is not JSON.`,
      hint: 'Restore the file from a copy, or start a new forward run.',
      cause,
    });
  }
}

/**
 * Writes `feed.jsonl`, the record of a forward run's bars and decisions. Each entry is written before the run
 * uses it.
 */
export class FeedLog {
  readonly #file: string;
  readonly #durable: boolean;
  readonly #descriptor: number;
  #end: number;

  /**
   * Opens the file for writing.
   *
   * @param bytes length of the complete lines from an earlier process. An incomplete line after them is
   *   deleted
   * @param durable if true, an entry is on the disk when `write` returns
   */
  constructor(folder: string, bytes: number, durable: boolean) {
    this.#file = join(folder, FEED_FILE);
    this.#durable = durable;
    this.#end = bytes;
    this.#descriptor = this.#attempt(() => openSync(this.#file, bytes === 0 ? 'w' : 'r+'));
    this.#attempt(() => ftruncateSync(this.#descriptor, bytes));
  }

  /**
   * Appends an entry to the file.
   *
   * @throws AppError `feed_unwritable`
   */
  write(entry: FeedEntry): void {
    const bytes = Buffer.from(`${JSON.stringify(entry)}\n`);
    this.#attempt(() => {
      let done = 0;
      while (done < bytes.length)
        done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#end + done);
      if (this.#durable) fdatasyncSync(this.#descriptor);
    });
    this.#end += bytes.length;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      throw new AppError({
        code: 'feed_unwritable',
        message: `Cannot write ${this.#file}: ${fileProblem(cause)}.`,
        hint: 'Check the folder, its permissions and the free space. Then continue the run with npx sandtable resume.',
        kind: 'run',
        cause,
      });
    }
  }
}

/** Returns the entry for a group of bars. */
export function barEntry(bar: number, group: BarGroup): FeedEntry {
  const { time, bars, receivedAt, duplicates, unfinished, afterGap } = group;
  return {
    type: 'bar',
    bar,
    time: formatInstant(time),
    receivedAt: isoOf(receivedAt),
    bars: Object.fromEntries([...bars].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(duplicates === 0 ? {} : { duplicates }),
    ...(unfinished === 0 ? {} : { unfinished }),
    ...(afterGap ? { afterGap } : {}),
  };
}

export function isoOf(time: number): string {
  return new Date(time).toISOString();
}
