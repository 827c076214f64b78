import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { CustomCosts } from '../../broker/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import { AppError, fileProblem, readInput } from '../../kernel/index.ts';
import { loadLlm } from '../llm/load-llm.ts';
import { openPython, type PythonLoader } from '../python/load-python.ts';
import { loadSealed } from '../sealed/load.ts';
import { type CodeFile, importStrategy } from './import-strategy.ts';
import { checkScriptFits, orderScriptDecider, readOrderScript, scriptOn } from './order-script.ts';
import { ask, indicatorsOf, readParameters, recordedParameters, runningRule, warmUpOf } from './rules.ts';
import {
  checkBudgets,
  checkRepl,
  checkRule,
  checkSettings,
  isStrategy,
  type LoadContext,
  type LoadedStrategy,
  type Strategy,
} from './strategy.ts';

const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

/** Returns true if the extension of a strategy's file is one of TypeScript or JavaScript. */
export function isModule(file: string): boolean {
  return MODULE_ENDINGS.includes(extname(file).toLowerCase());
}

/** Returns true if the extension of a strategy's file is `.py`. */
export function isPython(file: string): boolean {
  return extname(file).toLowerCase() === '.py';
}

/**
 * Loads a strategy from its file. Supported are:
 *
 * - TypeScript or JavaScript with a `defineStrategy` default export
 * - Python with `on_bar` or `signals`
 * - an order script in JSON
 * - a Markdown file with settings and a prompt for a model
 *
 * @param given parameter values as texts
 * @throws AppError `strategy_not_found`, `strategy_broken`, `not_a_strategy`, `bad_order_script`,
 * `bad_strategy`, `bad_parameters`
 */
export async function loadStrategy(
  file: string,
  given: Readonly<Record<string, string>> = {},
  context: LoadContext = {},
): Promise<LoadedStrategy> {
  if (isPython(file)) return (await openPythonStrategy(file, context))(given);
  const bytes = readStrategyFile(file);
  const common = commonOf(bytes, file, context);
  const ending = extname(file).toLowerCase();
  if (ending === '.json') return loadScript(bytes.toString('utf8'), file, given, common);
  if (ending === '.md') return loadLlm(bytes.toString('utf8'), file, given, common, context);
  if (isModule(file) && context.seal === true) return loadSealedFile(file, given, common);
  if (isModule(file)) {
    const { strategy, files } = await importStrategy(file);
    return {
      ...ruleStrategy(strategy, given, common),
      ...(files.length > 1 ? codeOf(files, file, common) : {}),
    };
  }
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} is not a kind of strategy file.`,
    hint: 'Pass a .py file with on_bar, a .ts or .js file with a defineStrategy export, a .json order script, or a .md prompt.',
  });
}

/**
 * Reads a strategy in Python. The returned loader prepares it for any number of runs.
 *
 * @throws AppError with the same codes as `loadStrategy`
 */
export async function openPythonStrategy(file: string, context: LoadContext = {}): Promise<PythonLoader> {
  const bytes = readStrategyFile(file);
  return openPython(bytes, file, commonOf(bytes, file, context), context);
}

/** Returns one hash of a strategy's file and of the files that it imports. */
export function codeHash({ sha256, files = [] }: LoadedStrategy): string {
  return files.length < 2 ? sha256 : createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

function commonOf(
  bytes: Buffer,
  file: string,
  { namedAs = file }: LoadContext,
): { file: string; sha256: string } {
  return { file: namedAs, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Returns all code files of a strategy (`files`), and the imported files inside its folder (`beside`), which
 * a copy of the strategy needs. If a copy of the main file was loaded, the file is listed under its original
 * name.
 */
function codeOf(
  files: readonly CodeFile[],
  path: string,
  common: { readonly file: string },
): Pick<LoadedStrategy, 'files' | 'beside'> {
  const [loaded, main] = [basename(path), basename(common.file)];
  const named = files.map(({ file, sha256 }) => ({ file: file === loaded ? main : file, sha256 }));
  const others = named.map(({ file }) => file).filter((file) => file !== main);
  return { files: named, beside: others.filter((file) => !file.startsWith('..')) };
}

/**
 * Prepares a bundled strategy for one run.
 *
 * @throws AppError `bad_parameters`, and errors for invalid results of the strategy's functions
 */
export function strategyOfBundle(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
): LoadedStrategy {
  return ruleStrategy(strategy, given, { file, sha256 });
}

/**
 * Prepares a strategy object for one run.
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
  // The result is not used here. The call reports faults of the declared indicators before the run.
  indicatorsOf(strategy, parameters);
  return {
    ...common,
    name: strategy.name,
    kind: 'rules',
    runsOwnCode: true,
    summary: strategy.summary,
    schema: strategy.parameters,
    parameters: recordedParameters(parameters),
    tools: strategy.tools ?? [],
    ...(strategy.budgets === undefined ? {} : { budgets: strategy.budgets }),
    ...(strategy.repl === undefined ? {} : { repl: strategy.repl }),
    settings: settingsOf(strategy, parameters, common.file),
    ...costsOf(strategy, parameters),
    ...(strategy.warmUpBars === undefined ? {} : { warmUp: warmUpOf(strategy, parameters) }),
    createDecider: (toolkit, _bars, _symbols, services) =>
      runningRule(strategy, parameters, toolkit, undefined, services?.indicators),
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
      ...codeOf(files, file, common),
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
      message: `${file} is an order script, which has no parameters.`,
      hint: 'Remove --param.',
    });
  }
  const script = readOrderScript(text, file);
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
      const placed = scriptOn(script, file, services?.clock);
      checkScriptFits(placed, file, bars, symbols, services?.firstAsked, services?.clock);
      return orderScriptDecider(placed);
    },
  };
}

function readStrategyFile(file: string): Buffer {
  try {
    return readInput(file);
  } catch (cause) {
    throw new AppError({
      code: 'strategy_not_found',
      message: `Cannot read the strategy ${file}: ${fileProblem(cause)}.`,
      hint: 'Pass a strategy file, for example strategies/sma-cross.ts.',
      cause,
    });
  }
}
