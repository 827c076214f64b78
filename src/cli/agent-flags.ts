import type { Command } from 'commander';
import { type Fault, isObject } from '../kernel/index.ts';
import { agentOptions } from '../runner/index.ts';

/** Adds the flags of a user's own agent, which replaces a strategy file. */
export function addAgentFlags(command: Command): Command {
  return command
    .optionsGroup('An agent of your own (docs/agents.md):')
    .option(
      '--agent <command|address>',
      'who decides, in the place of a strategy file: a program or an http:// address',
    )
    .option('--agent-tools <names...>', 'the tools it may call (default as for a prompt)')
    .option('--agent-every <bars>', 'bars from one decision to the next (default 1)')
    .option('--agent-warm-up <bars>', 'bars that must have closed before its first decision (default 0)')
    .option('--agent-timeout <seconds>', 'time it may take for one decision (default 60)')
    .option('--agent-calls <n>', 'calls of tools in one decision (default 100)')
    .option('--agent-failures <n>', 'failed decisions in a row that end the run (default 3)')
    .option('--agent-budget <limits...>', 'what the run may spend: decisions, calls, tokens, usd, seconds')
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
        where: `--${name.replaceAll(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}`,
        message,
      }));
  if (flags.agent === undefined) {
    const missing = { where: '<strategy>', message: 'name a strategy file, or an agent with --agent' };
    return [...(file === undefined ? [missing] : []), ...among(ALONE, 'has no meaning without --agent')];
  }
  const both = { where: '--agent', message: `decides in the place of ${file}: name one of the two` };
  const answers = {
    where: '--resolve both',
    message: 'runs twice, and an agent need not decide twice the same',
  };
  return [
    ...(file === undefined ? [] : [both]),
    ...among(OF_STRATEGIES, 'is for strategy files, and an agent decides'),
    ...(flags.resolve === 'both' ? [answers] : []),
  ];
}
