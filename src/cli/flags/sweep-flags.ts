import type { Command } from 'commander';
import { addBriefHelp } from '../program/brief-help.ts';
import { addClusterFlags } from './cluster-flags.ts';
import { addDataFlags } from './flags.ts';
import { addConfigFlags } from './run-flags.ts';
import { addSettingsFlags } from './settings-flags.ts';
import { addReportFlags } from './tool-flags.ts';

const SWEEP_HELP = {
  examples: [
    'npx sandtable sweep strategies/sma-cross.ts --data data/spx-daily.csv --param fast=5:50:5 --param slow=20:200:20',
    `npx sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5:50:1 --search tpe --trials 200 \\
    --objective "cagr / abs(maxDrawdown)" --constraint "tradeCount >= 30" --walk-forward train=3y,test=1y --holdout 2y`,
    'npx sandtable sweep --resume reports/SWEEP',
  ],
  flags: [
    '--data',
    '--from',
    '--to',
    '--commission',
    '--slippage-bps',
    '--param',
    '--search',
    '--trials',
    '--objective',
    '--walk-forward',
    '--holdout',
    '--json',
  ],
};

/** Adds the arguments and the flags of `sweep`. */
export function addSweepFlags(sweep: Command): Command {
  sweep
    .description(
      'test many parameter combinations and check whether the best result is robust; or: status or stop with a sweep’s folder',
    )
    .argument('[strategy]', 'strategy file, or status or stop')
    .argument('[folder]', 'a sweep’s folder, after status or stop');
  addDataFlags(sweep)
    .option('--detail <path...>', 'finer bars of some or all symbols')
    .option('--vfs <folder>', "initial text files in each trial's in-memory file system");
  addConfigFlags(addClusterFlags(addReportFlags(addSettingsFlags(sweep))))
    .option('--param <name=values...>', 'start:end:step (end included), a,b,c, or one value')
    .option('--search <kind>', 'grid, random, sobol, halving or tpe (default grid)')
    .option(
      '--trials <n>',
      'maximum number of combinations (default: the whole grid; 100 for other searches)',
    )
    .option('--objective <figure>', 'metric of summary.json, or an expression of several (default sharpe)')
    .option('--minimise', 'minimise the objective')
    .option(
      '--constraint <condition...>',
      'condition on the best combination, for example "tradeCount >= 30"',
    )
    .option(
      '--walk-forward <terms>',
      'choose on one window and test on the next: train=3y,test=1y[,step=1y][,anchored][,embargo=5d][,carry]',
    )
    .option(
      '--cross-validate <terms>',
      'choose on some parts of the period and test on the others: cpcv:groups=6,test=2[,embargo=5d]',
    )
    .option('--holdout <length>', 'reserve the end of the data, for example 2y: no sweep reads it')
    .option(
      '--budget <limit=amount...>',
      'limits for all trials together, for a prompt: calls, tokens or usd',
    )
    .option(
      '--mask <kinds>',
      'mask symbols, dates, prices or several of them, or the market itself with shape',
    )
    .option('--jobs <n>', 'threads (default: one per core)')
    .option('--keep <runs>', 'run folders to keep: best, all or none (default best)')
    .option('--project <name>', 'research project of the run (default one per strategy and data set)')
    .option('--out <folder>', 'folder for the sweep’s folder (default reports)')
    .option('--resume <folder>', 'resume a sweep that was stopped or killed')
    .option('--json', 'print the result as one JSON document')
    .option('--quiet', 'no progress, no table');
  return addBriefHelp(sweep, SWEEP_HELP);
}
