import { describeValue } from './describe.ts';

/** Who can fix it: `input` is the user's files, flags or orders (exit code 2); `run` is everything else (exit code 1). */
export type ErrorKind = 'input' | 'run';

export interface AppErrorOptions {
  /** Stable machine-readable name, in snake_case. */
  readonly code: string;
  /** What was wrong and where: file, line, field, value. */
  readonly message: string;
  /** What the user can do about it. */
  readonly hint: string;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

/** The one error class a user ever meets: it says what was wrong, where, and what to do. */
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

  /** The old name of `hint`. */
  get remedy(): string {
    return this.hint;
  }
}

export interface Fault {
  /** Where it is: `prices.csv:17`, `--cash`, `orders[3].units`. */
  readonly where: string;
  readonly message: string;
  readonly hint?: string;
}

const SHOWN_FAULTS = 20;

/** Equal faults from which on only the first is shown, with their number. */
const FEWEST_GROUPED = 5;

const PLACE_IN_FILE = /^(.+) ((?:line|row) \d+)$/;

/**
 * Gathers every fault of one input into one error, so that a user fixes a file in one pass.
 *
 * @param faults at least one fault
 * @param subject what was being read, for the first line
 */
export function faultsError(code: string, subject: string, faults: readonly Fault[], hint: string): AppError {
  const groups = grouped(faults);
  const shown = groups.slice(0, SHOWN_FAULTS).map(({ text }) => `  ${text}`);
  const hidden = groups.slice(SHOWN_FAULTS).reduce((total, { count }) => total + count, 0);
  if (hidden > 0) shown.push(`  … and ${hidden} more`);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new AppError({ code, message: `${subject}: ${count}\n${shown.join('\n')}`, hint });
}

interface FaultGroup {
  readonly text: string;
  /** Number of faults in the group. */
  readonly count: number;
}

/** Faults in order. Equal faults of many rows of one file are one group, at the place of the first. */
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
    const rows = `${all.length.toLocaleString('en-US')} rows with this fault, the first in ${place}`;
    return [{ text: `${file}: ${rows}: ${textOf(fault)}`, count: all.length }];
  });
}

function textOf({ message, hint }: Fault): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** Kind of a fault: its file and its text without the values of its row. A fault elsewhere is its own kind. */
function kindOf(fault: Fault): string {
  const [, file] = PLACE_IN_FILE.exec(fault.where) ?? [];
  if (file === undefined) return `${fault.where}\n${textOf(fault)}`;
  const text = textOf(fault)
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/[-+]?\d[\d.,:T-]*/g, '0');
  return `${file}\n${text}`;
}

/** What a stranger's code threw, in words: it may be no error at all. */
export function thrownText(thrown: unknown): string {
  return isError(thrown) ? messageOf(thrown) : `it threw ${describeValue(thrown)}, which is no error`;
}

/** What was thrown; where merely looking at it throws, as at some proxies, an error that says so in words. */
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

/** The message of anything thrown, without its stack; whatever was thrown, this does not throw. */
export function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error);
    return text === '[object Object]' ? describeValue(error) : String(text);
  } catch {
    return isError(error) ? 'an error whose message cannot be read' : describeValue(error);
  }
}
