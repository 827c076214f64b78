import { Command } from 'commander';
import { type Fault, isObject } from '../../kernel/index.ts';
import { sideBySideText } from '../../pages/index.ts';
import {
  type BothAnswers,
  openRecord,
  type RunEnd,
  type RunRequest,
  runBothAnswers,
  runRequested,
} from '../../runner/index.ts';
import { configuredOf } from '../config/origins.ts';
import { sectionKeys } from '../config/section-commands.ts';
import { missingData, readFlags, runFlagsSchema, runOptionsOf, settingsAskedFor } from '../flags/flags.ts';
import { agentFaults, extraFaults } from '../flags/tool-flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';
import { type AskedCommand, nextCommands, printOutcome, printSummary } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';

/** Parsed arguments of `run`. */
export interface AskedRun {
  readonly request: RunRequest;
  readonly both: boolean;
  readonly samples: number | undefined;
  readonly concurrency: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly recorded: boolean;
}

/** `sandtable run`: backtest from files to a run folder. Returns the exit code. */
export async function runCommand(file: string | undefined, given: unknown, io: Io): Promise<number> {
  const asked = readAsked(file, given);
  const { request, json, quiet, verbose } = asked;
  if (asked.both) return runBoth(asked, io);
  let code = 0;
  const next = json || quiet || verbose ? undefined : nextOf(file, given);
  const context = runContext(io, quiet, (end) => {
    printSummary(end, { json, silent: quiet, verbose, ...(next === undefined ? {} : { next }) }, io);
    code = printOutcome(end, io);
  });
  await runRequested({ ...request, preflight: true }, context);
  return code;
}

/** Returns a function that suggests commands after a run. */
function nextOf(file: string | undefined, given: unknown): (end: RunEnd) => readonly string[] {
  const isConfigured = configuredOf(given)?.origins.has('<strategy>') === true;
  const asked: AskedCommand = {
    strategy: isConfigured ? undefined : file,
    flags: isObject(given) ? given : {},
    commands: sectionKeys(new Command()),
  };
  return (end) => nextCommands(end, asked);
}

/** @throws AppError `bad_flags` */
export function readAsked(file: string | undefined, given: unknown): AskedRun {
  const parameters = readPairs((given as { param?: string[] }).param ?? []);
  const flags = readFlags(runFlagsSchema, given, 'run', [
    ...missingData(given as { data?: unknown }),
    ...parameters.faults,
    ...extraFaults(given),
    ...agentFaults(file, given),
    ...(flagsNameRecord(given) ? [] : [{ where: '--replay-only', message: NO_RECORD }]),
  ]);
  const { recording, replayOnly = false } = flags;
  return {
    request: {
      ...(file === undefined ? {} : { strategy: file }),
      parameters: parameters.pairs,
      options: runOptionsOf(flags),
      settings: settingsAskedFor(flags),
      ...(recording === undefined ? {} : { record: openRecord(recording, replayOnly) }),
    },
    both: flags.resolve === 'both',
    samples: flags.samples,
    concurrency: flags.concurrency,
    json: flags.json === true,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    recorded: recording !== undefined,
  };
}

const NO_RECORD = 'requires a recorded run. Pass a run with --recording, or use npx sandtable replay';

function flagsNameRecord(given: unknown): boolean {
  const { recording, replayOnly } = given as { recording?: unknown; replayOnly?: unknown };
  return replayOnly !== true || recording !== undefined;
}

export function readPairs(texts: readonly string[]): { pairs: Record<string, string>; faults: Fault[] } {
  const pairs: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    if (name === '' || rest.length === 0)
      faults.push({ where: '--param', message: `"${text}" is not name=value` });
    else if (Object.hasOwn(pairs, name))
      faults.push({
        where: `--param ${name}`,
        message: `is given twice, as "${pairs[name]}" and "${rest.join('=')}". Pass it once`,
      });
    else pairs[name] = rest.join('=');
  }
  return { pairs, faults };
}

/** `--resolve both`: prints the summaries of both runs and their comparison. */
async function runBoth({ request, json, quiet, verbose }: AskedRun, io: Io): Promise<number> {
  const silent = quiet || json;
  let code = 0;
  const printed = new Set<string>();
  const context = runContext(io, silent, (end) => {
    // With --json, the alarms are in the document.
    if (!json) printSummary(end, { json: false, silent, verbose }, io, printed);
    code ||= printOutcome(end, io);
  });
  const { worst, best } = await runBothAnswers(request, context);
  if (best !== undefined && code !== 0) return code;
  if (json) printLine(io.stdout, JSON.stringify(summaries({ worst, best }), null, 2));
  else if (!quiet && best !== undefined)
    printText(io, sideBySideText(worst.summary, best.summary, textStyle(io)));
  else if (!quiet && code === 0)
    printText(io, 'No bar allows several outcomes: worst and best are this same run.');
  return code;
}

function summaries({ worst, best = worst }: BothAnswers): Record<string, unknown> {
  return { worst: worst.summary, best: best.summary };
}
