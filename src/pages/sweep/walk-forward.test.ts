import { describe, expect, it } from 'vitest';
import { cellsIn, textIn } from '../../../test/support/page-sketch.ts';
import { crossValidationSection, walkForwardSection } from './walk-forward.ts';

const text = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
const found = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...own]) => own);

describe('the section on a walk-forward test', () => {
  const window = {
    train: { from: '2020-01-01T00:00:00Z', to: '2020-06-30', historyBars: 0 },
    test: { from: '2020-07-02', to: '2020-09-30T00:00', historyBars: 120 },
    ...{
      parameters: { fast: 5 },
      trials: 9,
      inSample: 1,
      outOfSample: -0.5,
      totalReturn: -0.1,
      tradeCount: 3,
    },
  };
  const later = { ...window, test: { ...window.test, from: '2021-01-01' }, parameters: null };
  const result = {
    terms: { train: '6m', test: '3m', step: '3m', anchored: false, embargo: null, carry: false },
    ...{ positions: 'Positions are closed.', history: 'They read all bars.', windows: [window, later] },
    equity: [1, 1.1, 0.9, 1.2].map((value, at): [string, number] => [`2020-07-0${at + 1}`, value]),
    ...{ totalReturn: 0.2, sharpe: 1.5, maxDrawdown: -0.15, tradeCount: 1234, efficiency: 0.456 },
  };
  const page = (own: object = {}) => walkForwardSection({ ...result, ...own }, 'sharpe', text).text;

  it('has the figures and a row for each window', () => {
    expect(
      found(page(), /<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g).map((cells) => cells.map((cell) => textIn(cell!))),
    ).toEqual([
      ['Return out of sample', '+20.00%'],
      ['Sharpe out of sample', '1.50'],
      ['Max drawdown', '−15.00%'],
      ['Trades', '1,234'],
      ['Kept of in-sample', '46%'],
    ]);
    expect(cellsIn(page()).slice(1)).toEqual([
      [
        '2020-07-02 to 2020-09-30',
        '2020-01-01 to 2020-06-30',
        '0, 120',
        'fast 5',
        '1.00',
        '-0.50',
        '−10.00%',
        '3',
      ],
      expect.arrayContaining(['2021-01-01 to 2020-09-30', 'nothing chosen']),
    ]);
    expect(textIn(page())).toContain('2 windows, trained on 6m, tested on 3m.');
    expect(textIn(page())).toContain('Positions are closed. They read all bars.');
    const terms = { ...result.terms, step: '1m', anchored: true, embargo: '5d' };
    expect(textIn(page({ terms }))).toContain(
      'tested on 3m, a window every 1m, training always from the first bar, 5d left out between.',
    );
  });

  it('draws the equity of the test windows, and where they begin', () => {
    // The values are between 0.9 and 1.2, with a margin of 0.012. The plot is between 12 and 234 units.
    const y = (value: number) => (234 - ((value - 0.888) / 0.324) * 222).toFixed(1);
    const x = (place: number) => (64 + (place / 3) * 832).toFixed(1);
    expect(found(page(), /<polyline class="own" points="(.*?)"/g)).toEqual([
      [[1, 1.1, 0.9, 1.2].map((value, at) => `${x(at)},${y(value)}`).join(' ')],
    ]);
    expect(found(page(), /<line class="grid" x1="([\d.]+)" x2="([\d.]+)" y1="12" y2="234"/g)).toEqual([
      [x(1), x(1)],
    ]);
    expect(found(page(), /<line class="zero" x1="64" x2="900" y1="([\d.]+)" y2="([\d.]+)"/g)).toEqual([
      [y(1), y(1)],
    ]);
    expect(found(page(), /<text x="56" y="([\d.]+)" text-anchor="end">(.*?)</g)).toEqual([
      [(Number(y(1.2)) + 4).toFixed(1), '+20.0%'],
      [(Number(y(0.9)) + 4).toFixed(1), '−10.0%'],
    ]);
    expect(found(page(), /y="254"[^>]*>(.*?)</g)).toEqual([['2020-07-01'], ['2020-07-04']]);
    expect(page()).toContain('from 1 on 2020-07-01 to 1.200 on 2020-07-04.');
    expect(page({ equity: result.equity.slice(0, 1) })).toContain(
      'The test windows hold too few sessions to draw.',
    );
    expect(page({ equity: result.equity.slice(0, 2) })).toContain('<polyline');
  });

  it('draws at most 1,800 points, and always the last', () => {
    const count = (length: number) =>
      found(
        page({ windows: [], equity: Array.from({ length }, (_, at) => [`${at}`, 1 + at]) }),
        /<polyline class="own" points="(.*?)"/g,
      )[0]![0]!.split(' ').length;
    expect([count(1800), count(1801), count(1802)]).toEqual([1800, 901, 902]);
  });
});

describe('the section on a cross-validation', () => {
  const split = { test: [0, 2], id: 't', parameters: { fast: 5 }, inSample: 1, outOfSample: -0.5 };
  const result = {
    ...{
      groups: 4,
      test: 2,
      embargo: null,
      by: 'By Sharpe.',
      positions: '',
      history: 'All bars.',
      splits: [split, split],
    },
    ...{ windows: [], paths: [0.5, null, -1, 2], lossShare: 0.5 },
  };
  const page = (own: object = {}) => crossValidationSection({ ...result, ...own }, text).text;

  it('has a row for each split and group', () => {
    expect(textIn(page())).toContain(
      'The time in 4 groups, 2 tested at a time: 2 splits, of which 50% lose out of sample. The 4 paths through all groups have Sharpe ratios from −1.00 to 2.00. By Sharpe.',
    );
    expect(cellsIn(page()).slice(1)).toEqual([
      ['1, 3', 'fast 5', '1.00', '-0.50'],
      ['1, 3', 'fast 5', '1.00', '-0.50'],
    ]);
    expect(page()).not.toContain('class="note"');
    const windows = [{ from: '2020-01-01', to: '2020-12-31T00:00:00', historyBars: 1200 }];
    const more = page({ windows, embargo: '5d', paths: [null], positions: 'Closed.' });
    expect(textIn(more)).toContain('2 tested at a time, 5d left out beside them: 2 splits');
    expect(textIn(more)).toContain('lose out of sample. By Sharpe.');
    expect(textIn(more)).toContain('Closed. All bars.');
    expect(cellsIn(more).at(-1)).toEqual(['1', '2020-01-01', '2020-12-31', '1,200']);
  });
});
