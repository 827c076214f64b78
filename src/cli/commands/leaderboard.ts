import { join } from 'node:path';
import { z } from 'zod';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { leaderboardCsv, leaderboardOf, leaderboardPage, leaderboardText } from '../../pages/index.ts';
import { listStudies, writeWhole } from '../../results/runs/index.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';

const flagsSchema = z.object({ json: z.boolean().optional(), quiet: z.boolean().optional() });

/**
 * `sandtable leaderboard`: lists the arms of all studies of a folder as a page and a table. Returns the exit
 * code.
 */
export function leaderboardCommand(folder: string, given: unknown, io: Io): number {
  const { json = false, quiet = false } = readFlags(flagsSchema, given, 'leaderboard');
  const readAt = new Date();
  const { studies, unreadable } = readStudies(folder);
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

function readStudies(folder: string): ReturnType<typeof listStudies> {
  try {
    return listStudies(folder);
  } catch (cause) {
    throw new AppError({
      code: 'no_study',
      message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
      hint: 'Pass a results folder that contains folders written by sandtable study.',
      cause,
    });
  }
}
