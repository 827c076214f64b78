import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDoorsOf } from '../../engine/index.ts';
import { type JournalEvent, readEnds } from '../../journal/index.ts';
import { isObject, numberOf, textOf } from '../../kernel/index.ts';
import { unmasker } from '../../masking/index.ts';
import { sha256OfFile } from './files.ts';
import { isLocked } from './run-lock.ts';

/** Milliseconds since the last write to the journal after which a run without a lock counts as killed. */
const STILL_RUNNING = 30_000;

/** True if a process is working on the run in a folder. */
export function isUnderWay(folder: string): boolean {
  const journal = join(folder, 'journal.jsonl');
  if (existsSync(join(folder, 'run.lock'))) {
    if (!isLocked(folder)) return false;
    // The manifest is written at the end of a run. If a manifest exists, the run has ended, even if the
    // journal lacks its end.
  } else if (
    existsSync(join(folder, 'manifest.json')) ||
    Date.now() - statSync(journal).mtimeMs >= STILL_RUNNING
  )
    return false;
  // This check is last because reading the journal takes longest.
  return journalEnds(journal).outcome === '';
}

/**
 * Result of comparing a journal with the SHA-256 that `manifest.json` records for it. `unknown` without a
 * manifest.
 */
type JournalState = 'as written' | 'changed' | 'unknown';

/** Cache by folder: hash of the journal, and the journal's modification time and size when it was hashed. */
const hashes = new Map<string, { readonly stamp: string; readonly sha256: string }>();

/**
 * Checks if a run's journal has changed since the run's other files were written from it.
 *
 * A journal that is not newer than its manifest counts as unchanged. A newer journal is hashed. The hash is
 * computed again only if the journal's time or size changes.
 *
 * @throws AppError `file_unreadable`
 */
export function journalState(folder: string): JournalState {
  const [journal, manifest] = [join(folder, 'journal.jsonl'), join(folder, 'manifest.json')];
  const written = sha256In(manifest);
  if (written === undefined) return 'unknown';
  const { mtimeMs, size } = statSync(journal);
  if (mtimeMs <= statSync(manifest).mtimeMs) return 'as written';
  const stamp = `${mtimeMs} ${size}`;
  let known = hashes.get(folder);
  if (known?.stamp !== stamp) {
    known = { stamp, sha256: sha256OfFile(journal) };
    hashes.set(folder, known);
  }
  return known.sha256 === written ? 'as written' : 'changed';
}

/**
 * Returns the current SHA-256 of the journal, and the SHA-256 in `manifest.json` (`undefined` without a
 * manifest).
 */
export function journalHashes(folder: string): {
  readonly now: string;
  readonly written: string | undefined;
} {
  return {
    now: sha256OfFile(join(folder, 'journal.jsonl')),
    written: sha256In(join(folder, 'manifest.json')),
  };
}

function sha256In(manifest: string): string | undefined {
  try {
    const { journal } = JSON.parse(readFileSync(manifest, 'utf8')) as { journal?: { sha256?: unknown } };
    return typeof journal?.sha256 === 'string' ? journal.sha256 : undefined;
  } catch {
    return undefined;
  }
}

/** Summary of the first and last lines of a journal of any size. */
export interface JournalEnds {
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly planned: number;
  /** Number of finished bars. */
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
  readonly equity: string;
  readonly totalReturn: number | null;
  readonly openDoors: readonly string[];
  /** Outcome of the run. Empty until the run has ended. */
  readonly outcome: string;
  /** First event, `run_started`, with real instead of masked values. `undefined` if missing. */
  readonly opening: JournalEvent | undefined;
}

/** Reads the first and last lines of a journal. Fields that cannot be read are empty. */
export function journalEnds(file: string): JournalEnds {
  const { head, tail } = readEnds(file);
  const opening = head.find((event) => event.type === 'run_started');
  const real = unmasker(opening ?? {});
  const realOf = (event: JournalEvent | undefined): JournalEvent | undefined => event && real(event);
  const started = realOf(opening);
  const first = realOf(head.find((event) => event.type === 'bar'));
  const last = realOf(tail.findLast((event) => event.type === 'bar')) ?? first;
  const finished = tail.findLast((event) => event.type === 'run_finished');
  const strategy = isObject(started?.strategy) ? textOf(started.strategy.name) : '';
  const settings = isObject(started?.settings) ? started.settings : {};
  const equity = textOf(last?.equity);
  const change = Number(equity) / Number(textOf(settings.cash)) - 1;
  return {
    strategy,
    symbols: Array.isArray(started?.symbols) ? started.symbols.map(textOf) : [],
    planned: numberOf(started?.bars) ?? 0,
    bars: last?.bar === undefined ? 0 : last.bar + 1,
    firstBar: textOf(first?.date),
    lastBar: textOf(last?.date),
    equity,
    totalReturn: equity !== '' && Number.isFinite(change) ? change : null,
    openDoors: opening === undefined ? [] : openDoorsOf(opening),
    outcome: textOf(finished?.outcome),
    opening: started,
  };
}
