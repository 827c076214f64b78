import { describe, expect, it } from 'vitest';
import type { TrialTask } from '../sweep/executor.ts';
import { readObjective } from '../sweep/objective.ts';
import { crossValidate, cutsOf, readCrossValidation, spansOf } from './cross-validate.ts';
import { validateGroups } from './validate-groups.ts';

const DAY = 86_400_000;
const clock = Float64Array.from({ length: 30 }, (_, day) => Date.UTC(2020, 0, 1) + day * DAY);
const crossValidation = readCrossValidation('cpcv:groups=3,test=1,embargo=2d');
const cuts = cutsOf(crossValidation, clock);
const BLOCKS = cuts.edges.length + 1;

const tried = (id: number, objective: number | null, share = 1) => ({
  ...{ trial: { id: `t${id}`, parameters: { n: id } }, objective, share },
  result: { figures: { periodsPerYear: 4 } },
});

/**
 * Simulated result of trial `n` in a group. Block `b` of the group has `b` + 3 sessions, or `own.count`
 * sessions if given.
 */
function resultOf(n: number, group: number, own: { figures?: object | null; count?: number } = {}) {
  const of = (value: (block: number) => number) =>
    Array.from({ length: BLOCKS }, (_, block) =>
      cuts.groups[group]!.all.includes(block) ? value(block) : 0,
    );
  return {
    figures: own.figures === undefined ? {} : own.figures,
    blocks: {
      count: of((block) => own.count ?? block + 3),
      sum: of((block) => n * Math.sin(block + 1)),
      squares: of((block) => 50 + n * block),
    },
    parts: [0, 1, 2, 3].map((part) => (part === 3 && group === 0 ? null : { cagr: n + part / 10 + group })),
  };
}

async function run(
  objective: string,
  given: readonly object[],
  results: (n: number, group: number) => object,
  own: object = {},
) {
  let tasks: TrialTask[] = [];
  const found = await validateGroups(
    {
      ...{ crossValidation, cuts, objective: readObjective(objective), files: { market: { clock } } },
      ground: { strategy: 's', data: [], settings: {} },
      ...own,
    } as never,
    { tried: given } as never,
    {
      run(all: TrialTask[]) {
        tasks = all;
        return Promise.resolve(all.map(({ trial }, at) => results(Number(trial.parameters.n), at % 3)));
      },
    } as never,
  );
  return { found, tasks };
}

describe('the cross-validation of a sweep', () => {
  it('runs each rated trial on each group, closes its position, and joins the results', async () => {
    const given = [tried(1, 0.5), tried(2, null), tried(3, 0.7), tried(4, 9, 1 / 3)];
    const { found, tasks } = await run('cagr', given, (n, group) => resultOf(n, group));
    expect(tasks.map(({ trial }) => trial.parameters.n)).toEqual([1, 1, 1, 3, 3, 3]);
    expect(tasks.slice(0, 3).map(({ trial }) => trial.period)).toEqual([
      { from: '2020-01-01', to: '2020-01-10', closeAtEnd: true },
      { from: '2020-01-01', to: '2020-01-20', evaluateFrom: '2020-01-11', closeAtEnd: true },
      { from: '2020-01-01', to: '2020-01-30', evaluateFrom: '2020-01-21', closeAtEnd: true },
    ]);
    const spans = spansOf(cuts);
    for (const [at, { edges, parts }] of tasks.entries()) {
      expect(edges).toEqual(cuts.edges);
      expect(parts).toEqual({ spans: spans.slice(4 * (at % 3), 4 * (at % 3) + 4), figures: ['cagr'] });
    }
    const trials = [1, 3].map((n) => {
      const groups = [0, 1, 2].map((group) => resultOf(n, group));
      const total = (name: 'count' | 'sum' | 'squares') =>
        Array.from({ length: BLOCKS }, (_, block) =>
          groups.reduce((sum, one) => sum + one.blocks[name][block]!, 0),
        );
      const blocks = { count: total('count'), sum: total('sum'), squares: total('squares') };
      const parts = groups.flatMap((one) => one.parts.map((figures) => figures?.cagr ?? null));
      return { id: `t${n}`, parameters: { n }, blocks, parts };
    });
    const expected = crossValidate(crossValidation, cuts, trials, 4, readObjective('cagr'));
    const { id: _, ...first } = found!.splits[0]!;
    expect(found).toMatchObject({
      ...expected,
      splits: expected.splits.map(({ id: __, ...split }) => split),
    });
    expect(first.parameters).toEqual({ n: 3 });
    expect(found!.windows.map(({ historyBars }) => historyBars)).toEqual([0, 10, 20]);
  });

  it('needs no objective of parts for the Sharpe ratio', async () => {
    const { found, tasks } = await run(' sharpe ', [tried(1, 0.5)], (n, group) => ({
      ...resultOf(n, group),
      parts: undefined,
    }));
    expect(tasks.every(({ parts }) => parts === undefined)).toBe(true);
    expect(found!.by).toContain('Sharpe');
  });

  it('omits trials that fail in a group, and counts the sessions of a trial that ended early', async () => {
    const failing = await run('cagr', [tried(1, 0.5), tried(3, 0.4)], (n, group) =>
      resultOf(n, group, n === 3 && group === 1 ? { figures: null } : {}),
    );
    expect(new Set(failing.found!.splits.map(({ parameters }) => parameters.n))).toEqual(new Set([1]));
    const all = await run('cagr', [tried(1, 0.5)], (n, group) => resultOf(n, group, { figures: null }));
    expect(all.found).toBeNull();
    // Trial 3 ends early in group 2, so its blocks there have one session. If trial 1 is validated as well,
    // both trials use the larger session counts of trial 1. The trials then have equal Sharpe ratios.
    const noParts = (n: number, group: number) => ({
      ...resultOf(1, group, n === 3 && group === 2 ? { count: 1 } : {}),
      parts: undefined,
    });
    const short = await run('sharpe', [tried(3, 0.5)], noParts);
    const both = await run('sharpe', [tried(3, 0.5), tried(1, 0.4)], noParts);
    const alone = await run('sharpe', [tried(1, 0.5)], noParts);
    expect(both.found!.paths).toEqual(alone.found!.paths);
    expect(short.found!.paths).not.toEqual(alone.found!.paths);
  });

  it('has no result without its terms, without a rated trial, and after a stop', async () => {
    const results = (n: number, group: number) => resultOf(n, group);
    expect((await run('cagr', [tried(1, 1)], results, { crossValidation: undefined })).found).toBeNull();
    expect((await run('cagr', [tried(1, 1)], results, { cuts: undefined })).found).toBeNull();
    expect((await run('cagr', [tried(1, null), tried(2, 1, 1 / 3)], results)).found).toBeNull();
    const stopped = await validateGroups(
      {
        crossValidation,
        cuts,
        objective: readObjective('cagr'),
        files: { market: { clock } },
        ground: {},
      } as never,
      { tried: [tried(1, 1)] } as never,
      { run: () => Promise.resolve(undefined) } as never,
    );
    expect(stopped).toBeUndefined();
  });
});
