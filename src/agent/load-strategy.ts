import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CustomCosts } from '../broker/index.ts';
import { type Decider, type Json, type RunSettingsInput, runSettingsFaults } from '../engine/index.ts';
import { AppError, faultsError, fileProblem, messageOf } from '../kernel/index.ts';
import type { Toolkit } from '../toolkit/index.ts';
import { checkScriptFits, parseOrderScript } from './order-script.ts';
import { readParameters, ruleDecider } from './rules.ts';
import { orderScriptDecider } from './script-decider.ts';
import { isStrategy, type Strategy } from './strategy.ts';

/** A strategy file, read and checked, ready to trade one run. */
export interface LoadedStrategy {
  readonly name: string;
  readonly kind: 'rules' | 'order-script';
  readonly file: string;
  readonly sha256: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** Tools it needs; none of them means no Python. */
  readonly tools: readonly string[];
  /** Settings the file brings, for what no flag says. */
  readonly settings: RunSettingsInput;
  /** Cost models of its own. */
  readonly costs?: CustomCosts;
  /** @throws AppError when the strategy cannot run on this market */
  createDecider(toolkit: Toolkit | undefined, bars: number, symbols: readonly string[]): Decider;
}

const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Loads a strategy by its file: TypeScript or JavaScript with a `defineStrategy` default export, or an order script in JSON.
 *
 * @param given parameters as texts
 * @throws AppError `strategy_not_found`, `strategy_broken`, `not_a_strategy`, `bad_order_script`, `bad_parameters`
 */
export async function loadStrategy(
  file: string,
  given: Readonly<Record<string, string>> = {},
): Promise<LoadedStrategy> {
  const bytes = readStrategyFile(file);
  const common = { file, sha256: createHash('sha256').update(bytes).digest('hex') };
  const ending = extname(file).toLowerCase();
  if (ending === '.json') return loadScript(bytes.toString('utf8'), file, given, common);
  if (MODULE_ENDINGS.includes(ending)) {
    const strategy = await importStrategy(file);
    const parameters = readParameters(strategy, given);
    return {
      ...common,
      name: strategy.name,
      kind: 'rules',
      summary: strategy.summary,
      parameters: parameters as Record<string, Json>,
      tools: strategy.tools ?? [],
      settings: settingsOf(strategy, parameters, file),
      ...costsOf(strategy, parameters),
      createDecider: (toolkit) => ruleDecider(strategy, parameters, toolkit),
    };
  }
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} is not a kind of strategy file.`,
    remedy: 'Name a .ts or .js file with a defineStrategy export, or a .json order script.',
  });
}

function settingsOf(
  strategy: Strategy,
  parameters: Readonly<Record<string, unknown>>,
  file: string,
): RunSettingsInput {
  const { settings = {} } = strategy;
  const own = typeof settings === 'function' ? settings(parameters) : settings;
  checkSettings(own, file);
  return own;
}

function checkSettings(settings: unknown, file: string): void {
  const faults = runSettingsFaults(settings);
  if (faults.length > 0)
    throw faultsError('bad_settings', `The settings of ${file}`, faults, 'Mend the file.');
}

function costsOf(
  { costs }: Strategy,
  parameters: Readonly<Record<string, unknown>>,
): { readonly costs?: CustomCosts } {
  if (costs === undefined) return {};
  return { costs: typeof costs === 'function' ? costs(parameters) : costs };
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
      remedy: 'Leave --param out.',
    });
  }
  const script = parseOrderScript(text, file);
  return {
    ...common,
    name: script.name ?? basename(file, extname(file)),
    kind: 'order-script',
    summary: `${script.orders.length} orders from a script`,
    parameters: {},
    tools: [],
    settings: {
      ...script.settings,
      ...(script.cash === undefined ? {} : { cash: String(script.cash) }),
      ...(script.commissionRate === undefined ? {} : { commissionRate: script.commissionRate }),
    },
    createDecider(_, bars, symbols) {
      checkScriptFits(script, file, bars, symbols);
      return orderScriptDecider(script);
    },
  };
}

function readStrategyFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new AppError({
      code: 'strategy_not_found',
      message: `Cannot read the strategy ${file}: ${fileProblem(cause)}.`,
      remedy: 'Name a file such as strategies/sma-cross.ts.',
      cause,
    });
  }
}

let typeScriptReady = false;

// Strategies are TypeScript and import `sandtable`, wherever they lie: tsx compiles them, our hook finds us.
async function prepareImports(): Promise<void> {
  if (typeScriptReady) return;
  typeScriptReady = true;
  const { register: registerTypeScript } = await import('tsx/esm/api');
  registerTypeScript();
  const own = new URL('../index.js', import.meta.url).href.replace(/\/src\/index\.js$/, '/dist/index.js');
  register(new URL('./resolve-own-name.js', import.meta.url).href.replace('/src/agent/', '/dist/agent/'), {
    data: { url: own },
  });
}

async function importStrategy(file: string): Promise<Strategy> {
  await prepareImports();
  let loaded: { default?: unknown };
  try {
    loaded = (await import(/* @vite-ignore */ pathToFileURL(resolve(file)).href)) as { default?: unknown };
  } catch (cause) {
    throw new AppError({
      code: 'strategy_broken',
      message: `${file} cannot be loaded: ${messageOf(cause)}`,
      remedy: 'Mend the file.',
      cause,
    });
  }
  if (isStrategy(loaded.default)) return loaded.default;
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} has no default export made by defineStrategy.`,
    remedy: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}
