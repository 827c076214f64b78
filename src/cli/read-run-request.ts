import { Command, CommanderError } from 'commander';
import { AppError } from '../kernel/index.ts';
import type { RunRequest } from '../runner/index.ts';
import { readAsked } from './commands/run.ts';
import { addRunFlags } from './flags/run-flags.ts';

/**
 * Parses the arguments of `sandtable run` into a run request.
 *
 * @param argv arguments after `run`
 * @throws AppError `bad_flags`
 */
export function readRunRequest(argv: readonly string[]): RunRequest {
  let said = '';
  const command = addRunFlags(new Command('run'))
    .exitOverride()
    .configureOutput({
      writeErr: (text) => {
        said += text;
      },
    });
  try {
    command.parse(argv, { from: 'user' });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    throw badFlags(said.trim().replace(/^error: /, ''), cause);
  }
  const [file] = command.args;
  const { config, profile, unset } = command.opts<Record<string, unknown>>();
  if (typeof config === 'string' || profile !== undefined || unset !== undefined)
    throw badFlags('--config, --profile and --unset are not available here. Pass the flags themselves.');
  const { request, both, samples } = readAsked(file, command.opts());
  if (both || samples !== undefined)
    throw badFlags(
      `${both ? '--resolve both' : '--samples'} starts several runs, but this call starts one run.`,
    );
  return request;
}

function badFlags(message: string, cause?: unknown): AppError {
  return new AppError({ code: 'bad_flags', message, hint: 'See: npx sandtable run --help', cause });
}
