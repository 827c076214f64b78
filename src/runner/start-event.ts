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
import type { FittedDetail } from './detail.ts';
import type { WorldFiles } from './load-world.ts';
import type { PreparedRun } from './run-request.ts';
import type { ToolExtras } from './tool-extras.ts';

/** The files of features, as the journal's first line has them. */
function featureHashes(sources: readonly FeatureSource[]): Json[] {
  return sources.map(({ sha256, features, rows }) => ({ sha256, features, rows }));
}

/** The files of documents, fundamentals and the universe, likewise. */
function pointInTimeHashes(sources: readonly PointInTimeSource[]): Json[] {
  return sources.map(({ sha256, kind, rows }) => ({ sha256, [kind]: rows }));
}

type RunStarted = Extract<RunEvent, { type: 'run_started' }>;

/** What makes a run what it is, whoever decides in it. */
export interface StartedRun {
  readonly strategy: RunStarted['strategy'];
  /** What the strategy, or whoever decides in its place, may do past the engine. */
  readonly ownDoors: readonly string[];
  /** Whether the list of doors is written down though it is empty. */
  readonly saysDoors?: boolean;
  readonly settings: RunSettings;
  readonly costs?: PreparedRun['strategy']['costs'];
  readonly symbols: readonly string[];
  readonly loaded: WorldFiles;
  readonly detail?: FittedDetail | undefined;
  readonly extras: ToolExtras;
  readonly mask?: MaskTerms | undefined;
}

/** The first event of a run of a strategy. */
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
      ...(kind === 'agent' ? [DOORS.agent] : []),
      ...(costs === undefined ? [] : [DOORS.costs]),
    ],
    // Of a sealed strategy of code the list is said though it is empty: runs of before had none, and were not sealed.
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

/** The journal's first line. */
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
    // What a decision may build on is part of what makes the run what it is.
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
    // Files opened a door whatever they said, in journals that have no list.
    ...(openDoors.length > 0 || run.saysDoors === true || extras.given !== undefined ? { openDoors } : {}),
    ...(extras.given === undefined ? {} : { files: extras.given }),
    ...(mask === undefined ? {} : { mask }),
  };
}

function hashesOf(sources: readonly DataSource[]) {
  return sources.map(({ sha256, symbols }) => ({ sha256, symbols }));
}
