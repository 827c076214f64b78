import type { Command } from 'commander';
import type { Io } from '../io.ts';
import type { SetExitCode } from './set-exit-code.ts';

const EXAMPLES = `
A study's file names strategies, models, samples, windows, masks and tool sets; docs/study.md leads from one prompt to a table.

Examples:
  npx sandtable study study.yaml
  npx sandtable study study.yaml --concurrency 4 --budget usd=10
  npx sandtable study --resume reports/STUDY`;

export function addLeaderboard(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('leaderboard')
    .description(
      'the arms of all studies of a folder, ranked among those of the same data and windows: a page and a CSV',
    )
    .argument('<folder>', 'a results folder with studies')
    .option('--json', 'print them as one JSON document')
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
    .argument('[file]', 'the study, such as study.yaml')
    .option('--concurrency <n>', 'runs of models and agents at once (default 2)')
    .option('--jobs <n>', 'threads for rules, baselines and random agents (default one a core)')
    .option(
      '--budget <limit=amount...>',
      'in place of the one in the file: calls, tokens or usd, of everything',
    )
    .option('--out <folder>', 'where the study’s folder goes (default reports)')
    .option('--resume <folder>', 'go on with a study that was stopped, killed or out of budget')
    .option('--json', 'print the report as one JSON document')
    .option('--quiet', 'no progress, no table')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, flags: Record<string, unknown>) => {
      const { studyCommand } = await import('../commands/study.ts');
      setExitCode(await studyCommand(file, flags, io));
    });
}
