import type { z } from 'zod';
import {
  bundleStrategyFile,
  isModule,
  isPython,
  type LoadedStrategy,
  loadStrategy,
  openBundle,
  openPythonStrategy,
  type Strategy,
  type StrategyBundle,
  strategyFromCode,
  strategyOfAgent,
  strategyOfBundle,
} from '../../agents/index.ts';
import {
  type Decider,
  mergeSettings,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  withWarmUp,
} from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { CorporateAction, Market } from '../../market/index.ts';
import type { RunContext } from '../context.ts';
import { preparePython } from '../decider-of.ts';
import { loadOptions, sourceOfMarket } from '../inputs/load-bars.ts';
import { type FileObserver, fitWorld, loadWorldFiles, type WorldFiles } from '../inputs/load-world.ts';
import { benchmarkOfRun, type NamedBenchmark } from '../run-benchmark.ts';
import { parameterTexts } from '../run-place.ts';
import type { RunRequest } from '../run-request.ts';

/** Strategy that is read once and used for many trials. */
export interface TrialStrategy {
  /**
   * Schema of the strategy's parameters. `undefined` for a sealed strategy and for a strategy without code.
   */
  readonly schema: z.ZodObject | undefined;
  /**
   * Prepares the strategy for one trial. Each call evaluates the modules of the strategy again, so that
   * trials do not share module state.
   */
  load(parameters: Readonly<Record<string, unknown>>): Promise<LoadedStrategy>;
  /**
   * Prepares the strategy without evaluating its modules again. Use it only to read declarations, because the
   * module state is shared.
   */
  look(parameters: Readonly<Record<string, unknown>>): Promise<LoadedStrategy>;
}

/**
 * Reads a strategy for many trials. If the strategy is given as an object in code, its trials share module
 * state.
 *
 * @param bundle bundle of the strategy's file, if it already exists
 */
export async function trialStrategy(
  { strategy, options }: Pick<TrialWorldRequest, 'strategy' | 'options'>,
  { environment, observer }: Pick<RunContext, 'environment' | 'observer'>,
  bundle?: StrategyBundle,
): Promise<TrialStrategy> {
  const { agent } = options;
  if (agent !== undefined) {
    const load: TrialStrategy['load'] = async () => strategyOfAgent({ ...options, agent });
    return { schema: undefined, load, look: load };
  }
  if (typeof strategy !== 'string') {
    const load = async (parameters: Readonly<Record<string, unknown>>) =>
      strategyFromCode(strategy, parameters);
    await load({}).catch(refuseAllButParameters);
    return { schema: strategy.parameters, load, look: load };
  }
  if (isPython(strategy)) {
    const { verify } = options;
    const open = await openPythonStrategy(strategy, {
      environment,
      verify,
      python: () => preparePython(observer),
    });
    const load: TrialStrategy['load'] = (parameters) => open(parameterTexts(parameters));
    return { schema: (await load({})).schema, load, look: load };
  }
  if (!isModule(strategy) || options.seal === true) {
    const load: TrialStrategy['load'] = (parameters) =>
      loadStrategy(strategy, parameterTexts(parameters), { environment, seal: options.seal });
    return { schema: undefined, load, look: load };
  }
  const opened = bundle ?? (await bundleStrategyFile(strategy));
  const instantiate = await openBundle(opened);
  const first = await instantiate();
  const { file, sha256 } = opened;
  const loaded = (own: typeof first, parameters: Readonly<Record<string, unknown>>): LoadedStrategy =>
    strategyOfBundle(own, parameterTexts(parameters), { file, sha256 });
  return {
    schema: first.parameters,
    load: async (parameters) => loaded(await instantiate(), parameters),
    look: async (parameters) => loaded(first, parameters),
  };
}

function refuseAllButParameters(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'bad_parameters') throw error;
}

/** Inputs that all trials of one `TrialWorld` share. */
export interface TrialWorldRequest
  extends Pick<
    RunRequest,
    'options' | 'settings' | 'market' | 'budget' | 'features' | 'context' | 'pointInTime'
  > {
  /** Path of the strategy's file, or result of `defineStrategy`. Ignored if the options name an agent. */
  readonly strategy: string | Strategy;
  /** Parameters of the strategy. Parameters of a trial override them. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Bundled script of the strategy's file, if it already exists. */
  readonly bundle?: StrategyBundle;
  /** Contents of the files that the options name, if already read. */
  readonly files?: WorldFiles;
}

/** Inputs of one trial, in addition to the inputs that all trials share. */
export interface TrialInput {
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Settings that override the settings that all trials share. */
  readonly settings?: RunSettingsInput;
  /**
   * Bars that replace the shared bars, for example randomised ones. The benchmark is then computed from these
   * bars.
   */
  readonly market?: Market;
  /** Corporate actions for `market`. Default: the shared actions. */
  readonly actions?: readonly CorporateAction[];
  readonly seed?: number;
  /**
   * If true, all positions are closed at the open of the last bar, with normal costs. No decision follows.
   */
  readonly closeAtEnd?: boolean;
  /** Parameters that apply from a later date on, in the same account. */
  readonly later?: readonly {
    readonly from: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  /**
   * If true, signals of a Python strategy are checked for look-ahead at as many bars as in a run with a
   * folder.
   */
  readonly checkedLikeRun?: boolean;
  /** Called with the number of completed bars and the number of all bars. */
  readonly onProgress?: (done: number, bars: number) => void;
  /** Called before every decision, so that a watching process can see the progress. */
  readonly deciding?: () => void;
  /** Signal that stops the trial at the end of a bar. */
  readonly signal?: AbortSignal;
}

/** Decider, the source of a run's decisions, that takes over the account of an earlier decider at a bar. */
export interface Successor {
  /** First bar at whose close the decider is called. */
  readonly firstAsked: number;
  readonly decider: Decider;
}

/**
 * Combines several deciders (one per set of parameters) into one. Each decides from its first bar until the
 * next decider begins. Before its first bar, a decider only observes the bars as history.
 */
export function carriedDecider(first: Decider, successors: readonly Successor[]): Decider {
  if (successors.length === 0) return first;
  const all: readonly Successor[] = [{ firstAsked: 0, decider: first }, ...successors];
  return {
    ...(first.decisionTimeout === undefined ? {} : { decisionTimeout: first.decisionTimeout }),
    waitedMs: () => all.reduce((sum, { decider }) => sum + (decider.waitedMs?.() ?? 0), 0),
    watch(turn) {
      for (const { decider } of all) decider.watch?.(turn);
    },
    decide(turn) {
      for (const { decider, firstAsked } of all) if (firstAsked > turn.bar) decider.watch?.(turn);
      return all.findLast(({ firstAsked }) => firstAsked <= turn.bar)!.decider.decide(turn);
    },
    async close() {
      for (const { decider } of all) await decider.close?.();
    },
  };
}

/** Wraps the decider of a trial. Reports each decision, and closes all positions at the end if requested. */
export function trialDecider(
  decider: Decider,
  bars: number,
  { deciding, closeAtEnd = false }: Pick<TrialInput, 'deciding' | 'closeAtEnd'>,
): Decider {
  if (deciding === undefined && !closeAtEnd) return decider;
  return {
    ...(decider.decisionTimeout === undefined ? {} : { decisionTimeout: decider.decisionTimeout }),
    waitedMs: () => decider.waitedMs?.() ?? 0,
    watch: (turn) => decider.watch?.(turn),
    close: () => decider.close?.(),
    decide(turn) {
      deciding?.();
      const { orders, account, bar } = turn;
      const left = bars - 1 - bar;
      if (!closeAtEnd || left > (orders.fillsAtClose ? 0 : 1)) return decider.decide(turn);
      for (const { id } of orders.pending()) orders.cancel(id);
      for (const { symbol } of account.positions()) orders.close({ symbol, reason: 'end of the window' });
      return undefined;
    },
  };
}

/** Shared data and account settings, adapted to the settings of one trial. */
interface Fitted {
  readonly settings: RunSettings;
  readonly loaded: WorldFiles;
  /** Cached benchmarks. The key identifies the settings on which a benchmark depends. */
  readonly benchmarks: Map<string, Promise<NamedBenchmark | undefined>>;
}

/** Maximum number of entries in each cache of `FittedWorlds`. The oldest entry is removed first. */
const KEPT = 8;

/**
 * Adapts the shared data to the settings of each trial. Caches the result for each combination of data and
 * settings.
 */
export class FittedWorlds {
  readonly #request: TrialWorldRequest;
  readonly #files: WorldFiles;
  readonly #observer: FileObserver;
  readonly #loads = new Map<string, Promise<WorldFiles>>();
  readonly #fitted = new Map<WorldFiles, Map<string, Fitted>>();
  #own: { readonly market: Market; readonly files: WorldFiles } | undefined;

  /**
   * Creates the object without adapted data.
   *
   * @param settings settings for which `files` were read
   */
  constructor(
    request: TrialWorldRequest,
    settings: RunSettingsInput,
    files: WorldFiles,
    observer: FileObserver,
  ) {
    this.#observer = observer;
    this.#request = request;
    this.#files = files;
    this.#loads.set(keyOf(loadOptions(request.options, settings)), Promise.resolve(files));
  }

  /** Returns the adapted data, the settings and the benchmark, as a run with these inputs would use them. */
  async fit(
    strategy: LoadedStrategy,
    { settings: own = {}, seed, market, actions }: TrialInput,
  ): Promise<{
    readonly settings: RunSettings;
    readonly loaded: WorldFiles;
    readonly benchmark: NamedBenchmark | undefined;
  }> {
    const asked = mergeSettings(
      mergeSettings(this.#request.settings, own),
      seed === undefined ? {} : { seed },
    );
    const merged = mergeSettings(strategy.settings, asked);
    const files = market === undefined ? await this.#load(merged, asked) : this.#withMarket(market, actions);
    const given = readRunSettings(merged);
    const fitted = this.#fitting(files, given, asked);
    const settings = readRunSettings(withWarmUp(fitted.settings, strategy.warmUp, fitted.loaded.market));
    const key = `${settings.evaluateFrom}`;
    let benchmark = fitted.benchmarks.get(key);
    if (benchmark === undefined) {
      benchmark = benchmarkOfRun(this.#request.options, fitted.loaded, settings, this.#observer);
      fitted.benchmarks.set(key, benchmark);
    }
    return { settings, loaded: fitted.loaded, benchmark: await benchmark };
  }

  #fitting(files: WorldFiles, given: RunSettings, asked: RunSettingsInput): Fitted {
    let byMarket = this.#fitted.get(files);
    if (byMarket === undefined) {
      byMarket = new Map();
      keep(this.#fitted, files, byMarket);
    }
    const key = JSON.stringify([given, asked.instruments]);
    let fitted = byMarket.get(key);
    if (fitted === undefined) {
      fitted = { ...fitWorld(files, given, asked), benchmarks: new Map() };
      keep(byMarket, key, fitted);
    }
    return fitted;
  }

  #load(merged: RunSettingsInput, asked: RunSettingsInput): Promise<WorldFiles> {
    const { options, market } = this.#request;
    const key = keyOf(loadOptions(options, merged));
    // If the data are in memory or the caller has read them, no file is read again. The caller may have
    // removed bars that are reserved for a holdout.
    const fixed = market !== undefined || this.#request.files !== undefined;
    let loading = fixed ? Promise.resolve(this.#files) : this.#loads.get(key);
    if (loading === undefined) {
      loading = loadWorldFiles(options, Promise.resolve(merged), asked, this.#observer);
      this.#loads.set(key, loading);
    }
    return loading;
  }

  #withMarket(market: Market, actions = this.#files.actions): WorldFiles {
    if (this.#own?.market !== market || this.#own.files.actions !== actions)
      this.#own = { market, files: { ...this.#files, market, actions, sources: [sourceOfMarket(market)] } };
    return this.#own.files;
  }
}

function keyOf(options: object): string {
  return JSON.stringify(options);
}

/** Adds an entry and removes the oldest one if the cache is full. */
function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (map.size >= KEPT) map.delete(map.keys().next().value!);
  map.set(key, value);
}
