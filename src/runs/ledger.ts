import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { linePieces } from '../journal/index.ts';
import { attempt } from './files.ts';
import { storeOf } from './search.ts';
import { isSweepFolder } from './sweep-result.ts';

/** File next to the runs that records every evaluation of a strategy on data. It outlives the run folders. */
export const LEDGER_FILE = 'ledger.jsonl';

const lookSchema = z.object({
  /** A run of code or orders, a run of a prompt, a trial of a sweep; or that the end of the data was set apart. */
  kind: z.enum(['run', 'prompt', 'trial', 'holdout']),
  /** Time of the evaluation, in UTC. */
  at: z.string(),
  /** User name of the person who ran it. `null` if unknown, and in lines of earlier versions. */
  by: z.string().nullable().default(null),
  /** Name of the research project. `null` is the default project of the strategy and the data. */
  project: z.string().nullable().default(null),
  /** Name of the strategy. */
  strategy: z.string(),
  /** SHA-256 of each file of data, in order; of a holdout, of the files of bars. */
  data: z.array(z.string()),
  /** Of all that was evaluated, by content; of a run or a stress test, its id. */
  id: z.string(),
  /** What was tried, by content: the strategy's file, parameters and settings, whatever the period. */
  point: z.string(),
  /** The search it belongs to: strategy, data and period; see `searchOf`. */
  search: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Sharpe ratio per session; null where it is not defined. */
  sharpe: z.number().nullable(),
  /** Equal for evaluations whose results are the same in every figure. */
  result: z.string().nullable(),
});

/** One evaluation of a strategy on data; of kind `holdout`, that the end of the data was set apart from `from` on. */
export type Look = z.infer<typeof lookSchema>;

/** Research project that looks belong to: a named one, or the default project of a strategy. */
export interface ResearchProject {
  readonly project?: string | null | undefined;
  readonly strategy: string;
}

/** True if a look belongs to a project. The data are compared separately. */
export function isInProject(look: Look, { project = null, strategy }: ResearchProject): boolean {
  return look.project === project && (project !== null || look.strategy === strategy);
}

/** Returns the time and the user name that a new look is recorded with. */
export function lookStamp(): Pick<Look, 'at' | 'by'> {
  const at = new Date().toISOString();
  try {
    return { at, by: userInfo().username };
  } catch {
    // A container may run as a user without a name.
    return { at, by: null };
  }
}

/** Contents of a ledger. */
export interface Ledger {
  /**
   * In the order they were written. Of several with one id the last, in the place of the first that saw as far: a run that
   * goes on sees more bars than it did.
   */
  readonly looks: readonly Look[];
  /** What of it cannot be read, in words. */
  readonly notes: readonly string[];
}

const NEWLINE = 10;

/**
 * Adds to the ledger of a results folder, in one write at its end: others may add at the same time.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function appendLedger(store: string, looks: readonly Look[]): void {
  if (looks.length === 0) return;
  const file = join(store, LEDGER_FILE);
  const text = looks.map((look) => `${JSON.stringify(look)}\n`).join('');
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

/** Whether whoever wrote last was stopped in the middle of a line: what follows must not be glued to it. */
function endsInLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/**
 * Reads the ledger of a results folder, which may be of any size. A missing ledger is empty.
 *
 * @param of returns only looks of this project; default: all looks
 */
export function readLedger(store: string, of?: ResearchProject): Ledger {
  const file = join(store, LEDGER_FILE);
  if (!existsSync(file)) return { looks: [], notes: [] };
  const unreadable = `${file} cannot be read: its looks count for nothing.`;
  if (!statSync(file).isFile()) return { looks: [], notes: [unreadable] };
  const word = of && JSON.stringify(of.project ?? of.strategy);
  const looks = new Map<string, Look>();
  let damaged = 0;
  try {
    for (const { text } of linePieces(file)) {
      for (const line of text.split('\n')) {
        if (line === '') continue;
        const isWhole = line.startsWith('{') && line.endsWith('}');
        if (isWhole && word !== undefined && !line.includes(word)) continue;
        const look = isWhole ? readLook(line) : undefined;
        if (look === undefined) damaged += 1;
        else if (of === undefined || isInProject(look, of)) {
          // The same trial in two projects is a look of each.
          const key = JSON.stringify([look.project, look.id]);
          if (looks.get(key)?.to !== look.to) looks.delete(key);
          looks.set(key, look);
        }
      }
    }
  } catch {
    return { looks: [...looks.values()], notes: [unreadable] };
  }
  const notes =
    damaged === 0
      ? []
      : [
          `${file}: ${damaged === 1 ? '1 line cannot be read, and counts' : `${damaged} lines cannot be read, and count`} for nothing.`,
        ];
  return { looks: [...looks.values()], notes };
}

function readLook(line: string): Look | undefined {
  try {
    return lookSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The results folder whose ledger a run belongs to. */
export function ledgerStoreOf(folder: string): string {
  const store = storeOf(folder);
  return isKeptIn(store) ? dirname(dirname(store)) : store;
}

/** Whether a run is one that a sweep kept of its trials: the trial is in the ledger. */
export function isKeptRun(folder: string): boolean {
  return isKeptIn(storeOf(folder));
}

function isKeptIn(store: string): boolean {
  return isSweepFolder(dirname(store));
}

/** Returns the looks at exactly these data, without holdouts. */
export function looksAt(looks: readonly Look[], data: readonly string[]): Look[] {
  const wanted = [...data].sort().join(' ');
  return looks.filter((look) => look.kind !== 'holdout' && [...look.data].sort().join(' ') === wanted);
}

/** Different things tried: a run that came to what another look of its search came to is that one once more. */
export function pointsOf(looks: readonly Look[]): Set<string> {
  const keyOf = ({ search, result, point }: Look): string =>
    search === null || result === null ? point : `${search} ${result}`;
  const trials = looks.filter(({ kind }) => kind === 'trial');
  const results = new Set(trials.map(keyOf));
  const runs = looks.filter((look) => look.kind !== 'trial').map(keyOf);
  return new Set([...trials.map(({ point }) => point), ...runs.filter((key) => !results.has(key))]);
}
