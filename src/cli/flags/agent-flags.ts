import type { Command } from 'commander';
import { type Fault, isObject } from '../../kernel/index.ts';
import { agentOptions } from '../../runner/index.ts';
import { flagNamed } from './flag-values.ts';

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

/** Returns faults of combinations of a strategy and agent flags. */
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
    const missing = {
      where: '<strategy>',
      message: 'is missing. Pass a strategy file, or an agent with --agent',
    };
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
