import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { AppError, countedTable, minuteText } from '../../kernel/index.ts';
import { LEDGER_FILE, type ProjectRecords, projectsOf, readLedger } from '../../results/runs/index.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';

const ledgerFlagsSchema = z.object({
  reports: z.string().optional(),
  project: z.string().optional(),
  strategy: z.string().optional(),
  json: z.boolean().optional(),
});

/** Number of characters that are shown of a data set's hash. */
const HASH = 8;

/**
 * `sandtable ledger`: lists the research projects of a results folder. Shows how often the runs of each
 * project used the same bars ("looks"), because more looks make a lucky result more likely. Returns the exit
 * code.
 */
export function ledgerCommand(given: Record<string, unknown>, io: Io): number {
  const flags = readFlags(ledgerFlagsSchema, given, 'ledger');
  const store = flags.reports ?? 'reports';
  if (flags.reports !== undefined && !existsSync(store))
    throw new AppError({
      code: 'no_reports',
      message: `Cannot read ${store}: the file or folder does not exist.`,
      hint: 'Pass a folder that contains run folders, for example reports.',
    });
  const { records, notes } = readLedger(resolve(store));
  for (const note of notes) printLine(io.stderr, `note: ${note}`);
  const all = projectsOf(records);
  const projects = all.filter(
    ({ project, strategies }) =>
      (flags.project === undefined || project === flags.project) &&
      (flags.strategy === undefined || strategies.includes(flags.strategy)),
  );
  if (projects.length === 0 && all.length > 0)
    throw new AppError({
      code: 'no_project',
      message: `No research project in ${store} matches ${[flags.project, flags.strategy].filter((name) => name !== undefined).join(', ')}.`,
      hint: `Available projects: ${[...new Set(all.map(({ project }) => project))].join(', ')}.`,
    });
  if (flags.json === true) printLine(io.stdout, JSON.stringify(projects, null, 2));
  else if (projects.length === 0) printLine(io.stdout, `No looks yet: ${store} has no ${LEDGER_FILE}.`);
  else printText(io, projects.map((project) => projectText(project, io)).join('\n\n'));
  return 0;
}

function projectText(project: ProjectRecords, io: Io): string {
  const { isDefault, data, looks, trials, heldOutFrom, heldOutLooks, entries } = project;
  const name = isDefault
    ? `Default project of ${project.project} on data ${data.map((sha256) => sha256.slice(0, HASH)).join(', ')}`
    : `Project ${project.project}`;
  const held =
    heldOutFrom === null
      ? 'No bars are reserved for a holdout.'
      : `The bars from ${heldOutFrom} on are held out and have been looked at ${times(heldOutLooks)}.`;
  const rows = entries.map(({ kind, strategy, by, at, until, looks: count, run, from, to, sawHeldOut }) => [
    minuteText(at),
    minuteText(until) === minuteText(at) ? '' : minuteText(until),
    by ?? 'unknown',
    kind,
    strategy,
    kind === 'holdout' ? '' : count,
    `${from ?? '–'} to ${to ?? 'the end'}`,
    kind === 'holdout' ? 'held out' : sawHeldOut ? 'seen' : '',
    run ?? '',
  ]);
  const columns = ['From (UTC)', 'Until', 'Who', 'Kind', 'Strategy', 'Looks', 'Bars', 'Holdout', 'Run'];
  return [
    `${name}: ${looks} ${looks === 1 ? 'look' : 'looks'}, ${trials} different ${trials === 1 ? 'trial' : 'trials'}. ${held}`,
    countedTable(columns, rows, textStyle(io)),
  ].join('\n');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
