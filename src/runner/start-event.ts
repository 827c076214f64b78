import {
  asJson,
  DOORS,
  type Json,
  type MaskTerms,
  type RunEvent,
  type RunSettings,
  warningsOf,
} from '../engine/index.ts';
import type { DataSource, FeatureSource, PointInTimeSource } from '../market/index.ts';
import type { FittedDetail } from './inputs/detail.ts';
import type { WorldFiles } from './inputs/load-world.ts';
import type { PreparedRun } from './run-request.ts';
import type { ToolExtras } from './tool-extras.ts';

/** Returns hashes and sizes of feature files, as the first line of a journal contains them. */
function featureHashes(sources: readonly FeatureSource[]): Json[] {
  return sources.map(({ sha256, features, rows }) => ({ sha256, features, rows }));
}

/** Returns hashes of the files of documents, fundamentals and the universe, as in a journal's first line. */
function pointInTimeHashes(sources: readonly PointInTimeSource[]): Json[] {
  return sources.map(({ sha256, kind, rows }) => ({ sha256, [kind]: rows }));
}

type RunStarted = Extract<RunEvent, { type: 'run_started' }>;

/** Inputs of a run that its first event records. Used for strategies, models, agents and MCP clients. */
export interface StartedRun {
  readonly strategy: RunStarted['strategy'];
  /**
   * Open doors of the strategy, agent or client that decides. An open door is a way in which something other
   * than the recorded inputs could influence decisions. A run with an open door is not sealed.
   */
  readonly ownDoors: readonly string[];
  /** If true, the list of open doors is recorded even if it is empty. */
  readonly saysDoors?: boolean;
  readonly settings: RunSettings;
  readonly costs?: PreparedRun['strategy']['costs'];
  readonly symbols: readonly string[];
  readonly loaded: WorldFiles;
  readonly detail?: FittedDetail | undefined;
  readonly extras: ToolExtras;
  readonly mask?: MaskTerms | undefined;
}

/** Returns the first event of a run with a strategy. */
export function startOfStrategy(
  { strategy, loaded, detail, extras, mask }: PreparedRun,
  settings: RunSettings,
  symbols: readonly string[],
): RunStarted {
  const { name, kind, parameters, costs } = strategy;
  return startEvent({
    strategy: { name, kind, parameters },
    ownDoors: [
      ...(strategy.runsOwnCode ? [DOORS.strategyCode] : []),
      ...(strategy.seesAllBars === undefined ? [] : [strategy.seesAllBars]),
      ...(kind === 'agent' ? [DOORS.agent] : []),
      ...(costs === undefined ? [] : [DOORS.costs]),
    ],
    // For a sealed strategy, the list of open doors is recorded even if it is empty. A journal without the
    // list was written by an earlier version, whose runs were not sealed.
    saysDoors: strategy.sealedDescriptors !== undefined,
    settings,
    costs,
    symbols,
    loaded,
    detail,
    extras,
    mask,
  });
}

/** Returns the first event of a journal. */
export function startEvent(run: StartedRun): RunStarted {
  const { strategy, settings, costs, symbols, loaded, detail, extras, mask } = run;
  const stamps = [
    ...warningsOf(settings, costs),
    ...(mask?.kinds.includes('shape') === true ? ['market of another shape'] : []),
  ];
  const openDoors = [
    ...run.ownDoors,
    ...(extras.undated.length === 0 ? [] : [DOORS.files]),
    ...(extras.allowScripts ? [DOORS.scripts] : []),
  ];
  return {
    type: 'run_started',
    schema: 1,
    strategy,
    // The lifetime of a Python session influences decisions, so it is recorded with the settings.
    settings: { ...asJson(settings), ...(extras.repl === 'run' ? { repl: extras.repl } : {}) },
    symbols,
    bars: loaded.market.clock.length,
    data: [
      ...hashesOf(loaded.sources),
      ...(loaded.actionsSource === undefined
        ? []
        : [{ sha256: loaded.actionsSource.sha256, actions: loaded.actionsSource.actions }]),
      ...loaded.futuresSources.map(({ sha256, kind, rows }) => ({ sha256, [kind]: rows })),
      ...featureHashes(loaded.featureSources),
      ...loaded.contextSources.map(({ sha256, symbols: context }) => ({ sha256, context })),
      ...pointInTimeHashes(loaded.pointInTime.sources),
    ],
    ...(detail === undefined ? {} : { detail: hashesOf(detail.sources) }),
    ...(stamps.length === 0 ? {} : { stamps }),
    sealed: openDoors.length === 0,
    // If the run has initial files, the list of open doors is recorded even if it is empty. If the list is
    // missing, readers of the journal assume that the files may contain future data.
    ...(openDoors.length > 0 || run.saysDoors === true || extras.given !== undefined ? { openDoors } : {}),
    ...(extras.given === undefined ? {} : { files: extras.given }),
    ...(mask === undefined ? {} : { mask }),
  };
}

function hashesOf(sources: readonly DataSource[]) {
  return sources.map(({ sha256, symbols }) => ({ sha256, symbols }));
}
