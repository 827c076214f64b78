import type { z } from 'zod';

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
  return FILE_PROBLEMS[code] ?? (error instanceof Error ? error.message : String(error));
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

/** Returns the value at the path of a schema issue. */
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

/** True if a value of a file or a reply is an object: not a list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field as text. Values other than strings become JSON. Empty if the field is missing or null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Returns a field as a number. `undefined` if the field is not a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns an object with a value for each key, in the order of `keys`. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // The type of `Object.fromEntries` loses the keys.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}

/**
 * Returns the word of a list that needs the fewest changed letters to match a misspelt word. Ignores case.
 *
 * @returns `undefined` if every word differs in more than a third of its letters
 */
export function nearest(word: string, among: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of among) {
    const other = plain(candidate);
    const within = wanted.length > 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const distance = within ? 1 : editDistance(wanted, other);
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
