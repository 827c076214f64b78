import { describe, expect, it } from 'vitest';
import { SHARED_BUDGET_SPENT } from '../../agents/index.ts';
import type { TrialResult, TrialTask } from './executor.ts';
import { type Period, trialOf } from './figures.ts';
import { readObjective } from './objective.ts';
import { TrialRunner } from './trial-runner.ts';

const GROUND = { strategy: 's', data: ['d'], settings: {} };
const PERIOD: Period = { from: '2020-01-01', to: '2020-12-31' };
const halved = (period: Period, share: number): Period => ({ ...period, to: `first ${share}` });
const trial = (n: number, period = PERIOD) => trialOf(GROUND, { n }, period);

interface Given {
  /** Batches of the search: points and shares of the bars. */
  readonly batches?: readonly (readonly (readonly [n: number, share: number])[])[];
  readonly minimise?: boolean;
  /** Result of a trial. */
  readonly result?: (task: TrialTask) => Partial<TrialResult> | undefined;
  readonly stored?: readonly TrialResult[];
}

/** Creates a runner over a simulated search. Combinations with a negative `n` are refused. */
function runnerOf({ batches = [], minimise = false, result, stored = [] }: Given) {
  const [scores, counts, ran]: [unknown[], number[], TrialTask[]] = [[], [], []];
  const known = new Map(stored.map((one) => [one.id, one]));
  const stop = new AbortController();
  let seen: AbortSignal | undefined;
  const runner = new TrialRunner(
    {
      ground: GROUND,
      objective: readObjective('sharpe', { minimise, constraints: ['tradeCount > 0'] }),
      accepts: (point: { n: number }) => Promise.resolve(point.n >= 0),
      search: () => ({
        next(given: readonly unknown[]) {
          scores.push([...given]);
          return (batches[scores.length - 1] ?? []).map(([n, share]) => ({ point: { n }, share }));
        },
      }),
    } as never,
    {
      async *run(tasks, signal) {
        seen = signal;
        for (const task of tasks) {
          ran.push(task);
          const own = result?.(task) ?? {
            figures: { sharpe: Number(task.trial.parameters.n), tradeCount: 1 },
          };
          yield { id: task.trial.id, outcome: 'completed', figures: null, seconds: 1, ...own } as TrialResult;
        }
      },
      close: () => Promise.resolve(),
    },
    { get: (id: string) => known.get(id), add: (one: TrialResult) => known.set(one.id, one) } as never,
    { signal: stop.signal, onDone: (done) => counts.push(done) },
  );
  return { runner, scores, counts, ran, stop, signal: () => seen };
}

describe('a search', () => {
  it('returns every tried combination, and reports scores to the next batch', async () => {
    const { runner, scores, ran } = runnerOf({
      batches: [
        [
          [1, 0.5],
          [-1, 1],
          [3, 1],
        ],
        [[2, 1]],
      ],
    });
    const wish = { edges: [5] };
    const end = await runner.search(PERIOD, wish, halved);
    const short = trial(1, { ...PERIOD, to: 'first 0.5' });
    expect(ran).toEqual([short, trial(3), trial(2)].map((one) => ({ trial: one, ...wish })));
    expect(end!.refused).toBe(1);
    expect(end!.tried.map(({ trial: own, objective, share }) => [own, objective, share])).toEqual([
      [short, 1, 0.5],
      [trial(3), 3, 1],
      [trial(2), 2, 1],
    ]);
    expect(end!.best).toBe(end!.tried[1]);
    const first = [
      { point: { n: 1 }, share: 0.5, score: 1 },
      { point: { n: -1 }, share: 1, score: null },
      { point: { n: 3 }, share: 1, score: 3 },
    ];
    expect(scores).toEqual([[], first, [...first, { point: { n: 2 }, share: 1, score: 2 }]]);
    expect(runner.trials.map(({ id }) => id)).toEqual([short, trial(3), trial(2)].map(({ id }) => id));
  });

  it('finds the smallest objective if it is minimised', async () => {
    const { runner, scores } = runnerOf({
      batches: [
        [
          [3, 1],
          [2, 1],
          [4, 1],
        ],
      ],
      minimise: true,
    });
    const end = await runner.search(PERIOD, {}, halved);
    expect(end!.best?.trial.parameters.n).toBe(2);
    expect(scores[1]).toMatchObject([{ score: -3 }, { score: -2 }, { score: -4 }]);
  });

  it('selects the first of equally good combinations, and only one that ran on all bars', async () => {
    const result = ({ trial: { parameters } }: TrialTask) => ({
      figures: { sharpe: parameters.n === 9 ? 8 : 5, tradeCount: parameters.n === 8 ? 0 : 1 },
    });
    const { runner } = runnerOf({
      batches: [
        [
          [9, 0.5],
          [8, 1],
          [1, 1],
          [2, 1],
        ],
      ],
      result,
    });
    const end = await runner.search(PERIOD, {}, halved);
    expect(end!.tried.map(({ objective }) => objective)).toEqual([8, null, 5, 5]);
    expect(end!.best?.trial.parameters.n).toBe(1);
  });

  it('has no best combination if none has a result', async () => {
    const { runner, scores } = runnerOf({ batches: [[[1, 1]]], result: () => ({ figures: null }) });
    const end = await runner.search(PERIOD, {}, halved);
    expect(end).toMatchObject({ refused: 0, best: undefined, tried: [{ objective: null, share: 1 }] });
    expect(scores[1]).toEqual([{ point: { n: 1 }, share: 1, score: null }]);
  });
});

describe('the tasks of a runner', () => {
  const full = { figures: { sharpe: 1 }, blocks: {}, curve: {}, summary: {}, parts: [] };
  const stored = (own: object): TrialResult =>
    ({ id: trial(1).id, outcome: 'completed', seconds: 0, ...own }) as unknown as TrialResult;
  const parts = { spans: [], figures: [] };

  it.each([
    ['nothing', {}, { figures: { sharpe: 1 } }, true],
    ['blocks', { edges: [] }, full, true],
    ['blocks', { edges: [] }, { ...full, blocks: undefined }, false],
    ['blocks of an undefined Sharpe ratio', { edges: [] }, { figures: { sharpe: null } }, true],
    ['a curve', { curve: true }, full, true],
    ['a curve', { curve: true }, { ...full, curve: undefined }, false],
    ['no curve', { curve: false }, { ...full, curve: undefined }, true],
    ['parts', { parts }, full, true],
    ['parts', { parts }, { ...full, parts: undefined }, false],
    ['a summary', { summary: true }, full, true],
    ['a summary', { summary: true }, { ...full, summary: undefined }, false],
    ['no summary', { summary: false }, { ...full, summary: undefined }, true],
    [
      'everything of a failed trial',
      { edges: [], curve: true, parts, summary: true },
      { figures: null },
      true,
    ],
  ])('that request %s run only if the stored result lacks it: %j, %j', async (_, wish, own, isKnown) => {
    const { runner, ran, counts } = runnerOf({ stored: [stored(own)] });
    const results = await runner.run([{ trial: trial(1), ...wish }]);
    expect(ran).toHaveLength(isKnown ? 0 : 1);
    expect(results).toHaveLength(1);
    expect(counts).toEqual(isKnown ? [1] : [0, 1]);
  });

  it('have results in the order of the tasks, and each trial counts once', async () => {
    const { runner, counts, ran } = runnerOf({});
    const tasks = [2, 1, 2].map((n) => ({ trial: trial(n) }));
    const results = await runner.run(tasks);
    expect(results!.map(({ figures }) => figures!.sharpe)).toEqual([2, 1, 2]);
    expect(ran).toHaveLength(2);
    expect(counts).toEqual([0, 1, 2]);
    await runner.run([{ trial: trial(1) }, { trial: trial(3) }]);
    expect(counts.slice(3)).toEqual([2, 3]);
  });

  it('have no results if the run was stopped', async () => {
    const { runner, stop, signal } = runnerOf({ result: () => ({ id: 'other' }) });
    expect(await runner.run([{ trial: trial(1) }])).toBeUndefined();
    expect(signal()!.aborted).toBe(false);
    stop.abort();
    expect(signal()!.aborted).toBe(true);
    const search = runnerOf({ batches: [[[1, 1]]], result: () => ({ id: 'other' }) });
    expect(await search.runner.search(PERIOD, {}, halved)).toBeUndefined();
  });

  it('stop when the shared budget is exhausted, and finished trials are stored', async () => {
    const spent = (message: string) => ({ error: { code: SHARED_BUDGET_SPENT, message } });
    const { runner, counts, signal } = runnerOf({
      result: ({ trial: { parameters } }) => (parameters.n === 2 ? undefined : spent(`at ${parameters.n}`)),
    });
    await expect(runner.run([1, 2, 3].map((n) => ({ trial: trial(n) })))).rejects.toThrow('at 1');
    expect(counts).toEqual([0, 1]);
    expect(signal()!.aborted).toBe(true);
  });
});
