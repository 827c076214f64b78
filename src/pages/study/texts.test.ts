import { describe, expect, it } from 'vitest';
import type { StudyReport } from '../../results/analysis/index.ts';
import { studyMarkdown } from './leaderboard.ts';
import { correctedCount, pText, rangeText, studyAnswer, studyCsv, studyRows, studyText } from './texts.ts';

const estimate = (mean: number | null, low: number | null = null, high: number | null = null) => ({
  ...{ mean, low, high, runs: 4, over: null },
});
const figures = (first: number) => ({
  ...{ totalReturn: estimate(first, first - 0.01, first + 0.01), sharpe: estimate(first * 10) },
  ...{
    maxDrawdown: estimate(-0.2),
    tradeCount: estimate(7.25),
    exposure: estimate(0.5),
    turnover: estimate(2, 1, 3),
  },
});
const beside = {
  ...{
    sessions: 9,
    totalReturn: 0,
    holdReturn: 0,
    excess: 0.07,
    alpha: 0.031,
    beta: 1.5,
    sharpe: 1,
    psr: 0.8,
  },
};
const arm = (name: string, own: object = {}) => ({
  ...{
    name,
    strategy: 's',
    kind: 'llm',
    model: 'm',
    tools: null,
    mask: 'none',
    samples: 2,
    failures: [],
    gaps: [],
  },
  ...{
    figures: figures(0.05),
    excess: estimate(0.02, 0.01, 0.03),
    beside,
    windows: ['w1', 'w2'],
    agreement: null,
  },
  ...{ calibration: null, random: null, costs: null, cutoff: null, usage: null },
  ...own,
});
const pair = (a: string, b: string, pHolm: number | null, own: object = {}) => ({
  ...{
    a,
    b,
    kind: 'baseline',
    estimate: 0.1,
    low: 0.05,
    high: 0.15,
    p: 0.0005,
    pHolm,
    pWindows: null,
    sessions: 50,
  },
  ...own,
});
const answers = ['passed', 'failed', 'not testable'].map((state, at) => ({ test: `t${at}`, state }));
const baseline = { name: 'buy-and-hold', figures: figures(0.03), excess: undefined, beside: null };
const report = (own: object = {}) =>
  ({
    ...{
      name: 'study',
      version: '1.2.3',
      seed: 7,
      symbols: ['A', 'B'],
      data: [],
      periodsPerYear: 252,
      notes: ['Note.'],
    },
    windows: [
      { name: 'first', from: '2024-01-01', to: '2024-03-31', sessions: 60 },
      { name: '2024-04-01', from: '2024-04-01', to: '2024-06-30', sessions: 61 },
    ],
    arms: [
      arm('one', { random: { percentile: 0.9, pHolm: 0.04 }, agreement: { aboveFloor: 0.75, entropy: 0.3 } }),
      arm('two', { gaps: ['w2'], excess: undefined, beside: null }),
    ],
    ...{ baselines: [baseline], comparisons: [pair('one', 'buy-and-hold', 0.01), pair('two', 'one', null)] },
    ...{ probes: [], counterfactuals: [], audit: [{ arm: 'one', answers }] },
    ...own,
  }) as unknown as StudyReport;

describe('the conclusion of a study', () => {
  const stateOf = (random: object | null, comparison: object, own: object = {}) => {
    const arms = [arm('one', { random, ...own })];
    return studyAnswer(report({ arms, comparisons: [pair('one', 'buy-and-hold', 0.01, comparison)] })).state;
  };

  it('names the arms that are ahead beyond luck', () => {
    expect(studyAnswer(report())).toEqual({
      ...{ state: 'better', head: '1 of 2 are ahead beyond luck' },
      text: 'Ahead of buying and holding, and of random agents where there were some, after the correction for 1 comparisons: one.',
    });
    expect(studyAnswer(report({ arms: [arm('one')] })).head).toBe('1 of 1 is ahead beyond luck');
  });

  it('requires a gain, p-values below 0.05 against holding and random agents, and every window', () => {
    expect(stateOf(null, {})).toBe('better');
    expect(stateOf({ pHolm: 0.049 }, { pHolm: 0.049 })).toBe('better');
    expect(stateOf({ pHolm: 0.05 }, {})).toBe('unknown');
    expect(stateOf(null, { pHolm: 0.05 })).toBe('unknown');
    expect(stateOf(null, { pHolm: null })).toBe('unknown');
    expect(stateOf(null, { estimate: 0 })).toBe('unknown');
    expect(stateOf(null, { estimate: null })).toBe('unknown');
    expect(stateOf(null, { b: 'other' })).toBe('unknown');
    expect(stateOf(null, {}, { gaps: ['w1'] })).toBe('unknown');
  });

  it('states the smallest p-value if no arm is ahead', () => {
    const comparisons = [
      pair('one', 'buy-and-hold', 0.2),
      pair('two', 'buy-and-hold', 0.1),
      pair('two', 'one', 0.01),
    ];
    expect(studyAnswer(report({ comparisons }))).toEqual({
      ...{ state: 'unknown', head: 'None is ahead beyond luck' },
      text: 'Of 2 ways to trade, none is ahead of buying and holding and of random agents after the correction for 3 comparisons; the smallest p against holding is 0.100.',
    });
    expect(studyAnswer(report({ arms: [arm('x')] })).text).toMatch(/^Of 1 way to trade.* is 1\.000\.$/);
    expect(correctedCount({ comparisons: comparisons as never })).toBe(3);
  });
});

describe('texts of a study', () => {
  it('round p-values and ranges', () => {
    expect([null, 0.0009, 0.001, 0.0456].map(pText)).toEqual(['–', '<0.001', '0.001', '0.046']);
    expect(rangeText({ low: -0.0123, high: 0.5 })).toBe('[−1.2, 50.0]');
    expect([rangeText({ low: null, high: 1 }), rangeText({ low: 1, high: null })]).toEqual(['–', '–']);
  });

  it('have a row for each arm and baseline', () => {
    expect(
      studyRows(report()).map(({ name, shown, gaps, against }) => [name, shown, gaps, against?.pHolm]),
    ).toEqual([
      ['one', 'one', [], 0.01],
      ['two', 'two (1 of 2 windows)', ['w2'], undefined],
      ['buy-and-hold', 'buy-and-hold', [], undefined],
    ]);
  });

  it('include CSV tables of arms and comparisons', () => {
    const { table, comparisons } = studyCsv(report());
    const shared = '-0.2,,,7.25,,,0.5,,,2,1,3,4';
    expect(table.split('\n')).toEqual([
      'name,totalReturn,totalReturnLow,totalReturnHigh,sharpe,sharpeLow,sharpeHigh,maxDrawdown,maxDrawdownLow,maxDrawdownHigh,tradeCount,tradeCountLow,tradeCountHigh,exposure,exposureLow,exposureHigh,turnover,turnoverLow,turnoverHigh,runs,excess,excessLow,excessHigh,excessCompounded,alpha,beta,psr,randomPercentile,randomP,agreement,entropy,missingWindows',
      `one,0.05,0.04,${0.05 + 0.01},0.5,,,${shared},0.02,0.01,0.03,0.07,0.031,1.5,0.8,0.9,0.04,0.75,0.3,`,
      `two,0.05,0.04,${0.05 + 0.01},0.5,,,${shared},,,,,,,,,,,,w2`,
      `buy-and-hold,0.03,${0.03 - 0.01},0.04,0.3,,,${shared},,,,,,,,,,,,`,
      '',
    ]);
    expect(comparisons).toBe(
      'a,b,kind,difference,low,high,p,pHolm,sessions,pWindows\none,buy-and-hold,baseline,0.1,0.05,0.15,0.0005,0.01,50,\ntwo,one,baseline,0.1,0.05,0.15,0.0005,,50,\n',
    );
  });

  it('include tables in Markdown', () => {
    const lines = studyMarkdown(report()).split('\n');
    expect(lines[0]).toBe('# study');
    expect(lines[2]).toBe(
      '2 symbols; first: 2024-01-01 to 2024-03-31 (60 sessions); 2024-04-01 to 2024-06-30 (61 sessions). Seed 7, Sandtable 1.2.3.',
    );
    expect(lines).toContain('- Note.');
    expect(lines).toContain(
      '| one | 5.00% [4.00%, 6.00%] | 0.50 | −20.00% | +2.00% [+1.00%, +3.00%] | +3.1% | 80.00% | above 90% (p = 0.040) | 75% |',
    );
    expect(lines).toContain(
      '| two (1 of 2 windows) | 5.00% [4.00%, 6.00%] | 0.50 | −20.00% | – | – | – | – | – |',
    );
    expect(lines).toContain('| one − buy-and-hold | +10.00% | [5.0, 15.0] | <0.001 | 0.010 |');
    expect(lines).toContain('| A − B | A year | 95% | p | p (Holm) |');
    expect(lines).toContain('| t1 | failed |');
    expect(lines).toContain('| :-- | --: | --: | --: | --: |');
    const windows = studyMarkdown(
      report({ comparisons: [pair('a|b', 'c', 0.01, { pWindows: 0.3 })], notes: [], symbols: ['A'] }),
    );
    expect(windows).toContain('| a\\|b − c | +10.00% | [5.0, 15.0] | <0.001 | 0.010 | 0.300 |');
    expect(windows).toContain('1 symbol; first');
    expect(windows).not.toContain('- Note.');
    const mixed = arm('mixed', { beside: { ...beside, psr: 0.3 } });
    expect(studyMarkdown(report({ arms: [mixed] }))).toMatch(
      /\| mixed ‡ \|[\s\S]*‡ Return, Sharpe ratio and PSR/,
    );
    expect(studyMarkdown(report())).not.toContain('‡');
  });

  it('include a table for the terminal, in two parts if the terminal is narrow', () => {
    const style = (width: number) => ({ width, colour: false, ascii: false });
    const wide = studyText(report(), 'reports/study', style(120)).split('\n');
    expect(wide[0]).toBe('Study study: 2 arms in 2 windows, 2024-01-01 to 2024-06-30');
    expect(wide.join('\n')).toContain('Note.');
    expect(wide.find((line) => line.startsWith('one '))!.split(/\s{2,}/)).toEqual([
      ...['one', '5.00%', '[4.0, 6.0]', '0.50', '−20.00%', '7.2', '90%', '75%'],
    ]);
    expect(wide.find((line) => line.startsWith('two*'))).toBeDefined();
    expect(wide).toContain('* of fewer windows than the others: see above');
    expect(wide).toContain('  one: 1 passed, 1 failed, 1 not testable; failed: t1');
    expect(wide.at(-1)).toBe('Folder    reports/study');
    const rowsOf = (width: number, own: object = {}) =>
      studyText(report(own), 'f', style(width))
        .split('\n')
        .filter((line) => /^one {2}/.test(line)).length;
    expect([rowsOf(110), rowsOf(109), rowsOf(109, { arms: [arm('one')] })]).toEqual([1, 2, 1]);
    const more = studyText(
      report({
        ...{
          arms: [arm('one')],
          windows: report().windows.slice(0, 1),
          audit: [{ arm: 'one', answers: answers.slice(0, 1) }],
        },
        probes: [
          { model: 'm', questions: 9, probability: 0.5, smallest: 0.01, remembers: true, refused: null },
          { model: 'n', questions: 9, probability: 0.5, smallest: 0.01, remembers: false, refused: null },
          { model: 'o', refused: 'no answers' },
        ],
        counterfactuals: [{ arm: 'one', worlds: 5, consistency: 0.5, agreement: null, p: 0.2 }],
      }),
      ...(['f', style(200)] as const),
    );
    for (const line of [
      ...[
        'Study study: 1 arm in 1 window, 2024-01-01 to 2024-03-31',
        '  one: 1 passed, 0 failed, 0 not testable',
      ],
      'Probe of m: it remembers, p = 0.500 of 9 questions (0.010 at the least)',
      ...[
        'Probe of n: no sign of memory, p = 0.500 of 9 questions (0.010 at the least)',
        'Probe of o: no answers',
      ],
      'Other paths of one: 50.00% of decisions the same in 5 worlds, – between samples; p = 0.200',
    ])
      expect(more.split('\n')).toContain(line);
    expect(more).not.toContain('* of fewer');
  });
});
