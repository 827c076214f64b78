import { z } from 'zod';
import type { CustomCosts } from '../../broker/index.ts';
import {
  type BarContext,
  type Decider,
  type Decision,
  type Json,
  type MaskTerms,
  type RunSettingsInput,
  runSettingsFaults,
} from '../../engine/index.ts';
import { AppError, describeValue, faultsError, issueText, nearest, valueAt } from '../../kernel/index.ts';
import type { BarSeries, DeclaredIndicator, IndicatorKit, IndicatorsOf, Market } from '../../market/index.ts';
import type { PythonRuntime } from '../../sandbox/index.ts';
import { REPL_LIFETIMES, type ReplLifetime, type Toolkit } from '../../toolkit/index.ts';
import type { Environment } from '../llm/environment.ts';
import type { ProbeOptions, ProbeReport } from '../probe/probe.ts';
import type { ResolvedModel, RunServices } from '../run-services.ts';

/** Answer of `compute`: a result, or an error with a hint. */
export interface ComputeAnswer {
  readonly result?: Json;
  readonly error?: string;
  readonly remediation?: string;
  /** Line of the error in the Python code, from 1. */
  readonly line?: number;
  readonly stdout?: string;
  readonly note?: string;
}

/**
 * Parameters, indicators, state and tools for one decision. The bars and the account are in the turn, the
 * other argument of `onBar`.
 */
export interface StrategyContext<Parameters, State, Declared = Record<never, never>> {
  readonly parameters: Parameters;
  /** Values of the declared indicators up to this bar, for the first symbol. */
  readonly indicators: IndicatorsOf<Declared>;
  /** State of the strategy in this run, created by its function `state`. */
  readonly state: State;
  /** Runs Python on the bars revealed so far. `symbol` is the symbol of `df`. Default: the first symbol. */
  compute(code: string, symbol?: string): Promise<ComputeAnswer>;
  /**
   * Runs Python on the bars revealed so far. Returns the result, checked and typed by a zod schema.
   *
   * @throws AppError `compute_failed` with the line of the Python code; `bad_compute_result` for a result
   *   that the schema refuses
   */
  computeOrThrow<Schema extends z.ZodType>(
    code: string,
    schema: Schema,
    symbol?: string,
  ): Promise<z.output<Schema>>;
  /** Calls a tool with the same arguments and answer as a tool call of a model. */
  call(tool: string, parameters?: Json): Promise<Json>;
}

/** Strategy, as created by `defineStrategy` and exported by a strategy file. */
export interface Strategy<
  Schema extends z.ZodObject = z.ZodObject,
  State = unknown,
  Declared = Readonly<Record<string, DeclaredIndicator>>,
> {
  /** Lower-case words joined by hyphens. The id of a run contains this name. */
  readonly name: string;
  /** Description of the strategy in one line. */
  readonly summary: string;
  /**
   * Parameters with defaults. Values of `--param k=v` are texts, so declare numbers with `z.coerce.number()`.
   */
  readonly parameters: Schema;
  /** Tools that the strategy calls. Python starts only if one of these tools needs it. */
  readonly tools?: readonly string[];
  /** Maximum number of calls per decision, by tool name. Other tools have no limit. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** Lifetime of the variables of `exec_code`: until the next bar (default), or until the end of the run. */
  readonly repl?: ReplLifetime;
  /** Returns the number of bars that must close before the first decision. */
  readonly warmUpBars?: (parameters: z.infer<Schema>) => number;
  /** Creates the state of the strategy. Called once for each run. */
  readonly state?: (parameters: z.infer<Schema>) => State;
  /** Declares indicators that are computed at each bar: `({ p, sma }) => ({ fast: sma(p.fast) })`. */
  indicators?(kit: IndicatorKit<z.infer<Schema>>): Declared;
  /** Settings of the strategy, for example risk limits. A settings file and flags override them. */
  readonly settings?: RunSettingsInput | ((parameters: z.infer<Schema>) => RunSettingsInput);
  /** Custom cost models. They replace the cost models of the settings. */
  readonly costs?: CustomCosts | ((parameters: z.infer<Schema>) => CustomCosts);
  /** Decides at the close of a bar. Orders fill at the next open at the earliest. May be `async`. */
  onBar(
    turn: BarContext,
    context: StrategyContext<z.infer<Schema>, State, Declared>,
  ): Decision | void | Promise<Decision | void>;
}

const BRAND = Symbol.for('sandtable.strategy');

/**
 * Declares a strategy. A strategy file exports the result as its default export. `parameters` is optional.
 */
export function defineStrategy<
  Schema extends z.ZodObject = z.ZodObject<Record<never, never>>,
  State = undefined,
  Declared extends Readonly<Record<string, DeclaredIndicator>> = Record<never, never>,
>(
  strategy: Omit<Strategy<Schema, State, Declared>, 'parameters'> & { readonly parameters?: Schema },
): Strategy<Schema, State, Declared> {
  // If a strategy omits its parameters, `Schema` is the type of this empty object. TypeScript cannot infer
  // this.
  return Object.assign({ parameters: z.object({}) as unknown as Schema }, strategy, { [BRAND]: true });
}

const EXAMPLES = {
  warmUpBars: 'warmUpBars: () => 20',
  state: 'state: () => ({ count: 0 })',
  indicators: 'indicators: ({ sma }) => ({ mean: sma(20) })',
} as const;

/**
 * Names of all members of a strategy. Other names are errors, because a misspelt member would have no effect.
 */
const MEMBERS: readonly string[] = [
  'name',
  'summary',
  'parameters',
  'tools',
  'budgets',
  'repl',
  'warmUpBars',
  'state',
  'indicators',
  'settings',
  'costs',
  'onBar',
] satisfies (keyof Strategy)[];

/**
 * Checks that a strategy has all required members. TypeScript also checks this, but a strategy may be
 * JavaScript.
 *
 * @param file name of the file for error messages
 * @throws AppError `strategy_broken` with every fault
 */
export function checkStrategy(strategy: Partial<Strategy>, file: string): void {
  const { name, summary, onBar } = strategy;
  const faults = [
    ...(typeof name === 'string' && name.trim() !== '' ? [] : ['name is not a string such as "sma-cross"']),
    ...(summary === undefined || typeof summary === 'string' ? [] : ['summary is not a string']),
    ...(typeof onBar === 'function' ? [] : ['onBar is not a function']),
    ...(['warmUpBars', 'state', 'indicators'] as const)
      .filter((member) => strategy[member] !== undefined && typeof strategy[member] !== 'function')
      .map(
        (member) =>
          `${member} is ${describeValue(strategy[member])}. Expected a function, for example ${EXAMPLES[member]}`,
      ),
    ...Object.keys(strategy)
      .filter((member) => !MEMBERS.includes(member))
      .map((member) => {
        const meant = nearest(member, MEMBERS);
        return `${member} is not a member of a strategy (${meant === undefined ? `known: ${MEMBERS.join(', ')}` : `did you mean ${meant}?`})`;
      }),
  ];
  if (faults.length === 0) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: ${faults.join('; ')}.`,
    hint: "Write: export default defineStrategy({ name: '…', summary: '…', onBar(turn) { … } });",
  });
}

/** Returns true if `defineStrategy` created the value, in this or another copy of the package. */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Strategy that is checked and prepared for one run. */
export interface LoadedStrategy {
  readonly name: string;
  readonly kind: 'rules' | 'order-script' | 'llm' | 'agent';
  readonly file: string;
  readonly sha256: string;
  /**
   * Code files of the strategy, including the files that it imports. Paths are relative to the strategy's
   * folder.
   */
  readonly files?: readonly { readonly file: string; readonly sha256: string }[];
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** Schema of the parameters. Absent for strategies without code. */
  readonly schema?: z.ZodObject;
  /** Tools that the strategy calls. Python starts if one of these tools needs it. */
  readonly tools: readonly string[];
  /** Maximum number of calls per decision, by tool name. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** Lifetime of the variables of `exec_code`, if the file sets it. */
  readonly repl?: ReplLifetime;
  /** Settings from the file. Flags override them. */
  readonly settings: RunSettingsInput;
  /**
   * Default warm-up, used if no flag or setting gives one. Either a number of bars, or `first-decision`: the
   * evaluation then starts after the first decision.
   */
  readonly warmUp?: number | 'first-decision';
  /** Custom cost models. They override the cost models of the settings. */
  readonly costs?: CustomCosts;
  /**
   * Function that translates field names in a message, for example to Python's `stop_loss`. Omitted for
   * TypeScript, whose names the messages already use.
   */
  readonly wording?: (text: string) => string;
  /** True if the strategy's code runs in the engine's process, with the user's rights. */
  readonly runsOwnCode: boolean;
  /**
   * Text about a way in which the strategy can see later bars, for the record's list `openDoors`. Set for a
   * Python strategy whose `signals` are computed on all bars. Absent for other strategies.
   */
  readonly seesAllBars?: string;
  /**
   * `closed` if the process of a sealed strategy cannot open further files, sockets or pipes. `open` if it
   * could. Absent for a strategy without such a process.
   */
  readonly sealedDescriptors?: 'closed' | 'open';
  /** Other files that the strategy reads, relative to its folder. A copy of the strategy needs them too. */
  readonly beside?: readonly string[];
  /** Model that the strategy uses, without keys. Absent for strategies without a model. */
  readonly model?: ResolvedModel;
  /**
   * Checks that the prompt and parameters of a model do not reveal data that the mask hides.
   *
   * @throws AppError `mask_leaks`
   */
  readonly checkMask?: (known: readonly BarSeries[], mask: MaskTerms) => void;
  /**
   * Tests if a model remembers the market, without giving data to the model. Absent for strategies without a
   * model.
   */
  readonly probe?: (market: Market, options: ProbeOptions) => Promise<ProbeReport>;
  /**
   * Creates the decider of one run.
   *
   * @param bars number of bars on the market's clock
   * @param services data, settings and callbacks of the run, for example recorded replies of a model
   * @throws AppError if the strategy cannot run on this market
   */
  createDecider(
    toolkit: Toolkit | undefined,
    bars: number,
    symbols: readonly string[],
    services?: RunServices,
  ): Decider;
}

/** Options for loading a strategy. */
export interface LoadContext {
  readonly environment?: Environment;
  /** If true, the strategy's code runs in a separate process that can read only the data it is sent. */
  readonly seal?: boolean | undefined;
  /** With `all`, the signals of a Python strategy are checked for look-ahead at every bar. */
  readonly verify?: 'all' | undefined;
  /** Prepares Python and reports the progress. Omitted: Python is prepared without reports. */
  readonly python?: (() => Promise<PythonRuntime>) | undefined;
  /** Model settings that an earlier process of the same run derived from the environment. */
  readonly resolved?: ResolvedModel | undefined;
  /**
   * Path that the user gave. Set if a copy of that file is read instead, because the name of the strategy may
   * be derived from the original path.
   */
  readonly namedAs?: string | undefined;
}

// Checks the tool names in the budgets. A budget for a tool that the strategy does not list is probably a
// typing error. The toolkit checks the numbers.
export function checkBudgets(
  { budgets = {}, tools = [] }: Pick<Strategy, 'budgets' | 'tools'>,
  file: string,
): void {
  const strays = Object.keys(budgets).filter((name) => !tools.includes(name));
  if (strays.length === 0) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: budgets contains ${strays.join(', ')}, which tools does not contain.`,
    hint: tools.length === 0 ? 'Add tools with these names.' : `Use names of its tools: ${tools.join(', ')}.`,
  });
}

// Checks `repl`. TypeScript also checks it, but a strategy may be JavaScript.
export function checkRepl({ repl }: Pick<Strategy, 'repl'>, file: string): void {
  if (repl === undefined || REPL_LIFETIMES.includes(repl)) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: repl is ${JSON.stringify(repl)}, which is not a lifetime of a Python session.`,
    hint: `Set repl to one of: ${REPL_LIFETIMES.join(', ')}.`,
  });
}

/**
 * Checks a strategy that runs in the engine's process, before any of its functions is called.
 *
 * @throws AppError `strategy_broken`
 */
export function checkRule(strategy: Strategy, file: string): void {
  checkStrategy(strategy, file);
  checkRepl(strategy, file);
  checkBudgets(strategy, file);
}

export function checkSettings(settings: unknown, file: string): void {
  const faults = runSettingsFaults(settings);
  if (faults.length > 0)
    throw faultsError('bad_settings', `The settings of ${file}`, faults, 'Fix the file.');
}

/**
 * Checks the answer of a `compute` call and returns its result.
 *
 * @throws AppError `compute_failed`, `bad_compute_result`
 */
export function checkedAnswer<Schema extends z.ZodType>(
  { result, error, remediation, line }: ComputeAnswer,
  schema: Schema,
  bar: number,
): z.output<Schema> {
  if (error !== undefined)
    throw new AppError({
      code: 'compute_failed',
      message: `compute failed at bar ${bar}${line === undefined ? '' : `, line ${line}`}: ${error}`,
      hint: remediation ?? 'Fix the Python code.',
      kind: 'run',
    });
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw faultsError(
    'bad_compute_result',
    `The result of compute at bar ${bar}`,
    parsed.error.issues.map((issue) => ({
      where: ['result', ...issue.path.map(String)].join('.'),
      message: issueText(issue, valueAt(result, issue.path)),
    })),
    'Fix the Python code or the schema. NaN and infinity are null in a result.',
  );
}
