import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf } from '../../../../test/support/error-of.ts';
import { runRecord } from '../../../../test/support/records.ts';
import { summarise } from '../../analysis/index.ts';
import { queryRuns } from '../query/query.ts';
import { hasStudies, isStudyFolder, listStudies, readStudy, studyFolderName } from './study-store.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-studies-'));
afterAll(() => rmSync(root, { recursive: true }));

const estimate = (mean: number | null, low: number | null = null, high: number | null = null) => ({
  ...{ mean, low, high, runs: 4, over: null },
});
const figures = (first: number) => ({
  ...{ totalReturn: estimate(first, first - 1, first + 1), sharpe: estimate(first + 2) },
  ...{ maxDrawdown: estimate(first + 3), tradeCount: estimate(first + 4) },
  ...{ exposure: estimate(null), turnover: estimate(null) },
});
const beside = {
  ...{ sessions: 9, totalReturn: 0, holdReturn: 0, excess: 0, alpha: 0.11, beta: 1, sharpe: 1, psr: 0.22 },
};
const arm = {
  ...{
    name: 'a b',
    strategy: 's',
    kind: 'llm',
    model: 'm',
    tools: 't',
    mask: 'names',
    samples: 2,
    failures: [],
  },
  ...{ gaps: ['w 1', 'w2'], figures: figures(10), excess: estimate(0.5, 0.4, 0.6), beside, windows: [] },
  agreement: { mean: 1, floor: 0, aboveFloor: 0.33, entropy: 0, mostEntropy: 1, bars: 2 },
  random: {
    ...{ draws: 99, mean: 0, percentile: 0.44, p: 0.05, pHolm: 0.55, tradeCount: 3, exposure: null },
    ...{ ownTradeCount: 3, ownExposure: 0.5 },
  },
  ...{ costs: null, cutoff: null, usage: { requests: 7, tokens: 8, cost: 0.9, served: [] } },
};
const { excess: _, ...least } = arm;
const plain = {
  ...{ ...least, name: 'plain', model: null, tools: null, gaps: [], beside: null, agreement: null },
  ...{ random: null, usage: null, figures: figures(30) },
};
const audited = (state: string) => ({ test: 't', source: 's', state, figure: '', why: '' });
const report = {
  ...{ schema: 1, name: 'study one', version: '1', seed: 0, symbols: ['A'], data: [], periodsPerYear: 252 },
  windows: ['w 1', 'w2'].map((name) => ({ name, from: '2024', to: '2025', sessions: 3, memory: null })),
  arms: [arm, plain],
  baselines: [{ name: 'hold', text: '', figures: figures(20), excess: estimate(1, 2, 3), beside }],
  comparisons: [
    {
      ...{ a: 'a b', b: 'plain', kind: 'tools', estimate: 1, low: 2, high: 3, p: 0.1, pHolm: 0.2 },
      ...{ pWindows: 0.3, sessions: 50 },
    },
  ],
  ...{ probes: [], counterfactuals: [], notes: [] },
  audit: [
    { arm: 'a b', answers: ['passed', 'failed', 'passed', 'not testable', 'passed', 'failed'].map(audited) },
  ],
};

function writeStudy(store: string, name: string, content: object | undefined): string {
  const folder = join(store, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'study-manifest.json'), '{}');
  if (content !== undefined) writeFileSync(join(folder, 'study.json'), JSON.stringify(content));
  return folder;
}

describe('the studies of a results folder', () => {
  const store = join(root, 'listed');
  const one = writeStudy(store, 'one', report);
  writeStudy(store, 'unfinished', undefined);
  writeStudy(store, 'a-second', { ...report, name: 'second' });
  mkdirSync(join(store, 'run'));

  it('are listed by name, with unfinished studies in a separate list', () => {
    const steps: (readonly number[])[] = [];
    const { studies, unreadable } = listStudies(store, (...step) => steps.push(step));
    expect(studies.map(({ studyId, folder, report: { name } }) => [studyId, folder, name])).toEqual([
      ['a-second', join(store, 'a-second'), 'second'],
      ['one', one, 'study one'],
    ]);
    expect(unreadable).toEqual(['unfinished']);
    expect(steps).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    expect([hasStudies(store), hasStudies(one)]).toEqual([true, false]);
    expect([isStudyFolder(one), isStudyFolder(join(store, 'run'))]).toEqual([true, false]);
    expect(listStudies(one)).toEqual({ studies: [], unreadable: [] });
  });

  it('report a folder without a finished study', () => {
    expect(readStudy(one).arms[1]).toMatchObject({ name: 'plain', calibration: null });
    const error = errorOf(() => readStudy(join(store, 'unfinished')));
    expect(error.code).toBe('not_a_study');
    expect(error.message).toContain('does not contain a finished study');
  });

  it('have folder names without special characters', () => {
    expect(studyFolderName('gpt-5 / tools: all.txt_')).toBe('gpt-5-tools-all.txt_');
  });
});

describe('the tables of studies', () => {
  const store = join(root, 'queried');
  const study = writeStudy(store, 's1', report);
  const sample = (number: number, total?: number): string => {
    const folder = join(study, 'runs', 'a-b', 'w-1', `sample-${number}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'journal.jsonl'), '');
    if (total === undefined) return folder;
    const record = runRecord({ equity: [100, total, 100], trades: [{ netPnl: '1' }] });
    writeFileSync(join(folder, 'summary.json'), JSON.stringify(summarise(record, { runId: 'x' })));
    return folder;
  };
  const [first, tenth] = [sample(1, 80), sample(10)];
  const rowsOf = async (sql: string) => (await queryRuns(store, sql)).rows;

  it('have a row for each arm and baseline', async () => {
    expect(await rowsOf('select * from arms')).toEqual([
      [
        ...[
          's1',
          'study one',
          'a b',
          'llm',
          'm',
          't',
          'names',
          'w 1 w2',
          4,
          10,
          9,
          11,
          0.5,
          0.4,
          0.6,
          12,
          13,
          14,
        ],
        ...[0.11, 0.22, 0.44, 0.55, 0.33, null, null, 7, 8, 0.9, 3, 2, 1],
      ],
      [
        ...[
          's1',
          'study one',
          'plain',
          'llm',
          null,
          null,
          'names',
          '',
          4,
          30,
          29,
          31,
          null,
          null,
          null,
          32,
          33,
          34,
        ],
        ...[null, null, null, null, null, null, null, null, null, null, null, null, null],
      ],
      [
        ...[
          's1',
          'study one',
          'hold',
          'baseline',
          null,
          null,
          'none',
          '',
          4,
          20,
          19,
          21,
          1,
          2,
          3,
          22,
          23,
          24,
        ],
        ...[0.11, 0.22, null, null, null, null, null, null, null, null, null, null, null],
      ],
    ]);
    const { columns } = await queryRuns(store, 'select * from arms');
    expect(columns.slice(18)).toEqual([
      ...['alpha', 'psr', 'randomPercentile', 'randomP', 'agreement', 'brier', 'skill', 'requests'],
      ...['tokens', 'cost', 'passed', 'failed', 'untestable'],
    ]);
  });

  it('have a row for each comparison and each run', async () => {
    expect(await rowsOf('select * from comparisons')).toEqual([
      ['s1', 'study one', 'a b', 'plain', 'tools', 1, 2, 3, 0.1, 0.2, 50, 0.3],
    ]);
    expect(await rowsOf('select * from study_runs order by sample')).toEqual([
      ['s1', 'a b', 'w 1', 1, 'completed', first, 0, expect.any(Number), expect.closeTo(-0.2, 12), 1],
      ['s1', 'a b', 'w 1', 10, null, tenth, null, null, null, null],
    ]);
  });
});
