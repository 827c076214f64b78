import { type CustomCosts, customModelNames } from '../broker/index.ts';
import type { Market } from '../market/index.ts';
import type { Decider } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { asJson, isJsonObject, type Json, type RunSettings } from './settings/settings.ts';

/**
 * Names of open doors: ways in which something other than the recorded inputs of a run could influence the
 * run. A run without open doors is sealed.
 *
 * The journal lists the doors that follow from the inputs, such as a strategy with code. Doors that the
 * machine could not close are listed in the manifest only, because the same inputs must give the same journal
 * on every machine.
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

/**
 * Fields of a journal's first event about open doors. Journals of other versions may have any values here.
 */
interface DoorRecord {
  readonly sealed?: unknown;
  readonly openDoors?: unknown;
  readonly strategy?: unknown;
  readonly files?: unknown;
  readonly stamps?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Returns the open doors of a run: the ways in which something other than its inputs could have influenced
 * it. For journals of versions that did not list doors, they are derived from other fields.
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

/** Returns the open doors that this machine could not close, from the properties of its sandbox. */
export function platformDoors(versions: Readonly<Record<string, string>>): readonly string[] {
  const { sandboxDescriptors, strategyDescriptors } = versions;
  return sandboxDescriptors === 'open' || strategyDescriptors === 'open' ? [DOORS.descriptors] : [];
}

/**
 * Returns the first event of a run that was started by code instead of the command line. Its market was not
 * read from files.
 */
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

/** Returns warnings that affect how a run's metrics should be read. Empty with default settings. */
export function warningsOf(settings: RunSettings, costs?: CustomCosts): string[] {
  const stamps = customModelNames(costs).map((name) => `custom ${name} model`);
  if (settings.allowNegativeEquity === true) stamps.unshift('negative equity allowed');
  if (settings.resolve === 'best') stamps.unshift('better answers booked');
  return settings.fillOn === 'close' ? ['same-bar fills', ...stamps] : stamps;
}

/** Fields of an error that contain sentences. Another version of Sandtable may word them differently. */
const SENTENCES: ReadonlySet<string> = new Set(['error', 'remediation', 'message', 'hint']);

/**
 * Returns `recorded` if `now` differs from it only in the sentences of errors, otherwise `now`. A repeated
 * run therefore has the error texts of the recorded run, even if a newer version words them differently.
 *
 * @param now value in the repeated run
 * @param recorded value in the recorded run; `undefined` if it was not recorded
 */
export function withRecordedTexts(now: Json, recorded: Json | undefined): Json {
  return recorded !== undefined && isSame(now, recorded) ? recorded : now;
}

function isSame(now: Json | undefined, recorded: Json | undefined): boolean {
  if (Array.isArray(now) && Array.isArray(recorded))
    return now.length === recorded.length && now.every((value, index) => isSame(value, recorded[index]));
  if (!isJsonObject(now) || !isJsonObject(recorded)) return now === recorded;
  const keys = Object.keys(now);
  // The order of fields matters: journals are compared byte by byte.
  if (keys.join() !== Object.keys(recorded).join()) return false;
  const isError = typeof now.code === 'string' || 'remediation' in now;
  const isEnd = typeof now.outcome === 'string';
  return keys.every((key) => {
    const isSentence = (isError && SENTENCES.has(key)) || (isEnd && key === 'problem');
    if (isSentence && typeof now[key] === 'string' && typeof recorded[key] === 'string') return true;
    return isSame(now[key], recorded[key]);
  });
}
