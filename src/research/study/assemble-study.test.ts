import { describe, expect, it } from 'vitest';
import { studyCellOf, studyFigures } from '../../../test/support/study-cell.ts';
import { createRandom, version } from '../../kernel/index.ts';
import {
  agreementByBar,
  agreementOf,
  auditOf,
  compareWithHolding,
  hierarchicalMean,
  type StudyCell,
} from '../../results/analysis/index.ts';
import { assembleStudy, type StudyFindings } from './assemble-study.ts';

const SEED = 7;
const HOLD = [
  [0.01, -0.02, 0.03],
  [0.02, 0.01, -0.01],
];
const TRADER = [
  [
    [0.02, 0, 0.01],
    [0, 0.04, -0.01],
  ],
  [[-0.01, 0.02, 0.03]],
];
const LATE = ['2020-02-01T16:00:00', '2020-02-02T16:00:00', '2020-02-03T16:00:00'];
const late = (returns: readonly number[], own: Partial<StudyCell> = {}): StudyCell =>
  studyCellOf(returns, { dates: LATE, ...own });
const action = (bar: number, text: string) => ({ bar, date: '2020-01-01', action: text });
const episode = { symbol: 'A', from: 0, to: 1, weight: 1 };

/** Samples of the prompt. The first window has two samples, the second window has one. */
const [one, two, three] = [
  studyCellOf(TRADER[0]![0]!, {
    figures: studyFigures({ totalReturn: 0.1, maxDrawdown: -0.001, exposure: 0.5, turnover: 2, sharpe: 1 }),
    decisions: [action(0, 'buy'), action(1, 'hold')],
    profits: { A: 5, B: -1 },
    episodes: [episode, episode],
    ...{ orders: 1, refused: 2, fills: 3, ambiguous: 4, toolCalls: 5, toolErrors: 6 },
    alarms: [{ kind: 'no_orders', nextStep: 'Check the rule.' }],
    model: { requests: 3, tokens: 30, cost: 0.5, served: [] },
  }),
  studyCellOf(TRADER[0]![1]!, {
    figures: studyFigures({
      totalReturn: 0.3,
      maxDrawdown: -0.9,
      tradeCount: 9,
      exposure: null,
      turnover: null,
    }),
    decisions: [action(0, 'sell'), action(1, 'hold')],
    profits: { A: 2 },
    episodes: [episode],
    ...{ orders: 10, refused: 20, fills: 30, ambiguous: 40, toolCalls: 50, toolErrors: 60 },
    model: { requests: 4, tokens: 40, cost: 0.25, served: [] },
  }),
  late(TRADER[1]![0]!, {
    figures: studyFigures({ totalReturn: null, exposure: 0.25, turnover: 4 }),
    model: { requests: 5, tokens: 50, cost: 0.25, served: [] },
  }),
] as const;
const rule = studyCellOf([0.03, 0.01, -0.02], { episodes: [episode] });
const hold = [studyCellOf(HOLD[0]!), late(HOLD[1]!)];
const short = [studyCellOf([0.01, 0.01, 0.01]), undefined];
const draws = { repeated: 0.2, tradeCount: 3, exposure: 0.4, turnover: 6 };

const request = {
  name: 'test',
  seed: SEED,
  windows: [
    { name: 'W1', from: '2020-01-01', to: '2020-01-03', memory: 'remembered' },
    { name: 'W2', from: '2020-02-01', to: '2020-02-03' },
  ],
  baselines: { sma: 20, momentum: 15, rebalance: 21 },
  costs: [0, 10],
  samples: 2,
  leakage: { probe: 0 },
};
const settings = { seed: SEED, evaluateFrom: '2020-01-01', cash: '1000', fillOn: 'close' };
const ground = {
  settings,
  world: { files: { market: { symbols: ['A', 'B'] }, sources: [{ sha256: 'x' }, {}] } },
};
const arm = (name: string, kind: string, own: object = {}) => ({
  ...{ name, strategy: name, kind, model: null, samples: 1, cutoff: undefined },
  chosen: { model: 'own', tools: 'few', mask: 'none' },
  ...own,
});
const findings = {
  request,
  ground,
  arms: [
    {
      arm: arm('trader', 'llm', { model: 'm', samples: 2, cutoff: '2020-02-01' }),
      cells: [
        [one, two],
        [three, undefined],
      ],
      failures: [{ window: 'W2', sample: 2, error: 'no answer' }],
      random: { returns: [0.02, 0.05, 0.06, 0.5], ...draws },
      counterfactuals: [],
    },
    {
      arm: arm('cross', 'rules'),
      cells: [[rule], [undefined]],
      failures: [],
      random: { returns: [0.001, 0.002, 0.003, 0.004, 0.005], ...draws },
      counterfactuals: [],
    },
  ],
  baselines: new Map(
    Object.entries({ 'buy-and-hold': hold, 'equal-weight': hold, sma: short, momentum: hold }),
  ),
  probes: [],
} as unknown as StudyFindings;
const report = assembleStudy(findings);

const compared = (own: readonly number[], held: readonly number[], perYear = 100) => {
  const found = compareWithHolding(Float64Array.from(own), Float64Array.from(held), perYear);
  // The returns are computed from the equity of a cell, so they differ by rounding errors.
  if (found === null) return null;
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [
      name,
      value === null ? null : (expect.closeTo(value, 8) as number),
    ]),
  );
};
const means = (samples: readonly (readonly number[])[]) =>
  samples[0]!.map((_, at) => samples.reduce((sum, own) => sum + own[at]!, 0) / samples.length);
const TRADED = [means(TRADER[0]!), means(TRADER[1]!)];

describe('the report of a study', () => {
  it('has the name, the data, the settings and the windows of the study', () => {
    expect(report).toMatchObject({
      ...{ schema: 1, name: 'test', version: version(), seed: SEED, periodsPerYear: 100 },
      symbols: ['A', 'B'],
      data: ['x', ''],
      probes: [],
      counterfactuals: [],
    });
    expect(report.settings).toEqual({ cash: '1000', fillOn: 'close' });
    expect(report.windows).toEqual([
      { name: 'W1', from: '2020-01-01', to: '2020-01-03', sessions: 3, memory: 'remembered' },
      { name: 'W2', from: '2020-02-01', to: '2020-02-03', sessions: 3, memory: null },
    ]);
    expect(report).not.toHaveProperty('registration');
  });

  it('has the mean of each figure over windows and samples, within the limits of the figure', () => {
    const random = (label: string) => createRandom(SEED, `study/trader/${label}`);
    const figures = report.arms[0]!.figures;
    expect(figures.totalReturn).toEqual(hierarchicalMean([[0.1, 0.3], [null]], random('totalReturn')));
    expect(figures.sharpe).toEqual(hierarchicalMean([[1, 0], [0]], random('sharpe')));
    const least = hierarchicalMean([[-0.001, -0.9], [0]], random('maxDrawdown'));
    expect(least.high).toBeGreaterThan(0);
    expect(figures.maxDrawdown).toEqual({ ...least, high: 0 });
    const unbounded = {
      tradeCount: [[0, 9], [0]],
      exposure: [[0.5, null], [0.25]],
      turnover: [[2, null], [4]],
    };
    for (const [name, values] of Object.entries(unbounded)) {
      const most = hierarchicalMean(values, random(name));
      expect(figures[name as 'turnover']).toEqual({ ...most, low: Math.max(0, most.low!) });
    }
    expect(figures.tradeCount.low).toBe(0);
    expect(report.baselines[0]!.figures.totalReturn).toEqual(
      hierarchicalMean(
        hold.map((cell) => [cell.figures.totalReturn]),
        createRandom(SEED, 'study/buy-and-hold/totalReturn'),
      ),
    );
  });

  it('has the mean excess over buying and holding in the same window', () => {
    const held = hold[0]!.figures.totalReturn!;
    expect(report.arms[0]!.excess).toEqual(
      hierarchicalMean([[0.1 - held, 0.3 - held], [null]], createRandom(SEED, 'study/trader/excess')),
    );
    expect(report.baselines.map(({ excess }) => excess?.mean)).toEqual([
      0,
      0,
      short[0]!.figures.totalReturn! - held,
      0,
    ]);
  });

  it('compares session returns with buying and holding, for all windows, each window and around the cutoff', () => {
    const [trader, cross] = report.arms;
    const whole = compared(TRADED.flat(), HOLD.flat());
    expect(trader!.beside).toEqual(whole);
    expect(trader!.windows.map(({ name, beside }) => [name, beside])).toEqual([
      ['W1', compared(TRADED[0]!, HOLD[0]!)],
      ['W2', compared(TRADED[1]!, HOLD[1]!)],
    ]);
    expect(trader!.windows[0]!.totalReturn).toEqual(
      hierarchicalMean([[0.1, 0.3]], createRandom(SEED, 'study/trader/W1')),
    );
    // The cutoff is the date of the fourth of six sessions, which counts as before the cutoff.
    expect(trader!.cutoff).toEqual({
      date: '2020-02-01',
      before: compared(TRADED.flat().slice(0, 4), HOLD.flat().slice(0, 4)),
      after: compared(TRADED.flat().slice(4), HOLD.flat().slice(4)),
    });
    expect([cross!.cutoff, cross!.windows[1]!.beside]).toEqual([null, null]);
    expect(cross!.beside).toEqual(compared([0.03, 0.01, -0.02], HOLD[0]!));
    expect(report.baselines.map(({ beside }) => beside?.sessions)).toEqual([6, 6, 3, 6]);
  });

  it('describes each arm, with its failures, its windows without a result and its usage', () => {
    expect(report.arms[0]).toMatchObject({
      ...{ name: 'trader', strategy: 'trader', kind: 'llm', model: 'm', tools: 'few', mask: 'none' },
      samples: 2,
      failures: [{ window: 'W2', sample: 2, error: 'no answer' }],
      gaps: [],
      calibration: null,
      usage: { requests: 12, tokens: 120, cost: 1, served: [] },
      costs: { decisions: 4, levels: [{ basisPoints: 0 }, { basisPoints: 10 }] },
    });
    expect(report.arms[1]).toMatchObject({ name: 'cross', tools: null, gaps: ['W2'], usage: null });
    expect(report.arms[0]!.agreement).toEqual(agreementOf(agreementByBar([one.decisions, two.decisions])));
    expect(report.arms[0]!.agreement!.mean).toBe(0.75);
    expect(report.arms[1]!.agreement).toBeNull();
  });

  it('ranks each arm among its random agents, with figures of both per run', () => {
    // The prompt returned 20 % in the first window and nothing in the second. One of four agents is better.
    expect(report.arms[0]!.random).toEqual({
      draws: 4,
      mean: expect.closeTo(0.63 / 4, 12) as number,
      percentile: 0.75,
      p: 2 / 5,
      pHolm: 2 / 5,
      ...draws,
      ownTradeCount: 1,
      ownExposure: 0.25,
      ownTurnover: 2,
    });
    // The rule is better than all five agents. Holm's correction doubles the smaller p-value.
    expect(report.arms[1]!.random).toMatchObject({ percentile: 1, p: 1 / 6, pHolm: 1 / 3, ownTradeCount: 1 });
  });

  it('audits each arm with the counts of all its runs', () => {
    const counts = [
      {
        ...{ runs: 3, orders: 11, refused: 22, fills: 33, ambiguous: 44, toolCalls: 55, toolErrors: 66 },
        profits: { A: 7, B: -1 },
      },
      {
        ...{ runs: 1, orders: 0, refused: 0, fills: 0, ambiguous: 0, toolCalls: 0, toolErrors: 0 },
        profits: {},
      },
    ];
    const { windows, comparisons, probes, counterfactuals } = report;
    for (const [place, { arm: name, answers }] of report.audit.entries()) {
      const facts = { windows, comparisons, probes, counterfactuals, fillsAtClose: true, ...counts[place]! };
      expect(name).toBe(report.arms[place]!.name);
      expect(answers).toEqual(auditOf({ ...facts, arm: report.arms[place]! }));
    }
    expect(report.audit[0]!.answers[0]!.state).toBe('failed');
  });

  it('compares every arm with every baseline, and groups the alarms of all runs', () => {
    expect(report.comparisons.map(({ a, b }) => `${a} ${b}`)).toEqual([
      ...['trader', 'cross'].flatMap((a) =>
        ['buy-and-hold', 'equal-weight', 'sma', 'momentum'].map((b) => `${a} ${b}`),
      ),
      'trader cross',
    ]);
    expect(report.alarms).toEqual([{ kind: 'no_orders', nextStep: 'Check the rule.', runs: 1 }]);
    expect(report.baselines.map(({ name, text }) => [name, text])).toEqual([
      ['buy-and-hold', 'all symbols in equal parts, bought once and held'],
      ['equal-weight', 'all symbols in equal parts, brought back to them every 21 bars'],
      ['sma', 'each symbol in its equal part while its close is above the mean of its last 20'],
      [
        'momentum',
        'the quarter of symbols with the highest return over 15 bars, in equal parts, selected again every 21 bars',
      ],
    ]);
    expect(report.notes).toHaveLength(2);
  });

  it('has empty tables if no run has a result, and a registration with its note', () => {
    const none = new Map(
      ['buy-and-hold', 'equal-weight', 'sma', 'momentum'].map((name) => [name, [undefined, undefined]]),
    );
    const registration = {
      ...{ sha256: 'h', registeredAt: '2020-01-01' },
      hypothesis: { text: 'It works', primaryFigure: 'sharpe', threshold: '1', test: 't' },
    };
    const empty = assembleStudy({
      ...findings,
      ground: { ...ground, settings: { ...settings, fillOn: 'next_open' } },
      arms: [{ ...findings.arms[1]!, cells: [[undefined], [undefined]], random: undefined }],
      baselines: none,
      registration,
    } as unknown as StudyFindings);
    expect(empty).toMatchObject({
      periodsPerYear: 252,
      registration,
      windows: [{ sessions: 0 }, { sessions: 0 }],
      baselines: [{ beside: null, excess: { mean: null } }, {}, {}, {}],
      arms: [{ gaps: ['W1', 'W2'], beside: null, random: null, costs: null }],
    });
    expect(empty.audit[0]!.answers[0]!.state).toBe('not testable');
    expect(empty.notes[0]).toContain('registered at 2020-01-01');
  });
});
