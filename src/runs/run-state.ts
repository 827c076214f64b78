import { existsSync, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../kernel/index.ts';
import { sha256OfFile } from './files.ts';
import { journalEnds } from './journal-ends.ts';

/** Milliseconds after which a journal that nobody writes to, without a lock, is one of a killed run. */
const STILL_RUNNING = 30_000;

/** Whether a process is at work on the run in a folder. */
export function isUnderWay(folder: string): boolean {
  const journal = join(folder, 'journal.jsonl');
  const lock = join(folder, 'run.lock');
  if (existsSync(lock)) {
    if (!isAlive(lock)) return false;
    // Written at a run's end: a journal that has lost its end since is no run under way.
  } else if (
    existsSync(join(folder, 'manifest.json')) ||
    Date.now() - statSync(journal).mtimeMs >= STILL_RUNNING
  )
    return false;
  // Last, because it takes longest.
  return journalEnds(journal).outcome === '';
}

/** Whether a living process holds the lock of a folder. */
export function isLocked(folder: string): boolean {
  const lock = join(folder, 'run.lock');
  return existsSync(lock) && isAlive(lock);
}

/** Whether the process that a lock names lives; one of another machine cannot be asked, and counts as living. */
function isAlive(lock: string): boolean {
  try {
    const [pid = '', host = ''] = readFileSync(lock, 'utf8').trim().split(' ');
    if (host !== '' && host !== hostname()) return true;
    // 0 and below mean groups of processes.
    return /^[1-9]\d*$/.test(pid) && isProcessAlive(Number(pid));
  } catch {
    // Released between the two looks.
    return false;
  }
}

/** How a journal stands to the SHA-256 in its run's `manifest.json`; `unknown` where none is there. */
export type JournalState = 'as written' | 'changed' | 'unknown';

/** By folder: a journal's hash, and the time and size it had then. */
const hashes = new Map<string, { readonly stamp: string; readonly sha256: string }>();

/**
 * Whether a run's journal still is the one that its other files were made from.
 *
 * A journal no newer than its manifest is taken for it; a newer one is hashed, once for each time and size.
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

/** SHA-256 of the journal now, and as `manifest.json` has it: `undefined` without a manifest. */
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
