import type { Command } from 'commander';
import { addAgentFlags } from '../agent-flags.ts';
import { addDataFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { addReportFlags } from '../report-flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addToolExtraFlags } from '../tool-extra-flags.ts';
import type { SetExitCode } from './set-exit-code.ts';

const RUN_EXAMPLES = `
Examples:
  npx sandtable run strategies/compute-quant.ts --data data/spx-daily.csv
  npx sandtable run strategies/sma-cross.ts --data prices.csv --cash 10000 --commission 0.002 --param fast=5 --param slow=50
  npx sandtable run orders.json --data prices/*.csv --json > summary.json
  npx sandtable run --agent "python3 my_agent.py" --data prices.csv`;

/** Adds the argument and the flags of `run`. */
export function addRunFlags(run: Command): Command {
  run
    .description('backtest a strategy: a .ts file, an order script in .json, or a prompt for a model in .md')
    .argument('[strategy]', 'strategy file; left out with --agent');
  addDataFlags(run).option(
    '--detail <path...>',
    'finer bars of some or all symbols, which decide what happened inside a bar',
  );
  return addAgentFlags(addReportFlags(addToolExtraFlags(addSettingsFlags(run))))
    .option('--param <name=value...>', "set one of the strategy's parameters")
    .option(
      '--mask <kinds>',
      'hide symbols,dates,prices or some of them, or change the market too with shape, from whoever decides',
    )
    .option('--model-cutoff <date>', 'split the figures at the last date the model was trained on')
    .option('--samples <n>', 'independent runs of a strategy for a model, compared')
    .option('--concurrency <n>', 'samples at work at once (default 2)')
    .option('--recording <run>', "answer from another run's record where it holds the same request")
    .option('--replay-only', 'with --recording: fail where the model would have to be asked')
    .option('--seal', 'run a strategy of code in a process of its own that can read nothing but its bars')
    .option(
      '--project <name>',
      'research project that the look belongs to (default one per strategy and data set)',
    )
    .option('--out <folder>', 'where run folders go (default reports)')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .addHelpText('after', RUN_EXAMPLES);
}

export function addRun(program: Command, io: Io, setExitCode: SetExitCode): void {
  addRunFlags(program.command('run')).action(
    async (strategy: string | undefined, flags: { samples?: string }) => {
      if (flags.samples !== undefined) {
        const { samplesCommand } = await import('../commands/samples.ts');
        setExitCode(await samplesCommand(strategy, flags, io));
        return;
      }
      const { runCommand } = await import('../commands/run.ts');
      setExitCode(await runCommand(strategy, flags, io));
    },
  );
}
