import { describe, expect, it } from 'vitest';
import { overfittingOfBlocks } from '../../results/analysis/index.ts';
import type { LedgerRecord } from '../../results/runs/index.ts';
import { assembleSweep, type SweepParts } from './assemble.ts';
import { readObjective } from './objective.ts';
import type { Tried } from './trial-runner.ts';

const DAY = 86_400_000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const meanOf = (values: readonly number[]): number => sum(values) / values.length;

function sharpe(returns: readonly number[]): number {
  const mean = meanOf(returns);
  return mean / Math.sqrt(sum(returns.map((value) => (value - mean) ** 2)) / (returns.length - 1));
}

/** Session returns of a trial in four blocks of three sessions. */
const returnsOf = (seed: number): number[][] =>
  [0, 1, 2, 3].map((block) => [0, 1, 2].map((at) => Math.sin(seed * 5.1 + block * 2.3 + at * 1.7) / 10));

function tried(id: number, objective: number | null, own: Partial<Tried> & { result?: object } = {}): Tried {
  const returns = returnsOf(id);
  const figures = {
    sharpe: id,
    totalReturn: id / 10,
    maxDrawdown: -id / 100,
    tradeCount: id,
    periodsPerYear: 4,
  };
  const blocks = {
    count: returns.map((block) => block.length),
    sum: returns.map(sum),
    squares: returns.map((block) => sum(block.map((value) => value * value))),
  };
  return {
    ...{ trial: { id: `t${id}`, parameters: { fast: id } }, objective, share: 1 },
    ...own,
    result: { outcome: 'completed', figures, blocks, ...own.result },
  } as unknown as Tried;
}

const failed = (id: number, message: string | undefined): Tried =>
  tried(id, null, {
    result: {
      figures: null,
      outcome: 'interrupted',
      ...(message === undefined ? {} : { error: { message } }),
    },
  } as never);

const record = (id: number, own: Partial<LedgerRecord> = {}): LedgerRecord =>
  ({
    ...{
      kind: 'trial',
      id: `t${id}`,
      search: 's',
      result: `r${id}`,
      point: `p${id}`,
      data: ['d'],
      sharpe: id / 10,
    },
    ...own,
  }) as unknown as LedgerRecord;

const STARTS = [0, 3, 6, 9].map((day) => Date.UTC(2020, 0, 6) + day * DAY);
const RETURNS = returnsOf(3).flat();
const TRIED = [
  ...[tried(1, 2), tried(2, 1), tried(3, 3), tried(4, 3), tried(5, null)],
  tried(6, 9, { share: 1 / 3 }),
  ...[failed(7, 'boom'), failed(8, undefined), failed(9, 'boom')],
];

function assembled(
  own: {
    tried?: readonly Tried[];
    minimise?: boolean;
    dates?: readonly [string, string];
  } & Partial<SweepParts> = {},
) {
  const { tried: given = TRIED, minimise = false, dates, ...parts } = own;
  return assembleSweep({
    prepared: {
      ...{
        objective: readObjective('sharpe', { minimise }),
        name: 'grid',
        seed: 1,
        warnings: ['w'],
        notes: ['n'],
      },
      space: { dimensions: [{ name: 'fast', values: [1, 2], given: 'flag' }] },
      strategy: { name: 'cross' },
      files: { market: { clock: Float64Array.from(STARTS) } },
      period: { evaluateFrom: dates?.[0] },
      holdoutFrom: dates?.[1],
      request: { strategy: 'cross.ts', options: { project: 'p' } },
      ground: { strategy: 'hash' },
      sources: [{ symbols: ['A'], sha256: 'd' }],
      refusals: () => [],
    },
    end: { tried: given, best: given.find(({ trial }) => trial.id === 't3'), refused: 0 },
    best: { summary: { runId: 'x', a: 1 }, returns: RETURNS, figures: { sharpe: 1.5 } },
    blocks: { starts: STARTS, edges: STARTS.slice(1) },
    walkForward: null,
    crossValidation: null,
    earlier: [],
    own: TRIED.map((_, at) => record(at + 1)),
    ...parts,
  } as unknown as SweepParts);
}

describe('the result of a sweep', () => {
  it('counts trials, and failures by message, most frequent first', () => {
    const { counts, failures, period, warnings } = assembled();
    expect(counts).toEqual({ trials: 9, refused: 0, failed: 3, unrated: 1 });
    expect(failures).toEqual([
      { message: 'boom', trials: 2 },
      { message: 'interrupted', trials: 1 },
    ]);
    expect(period).toMatchObject({ firstBar: '2020-01-06', lastBar: '2020-01-15', bars: 4 });
    expect(period).toMatchObject({ evaluatedFrom: null, holdoutFrom: null });
    expect(assembled({ dates: ['2020-01-07', '2020-01-14'] }).period).toMatchObject({
      ...{ evaluatedFrom: '2020-01-07', holdoutFrom: '2020-01-14' },
    });
    expect(warnings.slice(0, 2)).toEqual(['w', 'n']);
    const many = Array.from({ length: 12 }, (_, at) => failed(at, `m${String.fromCharCode(108 - at)}`));
    expect(assembled({ tried: many }).failures.map(({ message }) => message)).toEqual(
      [...'abcdefghij'].map((letter) => `m${letter}`),
    );
  });

  it('lists the best ten trials of all bars, in the order of the search if they are equal', () => {
    expect(assembled().top.map(({ id }) => id)).toEqual(['t3', 't4', 't1', 't2']);
    expect(assembled({ minimise: true }).top.map(({ id }) => id)).toEqual(['t2', 't1', 't3', 't4']);
    expect(assembled().top[0]).toEqual({
      ...{ id: 't3', parameters: { fast: 3 }, objective: 3 },
      ...{ totalReturn: 0.3, sharpe: 3, maxDrawdown: -0.03, tradeCount: 3 },
    });
    const bare = tried(1, 1, { result: { figures: { sharpe: 'x' } } } as never);
    expect(assembled({ tried: [bare] }).top[0]).toMatchObject({ sharpe: null, totalReturn: null });
    expect(assembled({ tried: Array.from({ length: 12 }, (_, at) => tried(at, at)) }).top).toHaveLength(10);
  });

  it('has the best trial without the id of its run, or states that it failed again', () => {
    expect(assembled().best).toEqual({ id: 't3', parameters: { fast: 3 }, objective: 3, summary: { a: 1 } });
    const again = assembled({ best: undefined });
    expect(again.best).toBeNull();
    expect(again.answer).toMatchObject({ holds: null });
    expect(again.answer.text).toContain('failed when it was run again');
    expect(again.plateau).not.toBeNull();
    expect(again.deflatedSharpe).toMatchObject({
      value: null,
      reason: 'the best trial failed when run again',
    });
    const none = assembled({ tried: [failed(1, 'x')] });
    expect(none.plateau).toBeNull();
    expect(none.deflatedSharpe).toMatchObject({ value: null, reason: 'no trial has an objective' });
  });

  it('compares the best trial with the others in each pair of blocks of time', () => {
    const pairs = [
      [0, 1],
      [2, 3],
    ];
    const ratios = (pair: readonly number[]) =>
      [1, 2, 3, 4, 5].map((id) => sharpe(pair.flatMap((block) => returnsOf(id)[block]!)));
    const { stability } = assembled();
    expect(stability.map(({ from, to, trials }) => [from, to, trials])).toEqual([
      ['2020-01-06', '2020-01-12', 5],
      ['2020-01-12', 'end', 5],
    ]);
    for (const [part, pair] of pairs.entries()) {
      const all = ratios(pair);
      expect(stability[part]!.sharpe).toBeCloseTo(all[2]! * 2, 9);
      expect(stability[part]!.rank).toBe([...all].sort((a, b) => b - a).indexOf(all[2]!) + 1);
    }
    const few = assembled({ blocks: { starts: [], edges: [] } });
    expect(few.stability).toEqual([]);
    expect(few.pbo).toEqual({
      value: null,
      interval: null,
      blocks: 0,
      splits: 0,
      reason: 'too few sessions',
    });
    expect(assembled({ tried: [tried(1, 1)] }).stability).toEqual([]);
  });

  it('compares the first half of the time with the second half', () => {
    const { scatter } = assembled();
    expect(scatter.map(({ id }) => id)).toEqual(['t1', 't2', 't3', 't4', 't5']);
    for (const [at, { inSample, outOfSample }] of scatter.entries()) {
      const returns = returnsOf(at + 1);
      expect(inSample).toBeCloseTo(sharpe(returns.slice(0, 2).flat()) * 2, 9);
      expect(outOfSample).toBeCloseTo(sharpe(returns.slice(2).flat()) * 2, 9);
    }
    // A trial has the same Sharpe ratios in a sweep with one trial as in a sweep with several trials.
    const [single] = assembled({ tried: [tried(1, 1)] }).scatter;
    expect(single!.inSample).toBeCloseTo(scatter[0]!.inSample!, 12);
    const one = { count: [3], sum: [0.1], squares: [0.2] };
    expect(assembled({ tried: [tried(1, 1, { result: { blocks: one } } as never)] }).scatter).toEqual([]);
    const two = { count: [3, 3], sum: [0.1, 0.1], squares: [0.2, 0.2] };
    expect(assembled({ tried: [tried(1, 1, { result: { blocks: two } } as never)] }).scatter).toHaveLength(1);
  });

  it('estimates the probability of overfitting from all trials of all bars', () => {
    const given = Array.from({ length: 12 }, (_, at) => tried(at + 1, at));
    const found = overfittingOfBlocks(given.map(({ result }) => result.blocks!));
    if ('reason' in found) throw new Error(found.reason);
    const { pbo } = assembled({ tried: given });
    expect(pbo).toMatchObject({ value: found.probability, blocks: 4, splits: 6 });
    expect(assembled({ tried: given.slice(0, 1) }).pbo).toMatchObject({ value: null, blocks: 4, splits: 0 });
  });

  it('counts the views of the data, and those of the same search for the deflated Sharpe ratio', () => {
    const earlier = [
      record(20, { search: 's' }),
      record(21, { search: 'other' }),
      record(1),
      record(22, { search: null, kind: 'run' as never }),
      record(23, { data: ['e'] }),
    ];
    const own = [record(1), record(2), record(3), record(30, { search: null, kind: 'run' as never })];
    const { looks, deflatedSharpe } = assembled({ earlier, own });
    expect(looks).toEqual({ sweep: 4, before: 3, total: 7, project: 'p' });
    // Counted trials: three trials of the sweep, and one earlier trial of the same search whose id differs
    // from theirs.
    expect(deflatedSharpe.trials).toBe(4);
    expect(deflatedSharpe.value).not.toBeNull();
  });

  it('has the interval of the Sharpe ratio by Mertens', () => {
    const centred = RETURNS.map((value) => value - meanOf(RETURNS));
    const moment = (power: number) => meanOf(centred.map((value) => value ** power));
    const [skewness, kurtosis] = [moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2];
    const ratio = 1.5 / 2;
    const variance = (1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2) / (RETURNS.length - 1);
    const [low, high] = assembled().deflatedSharpe.sharpeInterval!;
    expect(low).toBeCloseTo(1.5 - 1.959964 * Math.sqrt(4 * variance), 6);
    expect(high).toBeCloseTo(1.5 + 1.959964 * Math.sqrt(4 * variance), 6);
    const best = (own: object) => ({ summary: {}, returns: RETURNS, figures: {}, ...own }) as never;
    expect(assembled({ best: best({}) }).deflatedSharpe.sharpeInterval).toBeNull();
    const constant = best({ figures: { sharpe: 1 }, returns: [0.1] });
    expect(assembled({ best: constant }).deflatedSharpe.sharpeInterval).toBeNull();
  });
});
