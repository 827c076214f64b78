import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { AppError, isObject, messageOf, numberOf } from '../../kernel/index.ts';
import { isUnderWay, journalEnds, journalState, readRun, type StoredRun } from '../../results/runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import {
  type Facts,
  factsOfEnds,
  factsOfSummary,
  type Inside,
  listedSummary,
  madeOf,
  NOTHING,
} from './run-row.ts';

const JOURNAL = 'journal.jsonl';

/**
 * Reads the facts about a run that the list shows.
 *
 * @param root results folder. Its path is removed from texts about problems
 * @throws Error if the folder no longer exists
 */
export function readFacts(
  folder: string,
  root: string,
): { readonly facts: Facts; readonly isUnderWay: boolean } {
  try {
    if (isUnderWay(folder))
      return { facts: factsOfEnds(journalEnds(join(folder, JOURNAL))), isUnderWay: true };
    return { facts: factsIn(folder, root), isUnderWay: false };
  } catch (error) {
    // If the folder no longer exists, `lstatSync` throws, and the caller handles the error.
    const isEmpty = lstatSync(join(folder, JOURNAL)).size === 0;
    const problem = isEmpty
      ? 'Its journal is empty: it was stopped before its first bar. Delete it, or run it again.'
      : problemOf(error, root);
    return { facts: { ...NOTHING, state: isEmpty ? 'killed' : 'damaged', problem }, isUnderWay: false };
  }
}

// Reads the summary of a run if the journal has not changed since the summary was written. Otherwise reads
// the journal, so that the list shows the same bars as the report.
function factsIn(folder: string, root: string): Facts {
  const state = journalState(folder);
  const stored = listedSummary(jsonIn(folder, 'summary.json'));
  if (stored !== undefined && state === 'as written') {
    const model = stored.model === null ? [] : [stored.model.model];
    return factsOfSummary(stored, madeOf(jsonIn(folder, 'manifest.json'), model), stored.outcome);
  }
  const { run, damage } = readAsFarAsItGoes(folder, root);
  const { summary, record } = run;
  const isKilled = journalEnds(join(folder, JOURNAL)).outcome === '';
  const isChanged = state === 'changed' && !existsSync(join(folder, 'run.lock'));
  const how = damage !== '' || isChanged ? 'damaged' : isKilled ? 'killed' : summary.outcome;
  const models = [...new Set(record.models.map(({ model }) => model))];
  const problem = damage !== '' ? damage : isChanged ? CHANGED : isKilled ? STOPPED : '';
  return { ...factsOfSummary(summary, madeOf(record.started, models), how, record.started.bars), problem };
}

const CHANGED =
  'Its journal is not the one that its manifest.json names: it was changed or cut after the run. Take it from a copy, or run it again.';
const STOPPED = 'Stopped before its end. Continue it with sandtable resume and this folder.';

/**
 * Reads a journal up to the first damaged line. Also returns a description of the damage, which is empty
 * for an undamaged journal.
 */
function readAsFarAsItGoes(
  folder: string,
  root: string,
): { readonly run: StoredRun; readonly damage: string } {
  try {
    return { run: readRun(folder), damage: '' };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'journal_damaged') throw error;
    return { run: readRun(folder, { salvage: true }), damage: problemOf(error, root) };
  }
}

function problemOf(error: unknown, root: string): string {
  const text = error instanceof AppError ? `${error.message} ${error.hint}` : messageOf(error);
  return text.replaceAll(`${root}/`, '').replaceAll(root, '');
}

/** Reads a JSON file of a folder. `undefined` if the file is missing, damaged or a symbolic link. */
export function jsonIn(folder: string, name: string): unknown {
  const file = join(folder, name);
  try {
    return isFile(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the time of the last write to the journal, in milliseconds since 1970, and a stamp. The stamp is a
 * text with the times and sizes of all files from which a row is made. If it is unchanged, the row need not
 * be made again.
 *
 * @throws Error if the journal is missing
 */
export function stampOf(folder: string): { readonly stamp: string; readonly changed: number } {
  const { mtimeMs: changed, size } = statSync(join(folder, JOURNAL));
  const others = ['manifest.json', 'summary.json', 'run.lock', 'notes.json']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`));
  return { stamp: [`${changed} ${size}`, ...others].join(', '), changed };
}

interface Read {
  /** Position after the last complete line that was read, in bytes. */
  end: number;
  readonly keys: Set<string>;
}

const PIECE = 1 << 20;

/**
 * Counts the entries (one per line) of growing files, for example the trials in `trials.jsonl`. Reads only
 * the lines that were added since the previous count.
 */
export class LinesDone {
  readonly #read = new Map<string, Read>();

  /**
   * Returns the number of distinct keys in the lines of a file. 0 for a missing file.
   *
   * @param pattern its first group is the key of a line. Lines without a match are ignored
   */
  count(file: string, pattern: RegExp): number {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch {
      return 0;
    }
    try {
      const { size } = fstatSync(descriptor);
      let known = this.#read.get(file);
      if (known === undefined || known.end > size) known = { end: 0, keys: new Set() };
      this.#read.set(file, known);
      for (let at = known.end; at < size; ) {
        const bytes = Buffer.alloc(Math.min(PIECE, size - at));
        const length = readSync(descriptor, bytes, 0, bytes.length, at);
        if (length === 0) break;
        const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
        for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
          const key = pattern.exec(line)?.[1];
          if (key !== undefined) known.keys.add(key);
        }
        if (whole === 0) break;
        at += whole;
        known.end = at;
      }
      return known.keys.size;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Maximum number of runs in the details of a research folder. */
const MOST_INSIDE = 100;

/** Returns the run folders below a folder, down to `depth` levels. Symbolic links are excluded. */
export function runsIn(folder: string, depth = 4): string[] {
  if (depth === 0) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .flatMap((own) =>
      isFile(join(own, 'journal.jsonl')) ? [own] : isFolder(own) ? runsIn(own, depth - 1) : [],
    );
}

/**
 * Returns a table with the figures of the runs below a folder, for the details of a row. Empty if the folder
 * contains no runs.
 */
export function runsInside(folder: string, title: string): Inside[] {
  const runs = runsIn(folder);
  if (runs.length === 0) return [];
  const root = join(folder, '..');
  return [
    {
      title,
      head: ['Run', 'Return', 'Sharpe', 'Max drawdown', 'Trades'],
      rows: runs.slice(0, MOST_INSIDE).map((run) => {
        const summary = jsonIn(run, 'summary.json');
        const value = (name: string): number | null =>
          isObject(summary) ? (numberOf(summary[name]) ?? null) : null;
        return {
          cells: [
            relative(folder, run).replace(/^runs\//, ''),
            percent(value('totalReturn')),
            ratio(value('sharpe')),
            percent(value('maxDrawdown')),
            integer(value('tradeCount')),
          ],
          run: relative(root, run),
        };
      }),
      more: Math.max(0, runs.length - MOST_INSIDE),
    },
  ];
}

// The following functions do not follow symbolic links, because a link can lead outside the results folder.

/** True if the path is a regular file. False for a symbolic link. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

/** True if the path is a folder. False for a symbolic link. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** Returns the properties of a path. `undefined` if the path does not exist or is not accessible. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
