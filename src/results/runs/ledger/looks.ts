import { createHash } from 'node:crypto';
import { formatInstant, type Instant, isObject, parseInstant } from '../../../kernel/index.ts';
import type { HeldOut, RunSummary, Trial } from '../../analysis/index.ts';
import type { Manifest } from '../manifest.ts';
import {
  isInProject,
  type Look,
  ledgerStoreOf,
  lookStamp,
  type ResearchProject,
  readLedger,
} from './ledger.ts';
import { resultText, type SearchKey, searchOf, trialOf } from './search.ts';

/** Returns the SHA-256 of every data file of a run. */
export function dataHashes({ data }: Pick<Manifest, 'data'>): string[] {
  const { sources, actions, detail, futures = [], features = [], context = [], pointInTime = [] } = data;
  const bars = [...sources, ...(actions === null ? [] : [actions]), ...detail];
  return [...bars, ...futures, ...features, ...context, ...pointInTime].flatMap(({ sha256 }) =>
    sha256 === null ? [] : [sha256],
  );
}

/** Returns the research project of a run. */
export function projectOf({ project, strategy }: Pick<Manifest, 'project' | 'strategy'>): ResearchProject {
  return { project, strategy: strategy.name };
}

/**
 * Returns the ledger line of a run.
 *
 * @param summary `undefined` before the figures are known
 * @param bars first and last processed bar
 */
export function lookOfRun(
  manifest: Manifest,
  summary: RunSummary | undefined,
  bars: { readonly from: Instant; readonly to: Instant },
): Look {
  const { strategy, settings, inputs } = manifest;
  const search = (summary && searchOf(manifest, summary)) ?? null;
  const { name, kind, parameters, sha256, files } = strategy;
  const content = JSON.stringify([
    ...[kind, sha256, files ?? null, parameters],
    ...[without(settings, ['evaluateFrom']), without(inputs?.flags, ['data', 'from', 'to', 'project'])],
  ]);
  return {
    kind: kind === 'llm' ? 'prompt' : 'run',
    ...lookStamp(),
    project: manifest.project ?? null,
    strategy: name,
    data: dataHashes(manifest),
    id: manifest.runId,
    point: createHash('sha256').update(content).digest('hex').slice(0, 32),
    search,
    from: formatInstant(bars.from),
    to: formatInstant(bars.to),
    sharpe: summary === undefined ? null : trialOf('', '', summary).sharpe,
    // An unfinished run has no result that could equal another.
    result: summary === undefined || search === null ? null : resultText(summary),
  };
}

function without(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/**
 * Returns trials by search that are in the ledger of a run's results folder and are not among the counted
 * folders.
 */
export function trialsOfLedger(
  folder: string,
  project: ResearchProject,
): { of(search: SearchKey, counted: readonly Trial[]): Trial[] } {
  const { looks } = readLedger(ledgerStoreOf(folder), project);
  return {
    of(search, counted) {
      const ids = new Set(counted.map(({ runId }) => runId));
      const results = new Set(counted.map(({ result }) => result));
      return looks.flatMap(({ id, kind, search: own, sharpe, result }) =>
        kind === 'holdout' || own !== search || result === null || ids.has(id) || results.has(result)
          ? []
          : [{ runId: id, folder: id, sharpe, result }],
      );
    },
  };
}

/**
 * Returns the first bar that sweeps of a project held out of some data, and the files of those bars. Returns
 * `undefined` if nothing was held out.
 *
 * @param data SHA-256 of files of bars
 */
export function reservedFrom(
  looks: readonly Look[],
  project: ResearchProject,
  data: readonly string[],
): { readonly from: string; readonly data: readonly string[] } | undefined {
  const holdouts = looks.flatMap((look) =>
    look.kind === 'holdout' &&
    look.from !== null &&
    isInProject(look, project) &&
    look.data.some((sha256) => data.includes(sha256))
      ? [{ from: look.from, data: look.data }]
      : [],
  );
  const [first] = holdouts.sort((one, other) => timeOf(one.from) - timeOf(other.from));
  return first && { from: first.from, data: holdouts.flatMap((holdout) => holdout.data) };
}

/**
 * Describes the held-out bars that a look sees. Returns `undefined` if it sees none.
 *
 * @param look earlier looks are those written before its own id, or all if the ledger does not contain the id
 */
export function heldOutSeen(
  looks: readonly Look[],
  look: ResearchProject & {
    readonly data: readonly string[];
    readonly to: Instant;
    readonly id: string;
  },
): HeldOut | undefined {
  const reserved = reservedFrom(looks, look, look.data);
  if (reserved === undefined || look.to < timeOf(reserved.from)) return undefined;
  const all = looksFrom(looks, reserved.from, { ...look, data: reserved.data });
  const own = all.findIndex(({ id }) => id === look.id);
  return {
    from: reserved.from,
    earlierLooks: own < 0 ? all.length : own,
    ...(look.project === undefined || look.project === null ? {} : { project: look.project }),
  };
}

/**
 * Returns the looks of a project that saw bars of the given data on or after a date.
 *
 * @param data SHA-256 of files of bars
 */
export function looksFrom(
  looks: readonly Look[],
  from: string,
  { data, ...project }: ResearchProject & { readonly data: readonly string[] },
): Look[] {
  return looks.filter(
    (look) =>
      look.kind !== 'holdout' &&
      isInProject(look, project) &&
      look.to !== null &&
      timeOf(look.to) >= timeOf(from) &&
      look.data.some((sha256) => data.includes(sha256)),
  );
}

function timeOf(date: string): Instant {
  return parseInstant(date) ?? Number.NaN;
}
