import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Decider, Json, RunSettingsInput } from '../engine/index.ts';
import { AppError, fileProblem, messageOf } from '../kernel/index.ts';
import type { Market } from '../market/index.ts';
import type { Toolkit } from '../toolkit/index.ts';
import { llmDecider } from './llm/decider.ts';
import type { Environment } from './llm/environment.ts';
import { besideFile, readLlmStrategy } from './llm/strategy-file.ts';
import { checkScriptFits, orderScriptDecider, parseOrderScript } from './order-script.ts';
import { type ProbeOptions, type ProbeReport, probeModel } from './probe/probe.ts';
import { readParameters, ruleDecider } from './rules.ts';
import type { ResolvedModel, RunServices } from './run-services.ts';
import { isStrategy, type Strategy } from './strategy.ts';

/** A strategy file, read and checked, ready to trade one run. */
export interface LoadedStrategy {
  readonly name: string;
  readonly kind: 'rules' | 'order-script' | 'llm';
  readonly file: string;
  readonly sha256: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** Tools it needs; none of them means no Python. */
  readonly tools: readonly string[];
  /** Settings the file brings, for what no flag says. */
  readonly settings: RunSettingsInput;
  /** The model behind it, for a strategy that has one; without keys. */
  readonly model?: ResolvedModel;
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
  /** What an earlier process of the same run resolved. */
  readonly resolved?: ResolvedModel | undefined;
}

const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

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
  const common = { file, sha256: createHash('sha256').update(bytes).digest('hex') };
  const ending = extname(file).toLowerCase();
  if (ending === '.json') return loadScript(bytes.toString('utf8'), file, given, common);
  if (ending === '.md') return loadLlm(bytes.toString('utf8'), file, given, common, context);
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
      settings: {},
      createDecider: (toolkit) => ruleDecider(strategy, parameters, toolkit),
    };
  }
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} is not a kind of strategy file.`,
    remedy: 'Name a .ts or .js file with a defineStrategy export, a .json order script, or a .md prompt.',
  });
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
      ...(script.cash === undefined ? {} : { cash: String(script.cash) }),
      ...(script.commissionRate === undefined ? {} : { commissionRate: script.commissionRate }),
    },
    createDecider(_, bars, symbols) {
      checkScriptFits(script, file, bars, symbols);
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
  const strategy = readLlmStrategy(text, file, given, environment, resolved);
  const { settings, model, provider, baseUrl } = strategy;
  const { origin, pathname } = new URL(baseUrl);
  const { schedule } = settings;
  const condition = typeof schedule === 'object' && 'python' in schedule ? ['compute'] : [];
  return {
    ...common,
    name: strategy.name,
    kind: 'llm',
    summary: settings.summary,
    parameters: { model, ...strategy.parameters },
    // A schedule's condition may compute where the model may not.
    tools: [...new Set([...settings.tools, ...condition])],
    settings: settings.settings as RunSettingsInput,
    model: { model, provider, baseUrl: `${origin}${pathname}` },
    probe: (market, options) => probeModel(strategy, market, options),
    createDecider(toolkit, _bars, _symbols, services) {
      if (toolkit === undefined) throw new Error('a strategy for a model needs a toolkit');
      const importModule = async (name: string): Promise<unknown> =>
        (await importFile(besideFile(file, name))).default;
      return llmDecider(strategy, toolkit, services ?? { environment }, importModule);
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

async function importFile(file: string): Promise<{ default?: unknown }> {
  await prepareImports();
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(resolve(file)).href)) as { default?: unknown };
  } catch (cause) {
    throw new AppError({
      code: 'strategy_broken',
      message: `${file} cannot be loaded: ${messageOf(cause)}`,
      remedy: 'Mend the file.',
      cause,
    });
  }
}

async function importStrategy(file: string): Promise<Strategy> {
  const loaded = await importFile(file);
  if (isStrategy(loaded.default)) return loaded.default;
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} has no default export made by defineStrategy.`,
    remedy: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}
