import { describe, expect, it } from 'vitest';
import { sweepOfNine } from '../../../test/fixtures/sweep-result.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import { equityChart } from './equity-chart.ts';
import { estimateText } from './estimate-text.ts';
import { sweepText } from './sweep-text.ts';

const style = { width: 400, colour: false, ascii: false };

describe('the text of a sweep', () => {
  const { result } = sweepOfNine();
  const lines = (own: Partial<SweepResult> = {}) =>
    sweepText({ ...result, ...own }, 'reports/s', 1.26, style).split('\n');

  /** Returns the text without line breaks, because long lines are wrapped. */
  const said = (found: readonly string[]): string => found.join(' ').replaceAll(/\s+/g, ' ');

  it('begins with the conclusion, and states the number of trials', () => {
    expect(lines()[0]).toBe(result.answer.text);
    expect(said(lines())).toContain(
      '9 trials of sma-cross in 1.3 s, judged from 2000-05-01 to 2009-12-31; kept back from 2010-01-04 on; 2 refused, 0 failed, 1 without sharpe or short of a constraint',
    );
    const own = {
      counts: { trials: 1, refused: 0, failed: 3, unrated: 0 },
      failures: [{ message: 'No bars.', trials: 3 }],
      objective: { ...result.objective, constraints: [] },
      period: { ...result.period, evaluatedFrom: null, holdoutFrom: null },
      warnings: ['Few bars.'],
    };
    const found = lines(own);
    expect(said(found)).toContain('Few bars.');
    expect(said(found)).toContain(
      '1 trial of sma-cross in 1.3 s, judged from 2000-01-03 to 2009-12-31; 0 refused, 3 failed, 0 without sharpe',
    );
    expect(said(found)).toContain(' 3 failed: No bars.');
    expect(found.at(-1)).toBe('Sweep: reports/s');
  });

  it('lists the best trials', () => {
    const rows = lines().map((line) => line.trim().split(/\s{2,}/));
    expect(rows).toContainEqual(['fast', 'slow', 'sharpe', 'Return', 'Sharpe', 'Drawdown', 'Trades']);
    expect(rows).toContainEqual(['10', '40', '0.9000', '90.00%', '0.90', '−20.00%', '20']);
    expect(lines({ top: [] }).join()).not.toContain('Drawdown  Trades');
  });

  it('shows the deflated Sharpe ratio, the probability of overfitting and the looks at the data', () => {
    const deflated = {
      value: 0.5,
      trials: 9,
      luckySharpe: 1,
      sharpeInterval: [0.25, 1.5] as [number, number],
    };
    const pbo = { value: 0.25, interval: [0.125, 0.5] as [number, number], blocks: 8, splits: 70 };
    const looks = { sweep: 9, before: 3, total: 1200, project: null };
    const found = lines({ deflatedSharpe: deflated, pbo, looks });
    expect(said(found)).toContain(
      'Deflated Sharpe ratio 50.00% over 9 different trials (luck alone: Sharpe 1.00); the best’s Sharpe ratio lies between 0.25 and 1.50 (95%)',
    );
    expect(said(found)).toContain(
      'Probability of overfitting 25.00%, from 12.50% to 50.00% with parts of the time left out',
    );
    expect(said(found)).toContain(
      '1,200 different looks at these data with this strategy so far, 3 of them outside this sweep',
    );
    const none = lines({
      deflatedSharpe: {
        value: null,
        reason: 'one trial',
        trials: 1,
        luckySharpe: null,
        sharpeInterval: null,
      },
      pbo: { ...pbo, value: null, reason: 'few trials', interval: null },
      looks: { ...looks, project: 'gaps' },
      plateau: null,
    });
    expect(said(none)).toContain('Deflated Sharpe ratio – over 1 different trial (one trial)');
    expect(said(none)).toContain('Probability of overfitting –: few trials');
    expect(said(none)).toContain('in the project "gaps" so far');
    expect(said(none)).not.toContain(result.plateau!.text);
    expect(said(found)).toContain(result.plateau!.text);
  });

  it('shows the windows of a walk-forward and the splits of a cross-validation', () => {
    const [window] = result.walkForward!.windows;
    const windows = [
      {
        ...window!,
        ...{ train: { ...window!.train, historyBars: 0 }, test: { from: 'a', to: 'b', historyBars: 1200 } },
        ...{ parameters: { fast: 5, slow: 9 }, inSample: 1, outOfSample: null },
      },
      { ...window!, test: { from: 'c', to: 'd', historyBars: null }, parameters: null },
    ];
    const walkForward = {
      ...{
        ...result.walkForward!,
        windows,
        positions: 'P.',
        history: 'H.',
        totalReturn: 0.1,
        sharpe: 1,
        maxDrawdown: -0.2,
      },
      tradeCount: 7,
    };
    const found = lines({ walkForward });
    expect(said(found)).toContain(
      'Walk-forward: 2 windows, return 10.00%, Sharpe 1.00, drawdown −20.00%, 7 trades out of sample',
    );
    expect(said(found)).toContain(' P. H.');
    expect(said(found)).toContain(
      ' a to b (bars of history: 0 in training, 1,200 in the test): fast=5 slow=9; in sample 1.00, out of sample –',
    );
    expect(said(found)).toContain(' c to d: nothing chosen; in sample ');
    expect(lines({ walkForward: null }).join()).not.toContain('Walk-forward:');
    const crossValidation = {
      ...{
        groups: 4,
        test: 2,
        embargo: null,
        by: '',
        positions: 'P.',
        history: 'H.',
        paths: [1, null],
        lossShare: 0.5,
      },
      ...{
        splits: [],
        windows: [
          { from: 'a', to: 'b', historyBars: 1200 },
          { from: 'c', to: 'd', historyBars: 0 },
        ],
      },
    };
    const crossed = lines({ crossValidation });
    expect(said(crossed)).toContain(
      'Cross-validation: 0 splits, 50.00% of them lose out of sample; Sharpe ratios of 2 paths 1.00, –',
    );
    expect(said(crossed)).toContain(' Bars of history by group: 1,200, 0');
    expect(lines({ crossValidation: { ...crossValidation, windows: [] } }).join()).not.toContain(
      'Bars of history by group',
    );
  });
});

describe('the text of an estimate', () => {
  const amount = { expected: 1234.5, low: 1000, high: 2000 };
  const estimate = { decisions: 1200, requests: amount, tokens: amount, usd: amount, observed: 50 };

  it('shows the expected amounts and their ranges', () => {
    const text = estimateText({ ...estimate, basis: 'recorded runs' }, 'trader', 'Cap.', style);
    expect(text.split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ...[
        ['Estimate of trader: 1,200 decisions'],
        ['Expected', 'From', 'To'],
        ['requests', '1,234', '1,000', '2,000'],
      ],
      ...[
        ['tokens', '1,234', '1,000', '2,000'],
        ['US dollars', '1,234.5000', '1,000.0000', '2,000.0000'],
      ],
      ...[['From 50 recorded decisions. The range is a 95% prediction interval.'], ['Cap.']],
    ]);
  });

  it('states which amounts are unknown, and why', () => {
    const text = estimateText(
      { ...estimate, decisions: 1, tokens: null, usd: null, basis: 'one decision' },
      'x',
      'Cap.',
      style,
    );
    const rows = text.split('\n');
    expect(rows[0]).toBe('Estimate of x: 1 decision');
    expect(rows[3]!.split(/\s{2,}/)).toEqual(['tokens', 'unknown', '–', '–']);
    expect(rows.slice(5)).toEqual([
      'From one decision, which was made and paid for. Its range is half to three times the expected amount.',
      'Tokens are unknown: the server or the agent reports none.',
      'Money is unknown: the price of the model is unknown. Set prices in the strategy.',
      'Cap.',
    ]);
  });
});

describe('an equity chart of characters', () => {
  const draw = (values: readonly number[], width: number, ascii = false, more: readonly number[][] = []) =>
    equityChart(
      [{ name: 'Own', values }, ...more.map((other, at) => ({ name: `H${at}`, values: other }))],
      4,
      { width, colour: false, ascii },
    );

  it('has two lines that begin with the highest and the lowest value', () => {
    // Names and values leave eight columns. Two lines show heights of 1 to 16 eighths.
    expect(draw([0, 1, 2, 3, 4, 5, 6, 7], 17)).toEqual(['Own 7.00     ▂▄▆█', '    0.00 ▁▃▅▇████']);
    expect(draw([0, 1, 2, 3, 4, 5, 6, 7], 17, true)).toEqual(['Own 7.00     .::#', '    0.00 .::#####']);
    expect(draw([0, 7], 17)).toEqual(['Own 7.00     ████', '    0.00 ▁▁▁▁████']);
    expect(
      draw(
        Array.from({ length: 16 }, (_, at) => Math.floor(at / 2)),
        17,
      ),
    ).toEqual(draw([0, 1, 2, 3, 4, 5, 6, 7], 17));
  });

  it('leaves gaps at missing values, and uses one scale for all curves', () => {
    expect(draw([Number.NaN, 0, 7, 7, 7, 7, 7, 7], 17)[1]).toBe('    0.00  ▁██████');
    const [, , name, low] = draw([0, 1, 2, 3, 4, 5, 6, 7], 17, false, [[7, 7, 7, 7, 7, 7, 7, 7]]);
    expect([name, low]).toEqual(['H0  7.00 ████████', '         ████████']);
    expect(draw([0, 10_000], 19)[0]).toMatch(/^Own 10,000 /);
    expect(draw([0, 9_999], 21)[0]).toMatch(/^Own 9,999\.00 /);
  });

  it('is omitted for equal values and for a narrow terminal', () => {
    expect(draw([5, 5], 80)).toEqual([]);
    expect(draw([1, 1 + 5e-10], 80)).toEqual([]);
    expect(draw([1, 1 + 2e-9], 80)).toHaveLength(2);
    expect(draw([0, 7], 16)).toEqual([]);
    expect(draw([Number.NaN], 80)).toEqual([]);
  });
});
