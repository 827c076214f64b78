import {
  isModule,
  type LoadedStrategy,
  loadStrategy,
  RULE_TIMEOUT_SECONDS,
  strategyFromCode,
  strategyOfAgent,
} from '../agents/index.ts';
import {
  type Decider,
  mergeSettings,
  type RunSettingsInput,
  RunStop,
  readRunSettings,
  runBacktest,
  withWarmUp,
} from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { checkSameData } from '../results/runs/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { needPython } from '../toolkit/index.ts';
import type { RunContext, Watch } from './context.ts';
import { deciderOf, openSandbox, preparePython } from './decider-of.ts';
import { estimateRun } from './estimate/estimate-run.ts';
import type { RunEnd } from './execute-run.ts';
import { enterForward, isForward } from './forward/enter-forward.ts';
import { checkRegistration, planOf } from './forward/registration.ts';
import { fitDetail, loadDetail } from './inputs/detail.ts';
import { fitWorld, loadWorldFiles } from './inputs/load-world.ts';
import { buildMarketView, maskFilesFor, maskFor, unnamedWarning } from './inputs/market-view.ts';
import { collectErrors } from './inputs/option-faults.ts';
import { benchmarkOfRun } from './run-benchmark.ts';
import { filesOf, parameterTexts } from './run-place.ts';
import { runPrepared, startSandbox } from './run-prepared.ts';
import type { EarlierRun, PreparedRun, RunRequest } from './run-request.ts';
import { checkScriptsAllowed, ToolTimings, toolExtras, undatedWarning } from './tool-extras.ts';

/**
 * Reads all inputs of a run and executes the run.
 *
 * @returns undefined if no result was written: for a comparison with a record, a trial decision, an estimate
 *   or a plan
 * @throws AppError with every fault of the strategy and of the files
 */
export async function runRequested(
  request: RunRequest,
  context: RunContext,
  earlier?: EarlierRun,
): Promise<RunEnd | undefined> {
  const { options, settings: asked } = request;
  const { environment, observer, meter } = context;
  const watch = watchFor(request, context);
  const reading = readStrategy(request, context, earlier);
  // If `reading` fails, the error is reported below, where `reading` is awaited.
  reading.then(
    () => watch?.loaded(),
    () => watch?.loaded(),
  );
  // Python is started before the data are read, because its start takes longer.
  const starting = reading.then((strategy) => {
    const { seed = 0 } = mergeSettings(strategy.settings, asked);
    const paranoid = options.paranoid === true;
    return sandboxFor(
      strategy,
      { seed, paranoid, reusable: request.estimate !== undefined || triesAgent(request, earlier) },
      context,
    );
  });
  // If `starting` fails, the error is reported below, where `starting` is awaited. Faults of files are
  // reported first.
  starting.catch(() => undefined);
  try {
    const loading = loadWorldFiles(
      options,
      reading.then((strategy) => mergeSettings(strategy.settings, asked)),
      asked,
      observer,
      request,
    );
    const finer = loadDetail(options, loading, observer);
    const [strategy, given, detail] = await collectErrors(reading, loading, finer);
    if (earlier !== undefined) checkSameData(earlier.inputs, filesOf(given, detail?.sources));
    const merged = readRunSettings(
      earlier === undefined
        ? mergeSettings(strategy.settings, asked)
        : (earlier.inputs.settings as RunSettingsInput),
    );
    const entered = isForward(options)
      ? enterForward(options, given, merged, strategy, earlier, environment)
      : undefined;
    const { settings: base, loaded } = fitWorld(entered?.files ?? given, entered?.settings ?? merged, asked);
    // `readRunSettings` sorts the keys of the settings. Their order is then the same as in a resumed run.
    const settings =
      earlier === undefined ? readRunSettings(withWarmUp(base, strategy.warmUp, loaded.market)) : base;
    // The folder of a resumed or replayed run already contains its benchmark.
    const benchmark =
      earlier === undefined ? await benchmarkOfRun(options, loaded, settings, observer) : undefined;
    const fitted = fitDetail(detail, loaded.market, settings.barTimes);
    const mask = maskFor(strategy, options.mask, loaded, settings);
    const extras = toolExtras(options, strategy.repl, maskFilesFor(mask, loaded, fitted, settings, strategy));
    const undated = undatedWarning(extras);
    if (undated !== undefined) observer.warn(undated);
    const unnamed = unnamedWarning(mask, loaded);
    if (unnamed !== undefined) observer.warn(unnamed);
    checkScriptsAllowed(`The strategy ${strategy.name}`, strategy.tools, extras.allowScripts);
    watch?.limit(settings.decisionTimeout ?? RULE_TIMEOUT_SECONDS);
    const sandbox = await starting;
    const run: PreparedRun = {
      request,
      strategy,
      loaded,
      settings,
      extras,
      detail: fitted,
      benchmark,
      mask,
      sandbox,
      environment,
      meter,
      earlier,
      watch,
      feed: entered?.feed,
    };
    if (request.onPlan !== undefined) {
      request.onPlan(planOf(run));
      return undefined;
    }
    if (request.estimate !== undefined) {
      request.estimate.onEstimate(await estimateRun(run, context, request.estimate.known));
      return undefined;
    }
    const { registration, amend } = options;
    const checked =
      registration === undefined || earlier !== undefined
        ? undefined
        : checkRegistration(registration, planOf(run), amend, new Date());
    // The feed is checked only for a run. A registered plan may name a feed that does not exist yet.
    entered?.feed.check();
    if (triesAgent(request, earlier)) {
      const tried = toolExtras(
        options,
        strategy.repl,
        maskFilesFor(mask, loaded, fitted, settings, strategy),
      );
      await tryAgent({ ...run, extras: tried }, context);
      await sandbox?.reset();
      if (request.preflight === 'only') return undefined;
    }
    return await runPrepared({ ...run, registration: checked }, context);
  } finally {
    watch?.release();
    await starting.then((sandbox) => sandbox?.close()).catch(() => undefined);
  }
}

/**
 * Returns true if an agent makes a trial decision. A resumed run and a run with a record need none, because
 * they have recorded answers.
 */
function triesAgent({ preflight, options, record }: RunRequest, earlier: EarlierRun | undefined): boolean {
  return (
    preflight !== undefined &&
    preflight !== false &&
    options.agent !== undefined &&
    earlier === undefined &&
    record === undefined
  );
}

async function readStrategy(
  { strategy, parameters, options, record, namedAs }: RunRequest,
  { environment, observer }: RunContext,
  earlier: EarlierRun | undefined,
): Promise<LoadedStrategy> {
  const { agent } = options;
  if (agent !== undefined) return strategyOfAgent({ ...options, agent });
  if (strategy === undefined) throw new Error('a run needs a strategy or an agent');
  if (typeof strategy !== 'string') return strategyFromCode(strategy, parameters);
  return loadStrategy(strategy, parameterTexts(parameters), {
    environment,
    seal: options.seal,
    python: () => preparePython(observer),
    verify: options.verify,
    resolved: earlier?.inputs.model ?? record?.model,
    namedAs,
  });
}

/**
 * Starts to watch a strategy for endless loops, if its code runs in the engine's process. `undefined` for
 * other strategies.
 */
function watchFor({ strategy, options, settings }: RunRequest, context: RunContext): Watch | undefined {
  if (typeof strategy !== 'string' || !isModule(strategy) || options.seal === true) return undefined;
  // The time limit also applies to loading, which compiles the file and its imports. A short decision timeout
  // would not be enough for this, so a minimum is used.
  const { decisionTimeout = 0 } = settings;
  return context.watch?.(strategy, Math.max(decisionTimeout, RULE_TIMEOUT_SECONDS));
}

/** Starts a sandbox if one of the strategy's tools needs Python. Returns without waiting for the start. */
async function sandboxFor(
  strategy: LoadedStrategy,
  options: { readonly seed: number; readonly paranoid: boolean; readonly reusable: boolean },
  context: RunContext,
): Promise<Sandbox | undefined> {
  if (!needPython(strategy.tools)) return undefined;
  const sandbox = await openSandbox(context, options);
  // If the start fails, the run reports the error when it first awaits Python.
  sandbox.start().catch(() => undefined);
  return sandbox;
}

/**
 * Starts an agent, sends `hello` and a first decision, and ends the agent. Writes nothing and executes no
 * orders.
 *
 * @throws AppError `agent_failed` with the last characters of the agent's standard error
 */
async function tryAgent(run: PreparedRun, { listen, observer }: RunContext): Promise<void> {
  const { detail, costs, features = [], context = [], interestClock, ...view } = buildMarketView(run);
  const interrupt = listen();
  const timings = { tools: new ToolTimings(), model: new ToolTimings() };
  let failed: { readonly reason: string; readonly errorOutput: string } | undefined;
  const agent = deciderOf(run, view.market, interrupt.signal, timings, undefined, {
    preflight: {
      failed({ kind, message }, errorOutput) {
        failed = { reason: `${kind}, ${message}`, errorOutput };
      },
    },
  });
  let hasDecided = false;
  const once: Decider = {
    readsEvents: true,
    waitedMs: () => agent.waitedMs?.() ?? 0,
    watch: (turn) => agent.watch?.(turn),
    async decide(turn) {
      await agent.decide(turn);
      if (hasDecided) throw new RunStop('stopped', TRIED);
    },
    close: () => agent.close?.(),
  };
  try {
    observer.stage('Trying one decision of the agent');
    await startSandbox(run.sandbox, observer);
    const { error } = await runBacktest({
      ...view,
      ...(detail === undefined ? {} : { detail }),
      ...(costs === undefined ? {} : { costs }),
      ...(interestClock === undefined ? {} : { interestClock }),
      features,
      context,
      decider: once,
      arrivals: run.extras.arrivals,
      signal: interrupt.signal,
      emitStart: false,
      onEvent(event) {
        hasDecided ||= event.type === 'decision_made';
      },
    });
    if (interrupt.signal.aborted)
      throw new AppError({
        code: 'interrupted',
        message: 'Stopped on request while the agent was tried. No run was started.',
        hint: 'Start the run again.',
        kind: 'run',
      });
    if (failed !== undefined) throw refusal(run, failed);
    // The trial failed before the agent's decision, for example because of Ctrl-C.
    if (error !== undefined && !hasDecided) throw error;
  } finally {
    interrupt.release();
    observer.progressEnd();
  }
}

const TRIED = { code: 'tried', message: 'The agent was tried.', hint: '' };

function refusal(
  { request }: PreparedRun,
  { reason, errorOutput }: { readonly reason: string; readonly errorOutput: string },
): AppError {
  const shown = errorOutput === '' ? '' : `\nIts standard error:\n${errorOutput.replaceAll(/^/gm, '  ')}`;
  return new AppError({
    code: 'agent_failed',
    message: `The agent ${request.options.agent} failed its first decision, so the run was not started: ${reason}.${shown}`,
    hint: 'Correct the agent, and run it again. Its decision before a run is described in docs/agents.md.',
  });
}
