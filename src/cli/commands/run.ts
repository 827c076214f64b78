import { Command } from 'commander';
import { loadStrategy, withEnvFile } from '../../agents/index.ts';
import { AppError, type Fault, isObject } from '../../kernel/index.ts';
import { estimateText, sideBySideText } from '../../pages/index.ts';
import {
  type BothAnswers,
  type CostEstimate,
  collectErrors,
  openRecord,
  type RunEnd,
  type RunRequest,
  recordedUsages,
  runBothAnswers,
  runRequested,
} from '../../runner/index.ts';
import { configuredOf } from '../config/origins.ts';
import { sectionKeys } from '../config/section-commands.ts';
import { readBudget } from '../flags/flag-values.ts';
import { missingData, readFlags, runFlagsSchema, runOptionsOf, settingsAskedFor } from '../flags/flags.ts';
import { agentFaults, extraFaults } from '../flags/tool-flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';
import { type AskedCommand, nextCommands, printOutcome, printSummary } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';

/**
 * Parsed arguments of `run`. `both` is true for `--resolve both`, and `recorded` is true for `--recording`.
 */
export interface AskedRun {
  readonly request: RunRequest;
  readonly both: boolean;
  readonly samples: number | undefined;
  readonly concurrency: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly recorded: boolean;
  /**
   * Folders of earlier runs whose recorded model usage is the basis of the cost estimate. Empty if the
   * estimate uses no earlier run. `undefined` if no estimate is requested.
   */
  readonly estimateFrom: readonly string[] | undefined;
}

/** `sandtable run`: runs a backtest and writes a run folder. Returns the exit code. */
export async function runCommand(file: string | undefined, given: unknown, io: Io): Promise<number> {
  const asked = await withParameterFaults(() => readAsked(file, given), file, given, io);
  const { request, json, quiet, verbose } = asked;
  if (asked.estimateFrom !== undefined) return printEstimate(asked, asked.estimateFrom, io);
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

/**
 * Reads the flags of a command. If they have faults, also loads the strategy, so that the thrown error also
 * lists faults of the strategy's parameters.
 *
 * @param read reads the flags; throws AppError `bad_flags`
 */
export async function withParameterFaults<Flags>(
  read: () => Flags,
  strategy: string | undefined,
  given: unknown,
  io: Io,
): Promise<Flags> {
  try {
    return read();
  } catch (error) {
    const { param = [] } = given as { readonly param?: readonly string[] };
    if (!(error instanceof AppError) || strategy === undefined || param.length === 0) throw error;
    // A sweep has several values for each parameter. To check the name of the parameter, the first value is
    // enough.
    const first = param.map((text) => text.replace(/(=[^,:]*)[,:].*$/s, '$1'));
    const environment = withEnvFile(io.env);
    const faulty = await loadStrategy(strategy, readPairs(first).pairs, { environment }).then(
      () => undefined,
      (other: unknown) => (other instanceof AppError && other.code === 'bad_parameters' ? other : undefined),
    );
    if (faulty === undefined) throw error;
    await collectErrors(Promise.reject(error), Promise.reject(faulty));
    throw error;
  }
}

/** Returns the function that suggests commands to try after the run. */
function nextOf(file: string | undefined, given: unknown): (end: RunEnd) => readonly string[] {
  const isConfigured = configuredOf(given)?.origins.has('<strategy>') === true;
  const asked: AskedCommand = {
    strategy: isConfigured ? undefined : file,
    flags: isObject(given) ? given : {},
    commands: sectionKeys(new Command()),
  };
  return (end) => nextCommands(end, asked);
}

/**
 * Reads the flags of `run`, or of another command with the same flags.
 *
 * @param more further faults that the calling command has found
 * @param isRecorded true if the run uses the bars of a recorded forward run, so that `--data` is not required
 * @throws AppError `bad_flags`
 */
export function readAsked(
  file: string | undefined,
  given: unknown,
  command = 'run',
  more: readonly Fault[] = [],
  isRecorded = false,
): AskedRun {
  const parameters = readPairs((given as { param?: string[] }).param ?? []);
  const limits = readBudget((given as { budget?: string[] }).budget ?? []);
  const flags = readFlags(runFlagsSchema, given, command, [
    ...limits.faults,
    ...(isRecorded ? [] : missingData(given as { data?: unknown })),
    ...more,
    ...parameters.faults,
    ...extraFaults(given),
    ...(isRecorded && file === undefined ? [] : agentFaults(file, given)),
    ...(flagsNameRecord(given) ? [] : [{ where: '--replay-only', message: NO_RECORD }]),
    ...amendFaults(given),
  ]);
  const { recording, replayOnly = false } = flags;
  return {
    request: {
      ...(file === undefined ? {} : { strategy: file }),
      parameters: parameters.pairs,
      options: runOptionsOf(flags),
      settings: settingsAskedFor(flags),
      ...(Object.keys(limits.budget).length === 0 ? {} : { budget: limits.budget }),
      ...(recording === undefined ? {} : { record: openRecord(recording, replayOnly) }),
    },
    both: flags.resolve === 'both',
    samples: flags.samples,
    concurrency: flags.concurrency,
    json: flags.json === true,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    recorded: recording !== undefined,
    estimateFrom: flags.estimateFrom ?? (flags.estimate === true ? [] : undefined),
  };
}

/** `run --estimate`: prints the estimated costs of a run without running it. */
async function printEstimate(
  { request, json, quiet }: AskedRun,
  from: readonly string[],
  io: Io,
): Promise<number> {
  const known = from.length === 0 ? undefined : recordedUsages(from);
  let found: CostEstimate | undefined;
  const onEstimate = (estimate: CostEstimate): void => {
    found = estimate;
  };
  await runRequested({ ...request, estimate: { known, onEstimate } }, runContext(io, quiet || json));
  if (found === undefined) throw new Error('an estimate was requested');
  const name = request.strategy ?? request.options.agent;
  if (json) printLine(io.stdout, JSON.stringify(found, null, 2));
  else printText(io, estimateText(found, String(name), RUN_CAP, textStyle(io)));
  return 0;
}

const RUN_CAP = 'Set a cap, at which the run stops before it is exceeded: --budget usd=1';

/**
 * Returns a fault if `--amend` is given without `--registration`. `--amend` states why a run or a study
 * differs from its registration. A registration is a plan that was fixed before the run.
 */
export function amendFaults(given: unknown): Fault[] {
  const { amend, registration } = given as { amend?: unknown; registration?: unknown };
  if (amend === undefined || registration !== undefined) return [];
  return [
    {
      where: '--amend',
      message: 'requires --registration FILE, from which the run differs. Add it, or remove --amend',
    },
  ];
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

/**
 * `run --resolve both`: runs the backtest twice. If the prices of a bar allow several outcomes for the
 * orders, the first run assumes the worst outcome, the second the best. Prints both summaries and their
 * comparison.
 */
async function runBoth({ request, json, quiet, verbose }: AskedRun, io: Io): Promise<number> {
  const silent = quiet || json;
  let code = 0;
  const printed = new Set<string>();
  const context = runContext(io, silent, (end) => {
    // With `--json`, the document printed at the end contains the alarms of both runs.
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
