/** Events of a run of three bars of the symbol A, with the fields that the readers of a journal use. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { RunEvent } from '../../src/engine/index.ts';

export const as = (event: object): RunEvent => event as unknown as RunEvent;
export const line = (event: object): string => JSON.stringify(event);
export const STARTED = {
  ...{
    type: 'run_started',
    schema: 1,
    strategy: { name: 's', kind: 'rules', parameters: {} },
    settings: { cash: '5' },
  },
  ...{ symbols: ['A'], bars: 3, data: null, sealed: true },
};
export const bar = (number: number) => ({
  ...{ type: 'bar', bar: number, date: `2020-01-0${number + 1}`, cash: '5', equity: '5', exposure: null },
  prices: [[1, 1, 1, 1, 1]],
});
export const note = (number: number, text = 'x') => ({ type: 'note', bar: number, text });
export const finished = (outcome: string, more: object = {}) => ({
  ...{ type: 'run_finished', outcome, bars: 1, openTrades: [], commissionPaid: '3', ...more },
});

/**
 * Creates a temporary folder for journals, which is removed after the tests of the file.
 *
 * Returns `newFile`, which returns the path of a new file, and `fileOf`, which writes a text to a new file
 * and returns its path.
 */
export function journalFiles(): { newFile(): string; fileOf(text: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-journals-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let files = 0;
  const newFile = (): string => join(folder, `${++files}.jsonl`);
  const fileOf = (text: string): string => {
    const file = newFile();
    writeFileSync(file, text);
    return file;
  };
  return { newFile, fileOf };
}
