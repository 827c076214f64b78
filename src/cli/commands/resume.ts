import { z } from 'zod';
import { resumeRun } from '../../runner/index.ts';
import { readAgentBudget } from '../flags/flag-values.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';
import { nextCommands, printOutcome, printSummary } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';

const flagsSchema = z.object({
  data: z.array(z.string()).optional(),
  budget: z.array(z.string()).optional(),
  replayOnly: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  verbose: z.boolean().optional(),
});

/** `sandtable resume`: continues a killed, interrupted or stopped run. Returns the exit code. */
export async function resumeCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const limits = readAgentBudget((given as { budget?: string[] }).budget ?? [], '--budget');
  const flags = readFlags(flagsSchema, given, 'resume', limits.faults);
  const { data, replayOnly, json = false, quiet = false, verbose = false } = flags;
  let code = 0;
  const context = runContext(io, quiet, (end) => {
    printSummary(end, { json, silent: quiet, verbose, next: nextCommands }, io);
    code = printOutcome(end, io);
  });
  const isLimited = Object.keys(limits.budget).length > 0;
  const options = { data, replayOnly, ...(isLimited ? { budget: limits.budget } : {}) };
  const end = await resumeRun(folder, options, context);
  if (end === undefined) printLine(io.stderr, `${folder} is complete: there is nothing to resume.`);
  return code;
}
