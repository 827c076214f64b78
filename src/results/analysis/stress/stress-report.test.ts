import { describe, expect, it } from 'vitest';
import type { StressFigure, StressFigureName, WorldRow } from './distribution.ts';
import { probabilityText, stressVerdict } from './stress-report.ts';

type Figures = Parameters<typeof stressVerdict>[1];

const quantiles = { q01: -3, q05: -1.5, q25: -1, q50: -0.25, q75: 0.5, q95: 0.8, q99: 2 };
const figure = (changes: object = {}): StressFigure => ({
  ...{ actual: 1.5, better: 1, defined: 500, quantiles, p: 0.004, asGood: 1 },
  ...{ interval: { low: 0.0004, high: 0.011, confidence: 0.95 }, ...changes },
});
const figuresOf = (changes: Partial<Record<StressFigureName, StressFigure>> = {}): Figures =>
  ({
    sharpe: figure(),
    totalReturn: figure(),
    exposure: figure({ actual: 0.5 }),
    ...changes,
  }) as unknown as Figures;
const rowsOf = (worlds: number, failed = 0) =>
  Array.from({ length: worlds }, (_, at) => ({
    world: at + 1,
    outcome: at < failed ? 'failed' : 'completed',
  })) as unknown as WorldRow[];
const interval = (low: number, high: number) => ({
  sharpe: figure({ interval: { low, high, confidence: 0.95 } }),
});

describe('the verdict of a stress test', () => {
  it('states the share of worlds that did as well, with the figures of the run and the worlds', () => {
    expect(stressVerdict('permute', figuresOf(), rowsOf(500))).toEqual({
      state: 'beyond_luck',
      figure: 'sharpe',
      because: [
        '0.2% of the worlds without this edge did as well: luck alone rarely gives such a result.',
        'The Sharpe ratio was 1.50; that of 500 worlds made of the same bars in another order was −0.25 in the middle, and 0.80 was exceeded by one in twenty. p = 0.004, 95% interval of the share 0.000 to 0.011.',
      ],
    });
  });

  it('uses the total return if the run has no Sharpe ratio', () => {
    const totalReturn = figure({ actual: -0.05, p: 0.5, asGood: 600, interval: { low: 0.4, high: 0.6 } });
    const found = stressVerdict(
      'regime',
      figuresOf({ sharpe: figure({ actual: null }), totalReturn }),
      rowsOf(1200, 1),
    );
    expect(found).toEqual({
      state: 'luck_would_do',
      figure: 'totalReturn',
      because: [
        '50% of the worlds without this edge did as well: luck can explain the result.',
        'The total return was −5.0%; that of 1,200 worlds made of returns simulated in its regimes was −25.0% in the middle, and 80.0% was exceeded by one in twenty. p = 0.50, 95% interval of the share 0.40 to 0.60.',
        'One world gave no result, and counts as having done as well.',
      ],
    });
  });

  it.each([
    [19, 0.04, 0.05, 'beyond_luck'],
    [19, 0.04, 0.0501, 'undecided'],
    [19, 0.05, 0.2, 'undecided'],
    [19, 0.0501, 0.2, 'luck_would_do'],
    [18, 0, 0.05, 'undecided'],
    [18, 0.5, 0.9, 'undecided'],
    [1, 0, 0.01, 'undecided'],
  ])('of %i worlds with an interval from %d to %d is %s', (worlds, low, high, state) => {
    expect(stressVerdict('permute', figuresOf(interval(low, high)), rowsOf(worlds)).state).toBe(state);
  });

  it('uses the singular for one world, and the name of a kind without a description', () => {
    const because = (kind: string, worlds: number) =>
      stressVerdict(kind, figuresOf(), rowsOf(worlds)).because[1];
    expect(because('block-bootstrap', 1)).toContain(
      'that of 1 world made of resampled blocks of its bars was',
    );
    expect(because('other', 2)).toContain('that of 2 worlds made of other was');
  });

  it.each([
    [0, 500, 'None of'],
    [null, 500, 'None of'],
    [4, 500, '0.8% of'],
    [5, 500, '1% of'],
    [12, 500, '2% of'],
    [500, 500, '100% of'],
  ])('states the share of %s of %i worlds as "%s"', (asGood, worlds, text) => {
    const { because } = stressVerdict('permute', figuresOf({ sharpe: figure({ asGood }) }), rowsOf(worlds));
    expect(because[0]!.startsWith(`${text} the worlds`)).toBe(true);
  });

  it('is no_evidence without a figure, without worlds or without a position', () => {
    const none = (figures: Figures, worlds: number, failed = 0) => {
      const { state, because } = stressVerdict('permute', figures, rowsOf(worlds, failed));
      return [state, ...because];
    };
    const empty = figuresOf({ sharpe: figure({ actual: null }), totalReturn: figure({ actual: null }) });
    expect(none(empty, 30)).toEqual(['no_evidence', 'The run has no total return to compare.']);
    expect(none(figuresOf({ sharpe: figure({ quantiles: null }) }), 30, 30)).toEqual([
      ...['no_evidence', 'The run has no Sharpe ratio to compare.'],
      '30 of 30 worlds gave no result, and count as having done as well.',
    ]);
    expect(none(figuresOf(), 0)).toEqual(['no_evidence', 'The run has no Sharpe ratio to compare.']);
    expect(none(figuresOf({ exposure: figure({ actual: 0 }) }), 30, 2)).toEqual([
      ...['no_evidence', 'The strategy never held a position.'],
      '2 of 30 worlds gave no result, and count as having done as well.',
    ]);
  });

  it('is a band for worlds that are not a null hypothesis', () => {
    const band = (changes: object, failed: number) =>
      stressVerdict('noise', figuresOf({ sharpe: figure(changes) }), rowsOf(2000, failed));
    const text =
      'In nine worlds of ten with prices moved a little the Sharpe ratio lay between −1.50 and 0.80; with the prices as they were it was 1.50.';
    for (const missing of [{ p: undefined }, { p: null }, { interval: undefined }, { interval: null }])
      expect(band(missing, 0)).toEqual({ state: 'band', figure: 'sharpe', because: [text] });
    expect(band({ p: null }, 1).because).toEqual([text, 'One world gave no result and is not in the band.']);
    expect(band({ p: null }, 1500).because).toEqual([
      ...[text, '1,500 of 2,000 worlds gave no result and are not in the band.'],
    ]);
  });
});

it('probabilities from 0.1 on have two decimal places', () => {
  expect([0, 0.0004, 0.0996, 0.1, 0.125, 1].map(probabilityText)).toEqual([
    ...['0.000', '0.000', '0.100', '0.10', '0.13', '1.00'],
  ]);
});
