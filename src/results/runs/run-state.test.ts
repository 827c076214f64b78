import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { barLine, journalLines, type Line, writeJournal } from '../../../test/support/journal.ts';
import { sha256OfFile } from './files.ts';
import { isLocked, lockRun, processOf } from './run-lock.ts';
import { isUnderWay, journalEnds, journalHashes, journalState } from './run-state.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-run-state-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Number of a process that cannot exist. */
const NO_PROCESS = 2 ** 31 - 2;

function runWith(lines: readonly Line[]): { folder: string; journal: string; manifest: string } {
  const folder = mkdtempSync(join(root, 'run-'));
  return { folder, journal: writeJournal(folder, lines), manifest: join(folder, 'manifest.json') };
}
const setAge = (file: string, seconds: number): void => {
  const time = Date.now() / 1000 - seconds;
  utimesSync(file, time, time);
};

describe('a run in progress', () => {
  const begun = journalLines(3).slice(0, -1);

  it('is one whose journal was written recently and has no end', () => {
    const { folder, journal, manifest } = runWith(begun);
    expect(isUnderWay(folder)).toBe(true);
    setAge(journal, 25);
    expect(isUnderWay(folder)).toBe(true);
    setAge(journal, 31);
    expect(isUnderWay(folder)).toBe(false);
    setAge(journal, 0);
    writeFileSync(manifest, '{}');
    expect(isUnderWay(folder)).toBe(false);
    expect(isUnderWay(runWith(journalLines(3)).folder)).toBe(false);
  });

  it('is one whose lock belongs to a living process', () => {
    const { folder, journal, manifest } = runWith(begun);
    setAge(journal, 3600);
    const lock = lockRun(folder);
    writeFileSync(manifest, '{}');
    expect([isUnderWay(folder), isLocked(folder), processOf(folder)]).toEqual([true, true, process.pid]);
    lock.release();
    expect([isUnderWay(folder), isLocked(folder), processOf(folder)]).toEqual([false, false, undefined]);
    const written = (text: string) => {
      writeFileSync(join(folder, 'run.lock'), text);
      return [isUnderWay(folder), isLocked(folder), processOf(folder)];
    };
    expect(written(`${process.ppid} ${hostname()}\n`)).toEqual([true, true, process.ppid]);
    expect(written(`${NO_PROCESS} ${hostname()}\n`)).toEqual([false, false, undefined]);
    expect(written(`0 ${hostname()}\n`)).toEqual([false, false, undefined]);
    expect(written(`1.5 ${hostname()}\n`)).toEqual([false, false, undefined]);
    expect(written(`${NO_PROCESS} elsewhere\n`)).toEqual([true, true, undefined]);
    expect(written('')).toEqual([false, false, undefined]);
    // This process did not create the lock, so its process id belongs to an earlier process.
    expect(written(`${process.pid} ${hostname()}\n`)[2]).toBeUndefined();
    const ended = runWith(journalLines(3)).folder;
    const own = lockRun(ended);
    expect(isUnderWay(ended)).toBe(false);
    own.release();
  });
});

describe('the journal of a run', () => {
  it('is unchanged if it is not newer than its manifest, or has the recorded hash', () => {
    const { folder, journal, manifest } = runWith(journalLines(2));
    expect(journalState(folder)).toBe('unknown');
    const sha256 = sha256OfFile(journal);
    expect(journalHashes(folder)).toEqual({ now: sha256, written: undefined });
    for (const text of ['{', '{}', '{"journal": {"sha256": 5}}']) {
      writeFileSync(manifest, text);
      expect(journalState(folder)).toBe('unknown');
    }
    writeFileSync(manifest, '{"journal": {"sha256": "other"}}');
    const time = Date.now() / 1000 - 60;
    for (const file of [journal, manifest]) utimesSync(file, time, time);
    expect(journalState(folder)).toBe('as written');
    utimesSync(journal, time + 1, time + 1);
    expect(journalState(folder)).toBe('changed');
    expect(journalHashes(folder)).toEqual({ now: sha256, written: 'other' });
    writeFileSync(manifest, JSON.stringify({ journal: { sha256 } }));
    utimesSync(manifest, time, time);
    expect(journalState(folder)).toBe('as written');
    writeJournal(folder, journalLines(3));
    expect(journalState(folder)).toBe('changed');
  });

  it('states its results in its first and last lines', () => {
    const [started, ...lines] = journalLines(12) as [Line, ...Line[]];
    expect(journalEnds(runWith([started, ...lines]).journal)).toEqual({
      ...{ strategy: 'by-hand', symbols: ['AAA'], planned: 12, bars: 12, firstBar: '2024-01-01' },
      ...{ lastBar: '2024-01-12', equity: '1011', totalReturn: 1011 / 1000 - 1, openDoors: [] },
      ...{ outcome: 'completed', opening: started },
    });
    const { opening: _, ...begun } = journalEnds(runWith([started]).journal);
    expect(begun).toEqual({
      ...{ strategy: 'by-hand', symbols: ['AAA'], planned: 12, bars: 0, firstBar: '', lastBar: '' },
      ...{ equity: '', totalReturn: null, openDoors: [], outcome: '' },
    });
    const empty = { ...begun, strategy: '', symbols: [], planned: 0, opening: undefined };
    expect(journalEnds(runWith([]).journal)).toEqual(empty);
    expect(journalEnds(runWith([barLine(0)]).journal)).toEqual({
      ...{ ...empty, bars: 1, firstBar: '2024-01-01', lastBar: '2024-01-01', equity: '1000' },
      totalReturn: null,
    });
    const odd = { ...started, strategy: 5, settings: null, symbols: 'AAA', bars: 'many' };
    expect(journalEnds(runWith([odd]).journal)).toMatchObject({ strategy: '', symbols: [], planned: 0 });
  });
});
