import type { Decider, Decision, Json, Turn } from '../engine/index.ts';
import { AppError, type Fault, faultsError, issueText, valueAt } from '../kernel/index.ts';
import type { Toolkit } from '../toolkit/index.ts';
import type { ComputeAnswer, Strategy, StrategyContext } from './strategy.ts';

/**
 * Reads a strategy's parameters from `--param k=v` texts or a script's values.
 *
 * @throws AppError `bad_parameters` with every fault
 */
export function readParameters(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = Object.keys(strategy.parameters.shape);
  const faults: Fault[] = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      where: `--param ${name}`,
      message: `${strategy.name} has no such parameter`,
      remedy: known.length === 0 ? 'it takes none' : `it has ${known.join(', ')}`,
    }));
  const parsed = strategy.parameters.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys')
      faults.push({
        where: `--param ${issue.path.join('.')}`,
        message: issueText(issue, valueAt(given, issue.path)),
      });
  }
  if (faults.length > 0 || !parsed.success) {
    throw faultsError(
      'bad_parameters',
      `Parameters of ${strategy.name}`,
      faults,
      'Give parameters as --param name=value.',
    );
  }
  return parsed.data;
}

/**
 * A rule strategy as a decider.
 *
 * @param toolkit what its tool calls go to; undefined when it names no tool
 */
export function ruleDecider(
  strategy: Strategy,
  parameters: Record<string, unknown>,
  toolkit: Toolkit | undefined,
): Decider {
  const warmUp = strategy.warmUpBars?.(parameters) ?? 0;
  let current: Turn | undefined;
  const call = (tool: string, given: Json = {}): Promise<Json> => {
    if (toolkit === undefined || current === undefined) {
      return Promise.reject(
        new AppError({
          code: 'tools_not_declared',
          message: `The strategy ${strategy.name} called ${tool} but declares no tools.`,
          remedy: `Add tools: ['${tool}'] to its defineStrategy.`,
        }),
      );
    }
    return toolkit.call(tool, given, current);
  };
  const context: StrategyContext<Record<string, unknown>, unknown> = {
    parameters,
    state: strategy.state?.(parameters),
    call,
    compute: (code, symbol) =>
      call(
        'compute',
        symbol === undefined ? { code } : { code, symbol },
      ) as Promise<unknown> as Promise<ComputeAnswer>,
  };
  return {
    decide(turn): Decision | void | Promise<Decision | void> {
      current = turn;
      if (turn.bar + 1 < warmUp) return undefined;
      return strategy.onBar(turn, context);
    },
  };
}
