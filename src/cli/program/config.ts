import type { Command } from 'commander';
import { keysOf } from '../config/keys.ts';
import type { CommandKeys } from '../config/schema.ts';
import type { Io, SetExitCode } from '../io.ts';
import { addRun } from './backtest.ts';
import { addSweep } from './research.ts';
import { addStress } from './stress.ts';

const EXAMPLES = `
Prints the values that a command would use, and where each comes from: default, sandtable.yaml, a profile,
the environment or a flag. Pass the flags of the command to see their effect. Details: docs/config.md

Examples:
  npx sandtable config
  npx sandtable config sweep --profile quick --trials 20
  npx sandtable config --schema > sandtable.schema.json`;

export function addConfig(program: Command, io: Io, setExitCode: SetExitCode): void {
  const config = program
    .command('config')
    .description('print the effective configuration of run, sweep or stress, with the origin of each value')
    .option('--schema', 'print the JSON Schema of sandtable.yaml for editors')
    .addHelpText('after', EXAMPLES);
  for (const command of sectionCommands(config, io, setExitCode)) {
    command
      .description(`print the configuration of sandtable ${command.name()}`)
      .action(async (...parameters: readonly unknown[]) => {
        const { configCommand } = await import('../commands/config.ts');
        const [strategy] = parameters;
        await configCommand(command, typeof strategy === 'string' ? strategy : undefined, io);
      });
    config.addCommand(command, { isDefault: command.name() === 'run' });
  }
}

/** Returns the keys of the commands that have a section in `sandtable.yaml`. */
export function sectionKeys(program: Command, io: Io): CommandKeys {
  return sectionCommands(program, io, () => undefined).map((command) => [command.name(), keysOf(command)]);
}

/** Returns new commands that have a section in `sandtable.yaml`, with the output settings of `program`. */
export function sectionCommands(program: Command, io: Io, setExitCode: SetExitCode): readonly Command[] {
  const parent = program.createCommand().copyInheritedSettings(program);
  for (const add of [addRun, addSweep, addStress]) add(parent, io, setExitCode);
  return parent.commands;
}
