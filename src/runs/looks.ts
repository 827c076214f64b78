import { createHash } from 'node:crypto';
import type { HeldOut, RunSummary, Trial } from '../analysis/index.ts';
import { formatInstant, type Instant, isObject, parseInstant } from '../kernel/index.ts';
import { type Look, ledgerStoreOf, readLedger } from './ledger.ts';
import type { Manifest } from './manifest.ts';
import { resultText, type SearchKey, searchOf, trialOf } from './search.ts';

/** SHA-256 of every file that a run's world is made of. */
export function dataHashes({ data }: Pick<Manifest, 'data'>): string[] {
  const { sources, actions, detail, futures = [], features = [], context = [], pointInTime = [] } = data;
  const bars = [...sources, ...(actions === null ? [] : [actions]), ...detail];
  return [...bars, ...futures, ...features, ...context, ...pointInTime].flatMap(({ sha256 }) =>
    sha256 === null ? [] : [sha256],
  );
}

/**
 * A run as the ledger keeps it.
 *
 * @param summary undefined where its figures are still to come
 * @param bars its first bar and the last that it processed
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
    ...[without(settings, ['evaluateFrom']), without(inputs?.flags, ['data', 'from', 'to'])],
  ]);
  return {
    kind: kind === 'llm' ? 'prompt' : 'run',
    at: new Date().toISOString(),
    strategy: name,
    data: dataHashes(manifest),
    id: manifest.runId,
    point: createHash('sha256').update(content).digest('hex').slice(0, 32),
    search,
    from: formatInstant(bars.from),
    to: formatInstant(bars.to),
    sharpe: summary === undefined ? null : trialOf('', '', summary).sharpe,
    // What was cut short is no result that another could equal.
    result: summary === undefined || search === null ? null : resultText(summary),
  };
}

function without(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Trials that the ledger of a run's results folder knows and no folder that is counted has, by search. */
export function trialsOfLedger(
  folder: string,
  strategy: string,
): { of(search: SearchKey, counted: readonly Trial[]): Trial[] } {
  const { looks } = readLedger(ledgerStoreOf(folder), [strategy]);
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
 * Where the end of some data begins that sweeps set apart; undefined where none did.
 *
 * @param data SHA-256 of files of bars
 */
export function reservedFrom(looks: readonly Look[], data: readonly string[]): string | undefined {
  const dates = looks.flatMap(({ kind, data: own, from }) =>
    kind === 'holdout' && from !== null && own.some((sha256) => data.includes(sha256)) ? [from] : [],
  );
  return dates.sort((one, other) => timeOf(one) - timeOf(other))[0];
}

/**
 * What a look at data that end with `to` sees of bars that a sweep set apart.
 *
 * @param look only what was written before its own id counts as earlier, and all looks where the ledger does not have it
 * @returns undefined where it sees none
 */
export function heldOutSeen(
  looks: readonly Look[],
  look: {
    readonly strategy: string;
    readonly data: readonly string[];
    readonly to: Instant;
    readonly id: string;
  },
): HeldOut | undefined {
  const from = reservedFrom(looks, look.data);
  if (from === undefined || look.to < timeOf(from)) return undefined;
  const all = looksFrom(looks, from, look);
  const own = all.findIndex(({ id }) => id === look.id);
  return { from, earlierLooks: own < 0 ? all.length : own };
}

/** Looks with a strategy at bars of the same data from a date on. */
export function looksFrom(
  looks: readonly Look[],
  from: string,
  { strategy, data }: { readonly strategy: string; readonly data: readonly string[] },
): Look[] {
  return looks.filter(
    ({ kind, strategy: own, data: seen, to }) =>
      kind !== 'holdout' &&
      own === strategy &&
      to !== null &&
      timeOf(to) >= timeOf(from) &&
      seen.some((sha256) => data.includes(sha256)),
  );
}

function timeOf(date: string): Instant {
  return parseInstant(date) ?? Number.NaN;
}
