import { isJsonObject, type Json, parseJson } from '../engine/index.ts';

/** Characters shown of each side of a difference. */
const SHOWN = 160;
/** Number of the shown characters that precede the first differing character. */
const BEFORE = 40;

/** First difference between a repeated run and the recorded one, in words. */
export interface Difference {
  /** Line in the journal, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Describes the first difference between two journal lines.
 *
 * @param recorded `undefined` if the record ends before this line
 */
export function differenceOf(line: number, recorded: string | undefined, now: string): Difference {
  const found = parseJson(now);
  if (recorded === undefined) {
    const text = `line ${line}: the record ends here, but the run goes on with ${titleOf(found)}`;
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
    const text = `line ${line}: other events\n  recorded: ${title}\n  now:      ${titleOf(found)}`;
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
