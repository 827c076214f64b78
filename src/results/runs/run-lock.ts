import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError, isProcessAlive, unwritable } from '../../kernel/index.ts';

/**
 * Paths of the locks that this thread owns. A lock file may contain the id of this process although its path
 * is not in this set. Such a file was left by an ended process with the same id.
 */
const held = new Set<string>();
let releasesAtExit = false;

/**
 * Prevents a second process from writing to the same run. Replaces a lock whose process has ended.
 *
 * @throws AppError `run_in_use`, `run_folder_unwritable`
 */
export function lockRun(folder: string): { release(): void } {
  const file = join(folder, 'run.lock');
  // The path is resolved now, because a strategy may change the working directory before the lock is
  // released.
  const place = resolve(file);
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
      held.add(place);
      if (!releasesAtExit) {
        releasesAtExit = true;
        process.on('exit', () => {
          for (const lock of held) rmSync(lock, { force: true });
        });
      }
      break;
    } catch (cause) {
      const taken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      if (!taken) {
        const hint = 'Check the folder, its permissions and the free space.';
        throw unwritable(file, cause, { code: 'run_folder_unwritable', hint, kind: 'run' });
      }
      const owner = ownerOf(file);
      if (tries > 3 || isHeld(owner, file)) throw inUse(folder, owner, file);
      rmSync(file, { force: true });
    }
  }
  return {
    release() {
      if (held.delete(place)) rmSync(place, { force: true });
    },
  };
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

function ownerOf(file: string): Owner {
  try {
    const [pid = '', host = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return { pid: Number(pid), host };
  } catch {
    return { pid: Number.NaN, host: '' };
  }
}

function isAlive({ pid, host }: Owner): boolean {
  // The processes of another machine cannot be checked, so their locks count as owned by a living process.
  if (host !== '' && host !== hostname()) return true;
  // An empty lock file, left by a process that was killed before it wrote its id, is read as id 0. The
  // operating system would interpret id 0 as the current process group.
  return Number.isInteger(pid) && pid > 0 && isProcessAlive(pid);
}

/**
 * True if a living process owns the lock. A lock with the id of this process counts only if this thread
 * created the lock, because an ended process may have had the same id.
 */
function isHeld(owner: Owner, file: string): boolean {
  return owner.host === hostname() && owner.pid === process.pid ? held.has(resolve(file)) : isAlive(owner);
}

/** True if a living process, which may be this process, has locked the folder. */
export function isLocked(folder: string): boolean {
  const lock = join(folder, 'run.lock');
  return existsSync(lock) && isAlive(ownerOf(lock));
}

/**
 * Returns the id of the process on this machine that is writing a run. `undefined` if there is no such
 * process.
 */
export function processOf(folder: string): number | undefined {
  const file = join(folder, 'run.lock');
  const owner = ownerOf(file);
  return owner.host === hostname() && isHeld(owner, file) ? owner.pid : undefined;
}

function inUse(folder: string, { pid, host }: Owner, file: string): AppError {
  return new AppError({
    code: 'run_in_use',
    message: `Process ${pid} on ${host} is writing ${folder}.`,
    hint: `Wait for the process, or end it. If the process no longer exists, delete ${file}.`,
    kind: 'run',
  });
}
