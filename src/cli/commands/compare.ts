import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, fileProblem, writeData } from '../../kernel/index.ts';
import {
  comparisonMarkdown,
  comparisonPage,
  comparisonRows,
  comparisonText,
  leaderboardCsv,
  leaderboardOf,
  leaderboardPage,
  leaderboardText,
} from '../../pages/index.ts';
import {
  type Comparison,
  compareRuns,
  csvText,
  listStudies,
  readRun,
  runFoldersOf,
  type StoredRun,
  writeWhole,
} from '../../results/runs/index.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, mayColour, printLine, printText, textStyle, widthOf, writeNamedFile } from '../io.ts';
import { printing } from '../run-context.ts';

export interface CompareFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly md?: boolean;
  readonly html?: string;
}

/**
 * `sandtable compare A B …`: compares runs. Prints the comparison on stdout, and writes it as a page if
 * `--html` is given.
 */
export function compareCommand(named: readonly string[], flags: CompareFlags, io: Io): void {
  const { folders, skipped } = runsAmong(named);
  for (const line of skipped) printLine(io.stderr, line);
  const forms = [flags.json, flags.csv, flags.md].filter((form) => form === true).length;
  if (forms > 1 || folders.length < 2) {
    throw new AppError({
      code: 'bad_flags',
      message:
        folders.length < 2
          ? `sandtable compare needs at least two runs; ${folders.length} given.`
          : 'Several output formats given. Use one of --json, --csv or --md.',
      hint: 'See: npx sandtable compare --help',
    });
  }
  const readAt = new Date();
  const observer = printing(io, false);
  const stored = folders.map((folder, done) => {
    observer.progress('reading the runs', done, folders.length, 'runs');
    return readRun(folder, { lightBars: true });
  });
  observer.progressEnd();
  const comparison = compareRuns(stored);
  if (flags.html !== undefined)
    writeNamedFile(flags.html, comparisonPage(comparison, stored, [], readAt), {
      hint: 'Pass a file in an existing, writable folder.',
    });
  const text = textOf(comparison, stored, flags, io);
  if (flags.csv === true) writeData(io.stdout, `${text}\n`);
  else if (flags.json === true || flags.md === true) printLine(io.stdout, text);
  else printText(io, text);
  if (flags.html !== undefined) printLine(io.stderr, `Comparison page: ${flags.html}`);
}

/**
 * Returns the run folders among the named paths, and a line for each path that contains no run.
 *
 * @throws AppError if a path does not exist
 */
function runsAmong(named: readonly string[]): { folders: string[]; skipped: string[] } {
  const [folders, skipped]: [string[], string[]] = [[], []];
  for (const name of named) {
    try {
      const found = runFoldersOf(name);
      if (found[0] !== name || !existsSync(name) || existsSync(join(name, 'journal.jsonl')))
        folders.push(...found);
      else skipped.push(`Skipped ${name}: not a run folder (no journal.jsonl).`);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'no_run')) throw error;
      skipped.push(`Skipped ${name}: ${error.message}`);
    }
  }
  return { folders, skipped };
}

function textOf(comparison: Comparison, stored: readonly StoredRun[], flags: CompareFlags, io: Io): string {
  if (flags.json === true) {
    // `spine` is the table that compares a run with its benchmark. The field has the same name in the JSON
    // output of `sandtable run`.
    const runs = comparison.runs.map((run, place) => ({
      ...run,
      spine: stored[place]!.metrics.benchmarkTable(),
    }));
    return JSON.stringify({ ...comparison, runs }, null, 2);
  }
  if (flags.md === true) return comparisonMarkdown(comparison);
  if (flags.csv === true)
    return csvText(comparisonRows(comparison).map((row) => row.map((cell) => cell ?? ''))).trimEnd();
  return comparisonText(comparison, {
    width: widthOf(io.stdout, io.env),
    colour: mayColour(io.stdout, io.env),
    ascii: io.env.TERM === 'dumb',
  });
}

const flagsSchema = z.object({ json: z.boolean().optional(), quiet: z.boolean().optional() });

/**
 * `sandtable leaderboard`: ranks the arms (compared strategies) of all studies in a folder. Writes a page and
 * a table. Returns the exit code.
 */
export function leaderboardCommand(folder: string, given: unknown, io: Io): number {
  const { json = false, quiet = false } = readFlags(flagsSchema, given, 'leaderboard');
  const readAt = new Date();
  const observer = printing(io, json || quiet);
  const { studies, unreadable } = readStudies(folder, (done, total) =>
    observer.progress('reading the studies', done, total, 'studies'),
  );
  observer.progressEnd();
  for (const name of unreadable)
    printLine(io.stderr, `note: ${name} is not a finished study that this version can read; skipped.`);
  if (studies.length === 0)
    throw new AppError({
      code: 'no_study',
      message: `${folder} contains no finished study.`,
      hint: 'Pass a results folder that contains folders written by sandtable study.',
    });
  const groups = leaderboardOf(studies);
  const [page, csv] = [join(folder, 'leaderboard.html'), join(folder, 'leaderboard.csv')];
  writeWhole(page, leaderboardPage(groups, readAt));
  writeWhole(csv, leaderboardCsv(groups));
  if (json) printLine(io.stdout, JSON.stringify({ groups, page, csv }, null, 2));
  else if (!quiet)
    printText(io, `${leaderboardText(groups, textStyle(io))}\n\nPage      ${page}\nTable     ${csv}`);
  return 0;
}

function readStudies(
  folder: string,
  onRead: (done: number, total: number) => void,
): ReturnType<typeof listStudies> {
  try {
    return listStudies(folder, onRead);
  } catch (cause) {
    throw new AppError({
      code: 'no_study',
      message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
      hint: 'Pass a results folder that contains folders written by sandtable study.',
      cause,
    });
  }
}
