import { describe, expect, it } from 'vitest';
import { cellsIn, textIn } from '../../../test/support/page-sketch.ts';
import { storedRun } from '../../../test/support/stored-run.ts';
import {
  COMPARED_FIGURES,
  type ComparedRun,
  type Comparison,
  comparedWith,
  type StoredRun,
} from '../../results/runs/index.ts';
import { differences, figures, key, overlap, runsTable, samples, sentences } from './sections.ts';

const stored = ['a', 'b', 'c'].map((id, at) =>
  storedRun(id, { cash: '100', equity: [100, 110 - 10 * at, 120 - 20 * at], strategy: id }),
);
const runs = comparedWith(0, stored);
const found = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...own]) => own);
const against = (low: number, high: number) => ({
  ...{ meanReturn: { estimate: (low + high) / 2, low, high }, sharpe: undefined, confidence: 0.95 },
});
const changed = (run: ComparedRun, own: object, summary: object = {}) =>
  ({ ...run, ...own, summary: { ...run.summary, ...summary } }) as ComparedRun;
const verdict = (state: string) => ({ verdict: { state, because: ['Why.'] } });

describe('the table of figures', () => {
  const [base, other] = runs as [ComparedRun, ComparedRun];
  const toneOf = (run: ComparedRun, alike = true) =>
    found(figures([base, run], 0, alike).text, /<small class="(\w+)">/g)[0]![0];

  it('shows each figure with its difference from the baseline', () => {
    const rows = cellsIn(figures(runs, 0, true).text);
    expect(rows[0]).toEqual(['Figure', 'a (baseline)', 'b', 'c']);
    expect(rows[1]![0]).toBe('Verdict');
    expect(rows[2]).toEqual(['Total return', '20.00%', '0.00% −20.00 pp', '−20.00% −40.00 pp']);
    expect(rows).toHaveLength(2 + COMPARED_FIGURES.length);
    expect(textIn(figures(runs, 0, true).text)).toContain('its difference to a; pp are percentage points.');
    expect(textIn(figures(runs, 0, false).text)).toContain('for the bars were not the same.');
  });

  it('marks a better figure only with the verdict better, and a worse figure only beyond chance', () => {
    const gain = { differences: { ...other.differences, totalReturn: 0.1 } };
    expect(toneOf(changed(other, gain, verdict('better')))).toBe('good');
    expect(toneOf(changed(other, gain, verdict('worse')))).toBe('even');
    expect(toneOf(changed(other, gain, verdict('better')), false)).toBe('even');
    const loss = { differences: { ...other.differences, totalReturn: -0.1 } };
    expect(toneOf(changed(other, { ...loss, against: against(-0.2, -0.1) }))).toBe('bad');
    expect(toneOf(changed(other, { ...loss, against: against(-0.2, 0) }))).toBe('even');
    expect(toneOf(changed(other, { ...loss, against: undefined }))).toBe('even');
    expect(toneOf(changed(other, { ...loss, against: against(-0.2, -0.1) }), false)).toBe('even');
    expect(
      toneOf(changed(other, { differences: { ...other.differences, totalReturn: 0 } }, verdict('better'))),
    ).toBe('even');
  });
});

describe('the table of runs', () => {
  const comparison = (own: object = {}) =>
    ({
      ...{ runs, searches: [] },
      differences: [
        { name: 'parameter fast', values: [5, undefined, 'x'] },
        { name: 'parameter map', values: [5, { a: 1 }, 5] },
        { name: 'setting lot', values: [1, 2, 3] },
      ],
      ...own,
    }) as unknown as Comparison;
  const sure = [
    runs[0]!,
    changed(runs[1]!, { against: against(-0.01, 0.03) }, verdict('worse')),
    changed(runs[2]!, { against: against(0, 1) }, verdict('broke')),
  ];
  const draw = (own: object = {}, given = sure) => runsTable(comparison(own), given, ({ name }) => name).text;

  it('shows the parameters that differ, the verdict and the main figures', () => {
    const [head, first, second, third] = cellsIn(draw());
    expect(head).toEqual([
      ...[
        'Run',
        'fast',
        'Equity',
        'Verdict',
        'A year against baseline',
        'Total return',
        'Sharpe',
        'Max drawdown',
      ],
      ...['CAGR', 'Volatility', 'Mean exposure', 'Turnover', 'Trades', 'Commission'].map(() =>
        expect.any(String),
      ),
    ]);
    expect(first!.slice(0, 6)).toEqual(['a', '5', '', expect.any(String), 'baseline', '20.00%']);
    expect(second!.slice(0, 5)).toEqual(['b', '–', '', expect.any(String), '+1.00 pp −1.00 to +3.00']);
    expect(third!.slice(0, 5)).toEqual(['c', 'x', '', expect.any(String), '–']);
    expect(draw()).toContain('href="#spark-2"');
    expect(
      found(draw(), /<tr data-run="1">.*?<td data-value="(.*?)">.*?<td data-value="(.*?)">/gs)[0],
    ).toEqual(['', '0']);
  });

  it('shows no difference if the baseline went broke or there is no interval', () => {
    const broke = [changed(runs[0]!, {}, verdict('broke')), sure[1]!, sure[2]!];
    expect(cellsIn(draw({}, broke))[2]![4]).toBe('–');
    const none = [sure[0]!, changed(sure[1]!, { against: undefined }), sure[2]!];
    expect(cellsIn(draw({}, none))[2]![4]).toBe('–');
  });

  it('shows the deflated Sharpe ratio of runs from a search with several trials', () => {
    const search = (trials: number) => [{ trials, compared: [{ runId: 'b', dsr: { value: 0.875 } }] }];
    const [head, first, second] = cellsIn(draw({ searches: search(2) }));
    expect([head![5], first![5], second![5]]).toEqual(['Deflated Sharpe', '–', '87.5%']);
    expect(cellsIn(draw({ searches: search(1) }))[0]).not.toContain('Deflated Sharpe');
  });

  it('hides minor figures on narrow screens, and shows at most eight parameters', () => {
    const classes = found(draw(), /<th scope="col"( class="wide-only")? aria-sort="none">/g).map(
      ([name]) => name !== undefined,
    );
    expect(classes).toEqual([...Array(8).fill(false), true, true, true, true, false, true]);
    const many = Array.from({ length: 9 }, (_, at) => ({ name: `parameter p${at}`, values: [1, 2, 3] }));
    const head = cellsIn(draw({ differences: many }))[0]!;
    expect([head[8], head[9]]).toEqual(['p7', 'Equity']);
  });
});

describe('other sections of a comparison', () => {
  it('show the share of trades that two runs have in common', () => {
    const like = { sharedEntries: 3, share: 0.5, sameSide: 0.25, sameSize: null };
    const text = overlap([runs[0]!, changed(runs[1]!, { overlap: like }), runs[2]!], 0).text;
    expect(cellsIn(text)).toEqual([
      ['Against a', 'Entries both made', 'Of its trades', 'Same side', 'Same size'],
      ['b', '3', '50.0%', '25.0%', '–'],
      ['c', '0', '–', '100.0%', '–'],
    ]);
  });

  it('show samples, differing parameters and sentences about intervals', () => {
    const group = {
      strategy: 's',
      runIds: ['x', 'y'],
      figures: { totalReturn: { mean: 0.1, deviation: 0.02 } },
    };
    expect(cellsIn(samples({ samples: [group] } as unknown as Comparison).text)[1]).toEqual([
      's (2)',
      '10.00% ± 2.00%',
      '–',
      '–',
    ]);
    const differ = {
      runs,
      differences: [{ name: 'parameter fast', values: [5, undefined, 'x'] }],
    } as unknown as Comparison;
    expect(cellsIn(differences(differ).text)).toEqual([
      ['What', 'a', 'b', 'c'],
      ['parameter fast', '5', '–', 'x'],
    ]);
    expect(differences({ ...differ, differences: [] }).text).toBe(
      '<p>Parameters and settings are all the same.</p>',
    );
    expect(textIn(sentences(runs.slice(0, 2)).text)).not.toContain('Each interval is of one pair.');
    expect(textIn(sentences(runs).text)).toContain('Each interval is of one pair.');
  });

  it('contain a key that repeats seven colours after the first run', () => {
    const ten = Array.from({ length: 10 }, (_, at) => runs[at % 3]!);
    const text = key(
      ten.map((_, at) => stored[at % 3] as StoredRun),
      ten,
      ({ name }) => name,
    ).text;
    expect(
      found(text, /--key:var\(--run-(\d)\)/g)
        .flat()
        .map(Number),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 1, 2]);
    expect(textIn(text)).toContain('b on AAA, 2024-01-01 to 2024-01-03.');
  });
});
