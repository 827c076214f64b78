import {
  type BarContext,
  type Decider,
  type Decision,
  DecisionFault,
  type Json,
} from '../../engine/index.ts';
import {
  AppError,
  describeValue,
  type Fault,
  faultsError,
  issueText,
  nearest,
  thrownText,
  valueAt,
  withKnownMembers,
} from '../../kernel/index.ts';
import { type Declarations, declareIndicators, IndicatorSet, type SharedSeries } from '../../market/index.ts';
import type { ToolCaller, Toolkit } from '../../toolkit/index.ts';
import { type ComputeAnswer, checkedAnswer, type Strategy, type StrategyContext } from './strategy.ts';
import { UnreadCalls } from './unread-calls.ts';

/**
 * Parses a strategy's parameters. Values are texts from `--param k=v`, or values of any type from code.
 *
 * @throws AppError `bad_parameters` with every fault
 */
export function readParameters(
  strategy: Pick<Strategy, 'name' | 'parameters'>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = Object.keys(strategy.parameters.shape);
  const faults: Fault[] = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      where: `--param ${name}`,
      message: `${strategy.name} has no such parameter`,
      hint: known.length === 0 ? 'it takes none' : `it has ${known.join(', ')}`,
    }));
  const parsed = strategy.parameters.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys')
      faults.push({
        where: `--param ${issue.path.join('.')}`,
        message: isEmpty(valueAt(given, issue.path))
          ? `is empty: give ${'origin' in issue && issue.origin === 'number' ? 'a number' : 'a value'}`
          : issueText(issue, valueAt(given, issue.path)),
      });
  }
  if (parsed.success) {
    for (const [name, text] of Object.entries(given)) {
      const message = misread(text, parsed.data[name]);
      if (message !== undefined) faults.push({ where: `--param ${name}`, message });
    }
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
 * Returns parameters as JSON values for the record. The cast is not checked: `JSON.stringify` converts values
 * of any other type when the record is written.
 */
export function recordedParameters(parameters: Readonly<Record<string, unknown>>): Record<string, Json> {
  return parameters as Record<string, Json>;
}

function isEmpty(given: unknown): boolean {
  return typeof given === 'string' && given.trim() === '';
}

// Returns the fault of a text that `z.coerce` converts wrongly: an empty text becomes 0, and the word "false"
// becomes true. `undefined` if the text is valid.
function misread(text: unknown, value: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (isEmpty(text) && typeof value === 'number') return 'is empty: give a number';
  if (typeof value === 'number' && /^\s*[+-]?0[xob]/i.test(text)) return `"${text}" is not a decimal number`;
  if (typeof value === 'boolean' && value && /^(|false|no|off|0)$/i.test(text.trim()))
    return `"${text}" would be read as true: use z.stringbool() instead of z.coerce.boolean()`;
  return undefined;
}

/** Default time limit for a decision of a rule strategy, in seconds. */
export const RULE_TIMEOUT_SECONDS = 60;

/**
 * Calls a function of a strategy and returns its result.
 *
 * @throws AppError `strategy_failed` if the function throws
 */
export function ask<Result>({ name }: Pick<Strategy, 'name'>, member: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError({
      code: 'strategy_failed',
      message: `${member} of the strategy ${name} failed: ${thrownText(cause)}`,
      hint: 'Fix the strategy.',
      kind: 'run',
      cause,
    });
  }
}

/**
 * Returns the number of bars that must close before the first decision.
 *
 * @throws AppError `strategy_failed`, `strategy_broken`
 */
export function warmUpOf(strategy: Strategy, parameters: Record<string, unknown>): number {
  const bars: unknown = ask(strategy, 'warmUpBars', () => strategy.warmUpBars?.(parameters)) ?? 0;
  if (typeof bars === 'number' && bars >= 0) return bars;
  throw new AppError({
    code: 'strategy_broken',
    message: `warmUpBars of the strategy ${strategy.name} gave ${describeValue(bars)}.`,
    hint: 'Return a number of bars, 0 or more.',
    kind: 'run',
  });
}

/**
 * Returns the indicators that a strategy declares.
 *
 * @throws AppError `bad_indicators`, `strategy_failed`
 */
export function indicatorsOf(strategy: Strategy, parameters: Record<string, unknown>): Declarations {
  return ask(strategy, 'indicators', () =>
    strategy.indicators === undefined
      ? {}
      : declareIndicators(
          (kit) => strategy.indicators!(kit),
          declaredOnly(strategy, parameters),
          strategy.name,
        ),
  );
}

/** Property names that JavaScript itself reads, for example to print an object. */
const LOOKED_UP = ['then', 'toJSON', 'constructor', 'inspect'];

/**
 * Returns parameters that throw an error when an undeclared name is read. A misspelt name would otherwise be
 * `undefined` and select the default of an indicator.
 */
function declaredOnly(
  { name: strategy, parameters: { shape } }: Strategy,
  parameters: Record<string, unknown>,
): Record<string, unknown> {
  return new Proxy(parameters, {
    get(target, name) {
      const isKnown = typeof name === 'symbol' || name in target || name in shape || LOOKED_UP.includes(name);
      if (isKnown) return Reflect.get(target, name) as unknown;
      const names = Object.keys(shape);
      const meant = nearest(name, names);
      throw new AppError({
        code: 'bad_indicators',
        message: `indicators of ${strategy} read p.${name}, which is not a parameter.`,
        hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Parameters: ${names.length === 0 ? 'none' : names.join(', ')}.`,
      });
    },
  });
}

/**
 * Function that returns the indicator values of one symbol from a cache that several runs share. `undefined`
 * if the run computes its own values.
 */
export type IndicatorShare = (symbol: string) => SharedSeries | undefined;

/** Decider of a rule strategy: code with a function `onBar`, made by `defineStrategy`. */
export interface RuleDecider extends Decider {
  /**
   * Names of the tools that the newest decision called without reading the answer, in the order of the calls.
   */
  unread(): string[];
}

/**
 * Creates the decider of a rule strategy, without its settings and costs. Does not detect tool calls that are
 * still running at the end of a decision.
 */
export function plainRuleDecider(
  strategy: Strategy,
  parameters: Record<string, unknown>,
  toolkit: ToolCaller | undefined,
  warmUp = warmUpOf(strategy, parameters),
  share?: IndicatorShare,
): RuleDecider {
  const declarations = indicatorsOf(strategy, parameters);
  const indicators = new IndicatorSet(declarations, share);
  const declares = Object.keys(declarations).length > 0;
  const unread = new UnreadCalls();
  let current: BarContext | undefined;
  const call = (tool: string, given: Json = {}): Promise<Json> => {
    if (toolkit === undefined || current === undefined) {
      return Promise.reject(
        new AppError({
          code: 'tools_not_declared',
          message: `The strategy ${strategy.name} called ${tool} but declares no tools.`,
          hint: `Add tools: ['${tool}'] to its defineStrategy.`,
        }),
      );
    }
    return toolkit.call(tool, given, current);
  };
  const compute = (code: string, symbol?: string): Promise<ComputeAnswer> =>
    call(
      'compute',
      symbol === undefined ? { code } : { code, symbol },
    ) as Promise<unknown> as Promise<ComputeAnswer>;
  const context: StrategyContext<Record<string, unknown>, unknown, Declarations> = {
    parameters,
    get indicators() {
      return indicators.values;
    },
    state: ask(strategy, 'state', () => strategy.state?.(parameters)),
    call: (tool, given) => unread.watch(tool, call(tool, given)),
    compute: (code, symbol) => unread.watch('compute', compute(code, symbol)),
    computeOrThrow: (code, schema, symbol) => {
      const { bar } = current!;
      const checked = compute(code, symbol).then((answer) => checkedAnswer(answer, schema, bar));
      return unread.watch('compute', checked);
    },
  };
  let isGuarded = false;
  return {
    decisionTimeout: RULE_TIMEOUT_SECONDS,
    waitedMs: () => toolkit?.waitedMs() ?? 0,
    ...(declares ? { watch: (turn: BarContext) => indicators.begin(turn) } : {}),
    unread: () => unread.tools,
    decide(turn): Decision | void | Promise<Decision | void> {
      current = turn;
      unread.clear();
      if (!isGuarded) withKnownMembers(context, 'context', { turn });
      isGuarded = true;
      if (declares) indicators.begin(turn);
      if (turn.bar + 1 < warmUp) return undefined;
      return strategy.onBar(turn, context);
    },
    // Releases the last turn, which refers to copies of all bars. The results of the run need this memory.
    async close() {
      current = undefined;
    },
  };
}

/**
 * Part of a toolkit that rule strategies use. A toolkit without `underWay` is not checked for unfinished
 * calls.
 */
type RuleTools = ToolCaller & Partial<CallStates>;

type CallStates = Pick<Toolkit, 'underWay' | 'writes'>;

/**
 * Creates the decider of a rule strategy with its settings, costs and warm-up.
 *
 * @param toolkit executes tool calls. `undefined` if the strategy declares no tools
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

/**
 * Creates a decider like `plainRuleDecider` that also waits for running tool calls. A decision fails if the
 * strategy did not await one of its calls.
 */
export function runningRule(
  strategy: Strategy,
  parameters: Record<string, unknown>,
  toolkit: RuleTools | undefined,
  warmUp = warmUpOf(strategy, parameters),
  share?: IndicatorShare,
): Decider {
  const decider = plainRuleDecider(strategy, parameters, toolkit, warmUp, share);
  if (toolkit?.underWay === undefined) return decider;
  return {
    ...decider,
    decide(turn): Decision | void | Promise<Decision | void> {
      const answer = decider.decide(turn);
      const hasOpenCalls = toolkit.underWay!().length > 0 || decider.unread().length > 0;
      if (!isThenable(answer) && !hasOpenCalls) return answer;
      return afterCalls(answer, toolkit, turn.bar, decider.unread);
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<Decision | void> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Waits for all tool calls of a decision, then returns the decision. Checks that the strategy awaited each
 * call and read its answer.
 *
 * A call must not end after its decision, because its place in the journal would then depend on the speed of
 * the machine. An unread answer is a fault, because the strategy then decided without the result. Exception:
 * the answer of a tool that writes need not be read.
 *
 * @param unread names of the tools whose answers the strategy has not read
 * @throws DecisionFault `call_not_awaited`, once the calls have ended
 */
export async function afterCalls<Answer>(
  decision: Answer | PromiseLike<Answer>,
  toolkit: Partial<CallStates> | undefined,
  bar: number,
  unread: () => readonly string[],
): Promise<Answer> {
  const answer = await decision;
  const unfinished = toolkit?.underWay?.() ?? [];
  const ignored = unread().filter((tool) => toolkit?.writes?.(tool) === false);
  const [first, ...others] = unfinished.length > 0 ? unfinished.map(({ name }) => name) : ignored;
  if (first === undefined) return answer;
  for (let [call] = unfinished; call !== undefined; [call] = toolkit?.underWay?.() ?? []) await call.done;
  const calls = `its call of ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  throw new DecisionFault(
    'call_not_awaited',
    unfinished.length > 0
      ? `The decision at bar ${bar} ended before ${calls}: its result was not used.`
      : `The decision at bar ${bar} did not await ${calls}: its result was not used.`,
    `Write await before the call, in an async onBar: const answer = await context.${first === 'compute' ? 'compute(code)' : `call('${first}', …)`}.`,
  );
}
