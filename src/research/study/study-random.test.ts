import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import type { TrialResult, TrialTask } from '../sweep/executor.ts';
import { placedAtRandom } from './baselines.ts';
import { runRandomAgents } from './study-random.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const clock = Float64Array.from({ length: 40 }, (_, day) => START + day * DAY);
const WINDOWS = [
  { name: 'W1', from: '2020-01-06', to: '2020-01-15' },
  { name: 'W2', from: '2020-01-21', to: '2020-01-30' },
];
const ground = {
  settings: { leverage: '2', lot: '0.5', barTimes: 'start' },
  world: { files: { market: { clock, series: ['A', 'B'].map((symbol) => ({ symbol, time: clock })) } } },
};
const cell = (...places: (readonly [from: number, to: number])[]) => ({
  bars: 10,
  episodes: places.map(([from, to]) => ({ symbol: 'A', from, to, weight: 0.5 })),
});
const CELLS = [[cell([2, 4]), cell([1, 10])], [cell([5, 6], [7, 8])]];
const OFFSETS = [5, 20];

type Plan = { symbol: string; from: number; to: number; weight: number }[];

/** Simulated total return of the run with the id `draw:window/sample`. Each further draw adds 0.01. */
const returnOf = (id: string): number => {
  const [draw, place] = id.split(':');
  return Number(draw) / 100 + { '0/0': 0.1, '0/1': 0.3, '1/0': 0.6 }[place!]!;
};

async function run(
  own: {
    random?: number;
    cells?: object;
    known?: [string, TrialResult][];
    fails?: string;
    aborted?: boolean;
  } = {},
) {
  const { random = 3, cells = CELLS, known = [], fails, aborted = false } = own;
  const stored = new Map<string, TrialResult>(known);
  const batches: TrialTask[][] = [];
  const controller = new AbortController();
  if (aborted) controller.abort();
  const draws = await runRandomAgents(
    { random, seed: 7, windows: WINDOWS } as never,
    ground as never,
    { get: (id: string) => stored.get(id), add: (one: TrialResult) => stored.set(one.id, one) } as never,
    { name: 'arm' } as never,
    cells as never,
    {
      async *run(tasks: TrialTask[]) {
        batches.push(tasks);
        // Results are yielded in reverse order of their tasks, to check that the order of completion does not
        // matter.
        for (const { trial } of tasks.toReversed()) {
          const { id } = trial;
          if (id === fails) yield { id, figures: null, outcome: 'failed', error: { message: 'no bars' } };
          else
            yield {
              ...{ id, outcome: 'completed' },
              figures: {
                totalReturn: returnOf(id),
                tradeCount: 1,
                openTradeCount: 2,
                meanExposure: 3,
                turnover: 4,
              },
            };
        }
      },
    } as never,
    controller.signal,
  );
  return { draws, batches, stored };
}

describe('the random agents of an arm', () => {
  it('have the mean return over windows of the mean over samples, and figures of one run', async () => {
    const { draws, stored } = await run();
    const score = (0.2 + 0.6) / 2;
    expect(draws!.returns.map((value) => value.toFixed(9))).toEqual(
      [0, 1, 2].map((draw) => (score + draw / 100).toFixed(9)),
    );
    expect(draws!.repeated).toBeCloseTo(score - 0.01, 12);
    expect(draws).toMatchObject({ tradeCount: 3, exposure: 3, turnover: 4 });
    expect(stored.get('random/arm/1')).toMatchObject({
      outcome: 'completed',
      seconds: 0,
      figures: { count: 3, tradeCount: 9 },
    });
  });

  it('trade the plan of the arm once, and then plans at random', async () => {
    const { batches } = await run();
    expect(batches.map((tasks) => tasks.map(({ trial }) => trial.id))).toEqual([
      ['-1:0/0', '-1:0/1', '-1:1/0'],
      [0, 1, 2].flatMap((draw) => [`${draw}:0/0`, `${draw}:0/1`, `${draw}:1/0`]),
    ]);
    const planOf = ({ trial }: TrialTask) => JSON.parse(String(trial.parameters.plan)) as Plan;
    const shifted = (plan: Plan, window: number) =>
      plan.map((one) => ({
        ...one,
        from: one.from + OFFSETS[window]!,
        // A window has ten bars. A position that is still open after the last bar stays open in the plan.
        to: one.to >= 10 ? Number.MAX_SAFE_INTEGER : one.to + OFFSETS[window]!,
      }));
    const all = CELLS.flatMap((samples, window) => samples.map((one, sample) => ({ one, window, sample })));
    for (const [at, { one, window }] of all.entries())
      expect(planOf(batches[0]![at]!)).toEqual(shifted(one.episodes, window));
    for (const [at, task] of batches[1]!.entries()) {
      const { one, window, sample } = all[at % 3]!;
      const random = createRandom(7, `random/arm/${Math.floor(at / 3)}/W${window + 1}/${sample}`);
      expect(planOf(task)).toEqual(
        shifted(placedAtRandom(one.episodes, ['A', 'B'], 10, random) as Plan, window),
      );
      expect(task.trial.parameters).toMatchObject({ kind: 'random', lot: 0.5, leverage: 2 });
    }
    expect(batches[0]![0]!.trial.period).toEqual({
      ...{ from: '2020-01-01', to: '2020-01-15T23:59:59', evaluateFrom: '2020-01-06' },
    });
  });

  it('run only the draws without a stored result, at most 2,000 runs at a time', async () => {
    const first = await run();
    const { batches, draws } = await run({ random: 5, known: [...first.stored] });
    expect(batches.map((tasks) => tasks.map(({ trial }) => trial.id.split(':')[0]))).toEqual([
      ['3', '3', '3', '4', '4', '4'],
    ]);
    expect(draws!.returns).toHaveLength(5);
    const many = await run({ random: 700 });
    expect(many.batches.map(({ length }) => length)).toEqual([3, 666 * 3, 34 * 3]);
  });

  it('omit windows without samples', async () => {
    const { draws } = await run({ cells: [[], CELLS[1]] });
    expect(draws!.returns[0]).toBeCloseTo(0.6, 12);
  });

  it('are absent for an arm without trades, and after a stop', async () => {
    const idle = await run({ cells: [[cell()], [cell(), cell()]] });
    expect([idle.draws, idle.batches]).toEqual([undefined, []]);
    expect((await run({ cells: [[cell()], [cell([1, 2])]] })).draws).toBeDefined();
    const stopped = await run({ aborted: true });
    expect([stopped.draws, stopped.batches]).toEqual([undefined, []]);
    const { stored } = await run();
    expect((await run({ aborted: true, known: [...stored] })).draws).toBeUndefined();
  });

  it('end the study with the error of a run without a result', async () => {
    await expect(run({ fails: '1:0/1' })).rejects.toMatchObject({
      code: 'random_agent_failed',
      message: 'A random agent for arm has no result: no bars.',
    });
  });
});
