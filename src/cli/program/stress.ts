import type { Command } from 'commander';
import { addDataFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { addReportFlags } from '../report-flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addToolExtraFlags } from '../tool-extra-flags.ts';
import type { SetExitCode } from './set-exit-code.ts';

const EXAMPLES = `
Kinds of worlds:
  permute           whole bars in another order: the end and all returns stay, their order is lost
  block-bootstrap   blocks of bars drawn anew, so that what a bar owes to the few before it stays
  regime            returns simulated in regimes fitted to the data
  noise             prices moved a little: no test of luck, but a band of what the figures could have been

Examples:
  npx sandtable stress strategies/sma-cross.ts --data data/spx-daily.csv
  npx sandtable stress strategies/sma-cross.ts --data data/spx-daily.csv --kind block-bootstrap --worlds 1000 --json
  npx sandtable stress strategies/sma-cross.ts --data data/spx-daily.csv --kind noise --noise 10bp --shuffle-trades
  npx sandtable stress --resume reports/20261121-215900-sma-cross-stress-3fa9c1`;

export function addStress(program: Command, io: Io, setExitCode: SetExitCode): void {
  const stress = program
    .command('stress')
    .description('run a strategy on worlds without its edge: could luck have done it?')
    .argument('[strategy]', 'strategy file')
    .optionsGroup('Worlds:')
    .option('--worlds <n>', 'how many (default 500)')
    .option('--kind <kind>', 'permute, block-bootstrap, regime or noise (default permute)')
    .option('--block <bars>', 'mean length of blocks of block-bootstrap (default by the data)')
    .option('--noise <size>', 'of noise: 5bp is of each price, 10% of each bar’s range (default 5bp)')
    .option(
      '--shuffle-trades [n]',
      'shuffle and redraw the trades of the actual run too (default 1000 times)',
    )
    .option('--jobs <n>', 'threads (default as many as there are cores)')
    .option(
      '--budget <limit=amount...>',
      'of all worlds together, for a prompt: tokens, usd, calls or seconds',
    )
    .option('--resume <folder>', 'go on with a stress test that was killed, stopped or out of budget')
    .optionsGroup('Other options:');
  addReportFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(stress))))
    .option('--param <name=value...>', "set one of the strategy's parameters")
    .option(
      '--mask <kinds>',
      'hide symbols,dates,prices or some of them, or change the market too with shape, from whoever decides',
    )
    .option('--seal', 'run a strategy of code in processes of its own that can read nothing but their bars')
    .option(
      '--project <name>',
      'research project that the look belongs to (default one per strategy and data set)',
    )
    .option('--out <folder>', 'where the folder of the test goes (default reports)')
    .option('--json', 'print what came of it as one JSON document')
    .option('--quiet', 'no progress, no table')
    .addHelpText('after', EXAMPLES)
    .action(async (strategy: string | undefined, flags: Record<string, unknown>) => {
      const { stressCommand } = await import('../commands/stress.ts');
      setExitCode(await stressCommand(strategy, flags, io));
    });
}
