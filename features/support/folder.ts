import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LEDGER_FILE } from '../../src/results/runs/index.ts';

/** Number of attempts to remove a folder, and milliseconds between two attempts. */
const ATTEMPTS = 100;
const PAUSE = 100;

/**
 * Removes a folder to which a process may still write its last files. `maxRetries` of `rmSync` does not help,
 * because Node 20 repeats only the removal of the folder, but not of files that were added in the meantime.
 */
export function removeFolder(path: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

/** Temporary folder of a scenario. */
export class TemporaryFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'sandtable-feature-'));

  file(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Uint8Array): string {
    const file = this.file(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  list(name: string): string[] {
    return readdirSync(this.file(name)).sort();
  }

  /** Returns the run, sweep and stress test folders in a results folder. Excludes the ledger file. */
  results(name: string): string[] {
    return this.list(name).filter((one) => one !== LEDGER_FILE);
  }

  remove(): void {
    removeFolder(this.path);
  }
}
