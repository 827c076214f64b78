import type { Fault } from '../../kernel/index.ts';
import { missingData, readFlags, runFlagsSchema } from '../flags.ts';
import type { Io } from '../io.ts';
import type { AskedRun } from '../run/asked-run.ts';
import { startRun } from '../run/start-run.ts';
import { extraFaults } from '../tool-extra-flags.ts';
import { runBoth } from './both-answers.ts';
import { recordingFor } from './recording.ts';

/** `sandtable run`: a backtest from files to a run folder; gives the exit code. */
export async function runCommand(file: string, given: unknown, io: Io): Promise<number> {
  const asked = readAsked(file, given);
  const run = { ...asked, ...recordingFor(asked.flags) };
  return asked.flags.resolve === 'both' ? runBoth(run, io) : startRun(run, io);
}

/** @throws AppError `bad_flags` */
export function readAsked(file: string, given: unknown): AskedRun {
  const parameters = readPairs((given as { param?: string[] }).param ?? []);
  const flags = readFlags(runFlagsSchema, given, 'run', [
    ...missingData(given as { data?: unknown }),
    ...parameters.faults,
    ...extraFaults(given),
  ]);
  return { file, parameters: parameters.pairs, flags };
}

function readPairs(texts: readonly string[]): { pairs: Record<string, string>; faults: Fault[] } {
  const pairs: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    if (name === '' || rest.length === 0)
      faults.push({ where: '--param', message: `"${text}" is not name=value` });
    else if (Object.hasOwn(pairs, name))
      faults.push({
        where: `--param ${name}`,
        message: `is given twice, as "${pairs[name]}" and "${rest.join('=')}"`,
      });
    else pairs[name] = rest.join('=');
  }
  return { pairs, faults };
}
