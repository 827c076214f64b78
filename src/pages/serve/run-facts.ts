import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/index.ts';
import { isUnderWay, journalEnds, journalState, readRun, type StoredRun } from '../../runs/index.ts';
import { isFile } from './real-files.ts';
import { type Facts, factsOfEnds, factsOfSummary, listedSummary, madeOf, NOTHING } from './run-row.ts';

const JOURNAL = 'journal.jsonl';

/**
 * Reads the facts that the list shows about a run.
 *
 * @param root results folder, removed from paths in problem texts
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
    // Throws if the folder no longer exists.
    const isEmpty = lstatSync(join(folder, JOURNAL)).size === 0;
    const problem = isEmpty
      ? 'Its journal is empty: it was stopped before its first bar. Delete it, or run it again.'
      : problemOf(error, root);
    return { facts: { ...NOTHING, state: isEmpty ? 'killed' : 'damaged', problem }, isUnderWay: false };
  }
}

// Reads the run's summary if the journal is unchanged since the summary was written, otherwise the journal.
// The list and the report must show the same bars.
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
  const problem = damage !== '' ? damage : isChanged ? CHANGED : isKilled ? KILLED : '';
  return { ...factsOfSummary(summary, madeOf(record.started, models), how, record.started.bars), problem };
}

const CHANGED =
  'Its journal is not the one that its manifest.json names: it was changed or cut after the run. Take it from a copy, or run it again.';
const KILLED = 'Stopped before its end. It goes on with sandtable resume and this folder.';

/** Reads a run whose journal may be damaged. Also returns a description of the damage. */
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

/** Reads a JSON file of a folder. Undefined if the file is missing, damaged or a link. */
export function jsonIn(folder: string, name: string): unknown {
  const file = join(folder, name);
  try {
    return isFile(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a stamp of the files that a row is read from (times and sizes), and when the journal was last
 * written, in milliseconds since 1970.
 *
 * @throws Error if the journal is missing
 */
export function stampOf(folder: string): { readonly stamp: string; readonly changed: number } {
  const { mtimeMs: changed, size } = statSync(join(folder, JOURNAL));
  const others = ['manifest.json', 'summary.json', 'run.lock']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`));
  return { stamp: [`${changed} ${size}`, ...others].join(', '), changed };
}
