import { type Dirent, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { isUnderWay } from '../../runs/index.ts';
import { isFile, isFolder } from './real-files.ts';
import { jsonIn, readFacts, stampOf } from './run-facts.ts';
import { RunNames } from './run-names.ts';
import { type Facts, isSameRow, type RunRow } from './run-row.ts';

export type { RunRow } from './run-row.ts';

/** Folders that a run may lie in below the root: `STUDY/runs/ARM/WINDOW/sample-1`. */
const DEEPEST = 5;
const JOURNAL = 'journal.jsonl';

interface Known {
  /** Times and sizes of the files that the facts were read from. */
  readonly stamp: string;
  readonly facts: Facts;
  readonly isUnderWay: boolean;
}

/** The run folders in one folder; nothing outside it can be reached through it. */
export class RunStore {
  readonly root: string;
  readonly #known = new Map<string, Known>();
  #rows = new Map<string, RunRow>();
  readonly #names = new RunNames();

  /** @throws AppError `no_reports` */
  constructor(folder: string) {
    try {
      this.root = realpathSync(folder);
      readdirSync(this.root);
    } catch (cause) {
      throw new AppError({
        code: 'no_reports',
        message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
        hint: 'Name the folder that holds run folders, such as reports.',
        cause,
      });
    }
  }

  /** Names of all folders in the root that are no links, newest first. */
  folders(): string[] {
    return readdirSync(this.root, { withFileTypes: true })
      .filter((one: Dirent) => one.isDirectory() && isName(one.name))
      .map(({ name }) => name)
      .sort((a, b) => (a < b ? 1 : -1));
  }

  /** Names of all runs directly in the root, newest first. */
  names(): string[] {
    return this.folders().filter((name) => isFile(join(this.root, name, JOURNAL)));
  }

  /**
   * The folder of a run, or of one inside a study, a sweep or samples: real folders all the way, with a real journal. Links
   * are not followed: they lead anywhere.
   *
   * @param runId the folder's name, or its way from the root with `/`
   * @throws AppError `no_run` for whatever else
   */
  folder(runId: string): string {
    const parts = runId.split('/');
    if (parts.length <= DEEPEST && parts.every(isName)) {
      const folders = parts.map((_, depth) => join(this.root, ...parts.slice(0, depth + 1)));
      const folder = folders.at(-1)!;
      if (folders.every(isFolder) && isFile(join(folder, JOURNAL))) return folder;
    }
    throw new AppError({
      code: 'no_run',
      message: 'There is no such run here.',
      hint: 'Choose one from the list of runs.',
    });
  }

  /** A JSON file of a run; undefined where it is missing, damaged or a link. */
  json(runId: string, name: 'manifest.json' | 'summary.json' | 'timing.json' | 'inputs.json'): unknown {
    return jsonIn(this.folder(runId), name);
  }

  /** All runs of the root, newest first; a row is the same object as long as nothing about it changes. */
  rows(tags: ReadonlyMap<string, readonly string[]>): RunRow[] {
    const facts = new Map<string, { readonly facts: Facts; readonly changed: number }>();
    for (const name of this.names()) {
      try {
        facts.set(name, this.#factsOf(name));
      } catch {
        // Deleted between the two looks.
      }
    }
    const names = this.#names.of(new Map([...facts].map(([name, own]) => [name, own.facts])));
    const rows = new Map<string, RunRow>();
    for (const [runId, { facts: own, changed }] of facts) {
      const { made: _, ...shown } = own;
      const row = { runId, ...shown, name: names.get(runId)!, changed, tags: tags.get(runId) ?? [] };
      const before = this.#rows.get(runId);
      rows.set(runId, before !== undefined && isSameRow(before, row) ? before : row);
    }
    this.#rows = rows;
    for (const name of this.#known.keys()) if (!facts.has(name)) this.#known.delete(name);
    return [...rows.values()];
  }

  /** @throws Error where the folder is gone */
  #factsOf(name: string): { readonly facts: Facts; readonly changed: number } {
    const folder = join(this.root, name);
    const { stamp, changed } = stampOf(folder);
    const known = this.#known.get(name);
    // One under way may have been killed since: its files do not say so.
    if (known?.stamp === stamp && !known.isUnderWay) return { facts: known.facts, changed };
    const read = readFacts(folder, this.root);
    this.#known.set(name, { stamp, ...read });
    return { facts: read.facts, changed };
  }

  /** Whether a process is at work on a run. */
  isRunning(runId: string): boolean {
    return isUnderWay(this.folder(runId));
  }

  /** @throws AppError `run_under_way`, `no_run`, `run_undeletable` */
  remove(runId: string): void {
    const folder = this.folder(runId);
    if (this.isRunning(runId)) {
      throw new AppError({
        code: 'run_under_way',
        message: 'This run is under way.',
        hint: 'Wait for its end, or stop it, before deleting it.',
      });
    }
    if (runId.includes('/')) {
      throw new AppError({
        code: 'run_undeletable',
        message: 'This run belongs to the study, sweep or samples that it lies in.',
        hint: 'Delete the whole folder on the disk, if nothing of it is needed any more.',
      });
    }
    // Out of sight at once, whatever happens while its files go.
    const hidden = join(this.root, `.deleted-${runId}`);
    try {
      rmSync(hidden, { recursive: true, force: true });
      renameSync(folder, hidden);
      rmSync(hidden, { recursive: true, force: true });
    } catch (cause) {
      throw new AppError({
        code: 'run_undeletable',
        message: `The run cannot be deleted: ${fileProblem(cause)}.`,
        hint: 'Check who may write to the folder.',
        kind: 'run',
        cause,
      });
    }
    this.#known.delete(runId);
  }
}

function isName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name);
}
