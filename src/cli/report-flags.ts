import type { Command } from 'commander';

/** Adds the flags for computing figures. */
export function addReportFlags(command: Command): Command {
  return command
    .optionsGroup('Figures:')
    .option('--periods-per-year <n>', 'sessions per year (default 252, 365 or derived from the bars)')
    .option('--risk-free <rate>', 'annual risk-free rate of Sharpe: 0.03 is 3 % (default 0)')
    .option('--minimum-return <rate>', 'annual minimum acceptable return of Sortino (default 0)')
    .option(
      '--benchmark <symbol|file>',
      'benchmark of the run: one of its symbols, or a data file (default all of its data)',
    )
    .optionsGroup('Other options:');
}
