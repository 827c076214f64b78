import {
  isModule,
  type LoadedStrategy,
  loadStrategy,
  RULE_TIMEOUT_SECONDS,
  withEnvFile,
} from '../../agent/index.ts';
import { type RunSettingsInput, readRunSettings, withWarmUp } from '../../engine/index.ts';
import { checkSameData } from '../../runs/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { needPython } from '../../toolkit/index.ts';
import { allOrAllFaults } from '../all-or-all-faults.ts';
import { fitDetail, loadDetail } from '../detail.ts';
import { runSettings } from '../flags.ts';
import type { Watch } from '../guard/process-guard.ts';
import { benchmarkOfRun } from '../held-benchmark.ts';
import { type Io, printLine } from '../io.ts';
import { loadWorldFiles, settleWorld } from '../load-world.ts';
import { openSandbox } from '../python.ts';
import { settingsOfFlags } from '../settings-flags.ts';
import { checkScriptsAllowed, toolExtras } from '../tool-extras.ts';
import type { AskedRun, EarlierRun } from './asked-run.ts';
import { executeRun } from './execute-run.ts';
import { filesOf } from './run-place.ts';
import { maskFor, seenFiles } from './seen-world.ts';

/** Prepares a run and walks it; gives the exit code. */
export async function startRun(asked: AskedRun, io: Io, earlier?: EarlierRun): Promise<number> {
  const { file, flags } = asked;
  const silent = flags.quiet === true;
  const environment = withEnvFile(io.env);
  const watch = watchFor(file, flags, io);
  const reading = loadStrategy(file, asked.parameters, {
    environment,
    seal: flags.seal,
    resolved: earlier?.inputs.model ?? asked.record?.model,
    again: asked.again,
  });
  // Told by whoever awaits it below.
  reading.then(
    () => watch?.loaded(),
    () => watch?.loaded(),
  );
  // Python starts while the data are read: it takes longer.
  const starting = reading.then((strategy) =>
    sandboxFor(
      strategy,
      { seed: runSettings(flags, strategy.settings).seed ?? 0, paranoid: flags.paranoid === true },
      silent,
      io,
    ),
  );
  // A failure here is told by whoever awaits it below, or was told already by the faults of the files.
  starting.catch(() => undefined);
  try {
    const loading = loadWorldFiles(
      flags,
      reading.then((strategy) => strategy.settings),
    );
    const finer = loading.then(
      ({ market }) => loadDetail(flags.detail, flags, market.symbols),
      () => loadDetail(flags.detail, flags, []),
    );
    const [strategy, files, detail] = await allOrAllFaults(reading, loading, finer);
    if (earlier !== undefined) checkSameData(earlier.inputs, filesOf(files, detail?.sources));
    const { settings: settled, loaded } = settleWorld(
      files,
      readRunSettings(
        earlier === undefined
          ? runSettings(flags, strategy.settings)
          : (earlier.inputs.settings as RunSettingsInput),
      ),
    );
    // Read once more: a resumed run has its settings in the same order.
    const settings =
      earlier === undefined ? readRunSettings(withWarmUp(settled, strategy.warmUp, loaded.market)) : settled;
    if (!silent) for (const note of files.notes) printLine(io.stderr, `note: ${note}`);
    // An earlier process left the benchmark in the run's folder.
    const benchmark =
      earlier === undefined ? await benchmarkOfRun(flags.benchmark, loaded, settings) : undefined;
    const fitted = fitDetail(detail, loaded.market, flags.symbol, settings.barTimes);
    const mask = maskFor(strategy, flags, loaded, settings);
    const extras = toolExtras(flags, strategy.repl, seenFiles(mask, loaded, fitted, strategy));
    checkScriptsAllowed(`The strategy ${strategy.name}`, strategy.tools, extras.allowScripts);
    watch?.limit(settings.decisionTimeout ?? RULE_TIMEOUT_SECONDS);
    const sandbox = await starting;
    return await executeRun(
      {
        asked,
        silent,
        strategy,
        loaded,
        settings,
        extras,
        detail: fitted,
        benchmark,
        mask,
        sandbox,
        environment,
        earlier,
        watch,
      },
      io,
    );
  } finally {
    watch?.release();
    await starting.then((sandbox) => sandbox?.close()).catch(() => undefined);
  }
}

/** Watches a strategy whose code runs in this process. */
function watchFor(file: string, flags: AskedRun['flags'], io: Io): Watch | undefined {
  if (!isModule(file) || flags.seal === true) return undefined;
  // Compiling a file and its imports takes its time: a short limit is meant for decisions.
  const { decisionTimeout = 0 } = settingsOfFlags(flags);
  return io.guard?.watch(file, Math.max(decisionTimeout, RULE_TIMEOUT_SECONDS));
}

/** A sandbox that has begun to start, for a strategy that names a tool which needs it. */
async function sandboxFor(
  strategy: LoadedStrategy,
  options: { readonly seed: number; readonly paranoid: boolean },
  silent: boolean,
  io: Io,
): Promise<Sandbox | undefined> {
  if (!needPython(strategy.tools)) return undefined;
  const sandbox = await openSandbox(io, silent, options);
  // Awaited, and its failure told, when the run begins.
  sandbox.start().catch(() => undefined);
  return sandbox;
}
