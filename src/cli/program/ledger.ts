import type { Command } from 'commander';
import type { Io, SetExitCode } from '../io.ts';

const EXAMPLES = `
Examples:
  npx sandtable ledger
  npx sandtable ledger --project gap-fade
  npx sandtable ledger --strategy sma-cross --json`;

export function addLedger(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('ledger')
    .description(
      'list research projects: which runs used which data, when, and how often holdout bars were used',
    )
    .option('--reports <folder>', 'results folder that contains the ledger (default reports)')
    .option('--project <name>', 'only this project')
    .option('--strategy <name>', 'only projects of this strategy')
    .option('--json', 'print a JSON array of projects')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Record<string, unknown>) => {
      const { ledgerCommand } = await import('../commands/ledger.ts');
      setExitCode(ledgerCommand(flags, io));
    });
}
