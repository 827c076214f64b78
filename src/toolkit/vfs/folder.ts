import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, type Fault, faultsError, fileProblem, makeFolder } from '../../kernel/index.ts';
import { pathFault, VFS_LIMITS, Vfs, type VfsSnapshot } from './vfs.ts';

const HINT = 'Fix or remove these files, or pass a folder with text files only.';
/**
 * Maximum number of entries in a folder. A larger folder was probably chosen by mistake, and a list of its
 * faults would be too long.
 */
const MOST_ENTRIES = 20_000;
/** Maximum size of a file in bytes. A character has at most four bytes in UTF-8. */
const MOST_BYTES = VFS_LIMITS.fileCharacters * 4;

/**
 * Reads a folder of text files into a file system. Symbolic links are faults and are never followed.
 *
 * @throws AppError `vfs_unreadable` if the folder does not exist, `vfs_unfit` with every unsuitable file
 */
export function importFolder(folder: string): Vfs {
  const faults: Fault[] = [];
  const found = filesIn(folder, faults);
  const vfs = new Vfs();
  for (const path of found.sort()) {
    try {
      const content = readText(join(folder, path));
      vfs.write(path, content);
    } catch (error) {
      if (error instanceof AppError) faults.push({ where: path, message: error.message });
      else faults.push({ where: path, message: fileProblem(error) });
    }
  }
  if (faults.length > 0) {
    faults.sort((one, other) => (one.where < other.where ? -1 : 1));
    throw faultsError('vfs_unfit', `The folder ${folder}`, faults, HINT);
  }
  return vfs;
}

/**
 * Returns the paths of all regular files below a folder. Adds entries that are neither files nor folders to
 * `faults`.
 */
function filesIn(folder: string, faults: Fault[]): string[] {
  const files: string[] = [];
  const waiting = [''];
  let seen = 0;
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    for (const entry of entriesOf(folder, inside, faults)) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      seen += 1;
      if (seen > MOST_ENTRIES) {
        faults.push({ where: folder, message: `it contains more than ${MOST_ENTRIES} entries` });
        return files;
      }
      const fault = pathFault(path);
      if (fault !== undefined) faults.push({ where: path, message: fault });
      else if (entry.isSymbolicLink())
        faults.push({ where: path, message: 'it is a symbolic link, and links are not followed' });
      else if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) files.push(path);
      else faults.push({ where: path, message: 'it is neither a file nor a folder' });
    }
  }
  return files;
}

interface FolderEntry {
  readonly name: string;
  isSymbolicLink(): boolean;
  isDirectory(): boolean;
  isFile(): boolean;
}

function entriesOf(folder: string, inside: string, faults: Fault[]): FolderEntry[] {
  const entries: FolderEntry[] = [];
  try {
    const open = opendirSync(join(folder, inside));
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) entries.push(entry);
    } finally {
      open.closeSync();
    }
  } catch (cause) {
    if (inside !== '') {
      faults.push({ where: inside, message: fileProblem(cause) });
      return [];
    }
    throw new AppError({
      code: 'vfs_unreadable',
      message: `Cannot read the folder ${folder}: ${fileProblem(cause)}.`,
      hint: 'Pass a folder of text files.',
      cause,
    });
  }
  return entries;
}

function readText(file: string): string {
  // Since the folder was listed, the file may have grown or may have been replaced by a link or a pipe. It is
  // therefore opened without following links and checked again.
  const descriptor = openSync(
    file,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error('it is not a regular file');
    if (status.size > MOST_BYTES) {
      const [bytes, limit] = [status.size, VFS_LIMITS.fileCharacters].map((one) =>
        one.toLocaleString('en-US'),
      );
      throw new Error(`it has ${bytes} bytes, over the limit of ${limit} characters`);
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(descriptor));
  } catch (cause) {
    throw cause instanceof TypeError ? new Error('it is not text in UTF-8') : cause;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes files into a new folder. Never overwrites a file and never follows a link.
 *
 * @throws AppError `vfs_unwritable`
 */
export function exportFolder(files: VfsSnapshot, folder: string): void {
  try {
    // The folder must be new, because a link in an existing folder could redirect a write. The call is
    // therefore not recursive.
    mkdirSync(folder);
    for (const { path, content } of files.values()) {
      const place = path.split('/').map((segment) => portableName(segment, process.platform));
      makeFolder(join(folder, ...place.slice(0, -1)));
      writeFileSync(join(folder, ...place), content, { flag: 'wx' });
    }
  } catch (cause) {
    throw new AppError({
      code: 'vfs_unwritable',
      message: `Cannot write the files into ${folder}: ${fileProblem(cause)}.`,
      hint: 'Check the path, its permissions and the free space. The folder must not exist yet.',
      kind: 'run',
      cause,
    });
  }
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;

/**
 * Returns a valid file name for a platform. On Windows, characters, endings and names that are not allowed
 * are encoded as %XX.
 */
export function portableName(segment: string, platform: string): string {
  if (platform !== 'win32') return segment;
  const escaped = segment.replaceAll(/[%<>:"|?*]|[. ]$/g, percent);
  return RESERVED.test(escaped) ? percent(escaped[0]!) + escaped.slice(1) : escaped;
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
