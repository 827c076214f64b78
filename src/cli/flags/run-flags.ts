import type { Command } from 'commander';
import { addBriefHelp } from '../program/brief-help.ts';
import { addDataFlags } from './flags.ts';
import { addSettingsFlags } from './settings-flags.ts';
import { addAgentFlags, addReportFlags, addToolExtraFlags } from './tool-flags.ts';

/** Adds the flags that select `sandtable.yaml`, its profile and its keys. */
export function addConfigFlags(command: Command): Command {
  return command
    .optionsGroup('Project file (docs/config.md):')
    .option('--config <file>', 'project file (default sandtable.yaml in the working directory)')
    .option('--no-config', 'ignore the project file')
    .option('--profile <name>', 'profile of the project file')
    .option('--unset <key...>', 'keys of the project file to ignore, for example sort costs.commission')
    .optionsGroup('Other options:');
}

const RUN_HELP = {
  examples: [
    'npx sandtable run strategies/sma-cross.ts --data data/spx-daily.csv --commission 0.001 --param fast=5',
    'npx sandtable run orders.json --data prices/*.csv --json > summary.json',
    'npx sandtable run --agent "python3 my_agent.py" --data prices.csv',
  ],
  flags: [
    '--data',
    '--symbol',
    '--from',
    '--to',
    '--cash',
    '--commission',
    '--slippage-bps',
    '--leverage',
    '--param',
    '--agent',
    '--out',
    '--json',
  ],
};

/** Adds the argument and the flags of `run`. */
export function addRunFlags(run: Command): Command {
  run
    .description('backtest a strategy: a .ts file, an order script in .json, or a prompt for a model in .md')
    .argument('[strategy]', 'strategy file; omit with --agent');
  addDataFlags(run).option(
    '--detail <path...>',
    'finer bars of some or all symbols, used to resolve what happened inside a bar',
  );
  addConfigFlags(addAgentFlags(addReportFlags(addToolExtraFlags(addSettingsFlags(run)))))
    .option('--param <name=value...>', "set one of the strategy's parameters")
    .option(
      '--mask <kinds>',
      'mask symbols, dates, prices or several of them, or the market itself with shape',
    )
    .option('--model-cutoff <date>', "split the metrics at the last date of the model's training data")
    .option('--samples <n>', 'number of independent runs to compare, for strategies that use a model')
    .option('--concurrency <n>', 'samples run in parallel (default 2)')
    .option('--recording <run>', "answer from another run's record if it contains the same request")
    .option('--replay-only', 'with --recording: fail if a request is not in the record')
    .option('--seal', 'run a code strategy in a separate process that can read only its bars')
    .option('--project <name>', 'research project of the run (default one per strategy and data set)')
    .option('--out <folder>', 'folder for run folders (default reports)')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .option('--verbose', 'print the table against the benchmark and all notes');
  return addBriefHelp(run, RUN_HELP);
}
