import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSweepJournal, SweepJournal } from '../sweep/sweep-folder.ts';
import { WorldJournal } from './folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-deep-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

it('a trial of a sweep that is nested too deep is not a result', () => {
  const good = { id: 'b', outcome: 'completed', figures: null, seconds: 1 };
  writeFileSync(
    join(folder, 'trials.jsonl'),
    `{"id":"a","outcome":"completed","figures":${deep}}\n${JSON.stringify(good)}\n`,
  );
  expect(readSweepJournal(folder)).toEqual([good]);
  const journal = new SweepJournal(folder);
  expect(journal.results()).toEqual([good]);
  journal.close();
});

it('a world of a stress test that is nested too deep is not a result', () => {
  const line = (world: number, more: string): string =>
    `{"world":${world},"outcome":"completed","figures":{},"x":${more}}\n`;
  writeFileSync(join(folder, 'worlds.jsonl'), `${line(1, deep)}${line(2, '1')}`);
  expect([...new WorldJournal(folder).rows.keys()]).toEqual([2]);
});
