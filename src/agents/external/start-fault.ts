import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { nearest } from '../../kernel/index.ts';

/** Programs that start agents, by the ending of their files. */
const STARTERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'npx tsx',
  '.mts': 'npx tsx',
};
const PROGRAMS = ['python3', 'python', 'node', 'npx', 'uv', 'deno', 'bun'];

/**
 * Returns what is wrong with the program of an agent that could not be started, and what to write instead.
 *
 * @param words program and its arguments, from --agent
 * @param error error of the operating system
 */
export function startFault(
  [program = '', ...words]: readonly string[],
  error: NodeJS.ErrnoException,
): string {
  const starter = STARTERS[extname(program)];
  const isFile = existsSync(program);
  if (starter !== undefined && isFile)
    return `${program} is a file, not a program. Expected the program that runs it: --agent "${[starter, program, ...words].join(' ')}"`;
  if (error.code !== 'ENOENT') return `its program ${program} could not be started: ${error.message}`;
  if (starter !== undefined)
    return `the file ${program} was not found. Expected a program and an existing file, for example --agent "${starter} ${program}"`;
  const meant = nearest(program, PROGRAMS);
  const known = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `the program ${program} was not found.${known} Expected an installed program, or the path of one, for example --agent "python3 agent.py"`;
}
