import type { Fault } from '../kernel/index.ts';
import { agentOptions } from './options.ts';

/** Options for strategy files that a user's own agent does not support. */
const OF_STRATEGIES = ['seal', 'parameters'] as const;

/** Returns the options of a run that contradict an agent, by their names in code. */
export function agentFaults(options: Readonly<Record<string, unknown>>): Fault[] {
  const given = (name: string): boolean => options[name] !== undefined;
  if (!given('agent')) {
    return Object.keys(agentOptions)
      .filter(given)
      .map((where) => ({ where, message: 'has no meaning without an agent' }));
  }
  return [
    ...(given('strategy')
      ? [{ where: 'strategy', message: 'an agent decides in its place: name one of the two' }]
      : []),
    ...OF_STRATEGIES.filter(given).map((where) => ({
      where,
      message: 'is for strategies, and an agent decides',
    })),
  ];
}
