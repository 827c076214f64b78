import { describe, expect, it } from 'vitest';
import { leaderboardCsv, leaderboardText } from './leaderboard.ts';

describe('the texts of a leaderboard', () => {
  const row = {
    ...{
      rank: 1,
      rankLow: 1,
      rankHigh: 2,
      study: 's',
      repeats: ['r'],
      arm: 'a',
      model: null,
      runs: 4,
      totalReturn: 0.05,
    },
    ...{
      low: 0.04,
      high: 0.06,
      sharpe: 0.5,
      excess: 0.02,
      excessLow: 0.01,
      excessHigh: 0.03,
      pHolding: 0.04,
    },
    ...{ pRandom: null, agreement: 0.5, passed: 3, failed: 2, untestable: 1, gaps: [] },
  };
  const unranked = { ...row, rank: null, rankLow: null, rankHigh: null, gaps: ['w1'], repeats: [] };
  const equal = { ...row, rankHigh: 1 };
  const groups = [
    { symbols: ['A', 'B'], windows: ['x', 'y'], settings: ['lot: 1'], rows: [row, unranked] },
    { symbols: ['A'], windows: ['x'], settings: [], rows: [equal] },
  ];

  it('are CSV rows that begin with the number of their group', () => {
    expect(leaderboardCsv(groups).split('\n').slice(1)).toEqual([
      '1,1,1,2,A B,x; y,lot: 1,s,a,,4,0.05,0.04,0.06,0.5,0.02,0.01,0.03,0.04,,0.5,3,2,1,,r',
      '1,,,,A B,x; y,lot: 1,s,a,,4,0.05,0.04,0.06,0.5,0.02,0.01,0.03,0.04,,0.5,3,2,1,w1,',
      '2,1,1,1,A,x,,s,a,,4,0.05,0.04,0.06,0.5,0.02,0.01,0.03,0.04,,0.5,3,2,1,,r',
      '',
    ]);
  });

  it('are terminal tables, one for each group', () => {
    const parts = leaderboardText(groups, { width: 160, colour: false, ascii: false }).split('\n\n');
    const [head, , first, second] = parts[0]!.split('\n');
    expect(head).toBe('2 symbols, x; y; lot: 1');
    expect(first!.split(/\s{2,}/)).toEqual([
      '1 (1–2)',
      '+2.00%',
      '5.00%',
      '0.040',
      '3/2/1',
      'a',
      's; repeated as r',
    ]);
    expect(second).toMatch(/^– .*s; no result in w1: not ranked$/);
    expect(parts[1]).toMatch(/^1 symbol, x\n.*\n {3}1 {8}\+2/);
    expect(parts[2]!.replaceAll('\n', ' ')).toContain('Audit: passed/failed/not testable.');
  });
});
