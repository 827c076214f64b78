import { describe, expect, it } from 'vitest';
import { type AuditFacts, auditOf } from './audit.ts';
import type { StudyArm } from './report.ts';

const figure = { mean: 0.1, low: 0, high: 0.2, runs: 4, over: 'windows' as const };
const beside = (sessions: number, excess = 0.1, holdReturn = 0.05) => ({
  ...{ sessions, excess, holdReturn, totalReturn: excess + holdReturn },
  ...{ alpha: 0, beta: 1, sharpe: 1, psr: 0.9 },
});
const costs = (paidBasisPoints: number, breakEvenToHold: number | null) => ({
  ...{ levels: [], breakEven: 50, paidBasisPoints, breakEvenToHold, dependent: 0, decisions: 10 },
});
const random = { draws: 99, percentile: 0.99, p: 0.01, pHolm: 0.02, mean: 0 };
const sampled = (entropy: number) => ({
  mean: 0.9,
  floor: 0.5,
  aboveFloor: 0.8,
  entropy,
  mostEntropy: 1,
  bars: 20,
});
const scores = (changes: object) => ({
  ...{ field: 'sure', states: 'up' as const, horizon: 1, forecasts: 90, blocks: 45, unusable: 0 },
  ...{
    baseRate: 0.5,
    brier: 0.2,
    reference: 0.25,
    skill: 0.2,
    skillLow: 0.1,
    skillHigh: 0.3,
    p: 0.4,
    bins: [],
  },
  ...changes,
});

const prompt = {
  name: 'trader · own',
  kind: 'llm',
  model: 'gpt',
  tools: 'own',
  mask: 'none',
  gaps: [],
  failures: [],
  figures: { totalReturn: figure },
  beside: beside(100),
  windows: [
    { name: 'P1', beside: beside(50, 0.1) },
    { name: 'P2', beside: beside(50, 0.08) },
  ],
  agreement: sampled(0.1),
  calibration: scores({}),
  random,
  costs: costs(10, 30),
  cutoff: { date: '2021-01-01', before: null, after: beside(100) },
} as unknown as StudyArm;

const pair = (b: string, kind: 'baseline' | 'tools', estimate: number, pHolm: number | null) => ({
  ...{ a: 'trader · own', b, kind, estimate, low: 0, high: 1, p: pHolm, pHolm, sessions: 100 },
  ...{ pWindows: null, primary: true },
});
const probe = {
  model: 'gpt',
  questions: 20,
  probability: 0.6,
  smallest: 0.001,
  remembers: false,
  refused: null,
};
const other = {
  arm: 'trader · own',
  kind: 'permute',
  worlds: 5,
  actual: 0.1,
  mean: 0,
  p: 0.2,
  consistency: 0.3,
  agreement: 0.9,
};
const window = (name: string, memory: 'remembered' | 'unseen' | null) => ({
  ...{ name, from: '2024-01-02', to: '2024-06-28', sessions: 50, memory },
});

const facts: AuditFacts = {
  arm: prompt,
  windows: [window('P1', 'remembered'), window('P2', 'unseen')],
  comparisons: [pair('buy-and-hold', 'baseline', 0.2, 0.01), pair('trader · off', 'tools', 0.2, 0.01)],
  probes: [probe],
  counterfactuals: [other],
  fillsAtClose: false,
  ...{ runs: 4, orders: 40, refused: 1, fills: 40, ambiguous: 0, toolCalls: 40, toolErrors: 1 },
  profits: { A: 60, B: 40 },
};
const arm = (changes: object): Partial<AuditFacts> => ({ arm: { ...prompt, ...changes } as StudyArm });
const rule = arm({
  kind: 'rules',
  model: null,
  tools: null,
  agreement: null,
  cutoff: null,
  calibration: null,
});
const agent = arm({ kind: 'agent', model: null, cutoff: null });

const CASES: readonly (readonly [
  test: string,
  passed: readonly Partial<AuditFacts>[],
  failed: readonly Partial<AuditFacts>[],
  untestable: readonly Partial<AuditFacts>[],
])[] = [
  ['Temporal integrity of the data', [{}, rule], [{ fillsAtClose: true }], [{ runs: 0 }, agent]],
  [
    'Temporal integrity of the model',
    [{}, rule],
    [arm({ cutoff: { date: '2024-03-01', before: beside(1), after: beside(60) } })],
    [arm({ cutoff: null }), agent],
  ],
  [
    'Recall of the data',
    [{}, rule],
    [{ probes: [{ ...probe, remembers: true }] }],
    [{ probes: [] }, { probes: [{ ...probe, refused: 'too few' }] }, agent],
  ],
  [
    'Alpha decay, remembered to unseen',
    [
      {},
      arm({
        windows: [
          { name: 'P1', beside: beside(50, -0.1) },
          { name: 'P2', beside: beside(50, -0.2) },
        ],
      }),
    ],
    [
      arm({
        windows: [
          { name: 'P1', beside: beside(50, 0.1) },
          { name: 'P2', beside: beside(50, 0.04) },
        ],
      }),
    ],
    [{ windows: [window('P1', 'remembered'), window('P2', 'remembered')] }],
  ],
  [
    'Counterfactual paths',
    [{}],
    [
      { counterfactuals: [{ ...other, consistency: 0.85 }] },
      { counterfactuals: [{ ...other, consistency: 0.9, agreement: null }] },
    ],
    [
      { counterfactuals: [] },
      { counterfactuals: [{ ...other, consistency: null }] },
      { ...rule, counterfactuals: [] },
    ],
  ],
  [
    'Real-world frictions',
    [{}, arm({ costs: costs(10, null) }), arm({ costs: costs(10, 20) })],
    [arm({ costs: costs(0, 30) }), arm({ costs: costs(10, 19) }), arm({ beside: beside(100, -0.01) })],
    [arm({ costs: null })],
  ],
  [
    'Robustness to luck and baselines',
    [{}, arm({ random: null })],
    [
      { comparisons: [pair('buy-and-hold', 'baseline', 0.2, 0.06)] },
      { comparisons: [pair('buy-and-hold', 'baseline', -0.2, 0.01)] },
      arm({ random: { ...random, pHolm: 0.06 } }),
    ],
    [
      { comparisons: [] },
      { comparisons: [pair('buy-and-hold', 'baseline', 0, null)] },
      arm({ gaps: ['P1'] }),
    ],
  ],
  [
    'Robustness to the model’s dice',
    [{}, rule],
    [arm({ agreement: sampled(0.6) })],
    [arm({ agreement: null })],
  ],
  [
    'Predictive calibration',
    [{}],
    [arm({ calibration: scores({ p: 0.01 }) }), arm({ calibration: scores({ skill: -0.1 }) })],
    [
      rule,
      arm({ calibration: null }),
      arm({ calibration: scores({ forecasts: 0, unusable: 9 }) }),
      arm({ calibration: scores({ blocks: 29 }) }),
      arm({ calibration: scores({ skill: null }) }),
    ],
  ],
  [
    'Numerical execution',
    [{}],
    [{ refused: 3 }, { toolErrors: 3 }, { ambiguous: 3 }],
    [{ orders: 0, refused: 0 }],
  ],
  [
    'Disaggregation by part',
    [{}],
    [
      { comparisons: [pair('trader · off', 'tools', 0.2, 0.06)] },
      { comparisons: [pair('trader · off', 'tools', -0.2, 0.01)] },
    ],
    [{ comparisons: [] }, rule, arm({ tools: 'off' })],
  ],
  [
    'Disaggregation by symbol',
    [{}],
    [{ profits: { A: 60, B: -5 } }, { profits: { A: 1, B: -5 } }],
    [{ profits: { A: 60 } }],
  ],
];

/** Returns the answer of one test of the audit, for the facts with changes. */
const answerOf = (changes: Partial<AuditFacts>, test: string) =>
  auditOf({ ...facts, ...changes }).find((one) => one.test === test)!;

describe('the audit sheet', () => {
  it('has a case for every test', () => {
    expect(auditOf(facts).map(({ test }) => test)).toEqual(CASES.map(([test]) => test));
  });

  describe.each(CASES)('%s', (test, passed, failed, untestable) => {
    it.each([
      ...passed.map((changes, place) => ['passed', place, changes] as const),
      ...failed.map((changes, place) => ['failed', place, changes] as const),
      ...untestable.map((changes, place) => ['not testable', place, changes] as const),
    ])('is %s in case %d', (state, _place, changes) => {
      const answer = answerOf(changes, test);
      expect(answer.state, answer.why).toBe(state);
      expect(answer.why).not.toBe('');
      expect(answer.figure).not.toMatch(/NaN|undefined|null/);
    });
  });
});

describe('answers of the audit in special cases', () => {
  it('name the reason for samples that never agree on the same path', () => {
    const { state, why } = answerOf(
      { counterfactuals: [{ ...other, consistency: 0, agreement: 0 }] },
      'Counterfactual paths',
    );
    expect(state).toBe('not testable');
    expect(why).toContain('samples on the same path never order the same');
  });

  it('name the reason for an arm with masked dates', () => {
    const { state, why } = answerOf(arm({ mask: 'symbols+dates' }), 'Counterfactual paths');
    expect(state).toBe('not testable');
    expect(why).toContain('the mask changes the dates');
  });

  it('name the reason if the comparison with buy-and-hold is not a primary comparison', () => {
    const { state, why } = answerOf(
      { comparisons: [{ ...pair('buy-and-hold', 'baseline', 0.2, 0.01), pHolm: null, primary: false }] },
      'Robustness to luck and baselines',
    );
    expect(state).toBe('not testable');
    expect(why).toContain('add it under primary');
  });

  it('use the uncorrected p-value of tools that are not a primary comparison', () => {
    const tools = { ...pair('trader · off', 'tools', 0.2, 0.01), pHolm: null, primary: false };
    const { state, figure: shown } = answerOf({ comparisons: [tools] }, 'Disaggregation by part');
    expect(state).toBe('passed');
    expect(shown).toContain('p = 0.010, not corrected');
  });
});

describe('figures and reasons of the audit', () => {
  const own = 'trader · own';
  const windowsOf = (...excesses: readonly number[]) =>
    arm({ windows: excesses.map((excess, at) => ({ name: `P${at + 1}`, beside: beside(50, excess) })) });
  const cutAt = (date: string, from: string, to: string): Partial<AuditFacts> => ({
    ...arm({ cutoff: { date, before: null, after: beside(1) } }),
    windows: [
      { name: 'P1', from: '2020-01-02', to, memory: null },
      { name: 'P2', from, to: '2024-06-28', memory: null },
    ] as unknown as AuditFacts['windows'],
  });
  const tools = (a: string, b: string, estimate: number, p = 0.01) => ({
    comparisons: [{ ...pair(b, 'tools', estimate, p), a }],
  });
  const brier = 'Brier 0.200, of the base rate 0.250; ';
  const failures = [{}, {}];

  it.each<[test: string, changes: Partial<AuditFacts>, state: string, figure: string, why: string]>([
    ['Temporal integrity of the data', {}, 'passed', '4 runs, 0 failed', 'no request contained'],
    ['Temporal integrity of the data', rule, 'passed', '4 runs, 0 failed', 'next open at the earliest'],
    [
      'Temporal integrity of the data',
      { ...arm({ failures }), fillsAtClose: true },
      'failed',
      '4 runs, 2 failed',
      '',
    ],
    [
      'Temporal integrity of the model',
      {},
      'passed',
      '0 of 100 sessions up to 2021-01-01',
      'before the first',
    ],
    [
      'Temporal integrity of the model',
      arm({ cutoff: { date: '2024-03-01', before: beside(1), after: beside(60) } }),
      'failed',
      '1 of 61 sessions up to 2024-03-01',
      'may have read',
    ],
    ['Temporal integrity of the model', arm({ cutoff: null }), 'not testable', '–', 'under models'],
    ['Temporal integrity of the model', agent, 'not testable', '–', 'beside the agent'],
    ['Recall of the data', {}, 'passed', 'p = 0.60 of 20 questions, 0.0010 at the least', 'no sign'],
    ['Recall of the data', { probes: [{ ...probe, model: 'other' }] }, 'not testable', '–', 'not probed'],
    ['Recall of the data', { probes: [{ ...probe, remembers: true }] }, 'failed', 'p = 0.60', 'knows moves'],
    // The test passes if at least half of the excess return remains on data that the model has not seen, or
    // if there was no excess return.
    [
      'Alpha decay, remembered to unseen',
      windowsOf(0.1, 0.05),
      'passed',
      'unseen; decay −5.00%',
      'half of the',
    ],
    ['Alpha decay, remembered to unseen', windowsOf(0, -0.2), 'passed', '(holding 5.00% and 5.00%)', ''],
    [
      'Alpha decay, remembered to unseen',
      windowsOf(0.1, 0.04),
      'failed',
      '10.00% remembered, 4.00% unseen',
      'less',
    ],
    // Each mean is of two windows. A window without a comparison is omitted.
    [
      'Alpha decay, remembered to unseen',
      {
        windows: ['remembered', 'remembered', 'unseen', 'unseen', 'unseen'].map((memory, at) =>
          window(`P${at}`, memory as 'unseen'),
        ),
        ...arm({
          windows: [
            ...[
              beside(50, 0.1, 0.05),
              beside(50, 0.3, 0.15),
              beside(50, 0.05, 0.01),
              beside(50, 0.15, 0.03),
              null,
            ],
          ].map((one, at) => ({ name: `P${at}`, beside: one })),
        }),
      },
      'passed',
      'excess 20.00% remembered, 10.00% unseen; decay −10.00% (holding 10.00% and 2.00%)',
      'half of the',
    ],
    ['Alpha decay, remembered to unseen', cutAt('2024-01-01', '2024-01-02', '2024-01-01'), 'passed', '', ''],
    [
      'Alpha decay, remembered to unseen',
      cutAt('2024-01-01', '2024-01-01', '2023-12-31'),
      'not testable',
      '–',
      '',
    ],
    [
      'Alpha decay, remembered to unseen',
      cutAt('2024-01-01', '2024-01-02', '2024-01-02'),
      'not testable',
      '–',
      '',
    ],
    [
      'Alpha decay, remembered to unseen',
      { ...cutAt('2024-01-01', '2024-01-02', '2023-12-31'), ...arm({ cutoff: null }) },
      'not testable',
      '–',
      'set memory',
    ],
    [
      'Counterfactual paths',
      {},
      'passed',
      '30.00% of decisions the same on 5 other paths, 90.00% between samples on the same; p = 0.20',
      'follow the path',
    ],
    [
      'Counterfactual paths',
      { counterfactuals: [{ ...other, consistency: 0.9, agreement: null }] },
      'failed',
      'other paths, one sample on the same',
      'hardly depend',
    ],
    [
      'Counterfactual paths',
      { counterfactuals: [{ ...other, arm: 'x' }] },
      'not testable',
      '–',
      'Add leakage',
    ],
    ['Counterfactual paths', { ...rule, counterfactuals: [] }, 'not testable', '–', 'sandtable stress'],
    [
      'Real-world frictions',
      {},
      'passed',
      'paid 10.0 bp of what was traded; no better than holding at 30.0 bp',
      'ahead',
    ],
    ['Real-world frictions', arm({ costs: costs(10, null) }), 'passed', 'holding at –', 'ahead'],
    ['Real-world frictions', arm({ costs: costs(0, 30) }), 'failed', 'paid 0.0 bp', 'no cost was charged'],
    ['Real-world frictions', arm({ beside: beside(100, 0) }), 'failed', '', 'not better than buy-and-hold'],
    ['Real-world frictions', arm({ beside: null }), 'failed', '', 'not better than buy-and-hold'],
    ['Real-world frictions', arm({ costs: costs(10, 19) }), 'failed', '', 'behind holding at twice'],
    [
      'Real-world frictions',
      arm({ costs: { ...costs(1, 1), paidBasisPoints: null } }),
      'not testable',
      '–',
      'nothing',
    ],
    [
      'Robustness to luck and baselines',
      {},
      'passed',
      '20.00% a year against holding, p = 0.010 after Holm; ahead of 99.00% of 99 random agents, p = 0.020',
      'ahead of both',
    ],
    [
      'Robustness to luck and baselines',
      { comparisons: [pair('buy-and-hold', 'baseline', 0.2, 0.05)], ...arm({ random: null }) },
      'failed',
      'after Holm',
      'luck can',
    ],
    [
      'Robustness to luck and baselines',
      arm({ random: { ...random, pHolm: 0.05 } }),
      'failed',
      '',
      'luck can',
    ],
    [
      'Robustness to luck and baselines',
      { comparisons: [pair('buy-and-hold', 'baseline', 0, 0.01)] },
      'failed',
      '0.00% a year',
      'luck can',
    ],
    [
      'Robustness to luck and baselines',
      arm({ gaps: ['P1', 'P2'] }),
      'not testable',
      '–',
      'result in P1, P2, where',
    ],
    [
      'Robustness to luck and baselines',
      {
        comparisons: [
          { ...pair('buy-and-hold', 'baseline', 0.2, 0.01), a: 'x' },
          pair('cash', 'baseline', 1, 0),
        ],
      },
      'not testable',
      '–',
      'too few sessions',
    ],
    [
      'Robustness to the model’s dice',
      {},
      'passed',
      'agreement 80.00% above its floor, entropy 0.10 of 1.00 bits over 20 decisions',
      'mostly order the same',
    ],
    [
      'Robustness to the model’s dice',
      arm({ agreement: sampled(0.5) }),
      'failed',
      'entropy 0.50',
      'different things',
    ],
    [
      'Robustness to the model’s dice',
      arm({ agreement: { ...sampled(0), aboveFloor: null, mostEntropy: null } }),
      'failed',
      'agreement – above its floor, entropy 0.00 of 0.00',
      '',
    ],
    [
      'Robustness to the model’s dice',
      arm({ agreement: { ...sampled(0), mean: null } }),
      'not testable',
      '–',
      'two',
    ],
    [
      'Robustness to the model’s dice',
      arm({ agreement: { ...sampled(0), entropy: null } }),
      'not testable',
      '–',
      'two',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ p: 0.05 }) }),
      'passed',
      `${brier}skill 20.00% (10.00% to 30.00%), p = 0.050; 90 forecasts in 45 stretches`,
      'match the frequencies',
    ],
    ['Predictive calibration', arm({ calibration: scores({ skill: 0 }) }), 'failed', '', 'predict no more'],
    ['Predictive calibration', arm({ calibration: scores({ p: 0.04 }) }), 'failed', '', 'differ beyond luck'],
    ['Predictive calibration', arm({ calibration: scores({ blocks: 30 }) }), 'passed', 'in 30 stretches', ''],
    [
      'Predictive calibration',
      arm({ calibration: scores({ blocks: 29, skillLow: null }) }),
      'not testable',
      `${brier}skill 20.00%, p = 0.40; 90`,
      'fewer than 30 stretches',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ skill: null }) }),
      'not testable',
      `${brier}no skill can be defined, p`,
      'are the same',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ p: null, skillHigh: null }) }),
      'not testable',
      `${brier}skill 20.00%; 90`,
      'are the same',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ brier: null }) }),
      'not testable',
      '–',
      'no score',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ reference: null }) }),
      'not testable',
      '–',
      'no score',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ forecasts: 0, unusable: 1 }) }),
      'not testable',
      '–',
      'not one of 1 decisions',
    ],
    [
      'Predictive calibration',
      arm({ calibration: scores({ forecasts: 0 }) }),
      'not testable',
      '–',
      'no forecast in sure',
    ],
    // The highest accepted share is 5 % of orders, tool calls and fills.
    [
      'Numerical execution',
      { orders: 38, refused: 2, toolErrors: 2, ambiguous: 2 },
      'passed',
      '5.00% of orders refused, 5.00% of tool calls in error, 5.00% of fills ambiguous',
      'at most',
    ],
    [
      'Numerical execution',
      { orders: 2, refused: 2, toolCalls: 4, toolErrors: 1, fills: 2, ambiguous: 2 },
      'failed',
      '50.00% of orders refused, 25.00% of tool calls in error, 100.00% of fills ambiguous',
      'more than',
    ],
    [
      'Numerical execution',
      { orders: 0, refused: 1, toolCalls: 0, toolErrors: 0, fills: 0 },
      'failed',
      '100.00% of orders refused, 0.00% of tool calls in error, 0.00% of fills',
      'more than',
    ],
    [
      'Disaggregation by part',
      tools('trader · off', own, -0.2),
      'passed',
      '20.00% a year against the same prompt without tools, p = 0.010 after Holm',
      'worth something',
    ],
    ['Disaggregation by part', tools(own, 'trader · off', 0), 'failed', '0.00%', 'no sign'],
    ['Disaggregation by part', tools(own, 'trader · off', 0.2, 0.05), 'failed', '', 'no sign'],
    ['Disaggregation by part', tools('x', 'trader · off', 0.2), 'not testable', '–', 'no arm without tools'],
    ['Disaggregation by part', tools(own, 'trader · one', 0.2), 'not testable', '–', 'no arm without tools'],
    [
      'Disaggregation by part',
      { comparisons: [pair('trader · off', 'baseline', 0.2, 0.01)] },
      'not testable',
      '–',
      'no arm without tools',
    ],
    [
      'Disaggregation by symbol',
      { profits: { B: 40, A: 60 } },
      'passed',
      'A brought 60.00% of the profit of 2 symbols',
      'is left without',
    ],
    [
      'Disaggregation by symbol',
      { profits: { A: 60, B: 0 } },
      'failed',
      'A brought 100.00%',
      'nothing is left',
    ],
    ['Disaggregation by symbol', { profits: { A: 5, B: -5, C: 0 } }, 'failed', '3 symbols', 'no profit'],
  ])('%s: state, figure and reason of case %#', (test, changes, state, shown, why) => {
    const answer = answerOf(changes, test);
    expect(answer.state, answer.why).toBe(state);
    expect(answer.figure).toContain(shown);
    expect(answer.why).toContain(why);
  });
});
