import type { LoadedStrategy } from '../../agents/index.ts';
import {
  mergeSettings,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  withWarmUp,
} from '../../engine/index.ts';
import type { Market } from '../../market/index.ts';
import { loadOptions, sourceOfMarket } from '../inputs/load-bars.ts';
import { type FileObserver, fitWorld, loadWorldFiles, type WorldFiles } from '../inputs/load-world.ts';
import { benchmarkOfRun, type NamedBenchmark } from '../run-benchmark.ts';
import type { TrialInput, TrialWorldRequest } from './trial-strategy.ts';

/** World adapted to settings. */
interface Fitted {
  readonly settings: RunSettings;
  readonly loaded: WorldFiles;
  /** Benchmarks by the settings on which they depend. */
  readonly benchmarks: Map<string, Promise<NamedBenchmark | undefined>>;
}

/** Maximum number of cached settings, and of cached sets of bars. */
const KEPT = 8;

/** Adapts the bars of a world to the settings of its trials. Caches the result for each combination. */
export class FittedWorlds {
  readonly #request: TrialWorldRequest;
  readonly #files: WorldFiles;
  readonly #observer: FileObserver;
  readonly #loads = new Map<string, Promise<WorldFiles>>();
  readonly #fitted = new Map<WorldFiles, Map<string, Fitted>>();
  #own: { readonly market: Market; readonly files: WorldFiles } | undefined;

  /** @param settings settings for which the files were read */
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

  /** Returns the bars, and the settings in the form that a run uses. */
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
    // Data in memory or already read are complete, so no further file is read. Some bars may be reserved.
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
