import { type CustomCosts, customModelNames } from '../broker/index.ts';
import type { Market } from '../market/index.ts';
import type { Decider } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { asJson, type RunSettings } from './settings/settings.ts';

/**
 * Names of open doors: ways in which something other than the listed inputs could influence a run. A run
 * without open doors is sealed.
 *
 * The journal lists doors opened by the inputs. Doors that the machine could not close are only in the
 * manifest, because the same inputs must give the same journal everywhere.
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

/** Fields of a journal's first event about doors. Other versions may have any values here. */
interface DoorRecord {
  readonly sealed?: unknown;
  readonly openDoors?: unknown;
  readonly strategy?: unknown;
  readonly files?: unknown;
  readonly stamps?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Returns the open doors of a run. For journals without a list of doors, they are derived from other fields.
 */
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

/** Returns the doors that this machine left open, from the properties of its sandbox. */
export function platformDoors(versions: Readonly<Record<string, string>>): readonly string[] {
  const { sandboxDescriptors, strategyDescriptors } = versions;
  return sandboxDescriptors === 'open' || strategyDescriptors === 'open' ? [DOORS.descriptors] : [];
}

/** Returns the first event of a run that was started by a program. Its market has no files. */
export function startOf(
  market: Market,
  decider: Decider,
  settings: RunSettings,
  costs: CustomCosts | undefined,
): Extract<RunEvent, { type: 'run_started' }> {
  const stamps = warningsOf(settings, costs);
  return {
    type: 'run_started',
    schema: 1,
    strategy: { name: 'decider', kind: 'rules', parameters: {}, ...decider.strategy },
    settings: asJson(settings),
    symbols: market.symbols,
    bars: market.clock.length,
    data: [],
    ...(stamps.length === 0 ? {} : { stamps }),
    sealed: false,
    openDoors: [DOORS.strategyCode, ...(costs === undefined ? [] : [DOORS.costs])],
  };
}

/** Returns warnings that affect how a run's figures should be read. Empty with default rules. */
export function warningsOf(settings: RunSettings, costs?: CustomCosts): string[] {
  const stamps = customModelNames(costs).map((name) => `custom ${name} model`);
  if (settings.allowNegativeEquity === true) stamps.unshift('negative equity allowed');
  if (settings.resolve === 'best') stamps.unshift('better answers booked');
  return settings.fillOn === 'close' ? ['same-bar fills', ...stamps] : stamps;
}
