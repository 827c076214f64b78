import type { Command } from 'commander';
import { type Fault, isObject } from '../kernel/index.ts';
import { SCRIPT_TIMEOUT_SECONDS } from '../toolkit/index.ts';

/** Adds the flags for initial files, sessions and scripts on this machine. */
export function addToolExtraFlags(command: Command): Command {
  return command
    .optionsGroup('Files, sessions and scripts:')
    .option('--vfs <folder>', 'text files the agent begins with, in its in-memory file system')
    .option(
      '--repl <lifetime>',
      'how long the variables of exec_code live: decision (until the next bar, default) or run',
    )
    .option(
      '--allow-scripts',
      "let run_python_script run on this machine; the run's results are not sealed then",
    )
    .option(
      '--paranoid',
      'look after every Python call whether it has left anything behind, and end when it has (slow)',
    )
    .option('--skills <folder>', 'the skills whose scripts may run (default skills)')
    .option('--script-timeout <seconds>', `time of one script (default ${SCRIPT_TIMEOUT_SECONDS})`)
    .optionsGroup('Other options:');
}

/** Returns faults of combinations of these flags. */
export function extraFaults(given: unknown): Fault[] {
  const { allowScripts, skills, scriptTimeout } = isObject(given) ? given : {};
  if (allowScripts === true) return [];
  return Object.entries({ '--skills': skills, '--script-timeout': scriptTimeout })
    .filter(([, value]) => value !== undefined)
    .map(([where]) => ({ where, message: 'has no meaning without --allow-scripts' }));
}
