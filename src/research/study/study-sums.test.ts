import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { cellReturns, type StudyCell, studyDifference } from '../../results/analysis/index.ts';
import type { Arm } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import { comparisonsOf, counterfactualOf, usageOf } from './study-sums.ts';

function cell(model: object | null): StudyCell {
  return { model } as unknown as StudyCell;
}

const A = { model: 'm-1', fingerprint: 'f' };
const B = { model: 'm-2', fingerprint: 'f' };

describe('the model usage of an arm', () => {
  it('is the sum of its runs, and counts the runs of each server', () => {
    expect(
      usageOf([
        cell({ requests: 3, tokens: 100, cost: 0.25, served: [A] }),
        cell(null),
        cell({ requests: 4, tokens: 50, cost: 0.5, served: [A, B] }),
      ]),
    ).toEqual({
      requests: 7,
      tokens: 150,
      cost: 0.75,
      served: [
        { ...A, runs: 2 },
        { ...B, runs: 1 },
      ],
    });
  });

  it('has no cost if the cost of one run is unknown', () => {
    const known = { requests: 1, tokens: 1, cost: 1, served: [] };
    expect(usageOf([cell(known), cell({ ...known, cost: null })])?.cost).toBeNull();
    expect(usageOf([cell(known), cell(known)])?.cost).toBe(2);
  });

  it('is null for a rule', () => {
    expect(usageOf([cell(null)])).toBeNull();
  });
});

const SESSIONS = 30;

/** Returns one sample per window. Its session returns are random with the given mean. */
function cellsOf(label: string, windows: number, mean = 0): StudyCell[][] {
  return Array.from({ length: windows }, (_, window) => {
    const random = createRandom(window, label);
    let value = 1;
    const equity = Array.from({ length: SESSIONS }, () => (value *= 1 + mean + 0.01 * random.normal()));
    return [{ equity, start: 1, dates: equity.map(String) } as unknown as StudyCell];
  });
}

function armOf(name: string, kind: Arm['kind'] = 'llm', tools = 'own'): Arm {
  const chosen = { model: 'own', tools, mask: 'none' };
  return { name, strategy: name.split(' · ')[0]!, kind, chosen } as Arm;
}

const arms = (windows = 1) => [
  { arm: armOf('trader · own'), cells: cellsOf('one', windows, 0.01) },
  { arm: armOf('trader · off', 'llm', 'off'), cells: cellsOf('two', windows) },
  { arm: armOf('cross', 'rules'), cells: cellsOf('three', windows) },
  { arm: armOf('pairs', 'rules'), cells: cellsOf('four', windows) },
];
const baselines = (windows = 1) => [{ name: 'buy-and-hold', cells: cellsOf('hold', windows) }];

describe('comparisons of a study', () => {
  it('are corrected for each arm against each baseline, not for every pair of rules', () => {
    const found = comparisonsOf(arms(), baselines(), 252);
    const primary = found.filter((one) => one.primary);
    expect(primary.map(({ a, b }) => `${a} − ${b}`)).toEqual(
      arms().map(({ arm }) => `${arm.name} − buy-and-hold`),
    );
    expect(found.length).toBeGreaterThan(primary.length);
    for (const one of found.filter((other) => !other.primary)) {
      expect(one.p).not.toBeNull();
      expect(one.pHolm).toBeNull();
    }
    const [least] = primary.map(({ p }) => p!).sort((one, other) => one - other);
    expect(Math.min(...primary.map(({ pHolm }) => pHolm!))).toBeCloseTo(Math.min(1, 4 * least!), 12);
  });

  it('are corrected only for the named primary comparisons, with their arms in the given order', () => {
    const found = comparisonsOf(arms(), baselines(), 252, [
      ['trader · off', 'trader · own'],
      ['cross', 'trader · own'],
    ]);
    const primary = found.filter((one) => one.primary);
    expect(primary.map(({ a, b, kind }) => [a, b, kind])).toEqual([
      ['trader · off', 'trader · own', 'tools'],
      ['cross', 'trader · own', 'strategy'],
    ]);
    expect(found.filter(({ pHolm }) => pHolm !== null)).toHaveLength(2);
    const pairs = found.map(({ a, b }) => [a, b].sort().join());
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('are made between arms that differ in exactly one property, and named by it', () => {
    const named = (name: string, kind: Arm['kind'], model: string, tools: string, mask: string): Arm =>
      ({ ...armOf(name, kind), chosen: { model, tools, mask } }) as Arm;
    const all = [
      named('a · 1', 'llm', 'm', 'own', 'none'),
      named('a · 2', 'llm', 'm', 'own', 'dates'),
      named('a · 3', 'llm', 'n', 'own', 'none'),
      named('a · 4', 'llm', 'n', 'off', 'dates'),
      named('b', 'llm', 'm', 'own', 'none'),
      named('c', 'agent', 'own', 'own', 'none'),
      named('d', 'rules', 'own', 'own', 'none'),
    ].map((arm, at) => ({ arm, cells: cellsOf(`${at}`, 1) }));
    const pairs = (primary?: readonly (readonly [string, string])[]) =>
      comparisonsOf(all, [], 252, primary).map(({ a, b, kind }) => `${a} / ${b}: ${kind}`);
    const alone = [
      'a · 1 / a · 2: mask',
      'a · 1 / a · 3: model',
      'a · 1 / b: strategy',
      'a · 1 / d: strategy',
      'a · 2 / d: strategy',
      'a · 3 / d: strategy',
      'a · 4 / d: strategy',
      'b / d: strategy',
      'c / d: strategy',
    ];
    expect(pairs()).toEqual(alone);
    const chosen = pairs([
      ['a · 4', 'a · 1'],
      ['a · 2', 'a · 1'],
    ]);
    expect(chosen).toContain('a · 4 / a · 1: several');
    expect(chosen).toContain('a · 2 / a · 1: mask');
    expect(chosen).not.toContain('a · 1 / a · 2: mask');
    expect(chosen).toHaveLength(alone.length + 1);
  });

  it('are the differences of session returns, and empty for arms without a common session', () => {
    const [one, other] = [cellsOf('one', 2, 0.01), cellsOf('other', 2)];
    const both = [
      { arm: armOf('one', 'rules'), cells: one },
      { arm: armOf('other', 'rules'), cells: [[], []] },
    ];
    const found = comparisonsOf(both, [{ name: 'buy-and-hold', cells: other }], 252);
    const returns = (cells: StudyCell[][]) => cells.map((samples) => samples.map(cellReturns));
    const expected = studyDifference(returns(one), returns(other), 252)!;
    const { estimate, low, high, p, pWindows, sessions } = expected;
    expect(found[0]).toEqual({
      ...{ a: 'one', b: 'buy-and-hold', kind: 'baseline', primary: true, pHolm: p },
      ...{ estimate, low, high, p, pWindows, sessions },
    });
    const nothing = {
      estimate: null,
      low: null,
      high: null,
      p: null,
      pWindows: null,
      pHolm: null,
      sessions: 0,
    };
    expect(found.slice(1)).toEqual([
      { a: 'other', b: 'buy-and-hold', kind: 'baseline', primary: true, ...nothing },
      { a: 'one', b: 'other', kind: 'strategy', primary: false, ...nothing },
    ]);
  });

  it('have a p-value over windows if there are at least five', () => {
    const of = (windows: number) => comparisonsOf(arms(windows), baselines(windows), 252)[0]!;
    expect(of(4).pWindows).toBeNull();
    expect(of(5).pWindows).toBeLessThan(0.05);
    expect(of(5).p).not.toBe(of(5).pWindows);
  });
});

describe('counterfactual paths of an arm', () => {
  const ran = (totalReturn: number | null): StudyCell =>
    ({ figures: { totalReturn }, decisions: [] }) as unknown as StudyCell;
  const pOf = (actual: number | null, worlds: readonly (number | null)[]): number | null | undefined => {
    const request = {
      windows: [{ name: 'W' }],
      leakage: { counterfactual: { kind: 'permute', worlds: worlds.length } },
    } as unknown as StudyRequest;
    const counterfactuals = worlds.map((totalReturn) => ({ window: 'W', cell: ran(totalReturn) }));
    const found = counterfactualOf(request, {
      arm: armOf('trader'),
      cells: [[ran(actual)]],
      counterfactuals: counterfactuals as never,
    });
    return found[0]?.p;
  };

  it('have the p-value of the rank of the actual return among all worlds and itself', () => {
    expect(pOf(0.5, [0.1, 0.2, 0.3])).toBe(1 / 4);
    expect(pOf(0.2, [0.1, 0.2, 0.3])).toBe(3 / 4);
    expect(pOf(0.5, [0.1, 0.2, 0.3, 0.4, 0.9])).toBe(2 / 6);
  });

  it('have the share of equal decisions at common bars of the run and each world', () => {
    const acting = (...actions: readonly string[]): StudyCell =>
      ({
        figures: { totalReturn: 0 },
        decisions: actions.map((action, bar) => ({ bar, action })),
      }) as unknown as StudyCell;
    const request = {
      windows: [{ name: 'W' }],
      leakage: { counterfactual: { kind: 'permute', worlds: 2 } },
    } as unknown as StudyRequest;
    const worlds = [acting('buy', 'hold', 'hold', 'sell'), acting('buy', 'sell')];
    const [found] = counterfactualOf(request, {
      arm: armOf('trader'),
      cells: [[acting('buy', 'sell', 'hold', 'buy')]],
      counterfactuals: worlds.map((cell) => ({ window: 'W', cell })) as never,
    });
    expect(found).toMatchObject({ consistency: 4 / 6, agreement: null });
  });

  it('count a world without a result as good, and have no p-value without an actual result', () => {
    expect(pOf(0.5, [0.1, null, 0.3])).toBe(2 / 4);
    expect(pOf(null, [0.1, 0.2])).toBeNull();
  });
});
