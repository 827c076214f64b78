import { createHash } from 'node:crypto';
import { formatInstant, type Instant, isObject, parseInstant } from '../../../kernel/index.ts';
import type { HeldOut, RunSummary, Trial } from '../../analysis/index.ts';
import type { Manifest } from '../manifest.ts';
import {
  isInProject,
  type LedgerRecord,
  ledgerStamp,
  ledgerStoreOf,
  pointsOf,
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
 * Returns the record of a run for the ledger, the file that lists every evaluation of a strategy on data.
 *
 * @param summary figures of the run. `undefined` before they are known
 * @param bars first and last processed bar
 */
export function ledgerRecordOfRun(
  manifest: Manifest,
  summary: RunSummary | undefined,
  bars: { readonly from: Instant; readonly to: Instant },
): LedgerRecord {
  const { strategy, settings, inputs } = manifest;
  const search = (summary && searchOf(manifest, summary)) ?? null;
  const { name, kind, parameters, sha256, files } = strategy;
  const content = JSON.stringify([
    ...[kind, sha256, files ?? null, parameters],
    ...[without(settings, ['evaluateFrom']), without(inputs?.flags, ['data', 'from', 'to', 'project'])],
  ]);
  return {
    kind: kind === 'llm' ? 'prompt' : 'run',
    ...ledgerStamp(),
    project: manifest.project ?? null,
    strategy: name,
    data: dataHashes(manifest),
    id: manifest.runId,
    point: createHash('sha256').update(content).digest('hex').slice(0, 32),
    search,
    from: formatInstant(bars.from),
    to: formatInstant(bars.to),
    sharpe: summary === undefined ? null : trialOf('', '', summary).sharpe,
    // A run that did not process all bars has no final result that could be compared with other records.
    result: summary === undefined || search === null ? null : resultText(summary),
  };
}

function without(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/**
 * Returns a function that lists the trials of a search in the ledger of a run's results folder. The function
 * excludes trials that the caller has already counted by their run folders.
 */
export function trialsOfLedger(
  folder: string,
  project: ResearchProject,
): { of(search: SearchKey, counted: readonly Trial[]): Trial[] } {
  const { records } = readLedger(ledgerStoreOf(folder), project);
  return {
    of(search, counted) {
      const ids = new Set(counted.map(({ runId }) => runId));
      const results = new Set(counted.map(({ result }) => result));
      return records.flatMap(({ id, kind, search: own, sharpe, result }) =>
        kind === 'holdout' || own !== search || result === null || ids.has(id) || results.has(result)
          ? []
          : [{ runId: id, folder: id, sharpe, result }],
      );
    },
  };
}

/**
 * Finds the bars that sweeps of a project held out, that is, reserved for a final test. Returns the date of
 * the first held-out bar, and the SHA-256 of each file with held-out bars. Returns `undefined` if no bars
 * were held out.
 *
 * @param data SHA-256 of files of bars. Only bars of these files are considered
 */
export function reservedFrom(
  records: readonly LedgerRecord[],
  project: ResearchProject,
  data: readonly string[],
): { readonly from: string; readonly data: readonly string[] } | undefined {
  const holdouts = records.flatMap((record) =>
    record.kind === 'holdout' &&
    record.from !== null &&
    isInProject(record, project) &&
    record.data.some((sha256) => data.includes(sha256))
      ? [{ from: record.from, data: record.data }]
      : [],
  );
  const [first] = holdouts.sort((one, other) => timeOf(one.from) - timeOf(other.from));
  return first && { from: first.from, data: holdouts.flatMap((holdout) => holdout.data) };
}

/**
 * Describes the held-out bars that the evaluation in `record` used. Returns `undefined` if the evaluation
 * used no held-out bars.
 *
 * Also counts earlier evaluations that used held-out bars: records that were written before `record`. If the
 * ledger does not contain the id of `record`, all records are earlier.
 */
export function heldOutSeen(
  records: readonly LedgerRecord[],
  record: ResearchProject & {
    readonly data: readonly string[];
    readonly to: Instant;
    readonly id: string;
  },
): HeldOut | undefined {
  const reserved = reservedFrom(records, record, record.data);
  if (reserved === undefined || record.to < timeOf(reserved.from)) return undefined;
  const all = recordsFrom(records, reserved.from, { ...record, data: reserved.data });
  const own = all.findIndex(({ id }) => id === record.id);
  return {
    from: reserved.from,
    earlierLooks: own < 0 ? all.length : own,
    ...(record.project === undefined || record.project === null ? {} : { project: record.project }),
  };
}

/**
 * Returns the records of a project whose evaluations used bars of the given data on or after a date.
 *
 * @param data SHA-256 of files of bars
 */
export function recordsFrom(
  records: readonly LedgerRecord[],
  from: string,
  { data, ...project }: ResearchProject & { readonly data: readonly string[] },
): LedgerRecord[] {
  return records.filter(
    (record) =>
      record.kind !== 'holdout' &&
      isInProject(record, project) &&
      record.to !== null &&
      timeOf(record.to) >= timeOf(from) &&
      record.data.some((sha256) => data.includes(sha256)),
  );
}

function timeOf(date: string): Instant {
  return parseInstant(date) ?? Number.NaN;
}

/**
 * Records of one research project, in the order in which they were written. A record is one evaluation of a
 * strategy on data.
 */
export interface ProjectRecords {
  /** Name of the project. The default project is named after its strategy. */
  readonly project: string;
  /** True for the default project of a strategy and its data. */
  readonly isDefault: boolean;
  readonly strategies: readonly string[];
  /** Distinct SHA-256 hashes of the records' first data files. */
  readonly data: readonly string[];
  /**
   * Number of evaluations of a strategy on data. Records of kind `holdout`, which only reserve bars, are not
   * counted.
   */
  readonly looks: number;
  /**
   * Number of different variants that were tried. Variants differ in the strategy's file, parameters or
   * settings.
   */
  readonly trials: number;
  /** First bar that a sweep reserved for a final test (held out). `null` if no bars are held out. */
  readonly heldOutFrom: string | null;
  /** Number of evaluations that used held-out bars. */
  readonly heldOutLooks: number;
  readonly entries: readonly LedgerEntry[];
}

/** One record of the ledger, or several consecutive trials of a sweep combined. */
export interface LedgerEntry {
  readonly kind: LedgerRecord['kind'];
  readonly strategy: string;
  readonly by: string | null;
  /**
   * Time of the record. For combined trials, the time of the first trial, and `until` is the time of the last
   * trial.
   */
  readonly at: string;
  readonly until: string;
  readonly looks: number;
  /** Id of the run or stress test. `null` for trials of a sweep and for reserved bars (`holdout`). */
  readonly run: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** True if the evaluation used held-out bars. */
  readonly sawHeldOut: boolean;
}

/**
 * Groups the records of a ledger by research project. Records without a named project are grouped by strategy
 * and first data file.
 */
export function projectsOf(looks: readonly LedgerRecord[]): ProjectRecords[] {
  const groups = new Map<string, LedgerRecord[]>();
  for (const look of looks) {
    const key = JSON.stringify(look.project === null ? [look.strategy, look.data[0]] : look.project);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [look]);
    else group.push(look);
  }
  return [...groups.values()].map(projectFrom);
}

function projectFrom(looks: readonly LedgerRecord[]): ProjectRecords {
  const [{ project, strategy }] = looks as readonly [LedgerRecord];
  const own: ResearchProject = { project, strategy };
  const data = [...new Set(looks.flatMap((look) => look.data[0] ?? []))];
  const reserved = reservedFrom(looks, own, data);
  const seen = new Set(
    reserved === undefined ? [] : recordsFrom(looks, reserved.from, { ...own, data: reserved.data }),
  );
  const counted = looks.filter((look) => look.kind !== 'holdout' && isInProject(look, own));
  return {
    project: project ?? strategy,
    isDefault: project === null,
    strategies: [...new Set(looks.map((look) => look.strategy))],
    data,
    looks: counted.length,
    trials: pointsOf(counted).size,
    heldOutFrom: reserved?.from ?? null,
    heldOutLooks: seen.size,
    entries: entriesOf(looks, seen),
  };
}

function entriesOf(looks: readonly LedgerRecord[], seen: ReadonlySet<LedgerRecord>): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const look of looks) {
    const { kind, strategy, by, at, from, to } = look;
    const sawHeldOut = seen.has(look);
    const last = entries.at(-1);
    const isOne =
      kind === 'trial' &&
      last?.kind === 'trial' &&
      last.strategy === strategy &&
      last.by === by &&
      last.sawHeldOut === sawHeldOut;
    if (!isOne) {
      const run = kind === 'run' || kind === 'prompt' ? look.id : null;
      entries.push({ kind, strategy, by, at, until: at, looks: 1, run, from, to, sawHeldOut });
      continue;
    }
    entries[entries.length - 1] = {
      ...last,
      looks: last.looks + 1,
      until: at,
      from: from !== null && last.from !== null && from < last.from ? from : last.from,
      to: to !== null && last.to !== null && to > last.to ? to : last.to,
    };
  }
  return entries;
}
