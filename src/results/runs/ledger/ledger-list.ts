import { isInProject, type LedgerRecord, pointsOf, type ResearchProject } from './ledger.ts';
import { recordsFrom, reservedFrom } from './ledger-records.ts';

/**
 * Records (evaluations of strategies on data) of one research project, in the order in which they were
 * recorded.
 */
export interface ProjectRecords {
  /** Name of the project. The default project is named after its strategy. */
  readonly project: string;
  /** True for the default project of a strategy and its data. */
  readonly isDefault: boolean;
  readonly strategies: readonly string[];
  /** SHA-256 of the first data file of each record. */
  readonly data: readonly string[];
  /** Number of records, holdouts not included. */
  readonly looks: number;
  /** Number of different variants tried. */
  readonly trials: number;
  /** First bar that sweeps of the project hold out. `null` if nothing is held out. */
  readonly heldOutFrom: string | null;
  /** Number of looks at held-out bars. */
  readonly heldOutLooks: number;
  readonly entries: readonly LedgerEntry[];
}

/** One record, or several consecutive trials of a sweep. */
export interface LedgerEntry {
  readonly kind: LedgerRecord['kind'];
  readonly strategy: string;
  readonly by: string | null;
  /** Times of the first and the last record. */
  readonly at: string;
  readonly until: string;
  readonly looks: number;
  /** Id of the run or stress test. `null` for trials and holdouts. */
  readonly run: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** True if the record saw held-out bars. */
  readonly sawHeldOut: boolean;
}

/** Groups the records of a ledger by research project. A default project is one strategy on one data set. */
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
