import { ftruncateSync, openSync } from 'node:fs';
import { isJsonObject, type Json, parseJson, type RunEvent, withRecordedTexts } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { Chain, isLink } from './chain.ts';
import { eventLine } from './event.ts';
import { attempt, type EarlierJournal, type Journal, journalOn } from './journal.ts';

/** Maximum number of characters that a message shows of each of two differing values. */
const SHOWN = 160;
/** Maximum number of shown characters before the first differing character. */
const BEFORE = 40;

/** First difference between a repeated run and the recorded run, in words. */
export interface Difference {
  /** Line in the journal, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Describes the first difference between two journal lines.
 *
 * @param recorded line in the record; `undefined` if the record ends before this line
 * @param now line that the repeated run produced
 */
export function differenceOf(line: number, recorded: string | undefined, now: string): Difference {
  const found = parseJson(now);
  if (recorded === undefined) {
    const text = `line ${line}: the record ends here, but the run continues with ${titleOf(found)}`;
    return { line, text };
  }
  const expected = parseJson(recorded);
  const title = titleOf(expected);
  const ended = endingOf(found);
  if (title !== titleOf(found) && ended !== undefined) {
    const text = `line ${line}: the run ended here\n  recorded: ${title}\n  now:      ${ended}`;
    return { line, text };
  }
  if (title !== titleOf(found)) {
    const text = `line ${line}: different events\n  recorded: ${title}\n  now:      ${titleOf(found)}`;
    return { line, text };
  }
  const { path, left, right } = firstDifference(expected, found, '');
  const [recordedText, nowText] = around(left, right);
  const where = path === '' ? 'the order of fields' : path.replace(/^\./, '');
  return {
    line,
    text: `line ${line}, ${title}: ${where}\n  recorded: ${recordedText}\n  now:      ${nowText}`,
  };
}

/** Returns the reason why a run ended early, if the event states one. */
function endingOf(event: Json): string | undefined {
  const { type, error } = fieldsOf(event);
  const message = fieldsOf(error ?? null).message;
  return type === 'run_finished' && typeof message === 'string' ? message : undefined;
}

function fieldsOf(value: Json): Readonly<Record<string, Json>> {
  return isJsonObject(value) ? value : {};
}

function titleOf(event: Json): string {
  const { type, bar, round, attempt, name } = fieldsOf(event);
  const parts = [
    bar === undefined ? '' : ` of bar ${String(bar)}`,
    round === undefined ? '' : `, round ${String(round)}`,
    attempt === undefined ? '' : `, attempt ${String(attempt)}`,
    typeof name === 'string' ? ` (${name})` : '',
  ];
  return `${String(type)}${parts.join('')}`;
}

interface Found {
  readonly path: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

function firstDifference(left: Json | undefined, right: Json | undefined, path: string): Found {
  if (isBranch(left) && isBranch(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    for (const key of keys) {
      const [one, other] = [left[key], right[key]];
      if (JSON.stringify(one) === JSON.stringify(other)) continue;
      return firstDifference(one, other, Array.isArray(left) ? `${path}[${key}]` : `${path}.${key}`);
    }
  }
  return { path, left, right };
}

function isBranch(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null;
}

function around(left: Json | undefined, right: Json | undefined): [string, string] {
  const [one, other] = [textOf(left), textOf(right)];
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const from = Math.max(same - BEFORE, 0);
  const shown = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? '…' : ''}`;
  return [shown(one), shown(other)];
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}

/** Journal of a repeated run. Compares each event with the recorded line instead of writing it. */
export interface FollowingJournal extends Journal {
  /** Number of recorded lines to repeat. */
  readonly lines: number;
  /** Number of recorded lines that the run has repeated so far, links included. */
  readonly matched: number;
  /** Number of `matched` lines that are links of the journal's hash chain. */
  readonly links: number;
  /** First difference between the repeated and the recorded run. `undefined` while there is no difference. */
  readonly difference: Difference | undefined;
}

interface Following {
  readonly lines: readonly string[];
  /** Called when the run has repeated all recorded lines. */
  readonly onEnd?: () => void;
  /**
   * Handling of events after the last recorded line. A function: append the events to the journal that it
   * returns. `ignored`: ignore them. `a difference`: report them as a difference.
   */
  readonly rest:
    | ((chain: Chain | undefined, link: string | undefined) => Journal)
    | 'ignored'
    | 'a difference';
}

/**
 * Continues the journal of an unfinished run in the same file.
 *
 * The same run always produces the same bytes. A resumed run therefore starts from the first bar: it first
 * repeats the recorded lines, which are only compared, and then appends new lines. Recorded lines are not
 * written again, so killing the resumed process loses no recorded line.
 *
 * @param keep number of whole lines of the earlier journal that are retained; later lines are removed before
 *   the first new line is written
 * @throws AppError `journal_differs` from `append` if the run does not repeat the recorded lines; the file is
 *   unchanged
 */
export function continueJournal(earlier: EarlierJournal, keep: number): FollowingJournal {
  const { file } = earlier;
  const lines = earlier.lines.slice(0, keep);
  return follow({
    lines,
    rest(chain, link) {
      const descriptor = attempt(file, () => openSync(file, 'r+'));
      const end = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
      attempt(file, () => ftruncateSync(descriptor, end));
      return journalOn(descriptor, file, { end, chain, link });
    },
  });
}

/**
 * Compares a repeated run with the recorded run. Writes nothing.
 *
 * @param onEnd called when the run has repeated all recorded lines. Only called for the record of a run that
 *   was killed or interrupted, because such a record ends before its run would have ended
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
  let links = 0;
  let difference: Difference | undefined;
  let journal: Journal | undefined;
  let chain: Chain | undefined = new Chain();
  let due: string | undefined;
  const differsAt = (found: Difference): AppError => {
    difference = found;
    return differs(found);
  };
  // The chain uses the recorded line, because the text of an error in the repeated line may differ.
  const passLink = (recorded: string): void => {
    due = chain?.take(recorded);
    const next = lines[matched];
    if (next === undefined || (due === undefined && !isLink(next))) return;
    if (next !== due) {
      if (links > 0 || isLink(next)) throw differsAt(brokenLink(matched + 1));
      // The first link is missing: an early version of Sandtable, which wrote no links, recorded the run.
      chain = undefined;
    } else {
      links += 1;
      matched += 1;
    }
    due = undefined;
  };
  if (lines.length === 0) onEnd?.();
  return {
    lines: lines.length,
    get links() {
      return links;
    },
    get matched() {
      return matched;
    },
    get difference() {
      return difference;
    },
    get head() {
      return journal === undefined ? chain?.head : journal.head;
    },
    append(event: RunEvent) {
      // After the first difference, later lines cannot be compared and must not be written.
      if (difference !== undefined) return;
      if (matched === lines.length && rest !== 'a difference') {
        if (rest === 'ignored') return;
        journal ??= rest(chain, due);
        journal.append(event);
        return;
      }
      const text = eventLine(event);
      const recorded = lines[matched];
      if (recorded === undefined || (text !== recorded && !differsInTextsOnly(text, recorded)))
        throw differsAt(differenceOf(matched + 1, recorded, text));
      matched += 1;
      passLink(recorded);
      if (matched === lines.length) onEnd?.();
    },
    flush() {
      journal?.flush();
    },
    close() {
      journal?.close();
    },
  };
}

/** Describes a link that does not fit the lines before it. */
function brokenLink(line: number): Difference {
  return {
    line,
    text: `line ${line}: the lines before it were changed after the run. Their hash differs from the recorded one`,
  };
}

/**
 * True if two lines differ only in the texts of errors. The texts can differ if different versions of
 * Sandtable wrote the two lines.
 */
function differsInTextsOnly(now: string, recorded: string): boolean {
  const then = parseJson(recorded);
  return withRecordedTexts(parseJson(now), then) === then;
}

function differs(difference: Difference): AppError {
  return new AppError({
    code: 'journal_differs',
    message: `The run does not repeat its record: ${difference.text}`,
    hint: 'Check what changed since the recording: the version of Sandtable, files that the strategy imports, prices, or state outside the run.',
    kind: 'run',
  });
}
