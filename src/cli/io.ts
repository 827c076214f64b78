import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { asciiText, makeFolder, unwritable, writeText } from '../kernel/index.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { ProcessGuard } from './guard/process-guard.ts';

/** Output of a command: a terminal, a file, a pipe, or a replacement in a test. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Streams and environment of a command. They belong to the process or to a test. */
export interface Io {
  readonly stdin: Readable;
  /** Output for results only. */
  readonly stdout: Output;
  /** Output for progress, notes and errors. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Guard of the process. Absent inside another program, such as a test, because the guard could end that
   * program.
   */
  readonly guard?: ProcessGuard;
  /**
   * Time limits of Python calls that replace the defaults. Longer limits are for runs whose results must not
   * depend on the load of the machine.
   */
  readonly pythonLimits?: Pick<SandboxOptions, 'timeoutMs' | 'graceMs'>;
}

/**
 * Prints a line.
 *
 * @returns false if the buffer of the output is full
 */
export function printLine(output: Output, text: string): boolean {
  return writeText(output, `${text}\n`);
}

/** Prints text for people. On a dumb terminal, prints only ASCII characters. */
export function printText({ stdout, env }: Io, text: string): void {
  printLine(stdout, env.TERM === 'dumb' ? asciiText(text) : text);
}

/** Returns true if colours may be used, according to https://no-color.org. */
export function mayColour(output: Output, env: Io['env']): boolean {
  return output.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/**
 * Returns the width for text in columns: the width of the terminal, or else the variable COLUMNS, which logs
 * of continuous integration may set, or else 80.
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
