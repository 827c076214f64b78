import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { linePieces } from '../../../journal/index.ts';
import { parseInstant } from '../../../kernel/index.ts';
import { attempt } from '../files.ts';
import { isSweepFolder } from '../stores/sweep-result.ts';
import { storeOf } from './search.ts';

/**
 * Name of the ledger file in a results folder. Contains one line for every evaluation of a strategy on data.
 * The ledger remains when run folders are deleted.
 */
export const LEDGER_FILE = 'ledger.jsonl';

const ledgerRecordSchema = z.object({
  /**
   * Kind of the record. `run`: run of code or orders. `prompt`: run of a prompt. `trial`: trial of a sweep.
   * `holdout`: bars at the end of the data that a sweep reserved for a final test.
   */
  kind: z.enum(['run', 'prompt', 'trial', 'holdout']),
  /** Time at which the evaluation was recorded, in UTC. */
  at: z.string().refine((text) => parseInstant(text) !== undefined),
  /** Name of the user who started the evaluation. `null` if unknown. */
  by: z.string().nullable().default(null),
  /** Name of the research project. `null` is the default project of the strategy and the data. */
  project: z.string().nullable().default(null),
  /** Name of the strategy. */
  strategy: z.string(),
  /** SHA-256 of each data file, in order. A holdout lists only files with bars. */
  data: z.array(z.string()),
  /** Id of the run or stress test. For a trial or a holdout, hash of all inputs. */
  id: z.string(),
  /** Hash of the tried variant: the strategy's file, parameters and settings, without the period. */
  point: z.string(),
  /**
   * Key of the search that the record belongs to, defined in `searchOf`. A search consists of all runs of one
   * strategy on the same data. `null` if the evaluation did not process all bars.
   */
  search: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Sharpe ratio per session. `null` if undefined. */
  sharpe: z.number().nullable(),
  /** Figures as one text, for finding equal results. Written by `resultText`. `null` if unknown. */
  result: z.string().nullable(),
});

/**
 * One evaluation of a strategy on data. A record of kind `holdout` is not an evaluation: it reserves the bars
 * on and after `from`.
 */
export type LedgerRecord = z.infer<typeof ledgerRecordSchema>;

/** Research project that records belong to: a named project, or the default project of a strategy. */
export interface ResearchProject {
  readonly project?: string | null | undefined;
  readonly strategy: string;
}

/**
 * True if a record belongs to a project. For a default project, only the strategy is compared, not the data.
 */
export function isInProject(record: LedgerRecord, { project = null, strategy }: ResearchProject): boolean {
  return record.project === project && (project !== null || record.strategy === strategy);
}

/** Returns the current time and the user name for a new record. */
export function ledgerStamp(): Pick<LedgerRecord, 'at' | 'by'> {
  const at = new Date().toISOString();
  try {
    return { at, by: userInfo().username };
  } catch {
    // The user of the process may have no name, for example in a container.
    return { at, by: null };
  }
}

/** Content of a ledger file. */
export interface Ledger {
  /**
   * Records in the order in which they were written. Of several records with the same id, only the last is
   * included, because a resumed run processes more bars. If both records end at the same bar, the last record
   * has the position of the first.
   */
  readonly records: readonly LedgerRecord[];
  /** Warnings for the user about unreadable lines of the ledger. */
  readonly notes: readonly string[];
}

const NEWLINE = 10;

/**
 * Appends records to the ledger of a results folder in one write, because other processes may append
 * concurrently.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function appendLedger(store: string, records: readonly LedgerRecord[]): void {
  if (records.length === 0) return;
  const file = join(store, LEDGER_FILE);
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  attempt(file, () => {
    const descriptor = openSync(file, 'a+');
    try {
      const bytes = Buffer.from(endsInLine(descriptor) ? `\n${text}` : text);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } finally {
      closeSync(descriptor);
    }
  });
}

/**
 * True if the last line of the file has no line end, because the process that wrote the line was stopped. In
 * this case, new text must begin with a newline.
 */
function endsInLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/**
 * Reads the ledger of a results folder. The file may have any size. A missing file is read as an empty
 * ledger.
 *
 * @param of project of the returned records; default: all projects
 */
export function readLedger(store: string, of?: ResearchProject): Ledger {
  const file = join(store, LEDGER_FILE);
  if (!existsSync(file)) return { records: [], notes: [] };
  const unreadable = `Cannot read ${file}: its views are not counted.`;
  if (!statSync(file).isFile()) return { records: [], notes: [unreadable] };
  const word = of && JSON.stringify(of.project ?? of.strategy);
  const records = new Map<string, LedgerRecord>();
  let damaged = 0;
  try {
    for (const { text } of linePieces(file)) {
      for (const line of text.split('\n')) {
        if (line === '') continue;
        const isWhole = line.startsWith('{') && line.endsWith('}');
        if (isWhole && word !== undefined && !line.includes(word)) continue;
        const record = isWhole ? readRecord(line) : undefined;
        if (record === undefined) damaged += 1;
        else if (of === undefined || isInProject(record, of)) {
          // The key contains the project, because a trial that belongs to two projects counts once in each
          // project.
          const key = JSON.stringify([record.project, record.id]);
          if (records.get(key)?.to !== record.to) records.delete(key);
          records.set(key, record);
        }
      }
    }
  } catch {
    return { records: [...records.values()], notes: [unreadable] };
  }
  const notes =
    damaged === 0
      ? []
      : [
          `${file}: ${damaged === 1 ? '1 unreadable line is' : `${damaged} unreadable lines are`} not counted.`,
        ];
  return { records: [...records.values()], notes };
}

function readRecord(line: string): LedgerRecord | undefined {
  try {
    return ledgerRecordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Returns the results folder whose ledger records the run in `folder`. */
export function ledgerStoreOf(folder: string): string {
  const store = storeOf(folder);
  return isKeptIn(store) ? dirname(dirname(store)) : store;
}

/**
 * True if a sweep stored the run for one of its trials. The ledger already contains the trial, so the run is
 * not recorded again.
 */
export function isKeptRun(folder: string): boolean {
  return isKeptIn(storeOf(folder));
}

function isKeptIn(store: string): boolean {
  return isSweepFolder(dirname(store));
}

/** Returns the evaluations of exactly these data files. Holdouts are excluded. */
export function recordsOnData(records: readonly LedgerRecord[], data: readonly string[]): LedgerRecord[] {
  const wanted = [...data].sort().join(' ');
  return records.filter(
    (record) => record.kind !== 'holdout' && [...record.data].sort().join(' ') === wanted,
  );
}

/**
 * Returns one key for each variant that was tried. A trial of a sweep counts by its `point`. Another record
 * counts by its result within its search, and is not counted if a trial of the search had the same result.
 * Without a result, the record counts by its `point`.
 */
export function pointsOf(records: readonly LedgerRecord[]): Set<string> {
  const keyOf = ({ search, result, point }: LedgerRecord): string =>
    search === null || result === null ? point : `${search} ${result}`;
  const trials = records.filter(({ kind }) => kind === 'trial');
  const results = new Set(trials.map(keyOf));
  const runs = records.filter((record) => record.kind !== 'trial').map(keyOf);
  return new Set([...trials.map(({ point }) => point), ...runs.filter((key) => !results.has(key))]);
}
