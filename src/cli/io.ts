import type { Readable, Writable } from 'node:stream';
import { asciiText, writeText } from '../kernel/index.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { ProcessGuard } from './guard/process-guard.ts';

/** A terminal or what stands for one. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a command reads and writes: the process's own, or a test's. */
export interface Io {
  readonly stdin: Readable;
  /** Results only. */
  readonly stdout: Output;
  /** Progress, notes and errors. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of a process of our own; in another's, such as a test's, nobody may end it. */
  readonly guard?: ProcessGuard;
  /** Longer limits of calls into Python, where answers must not depend on how busy the machine is. */
  readonly pythonLimits?: Pick<SandboxOptions, 'timeoutMs' | 'graceMs'>;
}

/** @returns false where the other side is slow to take it */
export function printLine(output: Output, text: string): boolean {
  return writeText(output, `${text}\n`);
}

/** Prints what people read, in ASCII where the terminal has no more. */
export function printText({ stdout, env }: Io, text: string): void {
  printLine(stdout, env.TERM === 'dumb' ? asciiText(text) : text);
}

/** Whether colours may be used, by https://no-color.org. */
export function mayColour(output: Output, env: Io['env']): boolean {
  return output.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** Columns to lay text out for: the terminal's, else what COLUMNS says, as in a log of continuous integration. */
export function widthOf(output: Output, env: Io['env']): number {
  const said = Number(env.COLUMNS);
  return output.columns ?? (Number.isInteger(said) && said > 0 ? said : 80);
}

/** How text is laid out on an output's terminal. */
export function textStyle({ stdout, env }: Io): { width: number; colour: boolean; ascii: boolean } {
  return { width: widthOf(stdout, env), colour: mayColour(stdout, env), ascii: env.TERM === 'dumb' };
}
