import { AppError, type Fault, faultsError } from '../kernel/index.ts';
import { characterCount, VFS_LIMITS } from './limits.ts';
import { foldersOf, pathFault } from './path.ts';

export const WRITE_MODES = ['create', 'overwrite', 'append'] as const;

/** `create` refuses a file that is there; `overwrite` and `append` make one that is not. */
export type WriteMode = (typeof WRITE_MODES)[number];

/** One change, as the journal keeps it: applying all of them in order gives the files back. */
export type VfsChange =
  | { readonly kind: 'write'; readonly path: string; readonly mode: WriteMode; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string };

/** A text file of the in-memory file system, by its path without a leading slash. */
export interface VfsFile {
  readonly path: string;
  readonly content: string;
  /** Code points. */
  readonly characters: number;
}

/** The files at one moment; later changes do not reach it. */
export type VfsSnapshot = ReadonlyMap<string, VfsFile>;

/** An in-memory file system of short texts: deterministic, bounded, and with no way to the disk. */
export class Vfs {
  #files: Map<string, VfsFile>;
  /** How many files lie below each folder. */
  #folders: Map<string, number>;
  #characters: number;
  /** Whether a snapshot or a stage looks at the same maps, so that a change must copy them first. */
  #lent = false;

  constructor() {
    this.#files = new Map();
    this.#folders = new Map();
    this.#characters = 0;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Code points of all files. */
  get characters(): number {
    return this.#characters;
  }

  /** A file, or undefined when there is none of that path. */
  file(path: string): VfsFile | undefined {
    return this.#files.get(path);
  }

  /** Whether a file lies below a path; true of the root. */
  isFolder(path: string): boolean {
    return path === '' || this.#folders.has(path);
  }

  /**
   * Every file of a folder and the folders below it, by path in ASCII order.
   *
   * @param folder all files when left out; a path that is a file gives that file
   */
  list(folder = ''): VfsFile[] {
    const exact = this.#files.get(folder);
    if (exact !== undefined) return [exact];
    const inside = folder === '' ? '' : `${folder}/`;
    return [...this.#files.values()].filter(({ path }) => path.startsWith(inside)).sort(byPath);
  }

  /** The files as they are now, to go back to. */
  snapshot(): VfsSnapshot {
    this.#lent = true;
    return this.#files;
  }

  /**
   * Writes one file.
   *
   * @throws AppError `bad_path`, `bad_file`, `file_exists`, `path_taken`, `vfs_full`
   */
  write(path: string, content: string, mode: WriteMode = 'create'): VfsFile {
    const file = this.#fitted(path, content, mode);
    this.#own();
    const before = this.#files.get(path);
    if (before === undefined) this.#count(path, 1);
    this.#characters += file.characters - (before?.characters ?? 0);
    this.#files.set(path, file);
    return file;
  }

  /**
   * Deletes a file, or a folder with all that is in it.
   *
   * @returns the paths that are gone
   * @throws AppError `bad_path`, `no_such_file`
   */
  delete(path: string): string[] {
    checkPath(path);
    const gone = this.list(path);
    if (gone.length === 0) throw noSuchFile(path);
    this.#own();
    for (const file of gone) {
      this.#files.delete(file.path);
      this.#count(file.path, -1);
      this.#characters -= file.characters;
    }
    return gone.map((file) => file.path);
  }

  /** Applies a change as the journal has it. */
  apply(change: VfsChange): void {
    if (change.kind === 'write') this.write(change.path, change.content, change.mode);
    else this.delete(change.path);
  }

  /**
   * Applies changes together: all of them, or none when one does not fit.
   *
   * @throws AppError `bad_changes` with every fault
   */
  applyAll(changes: readonly VfsChange[]): void {
    const trial = new Vfs();
    trial.#share(this);
    const faults: Fault[] = [];
    for (const change of changes) {
      try {
        trial.apply(change);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        faults.push({ where: change.path, message: error.message });
      }
    }
    if (faults.length > 0) {
      throw faultsError('bad_changes', 'The changes were discarded', faults, 'Fix them and try again.');
    }
    this.#share(trial);
  }

  #share(other: Vfs): void {
    other.#lent = true;
    this.#lent = true;
    this.#files = other.#files;
    this.#folders = other.#folders;
    this.#characters = other.#characters;
  }

  #own(): void {
    if (!this.#lent) return;
    this.#files = new Map(this.#files);
    this.#folders = new Map(this.#folders);
    this.#lent = false;
  }

  #count(path: string, step: 1 | -1): void {
    for (const folder of foldersOf(path)) {
      const count = (this.#folders.get(folder) ?? 0) + step;
      if (count === 0) this.#folders.delete(folder);
      else this.#folders.set(folder, count);
    }
  }

  /** The file that a write would leave, when all limits allow it. */
  #fitted(path: string, content: string, mode: WriteMode): VfsFile {
    checkPath(path);
    const problem = contentFault(content);
    if (problem !== undefined) throw refusal('bad_file', problem, 'Write shorter, plain text.');
    const before = this.#files.get(path);
    if (before !== undefined && mode === 'create') {
      throw refusal('file_exists', 'the file exists already', 'Use the mode overwrite or append.');
    }
    const taken = this.isFolder(path)
      ? 'there is a folder of that name'
      : foldersOf(path)
          .filter((folder) => this.#files.has(folder))
          .map((folder) => `${folder} is a file, not a folder`)[0];
    if (taken !== undefined) throw refusal('path_taken', taken, 'Choose another path.');
    const added = characterCount(content);
    const whole =
      before !== undefined && mode === 'append'
        ? { path, content: before.content + content, characters: before.characters + added }
        : { path, content, characters: added };
    if (whole.characters > VFS_LIMITS.fileCharacters) {
      const grown = `the file would be ${whole.characters.toLocaleString('en-US')} characters long`;
      throw refusal(
        'bad_file',
        `${grown}, over the limit of ${VFS_LIMITS.fileCharacters.toLocaleString('en-US')}`,
        'Split it into several files.',
      );
    }
    if (before === undefined && this.#files.size >= VFS_LIMITS.files)
      throw refusal('vfs_full', `there are ${VFS_LIMITS.files} files already`, 'Delete some.');
    if (this.#characters + whole.characters - (before?.characters ?? 0) > VFS_LIMITS.totalCharacters)
      throw refusal(
        'vfs_full',
        `all files together would pass ${VFS_LIMITS.totalCharacters.toLocaleString('en-US')} characters`,
        'Delete some, or write less.',
      );
    return whole;
  }
}

/** What is wrong with a text as a file's content; undefined when nothing is. */
export function contentFault(content: string): string | undefined {
  if (/\p{Surrogate}/u.test(content))
    return 'the content is not text in UTF-8: it has half a character in it';
  // UTF-16 units are at most twice the code points, so most texts are never counted.
  if (content.length <= VFS_LIMITS.fileCharacters) return undefined;
  const characters = characterCount(content);
  if (characters <= VFS_LIMITS.fileCharacters) return undefined;
  return `the content is ${characters.toLocaleString('en-US')} characters long, over the limit of ${VFS_LIMITS.fileCharacters.toLocaleString('en-US')}`;
}

function checkPath(path: string): void {
  const fault = pathFault(path);
  if (fault !== undefined) throw refusal('bad_path', fault, 'Use a path such as notes/today.md.');
}

export function noSuchFile(path: string): AppError {
  return refusal(
    'no_such_file',
    `there is no file ${JSON.stringify(path)}`,
    'List the files to see those there are.',
  );
}

function refusal(code: string, message: string, hint: string): AppError {
  return new AppError({ code, message, hint });
}

function byPath(one: VfsFile, other: VfsFile): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
