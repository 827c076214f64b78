import type { Command } from 'commander';
import { addBriefHelp } from '../program/brief-help.ts';
import { addDataFlags } from './flags.ts';
import { addSettingsFlags } from './settings-flags.ts';
import { addAgentFlags, addReportFlags, addToolExtraFlags } from './tool-flags.ts';

/** Adds the flags that select `sandtable.yaml` and its profile, and disable single keys. */
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
    .option(
      '--budget <limit=amount...>',
      'cap of the run: tokens, usd, calls or seconds, instead of the strategy’s',
    )
    .option('--estimate', 'print requests, tokens and costs with a range from one decision, and make no run')
    .option('--estimate-from <run...>', 'the same from recorded runs, without a request')
    .option('--recorded <run>', 'use the bars, the times and the settings that a forward run recorded')
    .option('--seal', 'run a code strategy in a separate process that can read only its bars')
    .option('--project <name>', 'research project of the run (default one per strategy and data set)')
    .option('--out <folder>', 'folder for run folders (default reports)')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .option('--verbose', 'print the table against the benchmark and all notes');
  addRegistrationFlags(run);
  return addBriefHelp(run, RUN_HELP);
}

/** Adds the flags for a run or a study with a registration, which is a plan that was fixed before the run. */
export function addRegistrationFlags(command: Command): Command {
  return command
    .option('--registration <file>', 'refuse to run if anything differs from this registration')
    .option(
      '--amend <reason>',
      'with --registration: run in spite of differences, and mark the result as changed',
    );
}

const FORWARD_HELP = {
  examples: [
    'npx sandtable forward strategies/sma-cross.ts --data data/spx-daily.csv --feed simulate --clock bars --bars 250',
    'npx sandtable forward strategies/llm-momentum.md --data btc-1h.csv --feed file:new-bars.csv',
    'npx sandtable forward status reports/RUN',
  ],
  flags: [
    '--data',
    '--feed',
    '--clock',
    '--bars',
    '--until',
    '--grace',
    '--cash',
    '--commission',
    '--param',
    '--out',
  ],
};

const REGISTER_HELP = {
  examples: [
    'npx sandtable register study.yaml --primary totalReturn --threshold 0.05 --hypothesis "The prompt earns 5 %" --test "Mean return of the arm"',
    'npx sandtable register strategies/sma-cross.ts --data data/spx-daily.csv --feed file:new.csv --bars 250 --primary sharpe --threshold 0.5 --hypothesis "Momentum beats holding" --test "Sharpe ratio above the threshold"',
  ],
  flags: ['--data', '--feed', '--bars', '--hypothesis', '--primary', '--threshold', '--test', '--out'],
};

/** Adds the argument and the flags of `register`: the flags of `forward`, and those of the hypothesis. */
export function addRegisterFlags(register: Command): Command {
  feedFlags(register)
    .description(
      'freeze a strategy or a study, its data, settings and hypothesis in a file before the first bar',
    )
    .option('--hypothesis <text>', 'what you expect')
    .option('--primary <figure>', 'figure of summary.json that decides, for example sharpe')
    .option('--threshold <value>', 'value that the figure must reach')
    .option('--test <text>', 'how the hypothesis is tested');
  return addBriefHelp(register, REGISTER_HELP);
}

/** Adds the argument and the flags of `forward`. */
export function addForwardFlags(forward: Command): Command {
  addRegistrationFlags(feedFlags(forward));
  return addBriefHelp(forward, FORWARD_HELP);
}

function feedFlags(forward: Command): Command {
  forward
    .description('trade bars as they close, with simulated fills: the strategy sees only bars that exist')
    .argument('[strategy]', 'strategy file; omit with --agent');
  addDataFlags(forward)
    .optionsGroup('Feed (docs/forward.md):')
    .option('--feed <source>', 'new bars: file:PATH, stdin, simulate, http://…, ws://… or provider:NAME')
    .option('--feed-send <json...>', 'messages sent when a WebSocket opens, such as a subscription')
    .option('--feed-backfill <address>', 'bars missed while a WebSocket was closed: http://…{since}')
    .option('--poll <seconds>', 'time between two requests (default a tenth of a bar)')
    .option('--clock <kind>', 'wall (default), or bars: everything about a bar happens at its end')
    .option('--bars <n>', 'end after this number of new bars')
    .option('--until <date>', 'end after this date')
    .option(
      '--grace <seconds>',
      'time after an open in which a decision counts as made before it (default 10 % of a bar, at most 10)',
    )
    .optionsGroup('Other options:');
  addConfigFlags(addAgentFlags(addReportFlags(addToolExtraFlags(addSettingsFlags(forward)))))
    .option('--param <name=value...>', "set one of the strategy's parameters")
    .option('--seal', 'run a code strategy in a separate process that can read only its bars')
    .option('--project <name>', 'research project of the run (default one per strategy and data set)')
    .option('--out <folder>', 'folder for run folders (default reports)')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .option('--verbose', 'print the table against the benchmark and all notes');
  return forward;
}
