import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJournal } from '../../src/journal/index.ts';
import { version } from '../../src/kernel/index.ts';
import { jsonText, sha256OfFile } from '../../src/results/runs/files.ts';
import { manifestOf, type RunInputs } from '../../src/results/runs/manifest.ts';
import { writeRunFiles } from '../../src/results/runs/run-folder.ts';
import { checkFolder } from '../../src/results/runs/verify/check-folder.ts';
import { journalLines, writeJournal } from './journal.ts';

const timing = { startedAt: '2026-01-01', finishedAt: '2026-01-01', seconds: 1, barsPerSecond: 1, tools: {} };

/** Writes the folder of a run with 12 bars, one trade and the files of its strategy. */
function makeRun(root: string): string {
  const folder = mkdtempSync(join(root, 'run-'));
  const journal = writeJournal(folder, journalLines(12));
  const record = readJournal(journal);
  writeFileSync(join(folder, 'strategy.md'), 'Trade.');
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'lib', 'notes.md'), 'Notes.');
  writeFileSync(join(folder, 'feed.jsonl'), '{}\n');
  const sha256 = sha256OfFile(join(folder, 'strategy.md'));
  const files = [
    { file: 'lib/notes.md', sha256: sha256OfFile(join(folder, 'lib', 'notes.md')) },
    { file: '../outside.md', sha256: 'x' },
    { file: 'gone.md', sha256: 'x' },
  ];
  const inputs: RunInputs = {
    ...{ schema: 1, runId: 'r', flags: { data: [] }, files: [], settings: {} },
    strategy: { file: 'a/trade.md', sha256, copy: 'strategy.md', files, parameters: {} },
  };
  writeFileSync(join(folder, 'inputs.json'), jsonText(inputs));
  const manifest = manifestOf(record, {
    ...{
      runId: 'r',
      strategyFile: 'a/trade.md',
      strategySha256: sha256,
      inputs,
      sources: [],
      adjustments: [],
    },
    ...{ versions: { sandtable: version() }, journalSha256: sha256OfFile(journal) },
  });
  writeRunFiles(folder, { manifest, record, timing, page: () => 'page' });
  return folder;
}

export type JsonFields = Record<string, unknown>;

export function editFile(folder: string, file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
}

/** Returns the check of a file of a run folder, as outcome and detail. */
export function checkOf(folder: string, name: string): string {
  const check = checkFolder(folder).find((one) => one.name === name);
  return `${check?.outcome}: ${check?.detail}`;
}

/** Run folder for tests of `checkFolder`, of which tests edit copies. */
export class CheckedRun {
  readonly root = mkdtempSync(join(tmpdir(), 'sandtable-checked-run-'));
  readonly folder = makeRun(this.root);

  copy(): string {
    const folder = mkdtempSync(join(this.root, 'copy-'));
    cpSync(this.folder, folder, { recursive: true });
    return folder;
  }

  /** Returns the check of a file after a change of its text. */
  afterEdit(file: string, change: (text: string) => string, name = file): string {
    const folder = this.copy();
    editFile(folder, file, change);
    return checkOf(folder, name);
  }

  /** Returns the check of a file after a change of its JSON value. */
  afterJson(file: string, change: (value: JsonFields) => unknown): string {
    return this.afterEdit(file, (text) => jsonText(change(JSON.parse(text) as JsonFields)));
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
