import { describe, expect, it } from 'vitest';
import type { TrialResult, TrialTask } from '../sweep/executor.ts';
import type { Period } from '../sweep/figures.ts';
import { readObjective } from '../sweep/objective.ts';
import { trainAndTest, walkForward } from './walk-forward.ts';
import { readWalkForward } from './windows.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const clock = Float64Array.from({ length: 50 }, (_, bar) => START + bar * DAY);
const at = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/**
 * Runs a walk-forward whose searches find the given best objectives, in order. A missing objective simulates
 * a stop during a search, a missing `result` a stop during a test.
 */
async function run(
  inSample: readonly (number | null)[],
  terms: string,
  result: Partial<TrialResult> | undefined,
  own: {
    evaluateFrom?: string;
    settings?: (n: number) => object;
    objective?: string;
    clock?: Float64Array;
  } = {},
) {
  const { evaluateFrom, settings = () => ({}), objective: text = 'sharpe' } = own;
  const searched: Period[] = [];
  const tasks: TrialTask[] = [];
  const prepared = {
    files: { market: { clock: own.clock ?? clock } },
    period: evaluateFrom === undefined ? {} : { evaluateFrom },
    objective: readObjective(text),
    ground: { strategy: 's', data: [], settings: {} },
    request: { settings: {} },
    world: { strategy: ({ n }: { n: number }) => Promise.resolve({ settings: settings(n) }) },
  };
  const runner = {
    search(period: Period) {
      const objective = inSample[searched.push(period) - 1];
      if (objective === undefined) return Promise.resolve(undefined);
      const trial = { id: 't', parameters: { n: searched.length }, period };
      return Promise.resolve({ best: objective === null ? undefined : { trial, objective }, tried: [1] });
    },
    run(given: TrialTask[]) {
      tasks.push(...given);
      return Promise.resolve(result === undefined ? undefined : [result]);
    },
  };
  const found = await walkForward(
    prepared as never,
    readWalkForward(terms),
    runner as never,
    (period) => period,
  );
  return { found, searched, tasks };
}

describe('a walk-forward that carries positions', () => {
  const terms = 'train=10d,test=10d,carry';
  const figures = (sharpe: number, tradeCount: number) => ({ sharpe, totalReturn: sharpe / 10, tradeCount });

  it('tests all windows in one run, which changes its parameters at each window', async () => {
    const { found, tasks } = await run([2, null, 3, 4], terms, {
      figures: {},
      parts: [figures(1, 5), null, figures(2, 7)],
      curve: { before: 100, equity: [110, 121], times: [START, START + DAY] },
    });
    expect(tasks).toHaveLength(1);
    const { trial, curve, parts } = tasks[0]!;
    expect(curve).toBe(true);
    expect(trial.parameters).toEqual({ n: 1 });
    expect(trial.period).toEqual({
      from: '2020-01-01',
      to: '2020-02-19',
      evaluateFrom: '2020-01-11',
      closeAtEnd: true,
      later: [
        { from: '2020-01-31', parameters: { n: 3 } },
        { from: '2020-02-10', parameters: { n: 4 } },
      ],
    });
    expect(parts).toEqual({
      spans: [
        [at('2020-01-11'), at('2020-01-20') + 1],
        [at('2020-01-31'), at('2020-02-09') + 1],
        [at('2020-02-10'), at('2020-02-19') + 1],
      ],
      figures: ['sharpe', 'totalReturn', 'tradeCount'],
    });
    const shown = found!.windows.map(({ parameters, inSample, outOfSample, totalReturn, tradeCount }) => [
      ...[parameters, inSample, outOfSample, totalReturn, tradeCount],
    ]);
    expect(shown).toEqual([
      [{ n: 1 }, 2, 1, 0.1, 5],
      [null, null, null, null, null],
      [{ n: 3 }, 3, null, null, null],
      [{ n: 4 }, 4, 2, 0.2, 7],
    ]);
    expect(found).toMatchObject({
      ...{ tradeCount: 12, efficiency: 3 / 6 },
      totalReturn: expect.closeTo(0.21, 12) as number,
      terms: { carry: true, train: '10d', test: '10d', step: '10d', anchored: false, embargo: null },
      positions: expect.stringContaining('is carried into the next window') as string,
    });
  });

  it('has no test figures if the run has no parts, and is undefined after a stop', async () => {
    const { found } = await run([2, 3, 4, 5], terms, { figures: {} });
    expect(found!.windows.map(({ outOfSample }) => outOfSample)).toEqual([null, null, null, null]);
    expect((await run([2, 3, 4, 5], terms, undefined)).found).toBeUndefined();
    const none = await run([null, null, null, null], terms, undefined);
    expect([none.found!.windows.length, none.tasks]).toEqual([4, []]);
  });

  it('refuses parameters that change settings of the account', async () => {
    const settings = (n: number) => ({ cash: String(n) });
    await expect(run([2, 3, 4, 5], terms, { figures: {} }, { settings })).rejects.toThrow('cash');
  });

  it('requests the figures of the objective for each window', async () => {
    const { tasks } = await run([2, 3, 4, 5], terms, { figures: {} }, { objective: 'cagr' });
    expect(tasks[0]!.parts!.figures).toEqual(['cagr', 'totalReturn', 'tradeCount']);
  });
});

describe('a walk-forward', () => {
  it('is undefined after a stop in a search or in a test', async () => {
    const terms = 'train=10d,test=10d';
    expect((await run([1], terms, { figures: {} })).found).toBeUndefined();
    expect((await run([1, 2, 3, 4], terms, undefined)).found).toBeUndefined();
  });

  it('has no out-of-sample figures for a failed test', async () => {
    const { found } = await run([1, 1, 1, 1], 'train=10d,test=10d', { figures: null });
    expect(found!.windows[0]).toMatchObject({
      inSample: 1,
      outOfSample: null,
      totalReturn: null,
      tradeCount: null,
    });
    expect(found).toMatchObject({
      tradeCount: 0,
      equity: [],
      positions: expect.stringContaining('without positions') as string,
    });
    expect(found!.history).toContain('sees all earlier bars');
  });

  it('starts at the first evaluated bar of the sweep, and lists its terms', async () => {
    const terms = 'train=10d,test=10d,step=15d,embargo=2d,anchored';
    const { found, searched } = await run([1, 1, 1], terms, { figures: {} }, { evaluateFrom: '2020-01-06' });
    expect(searched.map(({ evaluateFrom, to }) => [evaluateFrom, to])).toEqual([
      ['2020-01-06', '2020-01-15'],
      ['2020-01-06', '2020-01-30'],
    ]);
    expect(found!.terms).toEqual({
      ...{ carry: false, train: '10d', test: '10d', step: '15d', anchored: true, embargo: '2d' },
    });
  });

  it('uses all data if the sweep sets no first evaluated bar', () => {
    const of = (period: object) =>
      trainAndTest({ files: { market: { clock } }, period } as never, readWalkForward('train=20d,test=15d'));
    expect(of({}).map(({ test }) => test)).toEqual([
      { from: START + 20 * DAY, to: START + 35 * DAY },
      { from: START + 35 * DAY, to: START + 49 * DAY + 1 },
    ]);
    expect(of({ evaluateFrom: '2020-01-11' })[0]!.train.from).toBe(START + 10 * DAY);
  });

  it('omits windows without bars, and reports their number', async () => {
    // Two bars on each weekday. 2020-01-01 is a Wednesday.
    const intraday = Float64Array.from(
      Array.from({ length: 28 }, (_, half) => START + half * (DAY / 2)).filter(
        (time) => ![0, 6].includes(new Date(time).getUTCDay()),
      ),
    );
    const { found, searched } = await run(
      Array(20).fill(1),
      'train=2d,test=1d',
      { figures: {} },
      { clock: intraday },
    );
    expect(found!.windows.map(({ test }) => [test.from, test.to])).toEqual([
      ['2020-01-03', '2020-01-03T12:00:00'],
      ['2020-01-07', '2020-01-07T12:00:00'],
      ['2020-01-08', '2020-01-08T12:00:00'],
      ['2020-01-09', '2020-01-09T12:00:00'],
      ['2020-01-10', '2020-01-10T12:00:00'],
      ['2020-01-14', '2020-01-14T12:00:00'],
    ]);
    expect(searched).toHaveLength(6);
    expect(found!.history).toContain(
      'earlier bars as history. Only the bars of the window are judged. 6 windows are omitted, because',
    );
    const weekend = Float64Array.of(START, START + 9 * DAY);
    await expect(run([1], 'train=1d,test=1d', { figures: {} }, { clock: weekend })).rejects.toThrow(
      'No window of train=1d,test=1d has bars in both parts.',
    );
  });
});
