import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveRuns } from '../../../test/support/served-runs.ts';
import { VERDICT_WORDS } from '../../results/analysis/index.ts';
import { Board, type BoardData } from './board.ts';
import { VERDICTS } from './client/row.ts';
import { RunStore } from './run-store.ts';

const served = serveRuns();
const { addRun, finishedRun, ask, token } = served;

function board(): Board {
  return new Board(new RunStore(served.root));
}

const folder = (...parts: string[]): string => {
  const made = join(served.root, ...parts);
  mkdirSync(made, { recursive: true });
  return made;
};

describe('the board', () => {
  it('sends only changes to a page that is up to date', async () => {
    const own = board();
    const { since, rows } = own.all();
    expect(rows.map(({ runId }) => runId)).toEqual(['second', 'first']);
    const look = own.follow(since);
    expect((await look()).events).toEqual([]);
    addRun('third');
    rmSync(join(served.root, 'second'), { recursive: true });
    own.all();
    const [event] = (await look()).events;
    expect((event!.data as BoardData).rows.map(({ runId }) => runId)).toEqual(['third']);
    expect(event!.data).toMatchObject({ gone: ['second'], isWhole: false });
    expect((await look()).events).toEqual([]);
    // A revision from an earlier start of the server is unknown, so the page gets all rows.
    const [all] = (await own.follow('other.7')()).events;
    expect(all!.data).toMatchObject({ isWhole: true });
    expect((all!.data as BoardData).rows).toHaveLength(2);
  });

  it('returns the same row while nothing about it changes', () => {
    const own = board();
    const before = own.all().rows;
    expect(own.all().rows.every((row, place) => row === before[place])).toBe(true);
  });

  it('numbers runs of a group if nothing differs, the oldest first', () => {
    const names = () =>
      new Map(
        board()
          .all()
          .rows.map(({ runId, name }) => [runId, name]),
      );
    expect([...names()]).toEqual([
      ['second', expect.stringMatching(/ \(2\)$/)],
      ['first', expect.not.stringMatching(/\(\d\)$/)],
    ]);
    addRun('third');
    expect(names().get('second')).toMatch(/ \(2\)$/);
  });

  it('reports problems of unreadable runs, and only the name of unknown folders', () => {
    // A recent journal without a lock could be in use by another machine, so the file is made old.
    utimesSync(addRun('empty', []), 1, 1);
    writeFileSync(join(folder('garbage'), 'journal.jsonl'), 'garbage\n');
    utimesSync(join(served.root, 'garbage', 'journal.jsonl'), 1, 1);
    folder('other');
    writeFileSync(join(folder('half'), 'sweep-manifest.json'), '{"half');
    writeFileSync(join(folder('stopped'), 'study-manifest.json'), '{"arms": [{}, {}], "runs": 4}');
    writeFileSync(join(folder('wrong'), 'study-manifest.json'), '{}');
    writeFileSync(join(folder('wrong'), 'study.json'), '{}');
    symlinkSync(served.outside, join(served.root, 'link'));
    const { rows, research, skipped } = board().all();
    const problems = new Map([
      ...rows.map(({ runId, problem }) => [runId, problem] as const),
      ...research.map(({ name, problem }) => [name, problem] as const),
    ]);
    expect(problems.get('empty')).toContain('Its journal is empty');
    expect(problems.get('garbage')).toContain('line 1 is not a journal event');
    expect(problems.get('stopped')).toContain('Continue it with sandtable study --resume');
    expect(research.find(({ name }) => name === 'stopped')).toMatchObject({
      state: 'stopped',
      done: 0,
      planned: 4,
    });
    expect(problems.get('wrong')).toContain('wrong does not contain a finished study');
    expect(research.find(({ name }) => name === 'wrong')?.state).toBe('damaged');
    expect([...problems.values()].join()).not.toContain(served.outside);
    expect(problems.get('half')).toContain('sweep-manifest.json is damaged');
    expect(skipped).toEqual(['other']);
  });

  it('lists the other runs if a folder cannot be read', async () => {
    const journal = addRun('locked');
    chmodSync(journal, 0);
    const { status, text } = await ask('/api/runs');
    expect(status).toBe(200);
    expect(text).toContain('"first"');
    expect(text).toContain('"locked"');
    chmodSync(journal, 0o600);
  });

  it('shows a run inside a study by its path, but cannot delete it or leave the folder by this path', async () => {
    finishedRun('study/runs/arm/window/sample-1');
    writeFileSync(join(served.root, 'study', 'study-manifest.json'), '{"runs": 1, "arms": [{}]}');
    symlinkSync(join(served.root, 'first'), join(served.root, 'study', 'runs', 'link'));
    const [row] = board().all().research;
    const run = row!.inside[0]!.rows[0]!.run!;
    expect(run).toBe('study/runs/arm/window/sample-1');
    const path = (name: string): string => `/runs/${encodeURIComponent(name)}/report`;
    expect((await ask(path(run))).status).toBe(200);
    const deleted = await ask(`/api/runs/${encodeURIComponent(run)}`, { method: 'DELETE', headers: token() });
    expect(deleted.status).toBe(500);
    expect(deleted.text).toContain('part of the study');
    for (const bad of [
      '../runs/first',
      'study/../first',
      'study/./runs/arm/window/sample-1',
      'study/runs/link',
      'study//runs/arm/window/sample-1',
      '/first',
      'first/',
      'study\\runs',
      'a/b/c/d/e/f',
      'first/.',
    ])
      expect([bad, (await ask(path(bad))).status]).toEqual([bad, 404]);
  });

  it('draws the equity of a run from its table, or from the journal of a running run', async () => {
    finishedRun('drawn');
    const lines = Array.from({ length: 5_000 }, (_, bar) => `${bar},2020-01-01,0,${1000 + bar},0,0`);
    writeFileSync(
      join(served.root, 'drawn', 'equity.csv'),
      ['bar,date,cash,equity,drawdown,exposure', ...lines, ''].join('\n'),
    );
    const { text } = await ask('/api/curves?run=drawn&run=first&run=..%2Fdrawn');
    const curves = JSON.parse(text) as Record<string, number[] | null>;
    expect(curves.drawn!.length).toBeGreaterThan(50);
    expect(curves.drawn!.at(-1)).toBe(5_999);
    expect(curves.drawn!.every((value, at, all) => at === 0 || value >= all[at - 1]!)).toBe(true);
    expect(curves['../drawn']).toBeNull();
    // A run without `equity.csv` is active or was killed. Its curve is read from its journal.
    expect(curves.first).toEqual([1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009]);
  });
});

it('calls each verdict in the list as in the report', () => {
  expect(VERDICTS).toEqual(VERDICT_WORDS);
});
