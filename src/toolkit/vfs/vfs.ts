import { AppError, type Fault, faultsError } from '../../kernel/index.ts';

export const WRITE_MODES = ['create', 'overwrite', 'append'] as const;

/** Mode of a write. `create` fails if the file exists. `overwrite` and `append` create a missing file. */
export type WriteMode = (typeof WRITE_MODES)[number];

/** Change of a file, as recorded in the journal. Applying all changes in order gives the current files. */
export type VfsChange =
  | { readonly kind: 'write'; readonly path: string; readonly mode: WriteMode; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string };

/** Text file of the in-memory file system. The path has no leading slash. */
export interface VfsFile {
  readonly path: string;
  readonly content: string;
  /** Number of code points. */
  readonly characters: number;
}

/** All files at one moment. Later changes do not affect a snapshot. */
export type VfsSnapshot = ReadonlyMap<string, VfsFile>;

/** In-memory file system of short texts. Deterministic, limited in size, and without access to the disk. */
export class Vfs {
  #files: Map<string, VfsFile>;
  /** Number of files below each folder. */
  #folders: Map<string, number>;
  #characters: number;
  /**
   * True if a snapshot or another `Vfs` uses the same maps. The maps must then be copied before the next
   * change.
   */
  #lent = false;

  constructor() {
    this.#files = new Map();
    this.#folders = new Map();
    this.#characters = 0;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Total number of code points in all files. */
  get characters(): number {
    return this.#characters;
  }

  /** Returns a file. `undefined` if the path is not a file. */
  file(path: string): VfsFile | undefined {
    return this.#files.get(path);
  }

  /** Returns true if at least one file exists below the path. Always true for the root. */
  isFolder(path: string): boolean {
    return path === '' || this.#folders.has(path);
  }

  /**
   * Lists all files of a folder and its subfolders, by path in ASCII order.
   *
   * @param folder default: the root. If the path is a file, only this file is listed
   */
  list(folder = ''): VfsFile[] {
    const exact = this.#files.get(folder);
    if (exact !== undefined) return [exact];
    const inside = folder === '' ? '' : `${folder}/`;
    return [...this.#files.values()].filter(({ path }) => path.startsWith(inside)).sort(byPath);
  }

  /** Returns all files at this moment. Later changes do not affect the result. */
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
   * Deletes a file, or a folder with its contents.
   *
   * @returns the deleted paths
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

  /** Applies a recorded change. */
  apply(change: VfsChange): void {
    if (change.kind === 'write') this.write(change.path, change.content, change.mode);
    else this.delete(change.path);
  }

  /**
   * Applies several changes. If one change is invalid, none is applied.
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

  /** Returns the file that a write would create. Throws if a limit is exceeded. */
  #fitted(path: string, content: string, mode: WriteMode): VfsFile {
    checkPath(path);
    const problem = contentFault(content);
    if (problem !== undefined) throw refusal('bad_file', problem, 'Write shorter, plain text.');
    const before = this.#files.get(path);
    if (before !== undefined && mode === 'create') {
      throw refusal('file_exists', 'the file already exists', 'Use the mode overwrite or append.');
    }
    const taken = this.isFolder(path)
      ? 'a folder with that name exists'
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
      throw refusal('vfs_full', `the limit of ${VFS_LIMITS.files} files is reached`, 'Delete some files.');
    if (this.#characters + whole.characters - (before?.characters ?? 0) > VFS_LIMITS.totalCharacters)
      throw refusal(
        'vfs_full',
        `all files together would exceed ${VFS_LIMITS.totalCharacters.toLocaleString('en-US')} characters`,
        'Delete some files, or write less.',
      );
    return whole;
  }
}

/** Describes the fault of a file's content. `undefined` if the content is valid. */
export function contentFault(content: string): string | undefined {
  if (/\p{Surrogate}/u.test(content)) return 'the content is not text in UTF-8: it contains half a character';
  // A text never has more code points than UTF-16 units, so only a longer text must be counted.
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
    `the file ${JSON.stringify(path)} does not exist`,
    'List the files to see their paths.',
  );
}

function refusal(code: string, message: string, hint: string): AppError {
  return new AppError({ code, message, hint });
}

function byPath(one: VfsFile, other: VfsFile): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}

/** Limits of the file system. The specification of `evaluate_python` contains the first three. */
export const VFS_LIMITS = {
  /** Maximum number of characters (code points) in one file. */
  fileCharacters: 48_000,
  /** Maximum number of segments in a path. */
  depth: 16,
  /** Maximum number of characters in one segment of a path. */
  segmentCharacters: 80,
  files: 1_000,
  /** Maximum number of characters in all files together. */
  totalCharacters: 4_800_000,
} as const;

/** Returns the number of code points of a text, which is the number of characters in Python. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Returns a section of a text. The positions are in code points. */
export function sliceCharacters(text: string, start: number, end = Number.POSITIVE_INFINITY): string {
  return text.slice(unitOffset(text, 0, start), unitOffset(text, 0, end));
}

function unitOffset(text: string, from: number, characters: number): number {
  let unit = from;
  for (let left = characters; left > 0 && unit < text.length; left--) {
    unit += isHigh(text.charCodeAt(unit)) && isLow(text.charCodeAt(unit + 1)) ? 2 : 1;
  }
  return unit;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Describes the fault of a path. `undefined` if the path is valid.
 *
 * A valid path is relative, ASCII and in POSIX form. Paths are not normalised, so each file has exactly one
 * path.
 */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.startsWith('/')) return 'absolute paths are not allowed: remove the leading /';
  if (/[^\x20-\x7e]/.test(path)) return 'paths must be printable ASCII';
  if (path.includes('\\')) return 'parts of a path must be separated by /, not \\';
  const segments = path.split('/');
  if (segments.length > VFS_LIMITS.depth)
    return `the path has ${segments.length} parts, over the limit of ${VFS_LIMITS.depth}`;
  for (const segment of segments) {
    if (segment === '') return 'the path has an empty part: use single slashes, and none at the end';
    if (segment === '.' || segment === '..') return `paths may not contain "${segment}"`;
    if (segment.length > VFS_LIMITS.segmentCharacters) {
      return `a part of the path is ${segment.length} characters long, over the limit of ${VFS_LIMITS.segmentCharacters}`;
    }
  }
  return undefined;
}

/** Returns the folders that contain a file, outermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash));
  }
  return folders;
}
