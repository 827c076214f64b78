import { z } from 'zod';
import { AppError, messageOf } from '../../kernel/index.ts';
import { type ReplayEnd, replayRun, resumeRun } from '../../runner/index.ts';
import { readAgentBudget } from '../flags/flag-values.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';
import { nextCommands, printOutcome, printSummary } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';

const flagsSchema = z.object({ data: z.array(z.string()).optional(), quiet: z.boolean().optional() });

/**
 * `sandtable replay`: repeats a run from its records without network access, and compares the new events with
 * the run's journal. Returns the exit code: 0 if they are equal.
 */
export async function replayCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const { data, quiet = false } = readFlags(flagsSchema, given, 'replay');
  let code = 0;
  await replayRun(folder, data, runContext(io, quiet), (end) => {
    const { repeats, text } = replayText(end);
    printLine(repeats ? io.stdout : io.stderr, text);
    code = repeats ? 0 : 1;
  });
  return code;
}

/** Describes the result of a replay. `repeats` is true if the replay equals the recorded run. */
export function replayText(end: ReplayEnd): { readonly repeats: boolean; readonly text: string } {
  const { error, matched, lines } = end;
  if (end.differs) {
    const hint = error instanceof AppError ? `\n  ${error.hint}` : '';
    return { repeats: false, text: `error: ${messageOf(error)}${hint}` };
  }
  if (matched < lines) {
    const why = error === undefined ? '' : `: ${messageOf(error)}`;
    return {
      repeats: false,
      text: `error: The run ended (${end.outcome}) before line ${matched + 1} of ${lines}, which is recorded as ${end.nextEvent}${why}
  Restore the journal from a copy, or run the backtest again.`,
    };
  }
  if (end.changed !== undefined) {
    const { now, written } = end.changed;
    return {
      repeats: false,
      text: `error: journal.jsonl was edited after the run: its SHA-256 is ${now}, but manifest.json records ${written}. The edited fields are recorded answers that a replay copies, for example served.fingerprint.
  Restore the journal from a copy, or run the backtest again.`,
    };
  }
  const cut = end.recordCut ? ', up to the bar at which the record ends' : '';
  return {
    repeats: true,
    text: `The run repeats its record${cut}: ${end.events} events, ${answersText(end)} replayed, ${end.toolCalls} tool calls made again.${end.recordCut ? `\n  ${cutText(end)}` : ''}`,
  };
}

/** Describes which bars the record of an incomplete run covers. */
function cutText({ recordedBars, allBars }: ReplayEnd): string {
  const where = recordedBars === 0 ? 'before its first bar had ended' : `after bar ${recordedBars - 1}`;
  return `The recorded run was cut off ${where}: ${recordedBars} of ${allBars} bars were compared. The remaining bars were not recorded.`;
}

function answersText({ exchanges, agentReplies }: ReplayEnd): string {
  return agentReplies === 0 ? `${exchanges} model exchanges` : `${agentReplies} messages of the agent`;
}

const resumeFlags = z.object({
  data: z.array(z.string()).optional(),
  budget: z.array(z.string()).optional(),
  replayOnly: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  verbose: z.boolean().optional(),
});

/** `sandtable resume`: continues a run that was killed, interrupted or stopped. Returns the exit code. */
export async function resumeCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const limits = readAgentBudget((given as { budget?: string[] }).budget ?? [], '--budget');
  const flags = readFlags(resumeFlags, given, 'resume', limits.faults);
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
