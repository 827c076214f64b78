import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { linePieces } from '../journal/index.ts';
import { attempt } from './files.ts';
import { storeOf } from './search.ts';
import { isSweepFolder } from './sweep-result.ts';

/** What every evaluation of a strategy on data is written down in, beside the runs: it outlives them. */
export const LEDGER_FILE = 'ledger.jsonl';

const lookSchema = z.object({
  /** A run of code or orders, a run of a prompt, a trial of a sweep; or that the end of the data was set apart. */
  kind: z.enum(['run', 'prompt', 'trial', 'holdout']),
  /** When, in UTC. */
  at: z.string(),
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

/** What a ledger says. */
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
 * Reads the ledger of a results folder, which may be of any size; one that is not there holds nothing.
 *
 * @param strategies only looks at these by name, and all holdouts; all looks where left out
 */
export function readLedger(store: string, strategies?: readonly string[]): Ledger {
  const file = join(store, LEDGER_FILE);
  if (!existsSync(file)) return { looks: [], notes: [] };
  const unreadable = `${file} cannot be read: its looks count for nothing.`;
  if (!statSync(file).isFile()) return { looks: [], notes: [unreadable] };
  const words = strategies && [HOLDOUT_WORD, ...strategies.map((name) => JSON.stringify(name))];
  const looks = new Map<string, Look>();
  let damaged = 0;
  try {
    for (const { text } of linePieces(file)) {
      for (const line of text.split('\n')) {
        if (line === '') continue;
        const isWhole = line.startsWith('{') && line.endsWith('}');
        if (isWhole && words?.every((word) => !line.includes(word))) continue;
        const look = isWhole ? readLook(line) : undefined;
        if (look === undefined) damaged += 1;
        else {
          if (looks.get(look.id)?.to !== look.to) looks.delete(look.id);
          looks.set(look.id, look);
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

const HOLDOUT_WORD = '"kind":"holdout"';

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

/** Looks with a strategy at the same data. */
export function looksAt(looks: readonly Look[], strategy: string, data: readonly string[]): Look[] {
  const wanted = [...data].sort().join(' ');
  return looks.filter(
    (look) =>
      look.kind !== 'holdout' && look.strategy === strategy && [...look.data].sort().join(' ') === wanted,
  );
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
