import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/index.ts';
import { STRESS_PAGE, STUDY_PAGE, SWEEP_PAGE } from '../../runs/index.ts';
import { policyOfStored } from '../shared/shell.ts';
import { HttpError } from './guard.ts';
import { LinesDone } from './lines-done.ts';
import { isFile, isFolder } from './real-files.ts';
import { KINDS } from './research-kinds.ts';
import type { ResearchRow } from './research-row.ts';

/** Bytes of the largest page that is read. */
const LARGEST = 64 * 1024 * 1024;

interface Known {
  readonly stamp: string;
  readonly row: ResearchRow;
}

/** The studies, sweeps, stress tests and samples of a results folder. */
export class ResearchStore {
  readonly #root: string;
  readonly #counter = new LinesDone();
  readonly #known = new Map<string, Known>();

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * @param names of folders that are no runs
   * @returns their rows, and which of them are nothing that the list knows
   */
  look(names: readonly string[]): {
    readonly rows: readonly ResearchRow[];
    readonly skipped: readonly string[];
  } {
    const rows: ResearchRow[] = [];
    const skipped: string[] = [];
    for (const name of names) {
      const row = this.#rowOf(name);
      if (row === undefined) skipped.push(name);
      else rows.push(row);
    }
    for (const name of this.#known.keys()) if (!names.includes(name)) this.#known.delete(name);
    return { rows, skipped };
  }

  #rowOf(name: string): ResearchRow | undefined {
    const folder = join(this.#root, name);
    const kind = KINDS.find(({ mark }) => isFile(join(folder, mark)));
    if (kind === undefined) return undefined;
    const stamp = [kind.mark, ...kind.files]
      .map((file) => statSync(join(folder, file), { throwIfNoEntry: false }))
      .map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`))
      .join();
    const known = this.#known.get(name);
    // Of one that is not finished, locks and run folders say more than these files.
    if (known?.stamp === stamp && known.row.state === 'finished') return known.row;
    const made = this.#read(name, folder, kind.row);
    if (made === undefined) return undefined;
    const row = known !== undefined && JSON.stringify(known.row) === JSON.stringify(made) ? known.row : made;
    this.#known.set(name, { stamp, row });
    return row;
  }

  #read(name: string, folder: string, read: (typeof KINDS)[number]['row']): ResearchRow | undefined {
    try {
      const row = read(folder, this.#counter);
      return row === undefined ? undefined : { problem: '', ...row, name };
    } catch (error) {
      const text = error instanceof AppError ? `${error.message} ${error.hint}` : messageOf(error);
      return {
        name,
        kind: 'sweep',
        title: name,
        strategy: '',
        symbols: [],
        state: 'damaged',
        problem: text.replaceAll(`${this.#root}/`, ''),
        done: 0,
        planned: null,
        unit: '',
        what: '',
        answer: { tone: '', word: '', text: '' },
        hasPage: false,
        inside: [],
      };
    }
  }
}

/**
 * A page that lies in a folder of the root. Its policy is not its own: only our own script may run in it.
 *
 * @throws HttpError 404
 */
export function storedPage(root: string, name: string): { readonly page: string; readonly policy: string } {
  const known = name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name) && isFolder(join(root, name));
  for (const [file, script] of [
    [SWEEP_PAGE, 'sweep.js'],
    [STRESS_PAGE, 'stress.js'],
    [STUDY_PAGE, 'stress.js'],
  ] as const) {
    const path = join(root, name, file);
    if (known && isFile(path) && lstatSync(path).size <= LARGEST)
      return { page: readFileSync(path, 'utf8'), policy: policyOfStored(script) };
  }
  throw new HttpError(
    404,
    'no_page',
    'There is no such page here.',
    'It is written when a study, a sweep or a stress test has come to its end. Go back to the list of runs.',
  );
}
