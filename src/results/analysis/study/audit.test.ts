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

describe('the audit sheet', () => {
  it('has a case for every test', () => {
    expect(auditOf(facts).map(({ test }) => test)).toEqual(CASES.map(([test]) => test));
  });

  describe.each(CASES)('%s', (test, passed, failed, untestable) => {
    const answerTo = (changes: Partial<AuditFacts>) =>
      auditOf({ ...facts, ...changes }).find((one) => one.test === test)!;

    it.each([
      ...passed.map((changes, place) => ['passed', place, changes] as const),
      ...failed.map((changes, place) => ['failed', place, changes] as const),
      ...untestable.map((changes, place) => ['not testable', place, changes] as const),
    ])('%s %d', (state, _place, changes) => {
      const answer = answerTo(changes);
      expect(answer.state, answer.why).toBe(state);
      expect(answer.why).not.toBe('');
      expect(answer.figure).not.toMatch(/NaN|undefined|null/);
    });
  });
});

describe('tests that the audit cannot run', () => {
  const answerOf = (changes: Partial<AuditFacts>, test: string) =>
    auditOf({ ...facts, ...changes }).find((one) => one.test === test)!;

  it('include other paths for samples that never agree, with the reason', () => {
    const { state, why } = answerOf(
      { counterfactuals: [{ ...other, consistency: 0, agreement: 0 }] },
      'Counterfactual paths',
    );
    expect(state).toBe('not testable');
    expect(why).toContain('samples on the same path never order the same');
  });

  it('include other paths for an arm with masked dates, with the reason', () => {
    const { state, why } = answerOf(arm({ mask: 'symbols+dates' }), 'Counterfactual paths');
    expect(state).toBe('not testable');
    expect(why).toContain('the mask changes the dates');
  });

  it('include the lead over buy-and-hold if the study does not declare it as primary', () => {
    const { state, why } = answerOf(
      { comparisons: [{ ...pair('buy-and-hold', 'baseline', 0.2, 0.01), pHolm: null, primary: false }] },
      'Robustness to luck and baselines',
    );
    expect(state).toBe('not testable');
    expect(why).toContain('add it under primary');
  });

  it('compare tools by uncorrected p-values if they are not a primary comparison', () => {
    const tools = { ...pair('trader · off', 'tools', 0.2, 0.01), pHolm: null, primary: false };
    const { state, figure: shown } = answerOf({ comparisons: [tools] }, 'Disaggregation by part');
    expect(state).toBe('passed');
    expect(shown).toContain('p = 0.010, not corrected');
  });
});
