import { describeValue } from './describe.ts';

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
  /** Instruction how the user can fix the problem. */
  readonly hint: string;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

/** Error class of all errors that users see. States the problem, its place and the fix. */
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

  /** Former name of `hint`. */
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

/** Number of equal faults from which they are shown as one fault with a count. */
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

/** Returns one error with the messages of all. */
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
 * Groups faults and preserves their order. Equal faults in many rows of one file form one group, at the place
 * of the first.
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
      return [{ text: `${fault.where}: ${textOf(fault)}`, count: 1 }];
    if (fault !== all[0]) return [];
    const rows = `${all.length.toLocaleString('en-US')} rows have this fault, the first in ${place}`;
    return [{ text: `${file}: ${rows}: ${textOf(fault)}`, count: all.length }];
  });
}

function textOf({ message, hint }: Fault): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/**
 * Returns the grouping key of a fault: its file and its text without the values of the row. A fault that is
 * not in a row gets a unique key.
 */
function kindOf(fault: Fault): string {
  const [, file] = PLACE_IN_FILE.exec(fault.where) ?? [];
  if (file === undefined) return `${fault.where}\n${textOf(fault)}`;
  const text = textOf(fault)
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
