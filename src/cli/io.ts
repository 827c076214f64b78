import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { asciiText, makeFolder, unwritable, writeText } from '../kernel/index.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { ProcessGuard } from './guard/process-guard.ts';

/** Terminal, file or pipe, or a replacement in a test. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Streams and environment of a command: those of the process, or of a test. */
export interface Io {
  readonly stdin: Readable;
  /** Results only. */
  readonly stdout: Output;
  /** Progress, notes and errors. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Guard of the process. Absent inside another program, such as a test: the guard could end that program. */
  readonly guard?: ProcessGuard;
  /** Longer limits of Python calls, for runs whose answers must not depend on the load of the machine. */
  readonly pythonLimits?: Pick<SandboxOptions, 'timeoutMs' | 'graceMs'>;
}

/**
 * Prints a line.
 *
 * @returns false if the output's buffer is full
 */
export function printLine(output: Output, text: string): boolean {
  return writeText(output, `${text}\n`);
}

/** Prints text for people. A dumb terminal gets ASCII characters only. */
export function printText({ stdout, env }: Io, text: string): void {
  printLine(stdout, env.TERM === 'dumb' ? asciiText(text) : text);
}

/** Returns true if colours may be used, following https://no-color.org. */
export function mayColour(output: Output, env: Io['env']): boolean {
  return output.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/**
 * Returns the width of text in columns: the terminal's, or else COLUMNS, for example in logs of continuous
 * integration.
 */
export function widthOf(output: Output, env: Io['env']): number {
  const said = Number(env.COLUMNS);
  return output.columns ?? (Number.isInteger(said) && said > 0 ? said : 80);
}

/** Returns the text style for an output's terminal. */
export function textStyle({ stdout, env }: Io): { width: number; colour: boolean; ascii: boolean } {
  return { width: widthOf(stdout, env), colour: mayColour(stdout, env), ascii: env.TERM === 'dumb' };
}

/** Sets the exit code of a command. Default: 0. */
export type SetExitCode = (code: number) => void;

/**
 * Writes a file to a path that the user gave.
 *
 * @param hint remedy if the file cannot be written
 * @throws AppError with the given code
 */
export function writeNamedFile(
  file: string,
  text: string,
  {
    code = 'page_unwritable',
    hint,
    makesFolder = false,
  }: { readonly code?: string; readonly hint: string; readonly makesFolder?: boolean },
): void {
  try {
    if (makesFolder) makeFolder(dirname(file));
    writeFileSync(file, text);
  } catch (cause) {
    throw unwritable(file, cause, { code, hint });
  }
}
