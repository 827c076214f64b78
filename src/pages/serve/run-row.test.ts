import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { journalLines, writeJournal } from '../../../test/support/journal.ts';
import { runRecord } from '../../../test/support/records.ts';
import { summarise } from '../../results/analysis/index.ts';
import { isFile, isFolder, jsonIn, LinesDone, readFacts, runsIn, runsInside, stampOf } from './run-facts.ts';
import { factsOfSummary, isSameRow, listedSummary, madeOf, type RunRow } from './run-row.ts';
import { earlierTags, notesIn, writeNotes } from './tags.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-rows-'));
afterAll(() => rmSync(root, { recursive: true }));
const fresh = (): string => mkdtempSync(join(root, 'folder-'));
const summary = summarise(runRecord({ equity: [100, 110], trades: [{ netPnl: '1' }] }), { runId: 'r' });

describe('the row of a run', () => {
  const made = { made: new Map([['fast', '5']]), parameters: 'fast 5' };

  it('contains the figures of the summary', () => {
    expect(factsOfSummary(summary, made, 'completed')).toEqual({
      ...{
        strategy: 'test',
        symbols: ['AAA'],
        ...made,
        state: 'completed',
        problem: '',
        verdict: summary.verdict.state,
      },
      ...{
        alarms: summary.alarms.map(({ problem }) => problem),
        openDoors: summary.openDoors,
        firstBar: '2024-01-01',
      },
      ...{ lastBar: '2024-01-02', bars: 2, planned: 2, equity: '110', totalReturn: expect.closeTo(0.1, 12) },
      ...{ sharpe: null, maxDrawdown: 0, tradeCount: 1, modelCost: null },
    });
    const model = {
      ...summary,
      model: { cost: '1.5' },
      firstBar: null,
      lastBar: null,
    } as unknown as typeof summary;
    expect(factsOfSummary(model, made, 'killed', 9)).toMatchObject({
      modelCost: 1.5,
      firstBar: '',
      lastBar: '',
      planned: 9,
    });
    const unknown = { ...summary, model: { cost: null } } as unknown as typeof summary;
    expect(factsOfSummary(unknown, made, 'killed').modelCost).toBeNull();
    const verdictOf = (state: string, damage: string) =>
      factsOfSummary(
        { ...summary, verdict: { state, because: [] } } as unknown as typeof summary,
        made,
        damage,
      ).verdict;
    expect([
      verdictOf('better', 'damaged'),
      verdictOf('broke', 'damaged'),
      verdictOf('better', 'killed'),
    ]).toEqual([...['incomplete', 'broke', 'better']]);
  });

  it('contains the parameters and settings by name', () => {
    const opening = {
      strategy: { parameters: { fast: 5, on: true } },
      settings: { cash: '9', risk: { max: 1 } },
    };
    const { made: all, parameters } = madeOf(opening, ['m']);
    expect(parameters).toBe('fast 5, on true, model m');
    expect([...all]).toEqual([
      ...[
        ['fast', '5'],
        ['on', 'true'],
        ['model', 'm'],
        ['currency', 'USD'],
        ['mark', 'close'],
        ['cash', '9'],
      ],
      ['risk.max', '1'],
    ]);
    expect(madeOf(undefined, ['m'])).toEqual({ made: new Map(), parameters: '' });
    expect(madeOf({ strategy: { parameters: 5 } }, []).parameters).toBe('');
  });

  it('accepts only a summary of this version', () => {
    expect(listedSummary(summary)).toMatchObject({ strategy: 'test', finalEquity: '110' });
    const { sharpe: _, ...less } = summary;
    for (const other of [less, { ...summary, later: 1 }, { ...summary, sharpe: 'x' }, 5, null])
      expect(listedSummary(other)).toBeUndefined();
  });

  it('counts as unchanged if its content is the same', () => {
    const row = { runId: 'r', tags: ['a'], sharpe: 1 } as unknown as RunRow;
    expect(isSameRow(row, { ...row, tags: ['a'] })).toBe(true);
    expect(isSameRow(row, { ...row, tags: ['b'] })).toBe(false);
    expect(isSameRow(row, { ...row, sharpe: 2 })).toBe(false);
  });
});

describe('the facts of a run folder', () => {
  it('come from the journal, and the problem of a killed run names the resume command', () => {
    const folder = fresh();
    writeJournal(folder, journalLines(4));
    expect(readFacts(folder, root)).toMatchObject({
      isUnderWay: false,
      facts: { state: 'completed', bars: 4, problem: '', planned: 4 },
    });
    writeJournal(folder, journalLines(4).slice(0, -1));
    expect(readFacts(folder, root)).toMatchObject({
      isUnderWay: true,
      facts: { state: 'running', bars: 4, equity: '1003' },
    });
    writeFileSync(join(folder, 'manifest.json'), '{"journal": {}, "strategy": {}, "data": {"sources": []}}');
    expect(readFacts(folder, root).facts).toMatchObject({
      ...{
        state: 'killed',
        problem: expect.stringMatching(/^Stopped before its end\. .*sandtable resume/),
      },
    });
    appendFileSync(join(folder, 'journal.jsonl'), '{"type":"bar","bar":4\n');
    const { facts } = readFacts(folder, root);
    expect([facts.state, facts.bars, facts.problem.includes(root)]).toEqual(['damaged', 4, false]);
    writeFileSync(join(folder, 'journal.jsonl'), '');
    expect(readFacts(folder, root).facts).toMatchObject({
      ...{ state: 'killed', bars: 0, problem: expect.stringMatching(/^Its journal is empty: /) },
    });
    writeFileSync(join(folder, 'journal.jsonl'), 'nothing\n');
    expect(readFacts(folder, root).facts).toMatchObject({
      state: 'damaged',
      strategy: '',
      problem: expect.any(String),
    });
    expect(() => readFacts(join(root, 'gone'), root)).toThrow('ENOENT');
  });

  it('have a stamp that changes with each of their files', () => {
    const folder = fresh();
    writeJournal(folder, journalLines(1));
    const stamps = [stampOf(folder).stamp];
    for (const name of ['manifest.json', 'summary.json', 'run.lock', 'notes.json']) {
      writeFileSync(join(folder, name), 'x');
      stamps.push(stampOf(folder).stamp);
    }
    expect(new Set(stamps).size).toBe(5);
    expect(stampOf(folder).changed).toBeGreaterThan(0);
  });
});

describe('the number of finished entries in a file', () => {
  it('counts distinct keys of whole lines as a file grows', () => {
    const [file, counter, pattern] = [join(fresh(), 'trials.jsonl'), new LinesDone(), /^\{"id":"([^"]+)"/];
    expect(counter.count(file, pattern)).toBe(0);
    writeFileSync(file, '{"id":"a"}\n{"id":"b"}\nother\n{"id":"c"');
    expect(counter.count(file, pattern)).toBe(2);
    appendFileSync(file, '}\n{"id":"a"}\n');
    expect(counter.count(file, pattern)).toBe(3);
    writeFileSync(file, '{"id":"z"}\n');
    expect(counter.count(file, pattern)).toBe(1);
    writeFileSync(file, `${'{"id":"long"}'.padEnd(1 << 20, ' ')}\n`);
    expect(new LinesDone().count(file, pattern)).toBe(0);
    writeFileSync(file, Array.from({ length: 60_000 }, (_, at) => `{"id":"trial-${at}-name"}\n`).join(''));
    expect(new LinesDone().count(file, pattern)).toBe(60_000);
  });
});

describe('the runs inside a folder', () => {
  it('are found four levels deep, sorted by number, and links are ignored', () => {
    const folder = fresh();
    const run = (path: string) => {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, 'journal.jsonl'), '');
      return join(folder, path);
    };
    const runs = ['a/b/c/d', 'runs/run-2', 'runs/run-10'].map(run);
    for (const path of ['a/b/c/e/f', '.hidden', 'runs/run-2/inner']) run(path);
    symlinkSync(runs[0]!, join(folder, 'link'));
    expect(runsIn(folder)).toEqual(runs);
    expect([
      isFolder(join(folder, 'link')),
      isFolder(folder),
      isFile(folder),
      isFile(join(folder, 'none')),
    ]).toEqual([...[false, true, false, false]]);
    writeFileSync(
      join(runs[1]!, 'summary.json'),
      JSON.stringify({ totalReturn: 0.1, sharpe: 1, maxDrawdown: -0.2, tradeCount: 1200 }),
    );
    const [inside] = runsInside(folder, 'Runs');
    expect(inside).toMatchObject({
      title: 'Runs',
      head: ['Run', 'Return', 'Sharpe', 'Max drawdown', 'Trades'],
      more: 0,
    });
    expect(inside!.rows[1]!.cells).toEqual(['run-2', '10.00%', '1.00', '−20.00%', '1,200']);
    expect(inside!.rows[0]!.cells).toEqual(['a/b/c/d', '–', '–', '–', '–']);
    expect(inside!.rows[1]!.run).toMatch(/^folder-\w+\/runs\/run-2$/);
    expect(runsInside(fresh(), 'Runs')).toEqual([]);
    for (let at = 0; at < 99; at++) run(`runs/more-${at}`);
    expect(runsInside(folder, 'Runs')[0]).toMatchObject({ more: 2, rows: { length: 100 } });
    symlinkSync(join(runs[1]!, 'summary.json'), join(folder, 'linked.json'));
    expect([jsonIn(folder, 'linked.json'), jsonIn(folder, 'none.json')]).toEqual([undefined, undefined]);
  });
});

describe('the tags of a run', () => {
  it('are stored without duplicates and surrounding spaces', () => {
    const folder = fresh();
    expect(notesIn(folder)).toBeUndefined();
    const given = { tags: [' a ', 'b', 'a'], notes: ' Good. ' };
    expect(writeNotes(folder, given)).toEqual({ tags: ['a', 'b'], notes: 'Good.' });
    expect(notesIn(folder)).toEqual({ tags: ['a', 'b'], notes: 'Good.' });
    expect(readFileSync(join(folder, 'notes.json'), 'utf8')).toMatch(/^\{\n {2}"tags"/);
    const most = {
      tags: Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(40, 'x')),
      notes: 'x'.repeat(4_000),
    };
    expect(writeNotes(folder, most)).toEqual(most);
    for (const bad of [
      ...[
        { ...most, tags: [...most.tags, 'y'] },
        { ...most, notes: 'x'.repeat(4_001) },
        { ...most, tags: ['x'.repeat(41)] },
      ],
      ...[{ ...most, tags: [' '] }, { tags: [] }, { ...most, more: 1 }],
    ])
      expect(errorOf(() => writeNotes(folder, bad)).code).toBe('bad_tags');
    const gone = join(root, 'missing');
    expect(errorOf(() => writeNotes(gone, given))).toMatchObject({ code: 'tags_unwritable', kind: 'run' });
    expect(existsSync(gone)).toBe(false);
  });

  it('are read from the file that earlier versions used for all runs', () => {
    const folder = fresh();
    expect(earlierTags(folder)).toEqual(new Map());
    writeFileSync(join(folder, '.sandtable-tags.json'), '{"r": ["a"]}');
    expect(earlierTags(folder)).toEqual(new Map([['r', ['a']]]));
    writeFileSync(join(folder, '.sandtable-tags.json'), '{"r": 5}');
    expect(earlierTags(folder)).toEqual(new Map());
  });
});
