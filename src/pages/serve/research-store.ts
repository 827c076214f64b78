import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/index.ts';
import { STRESS_PAGE, STUDY_PAGE, SWEEP_PAGE } from '../../results/runs/index.ts';
import { policyOfStored } from '../shared/shell.ts';
import { KINDS } from './research-kinds.ts';
import { HttpError } from './routes.ts';
import { isFile, isFolder, LinesDone } from './run-facts.ts';
import type { ResearchRow } from './run-row.ts';

/** Maximum size in bytes of a stored page that the server sends. */
const LARGEST = 64 * 1024 * 1024;

interface Known {
  readonly stamp: string;
  readonly row: ResearchRow;
}

/** Studies, sweeps, stress tests and samples in a results folder. */
export class ResearchStore {
  readonly #root: string;
  readonly #counter = new LinesDone();
  readonly #known = new Map<string, Known>();

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Returns the rows of research folders, for example of studies and sweeps.
   *
   * @param names names of all folders that are not runs
   * @returns the rows, and the names of folders of an unknown kind
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
    // An unfinished folder is always read again. Its state depends on locks and run folders, and the stamp
    // does not include their times.
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
 * Returns a page stored in a research folder, and the content security policy to send with it. The page may
 * contain a policy itself, which is not trusted. The returned policy allows only the page script of this
 * version.
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
