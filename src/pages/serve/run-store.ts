import { type Dirent, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { isUnderWay, namesOf } from '../../results/runs/index.ts';
import { isFile, isFolder, jsonIn, readFacts, stampOf } from './run-facts.ts';
import { type Facts, isSameRow, type RunRow } from './run-row.ts';
import { earlierTags, type Notes, notesIn } from './tags.ts';

export type { RunRow };

/**
 * Names of runs. A name shows how a run differs from similar runs. The names are made again only if facts of
 * runs have changed.
 */
class RunNames {
  #made: ReadonlyMap<string, string> = new Map();
  #names: ReadonlyMap<string, string> = new Map();

  /**
   * Returns a name for each run, unique among the runs of the same strategy and symbols. Runs with equal
   * facts are numbered from the oldest to the newest, so that a new run does not change earlier numbers.
   *
   * @param facts facts by run, newest run first
   */
  of(facts: ReadonlyMap<string, Facts>): ReadonlyMap<string, string> {
    const made = new Map([...facts].map(([run, own]) => [run, keyOf(own)]));
    if (made.size === this.#made.size && [...made].every(([run, key]) => this.#made.get(run) === key))
      return this.#names;
    const groups = new Map<string, string[]>();
    for (const [run, { strategy, symbols }] of [...facts].reverse()) {
      const key = JSON.stringify([strategy, symbols]);
      const own = groups.get(key);
      if (own === undefined) groups.set(key, [run]);
      else own.push(run);
    }
    const names = new Map<string, string>();
    for (const runs of groups.values()) {
      const texts = namesOf(
        runs.map((run) => {
          const own = facts.get(run)!;
          return {
            strategy: own.strategy || 'unreadable',
            symbols: own.symbols,
            facts: own.made,
            period: periodOf(own),
          };
        }),
      );
      for (const [place, run] of runs.entries()) names.set(run, texts[place]!);
    }
    this.#made = made;
    this.#names = names;
    return names;
  }
}

const keys = new WeakMap<Facts, string>();

function keyOf(facts: Facts): string {
  const known = keys.get(facts);
  if (known !== undefined) return known;
  const key = JSON.stringify([facts.strategy, facts.symbols, [...facts.made], periodOf(facts)]);
  keys.set(facts, key);
  return key;
}

/**
 * Returns the period of a run as part of its name. For an active run, the last bar is omitted, because it
 * changes.
 */
function periodOf({ state, firstBar, lastBar }: Facts): string {
  return state === 'running' ? `since ${firstBar}` : `${firstBar} to ${lastBar}`;
}

/** Maximum depth of a run folder below the root, for example `STUDY/runs/ARM/WINDOW/sample-1`. */
const DEEPEST = 5;
const JOURNAL = 'journal.jsonl';

interface Known {
  /** Times and sizes of the files from which the facts were read. */
  readonly stamp: string;
  readonly facts: Facts;
  readonly notes: Notes | undefined;
  readonly isUnderWay: boolean;
}

/** Run folders in a results folder. Files outside the results folder are not accessible. */
export class RunStore {
  readonly root: string;
  readonly #owns: (folder: string) => boolean;
  readonly #known = new Map<string, Known>();
  #rows = new Map<string, RunRow>();
  readonly #names = new RunNames();

  /**
   * Opens a results folder.
   *
   * @param owns returns true if this server started the process that writes a run
   * @throws AppError `no_reports`
   */
  constructor(folder: string, owns: (folder: string) => boolean = () => false) {
    this.#owns = owns;
    try {
      this.root = realpathSync(folder);
      readdirSync(this.root);
    } catch (cause) {
      throw new AppError({
        code: 'no_reports',
        message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
        hint: 'Pass a folder that contains run folders, for example reports.',
        cause,
      });
    }
  }

  /** Returns the names of all folders in the root, newest first. Symbolic links are excluded. */
  folders(): string[] {
    return readdirSync(this.root, { withFileTypes: true })
      .filter((one: Dirent) => one.isDirectory() && isName(one.name))
      .map(({ name }) => name)
      .sort((a, b) => (a < b ? 1 : -1));
  }

  /** Returns the names of all runs directly in the root, newest first. */
  names(): string[] {
    return this.folders().filter((name) => isFile(join(this.root, name, JOURNAL)));
  }

  /**
   * Returns the folder of a run, which may be inside a study, a sweep or a sample set. Every part of the path
   * must be a folder, and the last folder must contain a journal. Symbolic links are rejected, because they
   * can lead outside the root.
   *
   * @param runId name of the folder, or its path relative to the root with `/`
   * @throws AppError `no_run` for any other value
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

  /** Reads a JSON file of a run. `undefined` if the file is missing, damaged or a symbolic link. */
  json(runId: string, name: 'manifest.json' | 'summary.json' | 'timing.json' | 'inputs.json'): unknown {
    return jsonIn(this.folder(runId), name);
  }

  /**
   * Returns the rows of all runs in the root, newest first. For an unchanged run, returns the same object as
   * the previous call.
   */
  rows(): RunRow[] {
    const tags = earlierTags(this.root);
    const facts = new Map<string, Pick<Known, 'facts' | 'notes'> & { readonly changed: number }>();
    for (const name of this.names()) {
      try {
        facts.set(name, this.#factsOf(name));
      } catch {
        // The run was deleted since its name was listed, so it is omitted.
      }
    }
    const names = this.#names.of(new Map([...facts].map(([name, own]) => [name, own.facts])));
    const rows = new Map<string, RunRow>();
    for (const [runId, { facts: own, notes, changed }] of facts) {
      const { made: _, ...shown } = own;
      const row = {
        runId,
        ...shown,
        name: names.get(runId)!,
        changed,
        tags: notes?.tags ?? tags.get(runId) ?? [],
        notes: notes?.notes ?? '',
        isOurs: this.#owns(join(this.root, runId)),
      };
      const before = this.#rows.get(runId);
      rows.set(runId, before !== undefined && isSameRow(before, row) ? before : row);
    }
    this.#rows = rows;
    for (const name of this.#known.keys()) if (!facts.has(name)) this.#known.delete(name);
    return [...rows.values()];
  }

  /**
   * Returns the facts of a run, from the cache if its files are unchanged.
   *
   * @throws Error if the folder no longer exists
   */
  #factsOf(name: string): Pick<Known, 'facts' | 'notes'> & { readonly changed: number } {
    const folder = join(this.root, name);
    const { stamp, changed } = stampOf(folder);
    const known = this.#known.get(name);
    // An active run is always read again. If its process is killed, the state changes but the files do not.
    if (known?.stamp === stamp && !known.isUnderWay)
      return { facts: known.facts, notes: known.notes, changed };
    const read = readFacts(folder, this.root);
    const notes = notesIn(folder);
    this.#known.set(name, { stamp, notes, ...read });
    return { facts: read.facts, notes, changed };
  }

  /** True if a process is working on the run. */
  isRunning(runId: string): boolean {
    return isUnderWay(this.folder(runId));
  }

  /**
   * Deletes a run.
   *
   * @throws AppError `run_under_way`, `no_run`, `run_undeletable`
   */
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
        message: 'This run is part of the study, sweep or samples in whose folder it is.',
        hint: 'Delete the whole folder on the disk, if nothing of it is needed any more.',
      });
    }
    // Renaming the folder hides the run immediately, even if deleting its files fails later.
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
