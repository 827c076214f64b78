import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { z } from 'zod';

/**
 * Error kind. `input`: faulty files, flags or orders of the user (exit code 2). `run`: everything else (exit
 * code 1).
 */
export type ErrorKind = 'input' | 'run';

export interface AppErrorOptions {
  /** Stable machine-readable name, in snake_case. */
  readonly code: string;
  /** Description of the problem and its place: file, line, field, value. */
  readonly message: string;
  /** Instruction for the user to fix the problem. */
  readonly hint: string;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

/** Class of all errors that users see. An error states the problem, its place and the fix. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: string;
  readonly hint: string;
  readonly kind: ErrorKind;

  constructor(options: AppErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.hint = options.hint;
    this.kind = options.kind ?? 'input';
  }

  /** Deprecated alias of `hint`. */
  get remedy(): string {
    return this.hint;
  }
}

export interface Fault {
  /** Place of the fault, for example `prices.csv:17`, `--cash`, `orders[3].units`. */
  readonly where: string;
  readonly message: string;
  readonly hint?: string;
}

const SHOWN_FAULTS = 20;

/** Minimum number of equal faults in one file that are combined into one line with their count. */
const FEWEST_GROUPED = 5;

const PLACE_IN_FILE = /^(.+) ((?:line|row) \d+)$/;

/**
 * Collects all faults of one input in one error, so that a user can fix a file in one pass.
 *
 * @param faults at least one fault
 * @param subject name of the input, for the first line of the message
 */
export function faultsError(code: string, subject: string, faults: readonly Fault[], hint: string): AppError {
  const groups = grouped(faults);
  const shown = groups.slice(0, SHOWN_FAULTS).map(({ text }) => `  ${text}`);
  const hidden = groups.slice(SHOWN_FAULTS).reduce((total, { count }) => total + count, 0);
  if (hidden > 0) shown.push(`  … and ${hidden} more`);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new AppError({ code, message: `${subject}: ${count}\n${shown.join('\n')}`, hint });
}

/** Combines errors into one. Its message contains the message and hint of each error. */
export function joinedError(errors: readonly [AppError, ...AppError[]]): AppError {
  const last = errors.at(-1)!;
  if (errors.length === 1) return last;
  const before = errors.slice(0, -1).map(({ message, hint }) => `${message}\n  ${hint}\n`);
  return new AppError({
    code: 'bad_input',
    message: [...before, last.message].join('error: '),
    hint: last.hint,
  });
}

interface FaultGroup {
  readonly text: string;
  readonly count: number;
}

/**
 * Groups faults and preserves their order. At least `FEWEST_GROUPED` equal faults in rows of one file form
 * one group, shown at the place of the first.
 */
function grouped(faults: readonly Fault[]): FaultGroup[] {
  const equal = new Map<string, Fault[]>();
  for (const fault of faults) {
    const kind = kindOf(fault);
    const found = equal.get(kind);
    if (found === undefined) equal.set(kind, [fault]);
    else found.push(fault);
  }
  return faults.flatMap((fault): FaultGroup[] => {
    const all = equal.get(kindOf(fault))!;
    const [, file, place] = PLACE_IN_FILE.exec(fault.where) ?? [];
    if (all.length < FEWEST_GROUPED || file === undefined)
      return [{ text: `${fault.where}: ${faultText(fault)}`, count: 1 }];
    if (fault !== all[0]) return [];
    const rows = `${all.length.toLocaleString('en-US')} rows have this fault, the first in ${place}`;
    return [{ text: `${file}: ${rows}: ${faultText(fault)}`, count: all.length }];
  });
}

function faultText({ message, hint }: Fault): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/**
 * Returns the grouping key of a fault: its file and its text without the values of the row. For a
 * fault that is not in a row of a file, the key is its place and its whole text.
 */
function kindOf(fault: Fault): string {
  const [, file] = PLACE_IN_FILE.exec(fault.where) ?? [];
  if (file === undefined) return `${fault.where}\n${faultText(fault)}`;
  const text = faultText(fault)
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/[-+]?\d[\d.,:T-]*/g, '0');
  return `${file}\n${text}`;
}

/** Describes a value thrown by user code. The value does not have to be an error. */
export function thrownText(thrown: unknown): string {
  return isError(thrown) ? messageOf(thrown) : `it threw ${describeValue(thrown)}, which is not an error`;
}

/**
 * Returns a thrown value that is safe to inspect. If reading its fields throws (some proxies), returns a
 * plain error that describes the value.
 */
export function inspectable(thrown: unknown): unknown {
  try {
    if (thrown instanceof Error) void `${thrown.name}${thrown.message}${thrown.stack}`;
    return thrown;
  } catch {
    return new Error(thrownText(thrown));
  }
}

function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** Returns the message of any thrown value, without the stack. Never throws. */
export function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error);
    return text === '[object Object]' ? describeValue(error) : String(text);
  } catch {
    return isError(error) ? 'an error whose message cannot be read' : describeValue(error);
  }
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the file or folder does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is exhausted',
  EFBIG: 'the file would exceed the maximum file size',
  ENAMETOOLONG: 'its name is too long',
  EEXIST: 'it already exists',
};

/** Describes a file system error in words instead of an error number. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' && error instanceof Error && 'path' in error) return missingFile(String(error.path));
  return FILE_PROBLEMS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Describes a missing file or folder. Suggests the file with the most similar name in the same folder. */
export function missingFile(path: string, called = 'file or folder'): string {
  const meant = nearestFile(path);
  return `the ${called} does not exist${meant === undefined ? '' : ` (nearest name: ${meant})`}`;
}

/**
 * Returns the path of the file with the most similar name in the same folder. `undefined` if none is similar.
 */
function nearestFile(path: string): string | undefined {
  let names: string[];
  try {
    names = readdirSync(dirname(path)).filter((name) => !name.startsWith('.'));
  } catch {
    return undefined;
  }
  // A missing or wrong file extension is a likely mistake, so names are also compared without extension.
  const stem = (name: string): string => basename(name, extname(name));
  const found =
    nearest(basename(path), names) ??
    names.find((name) => stem(name) === stem(path) || stem(name) === basename(path));
  return found === undefined || found === basename(path) ? undefined : join(dirname(path), found);
}

/**
 * Describes a schema fault of a value in words for users.
 *
 * @param given the value as the user wrote it, if known
 */
export function issueText(issue: z.core.$ZodIssue, given?: unknown): string {
  const shown =
    given === undefined ? 'it' : cut(typeof given === 'number' ? String(given) : JSON.stringify(given));
  switch (issue.code) {
    case 'invalid_type':
      if (given === undefined) return `is missing: expected ${article(issue.expected)}`;
      return `${shown} is not ${article(issue.expected)}`;
    case 'invalid_value':
      return `invalid value${given === undefined ? '' : ` ${shown}`}. Expected ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return `${shown} needs at least ${String(issue.minimum)} characters`;
      if (issue.origin === 'array') return `${shown} needs at least ${String(issue.minimum)} items`;
      return `${shown} is below the minimum, ${String(issue.minimum)}${issue.inclusive === false ? ' (not included)' : ''}`;
    case 'too_big':
      if (issue.origin === 'string') return `${shown} may have at most ${String(issue.maximum)} characters`;
      if (issue.origin === 'array') return `${shown} may have at most ${String(issue.maximum)} items`;
      return `${shown} is above the maximum, ${String(issue.maximum)}${issue.inclusive === false ? ' (not included)' : ''}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_union':
      return issue.message === 'Invalid input' ? `${shown} is not a valid value` : issue.message;
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.join(', ')}`;
    default:
      return issue.message;
  }
}

const MOST_SHOWN = 60;

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'record') return 'an object';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** Returns the value at a path in `root`, for example at the path of a schema issue. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

/** Describes any value for use in a message. Never throws, even if the value has broken methods. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return cut(JSON.stringify(value));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    if (Array.isArray(value)) return 'a list';
    return cut(JSON.stringify(value) ?? 'an object');
  } catch {
    return 'an object';
  }
}

/** True if a value is an object other than a list. False for null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a field of JSON data to text. Non-strings become JSON. Empty if the field is missing or null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Returns the value of a field if it is a finite number, otherwise `undefined`. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns an object with a value for each key, in the order of `keys`. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // A cast, because the type of `Object.fromEntries` does not contain the keys.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}

/**
 * Returns the word of a list that needs the fewest changed letters to match a misspelt word. Ignores case,
 * spaces, hyphens and underscores.
 *
 * @returns `undefined` if every word differs in more than a third of its letters (at least one letter)
 */
export function nearest(word: string, among: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of among) {
    const other = plain(candidate);
    const within = wanted.length > 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    // If one of the two words begins with the other word, the distance is 1.2. A candidate with a single
    // wrong letter is therefore preferred.
    const distance = within ? 1.2 : editDistance(wanted, other);
    if (distance < least && distance <= Math.max(1, Math.max(wanted.length, other.length) / 3)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Returns the Levenshtein distance: number of inserted, deleted or changed letters. */
export function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + same));
    }
    above = current;
  }
  return above[right.length]!;
}
