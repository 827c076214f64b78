import type { LoadedStrategy } from '../../agents/index.ts';
import {
  firstAskedBar,
  mergeSettings,
  platformDoors,
  type RunSettings,
  type RunSettingsInput,
  runBacktest,
} from '../../engine/index.ts';
import { RecordBuilder } from '../../journal/index.ts';
import { type DataSource, IndicatorMemo, SharedMeans } from '../../market/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { needPython } from '../../toolkit/index.ts';
import type { RunContext } from '../context.ts';
import { deciderOf, openSandbox } from '../decider-of.ts';
import { type Evaluation, evaluationOf, metricsOptions } from '../evaluation.ts';
import { fitDetail, type LoadedDetail, loadDetail } from '../inputs/detail.ts';
import { loadWorldFiles, type WorldFiles } from '../inputs/load-world.ts';
import { buildMarketView, maskFilesFor, maskFor } from '../inputs/market-view.ts';
import { collectErrors } from '../inputs/option-faults.ts';
import { startSandbox } from '../run-prepared.ts';
import type { PreparedRun } from '../run-request.ts';
import { startOfStrategy } from '../start-event.ts';
import { checkScriptsAllowed, eventsOfGiven, ToolTimings, toolExtras } from '../tool-extras.ts';
import {
  carriedDecider,
  FittedWorlds,
  type Successor,
  type TrialInput,
  type TrialStrategy,
  type TrialWorldRequest,
  trialDecider,
  trialStrategy,
} from './trial-strategy.ts';

/**
 * Strategy with the inputs that its trials share: data, exchange rates, corporate actions, finer bars and
 * Python. A trial is a run in memory without a folder. Trials run one at a time.
 */
export interface TrialWorld {
  /**
   * Returns the strategy for these parameters.
   *
   * @throws AppError `bad_parameters`
   */
  strategy(parameters?: Readonly<Record<string, unknown>>): Promise<LoadedStrategy>;
  /** Files that were read for the parameters of the request. */
  readonly files: WorldFiles;
  /** Sources of finer bars. */
  readonly detailSources: readonly DataSource[];
  /** Returns the settings that a trial would use, including its evaluation date. */
  settingsOf(input?: TrialInput): Promise<RunSettings>;
  /** Runs one trial. See `evaluateTrial` for errors. */
  evaluate(input: TrialInput): Promise<Evaluation>;
  /** Ends the Python process of the trials. */
  close(): Promise<void>;
}

/**
 * Reads the inputs of all trials of a strategy once.
 *
 * @throws AppError with every fault of the strategy and of the files
 */
export async function openTrialWorld(request: TrialWorldRequest, context: RunContext): Promise<TrialWorld> {
  const { options, settings: asked, parameters = {} } = request;
  const opening = trialStrategy(request, context, request.bundle);
  const reading = opening.then((strategy) => strategy.load(parameters));
  const merged = reading.then((strategy) => mergeSettings(strategy.settings, asked));
  const loading =
    request.files === undefined
      ? loadWorldFiles(options, merged, asked, context.observer, request)
      : Promise.resolve(request.files);
  // The errors of these promises are reported below, where the promises are awaited.
  for (const one of [reading, merged, loading]) one.catch(() => undefined);
  const finer = loadDetail(options, loading, context.observer);
  const [strategy, , files, detail] = await collectErrors(opening, reading, loading, finer);
  return new OpenWorld(request, context, strategy, await merged, files, detail);
}

/**
 * Runs one trial in memory. The metrics equal those of `runStrategy` with the same parameters and settings.
 * If a trial starts and then fails, no error is thrown. Its outcome states the failure.
 *
 * @throws AppError for invalid parameters, settings or an invalid mask
 */
export function evaluateTrial(world: TrialWorld, input: TrialInput): Promise<Evaluation> {
  return world.evaluate(input);
}

class OpenWorld implements TrialWorld {
  readonly files: WorldFiles;
  readonly #request: TrialWorldRequest;
  readonly #context: RunContext;
  readonly #strategy: TrialStrategy;
  readonly #fitted: FittedWorlds;
  readonly #detail: LoadedDetail;

  get detailSources(): readonly DataSource[] {
    return this.#detail?.sources ?? [];
  }
  readonly #indicators = new IndicatorMemo();
  readonly #means = new SharedMeans();
  #sandbox: { readonly key: string; readonly sandbox: Sandbox; used: boolean } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    request: TrialWorldRequest,
    context: RunContext,
    strategy: TrialStrategy,
    settings: RunSettingsInput,
    files: WorldFiles,
    detail: LoadedDetail,
  ) {
    this.#request = request;
    this.#context = context;
    this.#strategy = strategy;
    this.files = files;
    this.#detail = detail;
    this.#fitted = new FittedWorlds(request, settings, files, context.observer);
  }

  strategy(parameters: Readonly<Record<string, unknown>> = {}): Promise<LoadedStrategy> {
    return this.#strategy.look({ ...this.#request.parameters, ...parameters });
  }

  async settingsOf(input: TrialInput = {}): Promise<RunSettings> {
    const strategy = await this.strategy(input.parameters);
    return (await this.#fitted.fit(strategy, input)).settings;
  }

  evaluate(input: TrialInput): Promise<Evaluation> {
    // Trials run one after another, because they share one Python process.
    const evaluation = this.#last.then(() => this.#evaluate(input));
    // The stored promise has no value, so that the record of the trial can be freed before the next trial.
    const ended = (): void => undefined;
    this.#last = evaluation.then(ended, ended);
    return evaluation;
  }

  async close(): Promise<void> {
    const open = this.#sandbox;
    this.#sandbox = undefined;
    await open?.sandbox.close();
  }

  async #evaluate(input: TrialInput): Promise<Evaluation> {
    const { options, budget } = this.#request;
    const { environment, observer, meter } = this.#context;
    const parameters = { ...this.#request.parameters, ...input.parameters };
    const strategy = await this.#strategy.load(parameters);
    const { settings, loaded, benchmark } = await this.#fitted.fit(strategy, input);
    const detail = fitDetail(this.#detail, loaded.market, settings.barTimes);
    const mask = maskFor(strategy, options.mask, loaded, settings);
    const extras = toolExtras(options, strategy.repl, maskFilesFor(mask, loaded, detail, settings, strategy));
    checkScriptsAllowed(`The strategy ${strategy.name}`, strategy.tools, extras.allowScripts);
    const sandbox = needPython(strategy.tools) ? await this.#python(settings.seed) : undefined;
    const run: PreparedRun = {
      request: {
        strategy: this.#request.strategy,
        parameters,
        options,
        settings: settings as RunSettingsInput,
        ...(budget === undefined ? {} : { budget }),
      },
      strategy,
      loaded,
      settings,
      detail,
      benchmark,
      extras,
      mask,
      sandbox,
      environment,
      meter,
      indicators: this.#indicators,
      earlier: undefined,
      watch: undefined,
    };
    const view = buildMarketView(run);
    const signal = input.signal ?? new AbortController().signal;
    const timings = { tools: new ToolTimings(), model: new ToolTimings() };
    const successors: Successor[] = [];
    for (const later of input.later ?? []) {
      const own = { ...settings, evaluateFrom: later.from };
      const taking = await this.#strategy.load({ ...this.#request.parameters, ...later.parameters });
      successors.push({
        firstAsked: firstAskedBar(loaded.market, own),
        decider: deciderOf({ ...run, strategy: taking, settings: own }, view.market, signal, timings),
      });
    }
    const own = deciderOf(
      run,
      view.market,
      signal,
      timings,
      undefined,
      input.checkedLikeRun === true ? { verify: 'sample' } : {},
    );
    const decider = carriedDecider(own, successors);
    const closed = await startSandbox(sandbox, observer);
    const events = new RecordBuilder();
    events.take(startOfStrategy(run, view.settings, view.market.symbols));
    for (const event of eventsOfGiven(extras.files)) events.take(event);
    const result = await runBacktest({
      market: view.market,
      decider: trialDecider(decider, view.market.clock.length, input),
      settings: view.settings,
      ...(view.detail === undefined ? {} : { detail: view.detail }),
      ...(view.costs === undefined ? {} : { costs: view.costs }),
      actions: view.actions,
      rates: view.rates,
      features: view.features ?? [],
      context: view.context ?? [],
      pointInTime: view.pointInTime,
      interestClock: view.interestClock,
      arrivals: extras.arrivals,
      means: this.#means,
      signal,
      emitStart: false,
      // If true, the record stores amounts as numbers, which need less memory than texts. With a mask, texts
      // are needed, because amounts are unmasked in their text form.
      lightBars: mask === undefined,
      ...(input.onProgress === undefined
        ? {}
        : { onProgress: (done) => input.onProgress!(done, view.market.clock.length) }),
      onEvent: (event) => events.take(event),
    });
    return evaluationOf(result, events, {
      ...metricsOptions(options, benchmark),
      modelCutoff: options.modelCutoff,
      platformDoors: platformDoors({
        ...closed,
        ...(strategy.sealedDescriptors === undefined
          ? {}
          : { strategyDescriptors: strategy.sealedDescriptors }),
      }),
    });
  }

  /**
   * Returns a running Python sandbox in its initial state. A different seed needs a new process, because
   * libraries may have drawn random numbers when they were imported.
   */
  async #python(seed: number): Promise<Sandbox> {
    const key = String(seed);
    if (this.#sandbox?.key !== key) {
      await this.close();
      const sandbox = await openSandbox(this.#context, {
        seed,
        paranoid: this.#request.options.paranoid === true,
        spares: 0,
        reusable: true,
      });
      this.#sandbox = { key, sandbox, used: false };
    }
    const open = this.#sandbox;
    if (open.used) await open.sandbox.reset();
    open.used = true;
    return open.sandbox;
  }
}
