import type { Command } from 'commander';
import { addBriefHelp } from '../program/brief-help.ts';
import { addDataFlags } from './flags.ts';
import { addConfigFlags } from './run-flags.ts';
import { addSettingsFlags } from './settings-flags.ts';
import { addReportFlags, addToolExtraFlags } from './tool-flags.ts';

const KINDS = `
Kinds of worlds:
  permute           bars in random order: final price and returns stay the same, their order changes
  block-bootstrap   blocks of bars resampled with replacement, which keeps short-term dependence
  regime            returns simulated in regimes fitted to the data
  noise             small random price changes: not a test of luck, but a range for each metric`;

const STRESS_HELP = {
  examples: [
    'npx sandtable stress strategies/sma-cross.ts --data data/spx-daily.csv',
    'npx sandtable stress strategies/sma-cross.ts --data data/spx-daily.csv --kind block-bootstrap --worlds 1000 --json',
    'npx sandtable stress --resume reports/20261121-215900-sma-cross-stress-3fa9c1',
  ],
  flags: [
    '--data',
    '--from',
    '--to',
    '--commission',
    '--slippage-bps',
    '--param',
    '--kind',
    '--worlds',
    '--shuffle-trades',
    '--jobs',
    '--resume',
    '--json',
  ],
};

/** Adds the argument and the flags of `stress`. */
export function addStressFlags(stress: Command): Command {
  stress
    .description('rerun a strategy on randomised markets to test whether its result could be luck')
    .argument('[strategy]', 'strategy file')
    .optionsGroup('Worlds:')
    .option('--worlds <n>', 'number of worlds (default 500)')
    .option('--kind <kind>', 'permute, block-bootstrap, regime or noise (default permute)')
    .option('--block <bars>', 'mean block length of block-bootstrap (default chosen from the data)')
    .option('--noise <size>', 'noise size: 5bp of each price, or 10% of each bar’s range (default 5bp)')
    .option(
      '--shuffle-trades [n]',
      'also shuffle and resample the trades of the actual run (default 1000 times)',
    )
    .option('--jobs <n>', 'threads (default: one per core)')
    .option(
      '--budget <limit=amount...>',
      'limits for all worlds together, for a prompt: tokens, usd, calls or seconds',
    )
    .option('--resume <folder>', 'resume a stress test that was killed, stopped or out of budget')
    .optionsGroup('Other options:');
  addConfigFlags(addReportFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(stress)))))
    .option('--param <name=value...>', "set one of the strategy's parameters")
    .option(
      '--mask <kinds>',
      'mask symbols, dates, prices or several of them, or the market itself with shape',
    )
    .option('--seal', 'run a code strategy in separate processes that can read only their bars')
    .option('--project <name>', 'research project of the run (default one per strategy and data set)')
    .option('--out <folder>', 'folder for the test’s folder (default reports)')
    .option('--json', 'print the result as one JSON document')
    .option('--quiet', 'no progress, no table')
    .addHelpText('after', KINDS);
  return addBriefHelp(stress, STRESS_HELP);
}
