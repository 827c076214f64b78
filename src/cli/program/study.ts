import type { Command } from 'commander';
import type { Io, SetExitCode } from '../io.ts';

const EXAMPLES = `
A study's file names strategies, models, samples, windows, masks and tool sets; see docs/study.md.

Examples:
  npx sandtable study study.yaml
  npx sandtable study study.yaml --concurrency 4 --budget usd=10
  npx sandtable study --resume reports/STUDY`;

export function addLeaderboard(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('leaderboard')
    .description('rank the arms of all studies in a folder, per data and windows, as a page and a CSV')
    .argument('<folder>', 'results folder that contains studies')
    .option('--json', 'print the ranking as one JSON document')
    .option('--quiet', 'write the files and print nothing')
    .addHelpText(
      'after',
      `
Writes leaderboard.html and leaderboard.csv into the folder.

Example:
  npx sandtable leaderboard reports`,
    )
    .action(async (folder: string, flags: unknown) => {
      const { leaderboardCommand } = await import('../commands/leaderboard.ts');
      setExitCode(leaderboardCommand(folder, flags, io));
    });
}

export function addStudy(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('study')
    .description(
      'run strategies × models × samples × windows × masks × tools, with baselines, statistics and an audit',
    )
    .argument('[file]', 'study file, for example study.yaml')
    .option('--concurrency <n>', 'runs of models and agents in parallel (default 2)')
    .option('--jobs <n>', 'threads for rules, baselines and random agents (default: one per core)')
    .option(
      '--budget <limit=amount...>',
      'replaces the budget of the file: calls, tokens or usd, for the whole study',
    )
    .option('--out <folder>', 'folder for the study’s folder (default reports)')
    .option('--resume <folder>', 'resume a study that was stopped, killed or out of budget')
    .option('--json', 'print the report as one JSON document')
    .option('--quiet', 'no progress, no table')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, flags: Record<string, unknown>) => {
      const { studyCommand } = await import('../commands/study.ts');
      setExitCode(await studyCommand(file, flags, io));
    });
}
