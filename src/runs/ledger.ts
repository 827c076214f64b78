import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { attempt } from './files.ts';

/** What every evaluation of a strategy on data is written down in, beside the runs: it outlives them. */
export const LEDGER_FILE = 'ledger.jsonl';

const lookSchema = z.object({
  kind: z.enum(['run', 'trial', 'prompt', 'holdout']),
  /** When, in UTC. */
  at: z.string(),
  /** Name of the strategy. */
  strategy: z.string(),
  /** SHA-256 of each file of data, in order. */
  data: z.array(z.string()),
  /** Of all that was evaluated, by content; of a run, its id. */
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

/**
 * Adds to the ledger of a results folder, in one write: others may add at the same time.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function appendLedger(store: string, looks: readonly Look[]): void {
  if (looks.length === 0) return;
  const file = join(store, LEDGER_FILE);
  const text = looks.map((look) => `${JSON.stringify(look)}\n`).join('');
  attempt(file, () => appendFileSync(file, text));
}

/** What the ledger of a results folder says; lines that cannot be read are left out. */
export function readLedger(store: string): Look[] {
  let text: string;
  try {
    text = readFileSync(join(store, LEDGER_FILE), 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const look = lookSchema.safeParse(JSON.parse(line));
      return look.success ? [look.data] : [];
    } catch {
      return [];
    }
  });
}

/** Looks at a strategy on the same data: how many different things were tried, and when the holdout was seen. */
export function looksAt(
  looks: readonly Look[],
  strategy: string,
  data: readonly string[],
): { readonly points: ReadonlySet<string>; readonly looks: readonly Look[] } {
  const wanted = [...data].sort().join(' ');
  const found = looks.filter(
    (look) =>
      look.kind !== 'holdout' && look.strategy === strategy && [...look.data].sort().join(' ') === wanted,
  );
  return { points: new Set(found.map(({ point }) => point)), looks: found };
}
