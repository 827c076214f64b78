import type { Command } from 'commander';
import { type Fault, isObject } from '../kernel/index.ts';
import { SCRIPT_TIMEOUT_SECONDS } from '../toolkit/index.ts';

/** Adds the flags for initial files, sessions and scripts on this machine. */
export function addToolExtraFlags(command: Command): Command {
  return command
    .optionsGroup('Files, sessions and scripts:')
    .option('--vfs <folder>', "initial text files in the agent's in-memory file system")
    .option(
      '--repl <lifetime>',
      'lifetime of the variables of exec_code: decision (until the next bar, default) or run',
    )
    .option(
      '--allow-scripts',
      "allow run_python_script on this machine; the run's results are then not sealed",
    )
    .option('--paranoid', 'check after each Python call for leftover state, and stop if there is any (slow)')
    .option('--skills <folder>', 'skills whose scripts may run (default skills)')
    .option('--script-timeout <seconds>', `timeout of one script (default ${SCRIPT_TIMEOUT_SECONDS})`)
    .optionsGroup('Other options:');
}

/** Returns faults of combinations of these flags. */
export function extraFaults(given: unknown): Fault[] {
  const { allowScripts, skills, scriptTimeout } = isObject(given) ? given : {};
  if (allowScripts === true) return [];
  return Object.entries({ '--skills': skills, '--script-timeout': scriptTimeout })
    .filter(([, value]) => value !== undefined)
    .map(([where]) => ({ where, message: 'requires --allow-scripts' }));
}
