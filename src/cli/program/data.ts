import type { Command } from 'commander';
import { addDataFlags } from '../flags.ts';
import type { Io } from '../io.ts';

const DATA_EXAMPLES = `
Examples:
  npx sandtable data check prices.csv
  npx sandtable data simulate --bars 500 --regime trend --seed 7 --out simulated.csv`;

export function addData(program: Command, io: Io): void {
  const data = program
    .command('data')
    .description('look at data, or make some')
    .addHelpText('after', DATA_EXAMPLES);
  const check = data
    .command('check')
    .description('report what is in data files, every fault and everything suspicious')
    .argument('[paths...]', 'data files, folders or globs');
  addDataFlags(check)
    .option('--json', 'print the report as one JSON document')
    .addHelpText('after', DATA_EXAMPLES)
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { checkCommand } = await import('../commands/data.ts');
      await checkCommand(paths, flags, io);
    });
  data
    .command('simulate')
    .description('make up a market: CSV on stdout, or into --out')
    .option('--seed <n>', 'the same seed gives the same bars (default 0)')
    .option('--bars <n>', 'bars to make (default 500)')
    .option('--regime <name>', 'random-walk, trend, mean-reverting, volatile, crash or regime-switching')
    .option('--symbols <symbol...>', 'one or several symbols (default SIM)')
    .option('--correlation <r>', 'between the returns of two symbols (default 0.5)')
    .option('--start <date>', 'date of the first bar (default 2000-01-03)')
    .option('--interval <interval>', '1min, 5min, 15min, 30min, 1h, 4h or 1d (default 1d)')
    .option('--price <price>', 'first price (default 100)')
    .option('--volatility <sd>', "standard deviation of a bar's return (default 0.012 a day)")
    .option('--out <path>', 'a .csv file for one symbol, a folder for several')
    .addHelpText('after', DATA_EXAMPLES)
    .action(async (flags: unknown) => {
      const { simulateCommand } = await import('../commands/data.ts');
      simulateCommand(flags, io);
    });
}
