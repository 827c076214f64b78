import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LEDGER_FILE } from '../../src/results/runs/index.ts';

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
    // A process that the scenario started may still write its last file.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}
