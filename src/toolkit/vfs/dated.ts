import { createHash } from 'node:crypto';
import type { FileEvent, RunEvent } from '../../engine/index.ts';
import { type Fault, faultsError, isObject, messageOf, parseJsonInput } from '../../kernel/index.ts';
import { type DatedFile, stampOf } from '../../market/index.ts';
import { Vfs, type VfsChange } from './vfs.ts';

/** Files given to a run: files that are visible from the start, and files that become visible later. */
export interface GivenFiles {
  readonly files: Vfs;
  readonly dated: readonly DatedFile[];
}

const SIDECAR = '.meta.json';
const HINT =
  'Write available_at: 2024-03-01T12:30Z between two lines of --- at the beginning of a text, or {"available_at": "2024-03-01T12:30Z"} in NAME.meta.json next to the file.';

/**
 * Separates files with a date from files without one. A file with a date becomes visible at this date. The
 * date is in the head of a text, or in a companion file `NAME.meta.json`. The companion file itself is not
 * visible.
 *
 * @param timezone IANA name of the time zone for times without a zone; default UTC
 * @throws AppError `vfs_unfit` with every invalid date
 */
export function partByDate(all: Vfs, folder: string, timezone?: string): GivenFiles {
  const files = new Vfs();
  const dated: DatedFile[] = [];
  const faults: Fault[] = [];
  for (const { path, content } of all.list()) {
    if (path.endsWith(SIDECAR)) {
      const owner = path.slice(0, -SIDECAR.length);
      if (all.file(owner) === undefined)
        faults.push({ where: path, message: `it describes ${owner}, which does not exist` });
      continue;
    }
    const beside = all.file(path + SIDECAR);
    const said = [dateOfHead(content), beside && dateInSibling(beside.content)].filter(
      (one) => one !== undefined,
    );
    const where = beside === undefined ? path : beside.path;
    const wrong = said.find((one) => typeof one === 'object');
    const texts = said.filter((one) => typeof one === 'string');
    const [first, second] = texts.map((text) => stampOf(text, timezone));
    if (wrong !== undefined) faults.push({ where, message: wrong.fault });
    else if (texts.length === 0) files.write(path, content);
    else if (first === undefined || (texts.length === 2 && second === undefined))
      faults.push({ where, message: `available_at "${texts.join('", "').slice(0, 60)}" is not a date` });
    else if (second !== undefined && second.instant !== first.instant)
      faults.push({ where, message: `its available_at is ${texts[1]}, but ${texts[0]} in ${path}` });
    else dated.push({ path, content, known: first });
  }
  if (faults.length > 0) throw faultsError('vfs_unfit', `The folder ${folder}`, faults, HINT);
  return { files, dated };
}

type Said = string | { readonly fault: string } | undefined;

const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*\r?$/m;
const LINE = /^available_at[ \t]*:(.*)$/gm;

/** Returns the date in the head of a text. The head is between two lines of `---`. */
function dateOfHead(content: string): Said {
  const head = HEAD.exec(content);
  if (head === null || head.index !== 0) return undefined;
  const lines = [...head[1]!.matchAll(LINE)];
  if (lines.length === 0) return undefined;
  if (lines.length > 1) return { fault: 'has two lines of available_at' };
  const value = lines[0]![1]!.replace(/\s#.*$/, '').trim();
  return value.replace(/^(["'])(.*)\1$/, '$2').trim();
}

/** Returns the date in a companion file. */
function dateInSibling(content: string): Said {
  try {
    const value: unknown = parseJsonInput(content);
    if (!isObject(value) || value.available_at === undefined) return { fault: 'has no available_at' };
    const { available_at: date } = value;
    return typeof date === 'number' || typeof date === 'string'
      ? String(date).trim()
      : { fault: 'available_at is not a date' };
  } catch (error) {
    return { fault: `is not JSON: ${messageOf(error)}` };
  }
}

/** Returns one SHA-256 of all paths, contents and dates, in hex. */
export function hashOfGiven({ files, dated }: GivenFiles): string {
  const hash = createHash('sha256');
  for (const { path, content } of files.list()) hash.update(JSON.stringify([path, content]));
  for (const { path, content, known } of dated) hash.update(JSON.stringify([path, content, known]));
  return hash.digest('hex');
}

/**
 * Returns the journal event of a change.
 *
 * @param availableAt date from which a given file is visible, if it has one
 */
export function fileEvent(bar: number, change: VfsChange, availableAt?: string): FileEvent {
  const { path } = change;
  if (change.kind === 'delete') return { type: 'file_deleted', bar, path };
  const { mode, content } = change;
  return {
    type: 'file_written',
    bar,
    path,
    mode,
    content,
    ...(availableAt === undefined ? {} : { availableAt }),
  };
}

/**
 * Restores the files of a run from the events of its journal, for resuming the run.
 *
 * @throws AppError if the events do not belong to one run or are not in order
 */
export function rebuildVfs(events: Iterable<RunEvent>): Vfs {
  const vfs = new Vfs();
  for (const event of events) {
    if (event.type === 'file_written') vfs.write(event.path, event.content, event.mode);
    else if (event.type === 'file_deleted') vfs.delete(event.path);
  }
  return vfs;
}
