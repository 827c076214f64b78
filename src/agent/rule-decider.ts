import { type Decider, type Decision, DecisionFault } from '../engine/index.ts';
import type { ToolCaller, Toolkit } from '../toolkit/index.ts';
import { plainRuleDecider, recordedParameters, warmUpOf } from './rules.ts';
import type { Strategy } from './strategy.ts';

/** Part of a toolkit that rule strategies use. Toolkits without `underWay` are not checked for unfinished calls. */
type RuleTools = ToolCaller & Partial<Pick<Toolkit, 'underWay'>>;

/**
 * Creates the decider of a rule strategy with its settings, costs and warm-up.
 *
 * @param toolkit handles tool calls. `undefined` if the strategy declares no tools
 */
export function ruleDecider(
  strategy: Strategy,
  parameters: Record<string, unknown>,
  toolkit: RuleTools | undefined,
): Decider {
  const { settings, costs } = strategy;
  const warmUp = warmUpOf(strategy, parameters);
  return {
    ...runningRule(strategy, parameters, toolkit, warmUp),
    strategy: { name: strategy.name, parameters: recordedParameters(parameters) },
    ...(settings === undefined
      ? {}
      : { settings: typeof settings === 'function' ? settings(parameters) : settings }),
    ...(costs === undefined ? {} : { costs: typeof costs === 'function' ? costs(parameters) : costs }),
    warmUp,
  };
}

/** Creates the decider of a rule strategy for a run that already has the strategy's settings and costs. */
export function runningRule(
  strategy: Strategy,
  parameters: Record<string, unknown>,
  toolkit: RuleTools | undefined,
  warmUp = warmUpOf(strategy, parameters),
): Decider {
  const decider = plainRuleDecider(strategy, parameters, toolkit, warmUp);
  if (toolkit?.underWay === undefined) return decider;
  return {
    ...decider,
    decide(turn): Decision | void | Promise<Decision | void> {
      const answer = decider.decide(turn);
      if (isThenable(answer)) return afterCalls(answer, toolkit, turn.bar);
      return toolkit.underWay!().length === 0 ? answer : afterCalls(answer, toolkit, turn.bar);
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<Decision | void> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Returns a decision whose tool calls have all ended.
 *
 * If a call ended later, its place in the journal would depend on the speed of the machine. The strategy
 * would also have decided without its result.
 *
 * @throws DecisionFault `call_not_awaited`, once the calls have ended
 */
export async function afterCalls<Answer>(
  decision: Answer | PromiseLike<Answer>,
  toolkit: Partial<Pick<Toolkit, 'underWay'>> | undefined,
  bar: number,
): Promise<Answer> {
  const answer = await decision;
  const unfinished = toolkit?.underWay?.() ?? [];
  if (unfinished.length === 0) return answer;
  const [first] = unfinished;
  const others = unfinished.length === 1 ? '' : ` and ${unfinished.length - 1} more`;
  for (let [call] = unfinished; call !== undefined; [call] = toolkit?.underWay?.() ?? []) await call.done;
  throw new DecisionFault(
    'call_not_awaited',
    `The decision at bar ${bar} ended before its call of ${first!.name}${others}: its result was not used.`,
    `Write await before the call, in an async onBar: const answer = await context.${first!.name === 'compute' ? 'compute(code)' : `call('${first!.name}', …)`}.`,
  );
}
