import type { Command } from 'commander';

/** Adds the flags that select `sandtable.yaml`, its profile and its keys. */
export function addConfigFlags(command: Command): Command {
  return command
    .optionsGroup('Project file (docs/config.md):')
    .option('--config <file>', 'project file (default sandtable.yaml in the working directory)')
    .option('--no-config', 'ignore the project file')
    .option('--profile <name>', 'profile of the project file')
    .option('--unset <key...>', 'keys of the project file to ignore, for example sort costs.commission')
    .optionsGroup('Other options:');
}
