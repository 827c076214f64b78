import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { CustomCosts } from '../broker/index.ts';
import type { Decider, Json, MaskTerms, RunSettingsInput } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';
import type { BarSeries, Market } from '../market/index.ts';
import { checkMaskedPrompts } from '../masking/index.ts';
import type { ReplLifetime, Toolkit } from '../toolkit/index.ts';
import { importFile, importStrategy } from './import-strategy.ts';
import { llmDecider } from './llm/decider.ts';
import type { Environment } from './llm/environment.ts';
import { besideFile, type LlmStrategy } from './llm/read-prompt.ts';
import { flowText } from './llm/roles/flow.ts';
import { DEFAULT_TOOLS } from './llm/schema.ts';
import { type LlmFile, readLlmStrategy } from './llm/strategy-file.ts';
import { checkScriptFits, parseOrderScript } from './order-script.ts';
import { type ProbeOptions, type ProbeReport, probeModel } from './probe/probe.ts';
import { ask, plainRuleDecider, readParameters, recordedParameters, warmUpOf } from './rules.ts';
import type { ResolvedModel, RunServices } from './run-services.ts';
import { orderScriptDecider } from './script-decider.ts';
import { loadSealed } from './sealed/load.ts';
import { isStrategy, type Strategy } from './strategy.ts';
import { checkBudgets, checkRepl, checkRule, checkSettings } from './strategy-checks.ts';

/** A strategy file, read and checked, ready to trade one run. */
export interface LoadedStrategy {
  readonly name: string;
  readonly kind: 'rules' | 'order-script' | 'llm' | 'agent';
  readonly file: string;
  readonly sha256: string;
  /** All of the code of a sealed one, by its paths from the strategy's folder. */
  readonly files?: readonly { readonly file: string; readonly sha256: string }[];
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** Tools it calls; Python starts where one of them needs it. */
  readonly tools: readonly string[];
  /** Calls of a tool that one decision may make, by name. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** How long the variables of `exec_code` live, where the file says it. */
  readonly repl?: ReplLifetime;
  /** Settings the file brings, for what no flag says. */
  readonly settings: RunSettingsInput;
  /** Where its figures begin when nothing else says it: after so many bars, or with what follows its first decision. */
  readonly warmUp?: number | 'first-decision';
  /** Cost models of its own. */
  readonly costs?: CustomCosts;
  /** Whether code of its own runs in this process, with the user's rights. */
  readonly runsOwnCode: boolean;
  /** Of a sealed strategy's process: whether it can open nothing more. */
  readonly sealedDescriptors?: 'closed' | 'open';
  /** Files that it reads, by its own folder: a copy of the strategy needs them too. */
  readonly beside?: readonly string[];
  /** The model behind it, for a strategy that has one; without keys. */
  readonly model?: ResolvedModel;
  /** Fails where a model's prompt or parameters reveal what a mask hides. @throws AppError `mask_leaks` */
  readonly checkMask?: (known: readonly BarSeries[], mask: MaskTerms) => void;
  /**
   * @param services what a model's decider needs of its run
   * @throws AppError when the strategy cannot run on this market
   */
  /** Asks a strategy's model about the market, without data; left out for a strategy without a model. */
  readonly probe?: (market: Market, options: ProbeOptions) => Promise<ProbeReport>;
  createDecider(
    toolkit: Toolkit | undefined,
    bars: number,
    symbols: readonly string[],
    services?: RunServices,
  ): Decider;
}

/** Where a strategy is loaded. */
export interface LoadContext {
  readonly environment?: Environment;
  /** Whether a strategy's code runs in a process of its own, which reads nothing but what it is sent. */
  readonly seal?: boolean | undefined;
  /** What an earlier process of the same run resolved. */
  readonly resolved?: ResolvedModel | undefined;
  /** The file as the run's starter named it, where a copy is read in its place: a strategy may have its name by it. */
  readonly namedAs?: string | undefined;
}

const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

/** Whether a strategy's file is code. */
export function isModule(file: string): boolean {
  return MODULE_ENDINGS.includes(extname(file).toLowerCase());
}

/**
 * Loads a strategy by its file: TypeScript or JavaScript with a `defineStrategy` default export, an order script in JSON,
 * or settings and a prompt for a model in Markdown.
 *
 * @param given parameters as texts
 * @throws AppError `strategy_not_found`, `strategy_broken`, `not_a_strategy`, `bad_order_script`, `bad_strategy`, `bad_parameters`
 */
export async function loadStrategy(
  file: string,
  given: Readonly<Record<string, string>> = {},
  context: LoadContext = {},
): Promise<LoadedStrategy> {
  const bytes = readStrategyFile(file);
  const common = { file: context.namedAs ?? file, sha256: createHash('sha256').update(bytes).digest('hex') };
  const ending = extname(file).toLowerCase();
  if (ending === '.json') return loadScript(bytes.toString('utf8'), file, given, common);
  if (ending === '.md') return loadLlm(bytes.toString('utf8'), file, given, common, context);
  if (isModule(file) && context.seal === true) return loadSealedFile(file, given, common);
  if (isModule(file)) return ruleStrategy(await importStrategy(file), given, common);
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} is not a kind of strategy file.`,
    hint: 'Name a .ts or .js file with a defineStrategy export, a .json order script, or a .md prompt.',
  });
}

/** A strategy of a bundle, ready to trade one run. @throws AppError `bad_parameters`, and for what its members give */
export function strategyOfBundle(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
): LoadedStrategy {
  return ruleStrategy(strategy, given, { file, sha256 });
}

/**
 * A strategy given in code, ready to trade one run.
 *
 * @throws AppError `not_a_strategy`, `strategy_broken`, `bad_parameters`
 */
export function strategyFromCode(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>> = {},
): LoadedStrategy {
  if (!isStrategy(strategy)) {
    throw new AppError({
      code: 'not_a_strategy',
      message: 'The strategy was not made by defineStrategy.',
      hint: "Write: import { defineStrategy } from 'sandtable'; const strategy = defineStrategy({ … });",
    });
  }
  return ruleStrategy(strategy, given, { file: `The strategy ${strategy.name}`, sha256: '' });
}

function ruleStrategy(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
  common: { readonly file: string; readonly sha256: string },
): LoadedStrategy {
  checkRule(strategy, common.file);
  const parameters = readParameters(strategy, given);
  return {
    ...common,
    name: strategy.name,
    kind: 'rules',
    runsOwnCode: true,
    summary: strategy.summary,
    parameters: recordedParameters(parameters),
    tools: strategy.tools ?? [],
    ...(strategy.budgets === undefined ? {} : { budgets: strategy.budgets }),
    ...(strategy.repl === undefined ? {} : { repl: strategy.repl }),
    settings: settingsOf(strategy, parameters, common.file),
    ...costsOf(strategy, parameters),
    ...(strategy.warmUpBars === undefined ? {} : { warmUp: warmUpOf(strategy, parameters) }),
    createDecider: (toolkit) => plainRuleDecider(strategy, parameters, toolkit),
  };
}

async function loadSealedFile(
  file: string,
  given: Readonly<Record<string, string>>,
  common: { file: string; sha256: string },
): Promise<LoadedStrategy> {
  const { declared, parameters, descriptorsClosed, files, warmUp, createDecider, close } = await loadSealed(
    file,
    given,
  );
  try {
    checkRepl(declared, file);
    checkBudgets(declared, file);
    const { name, summary, tools = [], budgets, repl } = declared;
    return {
      ...common,
      name,
      kind: 'rules',
      runsOwnCode: false,
      files,
      sealedDescriptors: descriptorsClosed ? 'closed' : 'open',
      summary,
      parameters: recordedParameters(parameters),
      tools,
      ...(budgets === undefined ? {} : { budgets }),
      ...(repl === undefined ? {} : { repl }),
      settings: settingsOf(declared, parameters, file),
      ...(warmUp === undefined ? {} : { warmUp }),
      createDecider: (toolkit, _bars, _symbols, services) =>
        createDecider(toolkit, services?.lookback ?? null),
    };
  } catch (error) {
    close();
    throw error;
  }
}

function settingsOf(
  strategy: Pick<Strategy, 'name' | 'settings'>,
  parameters: Readonly<Record<string, unknown>>,
  file: string,
): RunSettingsInput {
  const { settings = {} } = strategy;
  const own = ask(strategy, 'settings', () =>
    typeof settings === 'function' ? settings(parameters) : settings,
  );
  checkSettings(own, file);
  return own;
}

function costsOf(
  strategy: Strategy,
  parameters: Readonly<Record<string, unknown>>,
): { readonly costs?: CustomCosts } {
  const { costs } = strategy;
  if (costs === undefined) return {};
  return { costs: ask(strategy, 'costs', () => (typeof costs === 'function' ? costs(parameters) : costs)) };
}

function loadScript(
  text: string,
  file: string,
  given: Readonly<Record<string, string>>,
  common: { file: string; sha256: string },
): LoadedStrategy {
  if (Object.keys(given).length > 0) {
    throw new AppError({
      code: 'bad_parameters',
      message: `${file} is an order script and takes no parameters.`,
      hint: 'Leave --param out.',
    });
  }
  const script = parseOrderScript(text, file);
  return {
    ...common,
    name: script.name ?? basename(common.file, extname(common.file)),
    kind: 'order-script',
    runsOwnCode: false,
    summary: `${script.orders.length} orders from a script`,
    parameters: {},
    tools: [],
    settings: {
      ...script.settings,
      ...(script.cash === undefined ? {} : { cash: String(script.cash) }),
      ...(script.commissionRate === undefined ? {} : { commissionRate: script.commissionRate }),
    },
    createDecider(_, bars, symbols, services) {
      checkScriptFits(script, file, bars, symbols, services?.firstAsked, services?.clock);
      return orderScriptDecider(script);
    },
  };
}

function loadLlm(
  text: string,
  file: string,
  given: Readonly<Record<string, string>>,
  common: { file: string; sha256: string },
  { environment = process.env, resolved }: LoadContext,
): LoadedStrategy {
  const read = readLlmStrategy(text, given, { file, environment, resolved, namedAs: common.file });
  const { settings, prompts, flow } = read;
  const { schedule } = settings;
  const condition = typeof schedule === 'object' && 'python' in schedule ? ['compute'] : [];
  const tools = prompts.flatMap((prompt) => [
    ...(prompt.settings.tools ?? DEFAULT_TOOLS),
    ...(prompt.settings.output?.calls.map(({ tool }) => tool) ?? []),
  ]);
  const models = [...new Set(prompts.map(({ model }) => model))];
  return {
    ...common,
    name: read.name,
    kind: 'llm',
    runsOwnCode: typeof schedule === 'object' && 'module' in schedule,
    summary: settings.summary,
    parameters: {
      model: models.join(', '),
      ...(flow === undefined ? {} : { flow: flowText(flow) }),
      ...prompts[0]!.parameters,
    },
    // A schedule's condition may compute, and answers may trade, where the model may not.
    tools: [...new Set([...tools, ...condition])],
    settings: settings.settings as RunSettingsInput,
    warmUp: 'first-decision',
    beside: typeof schedule === 'object' && 'module' in schedule ? [schedule.module] : [],
    model: {
      ...resolvedModel(prompts[0]!),
      ...(flow === undefined
        ? {}
        : { roles: Object.fromEntries(prompts.map((prompt) => [prompt.role, resolvedModel(prompt)])) }),
    },
    checkMask: (known, mask) => checkMaskedPrompts(file, prompts, known, mask),
    probe: (market, options) => probeModel(probedPrompt(read, file), market, options),
    createDecider(toolkit, _bars, symbols, services) {
      if (toolkit === undefined) throw new Error('a strategy for a model needs a toolkit');
      const importModule = async (name: string): Promise<unknown> =>
        (await importFile(besideFile(file, name))).default;
      return llmDecider(read, toolkit, services ?? { environment }, symbols.length, importModule);
    },
  };
}

function resolvedModel({ model, provider, baseUrl, price }: LlmStrategy): Omit<ResolvedModel, 'roles'> {
  const { origin, pathname } = new URL(baseUrl);
  return { model, provider, baseUrl: `${origin}${pathname}`, price };
}

/** @throws AppError `bad_flags` where the roles of a strategy ask several models */
function probedPrompt({ prompts }: LlmFile, file: string): LlmStrategy {
  const names = [...new Set(prompts.map(({ model, baseUrl }) => `${model} at ${new URL(baseUrl).host}`))];
  if (names.length === 1) return prompts[0]!;
  throw new AppError({
    code: 'bad_flags',
    message: `A probe asks one model, and the roles of ${file} have ${names.length}: ${names.join(', ')}.`,
    hint: 'Write a strategy of one prompt for each of them, and probe those.',
  });
}

function readStrategyFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new AppError({
      code: 'strategy_not_found',
      message: `Cannot read the strategy ${file}: ${fileProblem(cause)}.`,
      hint: 'Name a file such as strategies/sma-cross.ts.',
      cause,
    });
  }
}
