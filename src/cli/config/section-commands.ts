import type { Command } from 'commander';
import { addRunFlags } from '../flags/run-flags.ts';
import { addStressFlags } from '../flags/stress-flags.ts';
import { addSweepFlags } from '../flags/sweep-flags.ts';
import { type CommandKeys, keysOf } from './schema.ts';

/**
 * Creates the commands that have a section in `sandtable.yaml`. They only describe flags and cannot be run.
 *
 * @param program command from which settings such as outputs are copied
 */
export function sectionCommands(program: Command): readonly Command[] {
  const parent = program.createCommand().copyInheritedSettings(program);
  addRunFlags(parent.command('run'));
  addSweepFlags(parent.command('sweep'));
  addStressFlags(parent.command('stress'));
  return parent.commands;
}

/** Returns the keys of each command that has a section in `sandtable.yaml`. */
export function sectionKeys(program: Command): CommandKeys {
  return sectionCommands(program).map((command) => [command.name(), keysOf(command)]);
}
