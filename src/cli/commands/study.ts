import { z } from 'zod';
import type { Fault } from '../../kernel/index.ts';
import { estimateText, studyAlarms, studyText } from '../../pages/index.ts';
import {
  estimateStudy,
  resumeStudy,
  runStudy,
  type StudyEnd,
  type StudyOptions,
} from '../../research/index.ts';
import { alarmsForQuiet } from '../../results/analysis/index.ts';
import { type RunContext, recordedUsages } from '../../runner/index.ts';
import { numberText, readBudget } from '../flags/flag-values.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';
import { printAlarms } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';
import { amendFaults } from './run.ts';

const flagsSchema = z.object({
  concurrency: numberText({ min: 1, max: 64, whole: true }).optional(),
  jobs: numberText({ min: 1, max: 256, whole: true }).optional(),
  out: z.string().optional(),
  resume: z.string().optional(),
  estimate: z.boolean().optional(),
  estimateFrom: z.array(z.string()).min(1).optional(),
  registration: z.string().optional(),
  amend: z.string().min(1).optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
});

/** `sandtable study`: compares strategies and models. Returns the exit code. */
export async function studyCommand(
  file: string | undefined,
  given: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<number> {
  const { budget: all, faults } = readBudget((given.budget as string[] | undefined) ?? []);
  const { seconds, ...budget } = all;
  const resume = typeof given.resume === 'string' ? given.resume : undefined;
  const flags = readFlags(flagsSchema, given, 'study', [
    ...faults,
    ...(seconds === undefined
      ? []
      : [{ where: '--budget', message: 'seconds is not a limit of a study. Expected calls, tokens or usd' }]),
    ...placeFaults(file, resume, given),
    ...amendFaults(given),
  ]);
  const { json = false, quiet = false } = flags;
  const options: StudyOptions = {
    out: flags.out,
    concurrency: flags.concurrency,
    jobs: flags.jobs,
    registration: flags.registration,
    amend: flags.amend,
    budget: Object.keys(budget).length === 0 ? undefined : budget,
  };
  const context = runContext(io, quiet || json);
  if (flags.estimate === true || flags.estimateFrom !== undefined)
    return printEstimate(file!, flags.estimateFrom ?? [], context, json, io);
  const end =
    resume === undefined
      ? await runStudy(file!, options, context)
      : await resumeStudy(resume, options, context);
  return show(end, { json, quiet }, io);
}

async function printEstimate(
  file: string,
  from: readonly string[],
  context: RunContext,
  json: boolean,
  io: Io,
): Promise<number> {
  const known = from.length === 0 ? undefined : recordedUsages(from);
  const estimate = await estimateStudy(file, known, context);
  if (json) printLine(io.stdout, JSON.stringify(estimate, null, 2));
  else {
    const { total, arms, probes, name, unknown } = estimate;
    const parts = arms.map(({ arm, estimate: own }) => `${arm} ${own.decisions}`).join(', ');
    const what = `the study ${name}`;
    printText(io, estimateText(total, what, STUDY_CAP, textStyle(io)));
    printText(io, `Decisions by arm: ${parts === '' ? 'none' : parts}. Questions of probes: ${probes}.`);
    if (unknown.length > 0) printText(io, `Costs of MCP clients are unknown: ${unknown.join(', ')}.`);
  }
  return 0;
}

const STUDY_CAP = 'Set a cap, at which the study stops before it is exceeded: --budget usd=1';

function placeFaults(
  file: string | undefined,
  resume: string | undefined,
  given: Readonly<Record<string, unknown>>,
): Fault[] {
  if (resume === undefined)
    return file === undefined
      ? [{ where: 'study', message: 'is missing. Pass the study’s file, for example study.yaml' }]
      : [];
  return [
    ...(file === undefined
      ? []
      : [
          {
            where: file,
            message: 'cannot be combined with --resume: a study continues with its original settings',
          },
        ]),
    ...(['out', 'registration', 'estimate', 'estimateFrom'] as const).flatMap((name) =>
      given[name] === undefined
        ? []
        : [
            {
              where: `--${name === 'estimateFrom' ? 'estimate-from' : name}`,
              message: 'cannot be combined with --resume',
            },
          ],
    ),
  ];
}

function show(
  { folder, report, stopped }: StudyEnd,
  { json, quiet }: { json: boolean; quiet: boolean },
  io: Io,
): number {
  if (report !== undefined) {
    if (json) printLine(io.stdout, JSON.stringify({ ...report, folder }, null, 2));
    else if (quiet) printAlarms(studyAlarms(report, alarmsForQuiet(report.alarms ?? [])), io);
    else printText(io, studyText(report, folder, textStyle(io)));
    return 0;
  }
  const why =
    stopped?.by === 'budget'
      ? stopped.problem
      : stopped?.by === 'model'
        ? `A model cannot be called any more: ${stopped.problem}`
        : 'Stopped on request';
  printLine(
    io.stderr,
    `${why.replace(/\.$/, '')}. Results so far are in ${folder}.\n  Resume with: npx sandtable study --resume ${folder}${stopped?.by === 'budget' ? ' --budget …' : ''}`,
  );
  return 1;
}
