/**
 * Ways in which something beside the inputs that a run names could reach it. A run is sealed when none is open. The
 * journal holds those that the inputs open; what the machine could not close is known to the manifest alone, since the
 * same inputs give the same journal everywhere.
 */
export const DOORS = {
  strategyCode: 'strategy code runs with your rights',
  files: 'undated files',
  scripts: 'scripts',
  costs: 'custom cost model',
  client: 'an MCP client drives the run',
  agent: 'an agent outside the engine decides',
  descriptors: 'no descriptor limit on this platform',
} as const;

/** What a journal's first line says of its run's doors; one of another version may say anything. */
interface DoorRecord {
  readonly sealed?: unknown;
  readonly openDoors?: unknown;
  readonly strategy?: unknown;
  readonly files?: unknown;
  readonly stamps?: unknown;
  readonly [field: string]: unknown;
}

/** The open doors of a run; those of one that was written before they were listed follow from what else it says. */
export function openDoorsOf(started: DoorRecord): string[] {
  if (Array.isArray(started.openDoors)) return started.openDoors.map(String);
  const { strategy, stamps } = started;
  const kind = typeof strategy === 'object' && strategy !== null && 'kind' in strategy ? strategy.kind : '';
  const hasCosts = Array.isArray(stamps) && stamps.some((stamp) => String(stamp).startsWith('custom '));
  return [
    kind === 'rules' ? DOORS.strategyCode : undefined,
    hasCosts ? DOORS.costs : undefined,
    started.files === undefined ? undefined : DOORS.files,
    kind === 'mcp' ? DOORS.client : undefined,
    started.sealed === false && kind !== 'mcp' ? DOORS.scripts : undefined,
  ].filter((door) => door !== undefined);
}

/** What this machine left open, by what is known of its sandbox. */
export function platformDoors(versions: Readonly<Record<string, string>>): readonly string[] {
  const { sandboxDescriptors, strategyDescriptors } = versions;
  return sandboxDescriptors === 'open' || strategyDescriptors === 'open' ? [DOORS.descriptors] : [];
}
