import type { Command } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import { addDataFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { addReportFlags } from '../report-flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import type { SetExitCode } from './set-exit-code.ts';

const SWEEP_EXAMPLES = `
Examples:
  npx sandtable sweep strategies/sma-cross.ts --data data/spx-daily.csv --param fast=5:50:5 --param slow=20:200:20
  npx sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5:50:1 --param slow=20:200:1 --search tpe --trials 200 \\
    --objective "cagr / abs(maxDrawdown)" --constraint "tradeCount >= 30" --walk-forward train=3y,test=1y --holdout 2y
  npx sandtable sweep --resume reports/SWEEP
  npx sandtable sweep status reports/SWEEP`;

export function addSweep(program: Command, io: Io, setExitCode: SetExitCode): void {
  const sweep = program
    .command('sweep')
    .description(
      'run a strategy with many parameters and say whether the best of them holds; or status, stop and a sweep’s folder',
    )
    .argument('[strategy]', 'strategy file, or status or stop')
    .argument('[folder]', 'a sweep’s folder, after status or stop');
  addDataFlags(sweep)
    .option('--detail <path...>', 'finer bars of some or all symbols')
    .option('--vfs <folder>', 'text files each trial begins with, in its in-memory file system');
  addClusterFlags(addReportFlags(addSettingsFlags(sweep)))
    .option('--param <name=values...>', 'start:end:step with its end, a,b,c, or one value')
    .option('--search <kind>', 'grid, random, sobol, halving or tpe (default grid)')
    .option('--trials <n>', 'combinations to try at most (default: all of a grid, 100 of other searches)')
    .option('--objective <figure>', 'a figure of summary.json, or an expression of some (default sharpe)')
    .option('--minimise', 'look for the smallest objective')
    .option('--constraint <condition...>', 'what the best must meet, such as "tradeCount >= 30"')
    .option(
      '--walk-forward <terms>',
      'choose on one window and test on the next: train=3y,test=1y[,step=1y][,anchored][,embargo=5d][,carry]',
    )
    .option(
      '--cross-validate <terms>',
      'choose on some parts of the time and test on others: cpcv:groups=6,test=2[,embargo=5d]',
    )
    .option(
      '--holdout <length>',
      'keep the end of the data from this sweep and later ones, such as 2y; none looks at what was kept',
    )
    .option('--budget <limit=amount...>', 'of all trials together, for a prompt: calls, tokens or usd')
    .option(
      '--mask <kinds>',
      'hide symbols,dates,prices or some of them, or change the market too with shape, from the strategy',
    )
    .option('--jobs <n>', 'threads (default: as many as there are cores)')
    .option('--keep <runs>', 'run folders to keep: best, all or none (default best)')
    .option(
      '--project <name>',
      'research project that the look belongs to (default one per strategy and data set)',
    )
    .option('--out <folder>', 'where the sweep’s folder goes (default reports)')
    .option('--resume <folder>', 'go on with a sweep that was stopped or killed')
    .option('--json', 'print the result as one JSON document')
    .option('--quiet', 'no progress, no table')
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(async (strategy: string | undefined, folder: string | undefined, flags: unknown) => {
      const { sweepCommand } = await import('../commands/sweep.ts');
      setExitCode(await sweepCommand(strategy, folder, flags, io));
    });
}
