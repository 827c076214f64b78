import type { Command } from 'commander';
import { z } from 'zod';
import type { Fault } from '../../kernel/index.ts';
import type { ClusterOptions } from '../../research/index.ts';
import { addBriefHelp } from '../program/brief-help.ts';
import { flagNamed, numberText, wholeText } from './flag-values.ts';
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

const seconds = numberText({ min: 0, max: 1e6, above: true });

/** Flags of `sweep` for running trials on other machines. */
export const clusterFields = {
  queue: z.string().optional(),
  store: z.string().optional(),
  retries: numberText({ min: 0, max: 100, whole: true }).optional(),
  trialTimeout: seconds.optional(),
  workerTimeout: numberText({ min: 1, max: 3_600 }).optional(),
  rate: wholeText(1).optional(),
};

function addClusterFlags(command: Command): Command {
  return command
    .optionsGroup('Many machines:')
    .option(
      '--queue <address>',
      'run the trials on sandtable workers: redis://host:6379 or rediss://host:6379',
    )
    .option(
      '--store <folder|address>',
      'store for bundle and data: a folder shared by all machines, or s3://bucket/prefix',
    )
    .option('--retries <n>', 'retries of a trial that fails or is lost (default 2)')
    .option(
      '--trial-timeout <seconds>',
      'timeout of one trial (default none; the decision timeout still applies)',
    )
    .option(
      '--worker-timeout <seconds>',
      'time without a heartbeat after which a worker loses its trials (default 30)',
    )
    .option('--rate <trials>', 'trials that all workers together may start per minute, if they call models')
    .optionsGroup('Other options:');
}

interface ClusterFlags {
  readonly queue?: string | undefined;
  readonly store?: string | undefined;
  readonly retries?: number | undefined;
  readonly trialTimeout?: number | undefined;
  readonly workerTimeout?: number | undefined;
  readonly rate?: number | undefined;
}

/**
 * Returns faults of the flags for running a sweep on other machines: combinations that are not allowed, and
 * missing flags.
 */
export function clusterFaults(given: unknown): Fault[] {
  const { queue, store, ...rest } = given as Record<keyof ClusterFlags, unknown>;
  if (queue !== undefined && store === undefined)
    return [
      {
        where: '--queue',
        message: 'requires --store: a folder shared by all machines, or s3://bucket/prefix',
      },
    ];
  if (queue !== undefined) return [];
  const others = ['retries', 'trialTimeout', 'workerTimeout', 'rate'] as const;
  return [
    ...(store === undefined ? [] : ['store']),
    ...others.filter((name) => rest[name] !== undefined),
  ].map((name) => ({
    where: flagNamed(name),
    message: 'requires --queue',
  }));
}

/** Returns the options for running a sweep on other machines. `undefined` for a sweep on this machine. */
export function clusterOf(flags: ClusterFlags): Omit<ClusterOptions, 'sweep'> | undefined {
  const { queue, store, retries, trialTimeout, workerTimeout, rate } = flags;
  if (queue === undefined || store === undefined) return undefined;
  return {
    queue,
    store,
    ...(retries === undefined ? {} : { retries }),
    ...(trialTimeout === undefined ? {} : { trialSeconds: trialTimeout }),
    ...(workerTimeout === undefined ? {} : { lockSeconds: workerTimeout }),
    ...(rate === undefined ? {} : { rate }),
  };
}
