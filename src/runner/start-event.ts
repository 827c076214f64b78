import { DOORS, type Json, type RunEvent, type RunSettings, warningsOf } from '../engine/index.ts';
import type { DataSource } from '../market/index.ts';
import type { PreparedRun } from './run-request.ts';

/** The journal's first line: all that makes the run what it is. */
export function startEvent(
  { strategy, loaded, detail, extras, mask }: PreparedRun,
  settings: RunSettings,
  symbols: readonly string[],
): Extract<RunEvent, { type: 'run_started' }> {
  const stamps = warningsOf(settings, strategy.costs);
  const openDoors = [
    strategy.runsOwnCode ? DOORS.strategyCode : undefined,
    strategy.costs === undefined ? undefined : DOORS.costs,
    extras.given === undefined ? undefined : DOORS.files,
    extras.allowScripts ? DOORS.scripts : undefined,
  ].filter((door) => door !== undefined);
  const hashes = (sources: readonly DataSource[]) =>
    sources.map((source) => ({ sha256: source.sha256, symbols: source.symbols }));
  const { clock } = loaded.market;
  return {
    type: 'run_started',
    schema: 1,
    strategy: { name: strategy.name, kind: strategy.kind, parameters: strategy.parameters },
    // What a decision may build on is part of what makes the run what it is.
    settings: {
      ...(settings as unknown as Readonly<Record<string, Json>>),
      ...(extras.repl === 'run' ? { repl: extras.repl } : {}),
    },
    symbols,
    bars: clock.length,
    data: [
      ...hashes(loaded.sources),
      ...(loaded.actionsSource === undefined
        ? []
        : [{ sha256: loaded.actionsSource.sha256, actions: loaded.actionsSource.actions }]),
    ],
    ...(detail === undefined ? {} : { detail: hashes(detail.sources) }),
    ...(stamps.length === 0 ? {} : { stamps }),
    sealed: openDoors.length === 0,
    // Of a sealed strategy of code the list is said though it is empty: runs of before had none, and were not sealed.
    ...(openDoors.length === 0 && strategy.sealedDescriptors === undefined ? {} : { openDoors }),
    ...(extras.given === undefined ? {} : { files: extras.given }),
    ...(mask === undefined ? {} : { mask }),
  };
}
