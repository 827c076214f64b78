import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError } from '../../kernel/index.ts';

/** Wheel from Pyodide's lock file. */
export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly fileName: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface WheelLock {
  /** Version of the installed `pyodide` package. */
  readonly pyodide: string;
  readonly python: string;
  readonly wheels: readonly Wheel[];
}

interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly file_name: string;
  readonly sha256: string;
  readonly depends: readonly string[];
}

/** Absolute path of the installed `pyodide` package. */
export function findPyodideFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
}

/**
 * Returns the wheels that the installed Pyodide needs for the named packages and all their dependencies.
 *
 * @throws AppError `pyodide_lock_unreadable` if the installed package is damaged
 */
export async function readWheelLock(
  pyodideFolder: string,
  packages: readonly string[] = ['numpy', 'pandas'],
): Promise<WheelLock> {
  try {
    const lock = JSON.parse(await readFile(path.join(pyodideFolder, 'pyodide-lock.json'), 'utf8')) as {
      info: { python: string };
      packages: Record<string, LockedPackage>;
    };
    const own = JSON.parse(await readFile(path.join(pyodideFolder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { pyodide: own.version, python: lock.info.python, wheels: follow(lock.packages, packages) };
  } catch (error) {
    throw new AppError({
      code: 'pyodide_lock_unreadable',
      message: `The installed pyodide package (${pyodideFolder}) cannot be read: ${(error as Error).message}`,
      hint: 'Install the dependencies again: npm ci',
      kind: 'run',
      cause: error,
    });
  }
}

function follow(locked: Readonly<Record<string, LockedPackage>>, names: readonly string[]): Wheel[] {
  const wheels = new Map<string, Wheel>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const found = locked[name];
    if (found === undefined) throw new Error(`pyodide-lock.json names no package ${name}`);
    if (wheels.has(name)) continue;
    wheels.set(name, {
      name,
      version: found.version,
      fileName: found.file_name,
      sha256: found.sha256,
    });
    pending.push(...found.depends);
  }
  return [...wheels.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the folder of the wheels of one Pyodide version. Wheels of two versions can share a file name. */
export function wheelsFolderIn(cacheFolder: string, lock: WheelLock): string {
  return path.join(cacheFolder, 'wheels', `pyodide-${lock.pyodide}`);
}
