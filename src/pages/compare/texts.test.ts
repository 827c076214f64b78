import { describe, expect, it } from 'vitest';
import type { ComparedRun, Comparison } from '../../results/runs/index.ts';
import {
  comparisonRows,
  duplicateSentences,
  intervalSentences,
  isUnfit,
  overfittingSentences,
  valueText,
} from './texts.ts';

const summary = (state: string) => ({ verdict: { state, because: [] }, alarms: [] });
const base = {
  name: 'base',
  runId: 'b',
  summary: summary('worse'),
  overlap: undefined,
  differences: {},
} as unknown as ComparedRun;
const other = (own: object = {}, low = -0.01, high = 0.02) =>
  ({
    ...{
      name: 'own',
      runId: 'o',
      summary: summary('better'),
      overlap: {},
      sharedSessions: 60,
      differences: {},
    },
    against: { meanReturn: { estimate: 0, low, high }, sharpe: { low: 0.5, high: 1.25 }, confidence: 0.95 },
    ...own,
  }) as unknown as ComparedRun;
const sentence = (run: ComparedRun) => intervalSentences([base, run])[0];

describe('the sentence about a difference', () => {
  it('states which run earned more, or that the difference may be chance', () => {
    const rest = (range: string) =>
      `: 95% interval of the difference ${range} a year, Sharpe 0.50 to 1.25, over 60 shared sessions.`;
    expect(sentence(other())).toBe(
      `The difference between own and base may be chance${rest('−1.00 pp to +2.00 pp')}`,
    );
    expect(sentence(other({}, 0.01))).toBe(`own earned more than base${rest('+1.00 pp to +2.00 pp')}`);
    expect(sentence(other({}, -0.02, -0.01))).toBe(
      `own earned less than base${rest('−2.00 pp to −1.00 pp')}`,
    );
    expect(sentence(other({}, 0, 0.01))).toMatch(/^The difference between own and base may be chance/);
    expect(sentence(other({}, -0.01, 0))).toMatch(/^The difference between own and base may be chance/);
    expect(sentence(other({}, 0, 0))).toBe('own and base earned the same on each of 60 shared sessions.');
    const noSharpe = other({ against: { meanReturn: { low: 0.01, high: 0.02 }, confidence: 0.9 } });
    expect(sentence(noSharpe)).toBe(
      'own earned more than base: 90% interval of the difference +1.00 pp to +2.00 pp a year, over 60 shared sessions.',
    );
  });

  it('states why there is no interval', () => {
    expect(sentence(other({ against: undefined, sharedSessions: 4 }))).toBe(
      'own against base: too few shared sessions for an interval (4).',
    );
    expect(sentence(other({ summary: summary('broke') }))).toMatch(
      /^own against base: own is .*, so no difference is stated\.$/,
    );
    const incomplete = { ...base, summary: summary('incomplete') } as unknown as ComparedRun;
    expect(intervalSentences([other(), incomplete])[0]).toMatch(/^own against base: base is /);
    expect([base, incomplete].map(isUnfit)).toEqual([false, true]);
    expect(intervalSentences([other()])).toEqual([]);
  });
});

describe('other texts of a comparison', () => {
  const runs = [base, other()];

  it('name duplicate runs and the trials of a search', () => {
    const duplicates = [
      { run: 1, of: 0, isSameRun: true },
      { run: 1, of: 0, isSameRun: false },
    ];
    expect(duplicateSentences({ runs, duplicates } as unknown as Comparison)).toEqual([
      'own is a duplicate of base: the same strategy, parameters, settings and data, and the same result.',
      'own came to the same as base, trade by trade: what differs between them had no effect.',
    ]);
    const search = {
      ...{
        strategy: 's',
        symbols: ['A'],
        firstBar: 'x',
        lastBar: 'y',
        runs: 2,
        trials: 2,
        luckySharpe: { value: 1 },
      },
      ...{
        compared: ['o', 'z'].map((runId) => ({ runId, dsr: { value: 0.5 } })),
        pbo: { value: null, reason: 'few' },
      },
      crossValidation: null,
    };
    expect(overfittingSentences({ runs, searches: [search] } as unknown as Comparison)[0]).toContain(
      'own 50.0%, z 50.0%',
    );
  });

  it('show values as text', () => {
    expect(
      [undefined, ['a', 'b'], [1, 2], 'x', 5, null, { a: 1 }].map((value) => valueText(value as never)),
    ).toEqual([...['–', 'a, b', '[1,2]', 'x', '5', 'null', '{"a":1}']]);
  });

  it('contain a row for each figure, with the difference of each later run', () => {
    const made = (run: ComparedRun, totalReturn: number, differences: object) => ({
      ...{ ...run, summary: { ...run.summary, totalReturn, sharpe: null }, differences },
    });
    const comparison = {
      runs: [made(base, 0.1, {}), made(other(), 0.3, { totalReturn: 0.2, sharpe: null })],
    };
    const [head, verdict, total] = comparisonRows(comparison as unknown as Comparison);
    expect([head, verdict, total]).toEqual([
      ['figure', 'base', 'own', 'own − base'],
      ['verdict', 'worse', 'better', null],
      ['totalReturn', 0.1, 0.3, 0.2],
    ]);
  });
});
