import type { Command } from 'commander';
import { addDataFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';

const DATA_EXAMPLES = `
Examples:
  npx sandtable data check prices.csv
  npx sandtable data convert eurusd.csv --columns preset=dukascopy --out data/catalog
  npx sandtable data simulate --bars 500 --regime trend --seed 7 --out simulated.csv`;

export function addData(program: Command, io: Io): void {
  const data = program
    .command('data')
    .description('check, convert, merge, adjust, download or simulate data')
    .addHelpText('after', DATA_EXAMPLES);
  const check = data
    .command('check')
    .description('report the contents of data files, their errors and suspicious values')
    .argument('[paths...]', 'data files, folders or globs');
  addDataFlags(check)
    .option(
      '--calendar <exchange|file>',
      'list missing, half and closed days: XNYS, XNAS, XLON, XETR, XTKS, or a file',
    )
    .option('--actions <file>', 'report whether prices look already adjusted for these splits')
    .option('--json', 'print the report as one JSON document')
    .addHelpText('after', DATA_EXAMPLES)
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { checkCommand } = await import('../commands/data.ts');
      await checkCommand(paths, flags, io);
    });
  addDownload(data, io);
  addFiles(data, io);
  addContinuous(data, io);
  data
    .command('simulate')
    .description('simulate a market and write it as CSV to stdout or --out')
    .option('--seed <n>', 'seed; the same seed gives the same bars (default 0)')
    .option('--bars <n>', 'number of bars (default 500)')
    .option('--regime <name>', 'random-walk, trend, mean-reverting, volatile, crash or regime-switching')
    .option('--symbol, --symbols <symbol...>', 'one or several symbols (default SIM)')
    .option('--correlation <r>', 'correlation of the returns of two symbols (default 0.5)')
    .option('--start <date>', 'date of the first bar (default 2000-01-03)')
    .option('--interval <length>', '1min, 5min, 15min, 30min, 1h, 4h or 1d (default 1d)')
    .option('--price <price>', 'first price (default 100)')
    .option('--volatility <sd>', "standard deviation of a bar's return (default 0.012 a day)")
    .option('--out <path>', 'a .csv file for one symbol, a folder for several')
    .addHelpText('after', DATA_EXAMPLES)
    .action(async (flags: unknown) => {
      const { simulateCommand } = await import('../commands/data.ts');
      simulateCommand(flags, io);
    });
}

/** Adds the commands `convert`, `merge` and `adjust`, which write data files from other data files. */
function addFiles(data: Command, io: Io): void {
  const out = 'a .csv or .parquet file, or the folder of a catalogue such as data/catalog';
  const convert = data
    .command('convert')
    .description('write bars of any source as CSV, Parquet, or into a catalogue')
    .argument('[paths...]', 'data files, folders or globs');
  addDataFlags(convert)
    .option('--out <path>', out)
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { convertCommand } = await import('../commands/data-files.ts');
      await convertCommand(paths, flags, io);
    });
  const merge = data
    .command('merge')
    .description('merge files with the same symbols over the same period')
    .argument('[paths...]', 'data files, folders or globs');
  addDataFlags(merge)
    .option('--prefer <which>', 'file whose bar is used if two differ: first or last (default: error)')
    .option('--out <path>', out)
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { mergeCommand } = await import('../commands/data-files.ts');
      await mergeCommand(paths, flags, io);
    });
  const adjust = data
    .command('adjust')
    .description('adjust prices for splits and dividends, by actions or by factors')
    .argument('[paths...]', 'data files, folders or globs');
  addDataFlags(adjust)
    .option('--actions <file>', 'dividends and splits: symbol, date, kind, amount, ratio')
    .option('--factors <file>', 'factors for bars up to a date: symbol, date, factor, split factor')
    .option('--for <kinds>', 'splits, dividends or all (default all)')
    .option('--out <path>', out)
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { adjustCommand } = await import('../commands/data-files.ts');
      await adjustCommand(paths, flags, io);
    });
}

function addContinuous(data: Command, io: Io): void {
  const command = data
    .command('continuous')
    .description('join dated futures contracts into one series and record its rolls')
    .argument('[paths...]', 'the bars of the contracts: files, folders or globs');
  addDataFlags(command)
    .option('--name <symbol>', 'the symbol of the series, such as ES')
    .option('--expiries <file>', 'expiries: contract, expiry, and roll for --roll dates')
    .option('--roll <rule>', 'volume, days:5 (calendar days before expiry), or dates')
    .option(
      '--adjust <how>',
      'adjustment of bars before a roll: back (shifted by the gap), ratio, or none (for a run)',
    )
    .option(
      '--rolls <file>',
      'output file of the rolls: symbol, date, both contracts and their prices, gap, ratio',
    )
    .option('--out <path>', 'a .csv or .parquet file, or the folder of a catalogue such as data/catalog')
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { continuousCommand } = await import('../commands/data-files.ts');
      await continuousCommand(paths, flags, io);
    });
}

function addDownload(data: Command, io: Io): void {
  data
    .command('download')
    .description('download missing bars into a catalogue')
    .argument('<provider>', 'stooq, alphavantage, tiingo, alpaca, fred, or an exchange such as ccxt:kraken')
    .argument('<symbols...>', "symbols in the provider's notation")
    .option('--from <date>', 'first date')
    .option('--to <date>', 'last date, inclusive (default: now)')
    .option('--interval <length>', 'length of a bar, for example 1min or 1h (default 1d)')
    .option('--out <folder>', 'catalogue to write (default data/catalog)')
    .option('--rate <n>', 'requests per minute (default: limit of the free plan)')
    .option('--base-url <url>', "base address instead of the provider's, for example your gateway")
    .addHelpText(
      'after',
      '\nKeys are read from the environment and never stored. See docs/download.md for their names.',
    )
    .action(async (provider: string, symbols: string[], flags: Record<string, unknown>) => {
      const { downloadCommand } = await import('../commands/download.ts');
      await downloadCommand(provider, symbols, flags, io);
    });
}
