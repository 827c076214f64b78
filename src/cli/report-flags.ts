import type { Command } from 'commander';

/** Adds the flags for computing figures. */
export function addReportFlags(command: Command): Command {
  return command
    .optionsGroup('Figures:')
    .option('--periods-per-year <n>', 'sessions a year (default 252, 365 or as the bars are spaced)')
    .option('--risk-free <rate>', 'risk-free rate of Sharpe a year: 0.03 is 3 % (default 0)')
    .option('--minimum-return <rate>', 'minimum acceptable return of Sortino a year (default 0)')
    .option(
      '--benchmark <symbol|file>',
      'what the run is compared with: one of its symbols, or a data file (default all of its data)',
    )
    .optionsGroup('Other options:');
}
