import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { AppError, fileProblem, grouped, nearest, textTable } from '../../kernel/index.ts';
import { planStudy } from '../../research/index.ts';
import { FIGURE_ENTRIES, STUDY_FIGURES, thresholdOf } from '../../results/analysis/index.ts';
import {
  type ForwardStatus,
  forwardStatus,
  openRecord,
  type RunRequest,
  recordedRequest,
  registrationOf,
  runRequested,
} from '../../runner/index.ts';
import { configuredOf } from '../config/origins.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';
import { nextCommands, printOutcome, printSummary } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';
import { type AskedRun, readAsked } from './run.ts';

/** `sandtable forward`: runs a strategy on bars that arrive during the run. Returns the exit code. */
export async function forwardCommand(file: string | undefined, given: unknown, io: Io): Promise<number> {
  const isNamed = (given as { feed?: unknown }).feed !== undefined;
  const asked = readAsked(file, given, 'forward', isNamed ? [] : [NO_FEED]);
  return runAsked(asked, asked.request, io);
}

const NO_FEED = {
  where: '--feed',
  message: 'is missing. Pass file:PATH, stdin, simulate, http://…, ws://… or provider:NAME',
};

/**
 * `sandtable run --recorded`: runs a strategy on the bars that a forward run recorded. Returns the exit code.
 */
export async function recordedCommand(file: string | undefined, given: unknown, io: Io): Promise<number> {
  const asked = readAsked(file, given, 'run', [], true);
  const { recorded = '', data } = asked.request.options;
  const request = recordedRequest(recorded, data, asked.request);
  const { recording, replayOnly } = given as { recording?: string; replayOnly?: boolean };
  const record = recording === undefined ? request.record : openRecord(recording, replayOnly === true);
  return runAsked(asked, { ...request, ...(record === undefined ? {} : { record }) }, io);
}

/**
 * Returns the schema of the flags that describe a hypothesis: a sentence, a metric, its threshold and a test.
 *
 * @param figures names of the metrics that `--primary` accepts
 */
const hypothesisFlags = (figures: readonly string[]) =>
  z.object({
    hypothesis: z.string({ error: 'is missing. Pass one sentence' }).min(1),
    primary: z
      .string({ error: 'is missing. Pass a figure of summary.json, for example sharpe' })
      .refine((name) => figures.includes(name), {
        error: ({ input }) => {
          const meant = nearest(String(input), figures);
          const hint =
            meant === undefined ? `Expected one of ${figures.join(', ')}` : `Did you mean ${meant}?`;
          return `"${String(input)}" is not a figure. ${hint}`;
        },
      }),
    threshold: z
      .string({ error: 'is missing. Pass the value that the figure must reach' })
      .refine((text) => thresholdOf(text) !== undefined, {
        error: ({ input }) => `"${String(input)}" is not a number. Expected for example 0.5 or 5%`,
      }),
    test: z.string({ error: 'is missing. Pass how the hypothesis is tested, in words' }).min(1),
  });

/**
 * `sandtable register`: writes a registration for a run or for a study file. A registration fixes the plan
 * before the run. Returns the exit code.
 */
export async function registerCommand(file: string | undefined, given: unknown, io: Io): Promise<number> {
  const isStudy = file !== undefined && /\.ya?ml$/i.test(file);
  const figures = isStudy ? STUDY_FIGURES : FIGURE_ENTRIES.map(([name]) => name);
  const { hypothesis, primary, threshold, test } = readFlags(hypothesisFlags(figures), given, 'register');
  const { plan, out } = isStudy
    ? await studyToRegister(file, given, io)
    : await runToRegister(file, given, io);
  const stated = { text: hypothesis, primaryFigure: primary, threshold, test };
  const { text, sha256 } = registrationOf(plan, stated, new Date());
  try {
    writeFileSync(out, text, { flag: 'wx' });
  } catch (cause) {
    throw new AppError({
      code: 'output_unwritable',
      message: `Cannot write ${out}: ${fileProblem(cause)}.`,
      hint: 'A registration is never overwritten. Choose another file with --out.',
      cause,
    });
  }
  printLine(io.stdout, `${sha256}  ${out}`);
  return 0;
}

interface ToRegister {
  readonly plan: Json;
  readonly out: string;
}

async function runToRegister(file: string | undefined, given: unknown, io: Io): Promise<ToRegister> {
  const { request, quiet } = readAsked(file, given, 'register');
  const { out = REGISTRATION, ...options } = request.options;
  let plan: Json | undefined;
  const onPlan = (found: Json): void => {
    plan = found;
  };
  await runRequested({ ...request, options, onPlan }, runContext(io, quiet));
  if (plan === undefined) throw new Error('a run that is registered has a plan');
  return { plan, out };
}

/** Flags that `register` accepts for a study file. Data and all settings are in the study file itself. */
const OF_STUDIES = new Set([
  'hypothesis',
  'primary',
  'threshold',
  'test',
  'out',
  'quiet',
  'config',
  'profile',
  'unset',
]);

async function studyToRegister(file: string, given: unknown, io: Io): Promise<ToRegister> {
  const origins = [...(configuredOf(given)?.origins.keys() ?? [])];
  const others = Object.entries(given as object)
    // A flag with a `--no-` form is true if it is omitted. The value true therefore does not mean that the
    // flag was given.
    .filter(([name, value]) => !OF_STUDIES.has(name) && value !== true)
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    .filter((flag) => !origins.some((origin) => origin.split(' ')[0] === flag));
  const { out = REGISTRATION, quiet = false } = readFlags(studyFlags, given, 'register', [
    ...others.map((where) => ({
      where,
      message: `cannot be combined with a study. Set it in ${file}`,
    })),
  ]);
  return { plan: await planStudy(file, runContext(io, quiet)), out };
}

const REGISTRATION = 'registration.json';
const studyFlags = z.object({ out: z.string().optional(), quiet: z.boolean().optional() });

async function runAsked({ json, quiet, verbose }: AskedRun, request: RunRequest, io: Io): Promise<number> {
  let code = 0;
  const context = runContext(io, quiet, (end) => {
    printSummary(end, { json, silent: quiet, verbose, next: nextCommands }, io);
    code = printOutcome(end, io);
  });
  await runRequested({ ...request, preflight: true }, context);
  return code;
}

const statusFlags = z.object({ json: z.boolean().optional() });

/** `sandtable forward status`: prints the state of a forward run. Returns the exit code. */
export function forwardStatusCommand(folder: string, given: unknown, io: Io): number {
  const { json = false } = readFlags(statusFlags, given, 'forward status');
  const status = forwardStatus(folder);
  if (json) printLine(io.stdout, JSON.stringify(status, null, 2));
  else printText(io, textTable(['forward run', status.folder], rowsOf(status), textStyle(io)));
  return 0;
}

function rowsOf(status: ForwardStatus): readonly (readonly string[])[] {
  const { state, pid, bars, lastBar, lastReceivedAt, decided, late, missed, problems, lastProblem } = status;
  return [
    ['state', pid === null ? state : `${state}, process ${pid}`],
    ['bars', `${bars} received`],
    ['last bar', lastBar === null ? 'none' : `${lastBar}, received ${lastReceivedAt}`],
    ['decisions', `${decided} made, ${late} of them late, ${missed} bars not decided in time`],
    ['not applied', `${status.revised} revised and ${status.lateBars} late bars`],
    ['gaps', String(status.gaps)],
    ['problems', lastProblem === null ? String(problems) : `${problems}; last: ${lastProblem}`],
    ['equity', status.equity === null ? 'none' : grouped(Number(status.equity), 2)],
  ];
}

/** `sandtable forward stop`: stops a forward run after its current decision. Returns the exit code. */
export function forwardStopCommand(folder: string, io: Io): number {
  const { pid, state } = forwardStatus(folder);
  if (pid === null)
    throw new AppError({
      code: 'not_running',
      message: `No process on this machine is writing ${folder}: its state is "${state}".`,
      hint: 'Check the folder with npx sandtable forward status, or continue it with npx sandtable resume.',
    });
  process.kill(pid, 'SIGTERM');
  printLine(
    io.stderr,
    `Stopping process ${pid} after its current decision. Continue with: npx sandtable resume ${folder}`,
  );
  return 0;
}
