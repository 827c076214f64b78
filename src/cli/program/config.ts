import type { Command } from 'commander';
import { sectionCommands } from '../config/section-commands.ts';
import type { Io } from '../io.ts';

const EXAMPLES = `
Prints the values that a command would use, and where each comes from: default, sandtable.yaml, a profile,
the environment or a flag. Pass the flags of the command to see their effect. Details: docs/config.md

Examples:
  npx sandtable config
  npx sandtable config sweep --profile quick --trials 20
  npx sandtable config --schema > sandtable.schema.json`;

export function addConfig(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description('print the effective configuration of run, sweep or stress, with the origin of each value')
    .option('--schema', 'print the JSON Schema of sandtable.yaml for editors')
    .addHelpText('after', EXAMPLES);
  for (const command of sectionCommands(config)) {
    command
      .description(`print the configuration of sandtable ${command.name()}`)
      .action(async (...parameters: readonly unknown[]) => {
        const { configCommand } = await import('../commands/config.ts');
        const [strategy] = parameters;
        configCommand(command, typeof strategy === 'string' ? strategy : undefined, io);
      });
    config.addCommand(command, { isDefault: command.name() === 'run' });
  }
}
