import { describe, expect, it } from 'vitest';
import type { StudyReport } from '../../results/analysis/index.ts';
import type { StoredStudy } from '../../results/runs/index.ts';
import { leaderboardCsv, leaderboardPage } from './leaderboard.ts';
import { leaderboardOf } from './ranking.ts';
import { isMixed } from './texts.ts';

type Interval = readonly [mean: number | null, low?: number, high?: number];

function estimate([mean, low, high]: Interval) {
  return { mean, low: low ?? null, high: high ?? null, runs: 4, over: 'windows' as const };
}

function study(
  studyId: string,
  arms: readonly { readonly name: string; readonly excess: Interval; readonly gaps?: readonly string[] }[],
  changes: Partial<StudyReport> = {},
): StoredStudy {
  const report = {
    name: studyId,
    symbols: ['A'],
    data: ['f00'],
    windows: [{ name: 'first', from: '2024-01-02', to: '2024-03-29', sessions: 60, memory: null }],
    arms: arms.map(({ name, excess, gaps = [] }) => ({
      name,
      model: null,
      figures: { totalReturn: estimate([0.1]), sharpe: estimate([1]) },
      excess: estimate(excess),
      // Excess return compounded over all windows. The ranking must use the mean of the windows instead.
      beside: { excess: 9 },
      random: null,
      agreement: null,
      gaps,
    })),
    comparisons: [],
    audit: [],
    ...changes,
  };
  return { studyId, folder: studyId, report: report as unknown as StudyReport };
}

const ranks = (studies: readonly StoredStudy[]) =>
  leaderboardOf(studies)[0]!.rows.map(({ arm, rank, rankLow, rankHigh }) => [arm, rank, rankLow, rankHigh]);

describe('a row of a study', () => {
  it.each([
    [{ totalReturn: -0.0129, sharpe: 0.63, psr: 0.36 }, true],
    [{ totalReturn: 0.1, sharpe: 0.63, psr: 0.36 }, true],
    [{ totalReturn: -0.1, psr: 0.6 }, true],
    [{ totalReturn: 0.1, sharpe: 0.63, psr: 0.8 }, false],
    [{ totalReturn: -0.1, sharpe: -0.2, psr: 0.1 }, false],
    [{ totalReturn: 0, sharpe: 0, psr: 0.5 }, false],
    [{ totalReturn: null, sharpe: 0.5 }, false],
  ])('has conflicting directions: %o', (row, expected) => {
    expect(isMixed(row)).toBe(expected);
  });
});

describe('a leaderboard', () => {
  it('assigns the ranks that intervals allow', () => {
    const arms = [
      { name: 'clear', excess: [0.5, 0.4, 0.6] },
      { name: 'middle', excess: [0.2, 0.1, 0.3] },
      { name: 'touching', excess: [0.15, 0.05, 0.25] },
      { name: 'last', excess: [-0.2, -0.3, -0.1] },
    ] as const;
    expect(ranks([study('one', arms)])).toEqual([
      ['clear', 1, 1, 1],
      ['middle', 2, 2, 3],
      ['touching', 3, 2, 3],
      ['last', 4, 4, 4],
    ]);
  });

  it('assigns the same rank to equal returns, and any rank to a single run', () => {
    const arms = [
      { name: 'b', excess: [0.2, 0.1, 0.3] },
      { name: 'a', excess: [0.2, 0.1, 0.3] },
      { name: 'once', excess: [0.1] },
    ] as const;
    expect(ranks([study('one', arms)])).toEqual([
      ['a', 1, 1, 3],
      ['b', 1, 1, 3],
      ['once', 3, 1, 3],
    ]);
  });

  it('marks a row whose return and Sharpe ratio have different directions', () => {
    const [group] = leaderboardOf([study('one', [{ name: 'arm', excess: [0.1] }])]);
    const page = (row: object): string =>
      leaderboardPage([{ ...group!, rows: [{ ...group!.rows[0]!, ...row }] }]);
    expect(page({})).not.toContain('‡');
    expect(page({ totalReturn: -0.0129, sharpe: 0.63 })).toMatch(
      /arm <abbr title="see the note below">‡[\s\S]*‡ Return and Sharpe ratio of this row do not point/,
    );
  });

  it('assigns no rank to an arm without a result in a window', () => {
    const arms = [
      { name: 'fragile', excess: [0.9, 0.8, 1], gaps: ['second'] },
      { name: 'whole', excess: [0.1, 0, 0.2] },
    ] as const;
    const groups = leaderboardOf([study('one', arms)]);
    expect(groups[0]!.rows.map(({ arm, rank }) => [arm, rank])).toEqual([
      ['whole', 1],
      ['fragile', null],
    ]);
    expect(leaderboardPage(groups)).toContain('no result in second: not ranked');
    expect(leaderboardPage(groups, new Date('2026-03-04T05:06:07Z'))).toContain(
      'Results folder read on 2026-03-04 05:06 UTC.',
    );
  });

  it('lists a repeated study once, with any name', () => {
    const arms = [{ name: 'arm', excess: [0.1, 0, 0.2] }] as const;
    const studies = [study('first', arms), study('again', arms), study('other', arms, { seed: 3 })];
    const [group] = leaderboardOf(studies);
    expect(group!.rows.map(({ study: name, repeats }) => [name, repeats])).toEqual([
      ['first', ['again']],
      ['other', []],
    ]);
    expect(leaderboardCsv([group!]).split('\n')[1]).toMatch(/,again$/);
  });

  it('separates studies with other data, windows or costs', () => {
    const arms = [{ name: 'arm', excess: [0.1, 0, 0.2] }] as const;
    const dear = { settings: { commission: { model: 'rate', rate: '0.01' } } };
    const free = { settings: { commission: { model: 'none' } } };
    const groups = leaderboardOf([
      study('free', arms, free),
      study('dear', arms, dear),
      study('elsewhere', arms, { data: ['ba5'] }),
    ]);
    expect(groups.map(({ settings }) => settings)).toEqual([
      ['commission: {model: none}'],
      ['commission: {model: rate, rate: 0.01}'],
      [],
    ]);
  });
});
