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
