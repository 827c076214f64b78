import type { Command } from 'commander';
import type { RunSettingsInput } from '../../engine/index.ts';
import { AppError, type Fault, isObject } from '../../kernel/index.ts';
import { agentOptions } from '../../runner/index.ts';
import { SCRIPT_TIMEOUT_SECONDS } from '../../toolkit/index.ts';
import { flagNamed } from './flag-values.ts';
import { missingStrategy, readJsonFile } from './flags.ts';

/** Parses texts of the form `name=number`, for example limits of tool calls. */
export function readPairs(
  flag: string,
  words: readonly string[] = [],
): { readonly pairs: Readonly<Record<string, number>>; readonly faults: readonly Fault[] } {
  const pairs: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const word of words) {
    const match = /^([a-z_]+)=(\d{1,9})$/.exec(word);
    if (match === null)
      faults.push({
        where: flag,
        message: `"${word}" is not a limit. Expected name=number, for example compute=5`,
      });
    else pairs[match[1]!] = Number(match[2]);
  }
  return { pairs, faults };
}

/**
 * Reads risk limits from a JSON file. The limits are at the top level, or under the key `risk` as in a
 * settings file. Their values are checked later, together with the other settings.
 *
 * @throws AppError `bad_settings`
 */
export function readRiskFile(file: string | undefined): RunSettingsInput['risk'] {
  if (file === undefined) return {};
  const bad = (problem: string): AppError =>
    new AppError({
      code: 'bad_settings',
      message: `The risk file ${file} cannot be used: ${problem}.`,
      hint: 'Pass JSON, for example {"maxPosition": 0.5, "maxDrawdown": 0.2}.',
    });
  const { value, doubled, problem } = readJsonFile(file);
  if (problem !== undefined) throw bad(problem);
  for (const { where, message } of doubled) throw bad(`${where}: ${message}`);
  const risk: unknown = typeof value === 'object' && value !== null && 'risk' in value ? value.risk : value;
  if (typeof risk !== 'object' || risk === null || Array.isArray(risk))
    throw bad('it contains no risk limits');
  return risk;
}

/** Adds the flags for an agent's initial files, Python sessions, and scripts on this machine. */
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
    .option(
      '--verify <extent>',
      'all: check signals of a Python strategy for look-ahead at every bar (default: up to 400)',
    )
    .option('--skills <folder>', 'skills whose scripts may run (default skills)')
    .option('--script-timeout <seconds>', `timeout of one script (default ${SCRIPT_TIMEOUT_SECONDS})`)
    .optionsGroup('Other options:');
}

/** Returns faults of flags that need `--allow-scripts`, if it is missing. */
export function extraFaults(given: unknown): Fault[] {
  const { allowScripts, skills, scriptTimeout } = isObject(given) ? given : {};
  if (allowScripts === true) return [];
  return Object.entries({ '--skills': skills, '--script-timeout': scriptTimeout })
    .filter(([, value]) => value !== undefined)
    .map(([where]) => ({ where, message: 'requires --allow-scripts' }));
}

/** Adds the flags that determine how the figures (metrics) of a run are calculated. */
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

/** Adds the flags of a user's own agent, which replaces a strategy file. */
export function addAgentFlags(command: Command): Command {
  return command
    .optionsGroup('External agent (docs/agents.md):')
    .option(
      '--agent <command|address>',
      'agent that decides instead of a strategy file: a program or an http:// address',
    )
    .option('--agent-tools <names...>', 'tools the agent may call (default as for a prompt)')
    .option('--agent-every <bars>', 'bars between decisions (default 1)')
    .option('--agent-warm-up <bars>', 'bars that must close before the first decision (default 0)')
    .option('--agent-timeout <seconds>', 'timeout of one decision (default 60)')
    .option('--agent-calls <n>', 'maximum tool calls per decision (default 100)')
    .option('--agent-failures <n>', 'consecutive failed decisions that end the run (default 3)')
    .option('--agent-budget <limit=amount...>', 'limits of the run: decisions, calls, tokens, usd, seconds')
    .optionsGroup('Other options:');
}

const ALONE = Object.keys(agentOptions).filter((name) => name !== 'agent');
/** Flags that apply only to strategy files or models. */
const OF_STRATEGIES = ['param', 'seal', 'recording', 'replayOnly'];

/** Returns faults of flags that cannot be combined with an agent or with a strategy. */
export function agentFaults(file: string | undefined, given: unknown): Fault[] {
  const flags = isObject(given) ? given : {};
  const among = (names: readonly string[], message: string): Fault[] =>
    names
      .filter((name) => flags[name] !== undefined)
      .map((name) => ({
        where: flagNamed(name),
        message,
      }));
  if (flags.agent === undefined) {
    const missing = missingStrategy(flags, 'Pass a strategy file, or an agent with --agent');
    return [...(file === undefined ? [missing] : []), ...among(ALONE, 'requires --agent')];
  }
  const both = {
    where: '--agent',
    message: `cannot be combined with the strategy file ${file}. Remove one of them`,
  };
  const answers = {
    where: '--resolve both',
    message: 'runs twice, and an agent may decide differently the second time. Use --resolve worst or best',
  };
  return [
    ...(file === undefined ? [] : [both]),
    ...among(OF_STRATEGIES, 'applies to strategy files and cannot be used with --agent'),
    ...(flags.resolve === 'both' ? [answers] : []),
  ];
}
