import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../../test/missing.ts';
import { createRandom } from '../../../kernel/index.ts';
import { cellReturns, episodesOf, type StudyCell } from './cell.ts';
import { compareWithHolding, costSensitivity } from './cost-sensitivity.ts';

const interpreter = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import scipy']).status === 0,
);
if (interpreter === undefined)
  skipBecause(
    'Alpha and PSR of studies were not compared with scipy: no python3 has it (Debian: python3-scipy).',
  );

function cell(changes: Partial<StudyCell>): StudyCell {
  return {
    outcome: 'completed',
    dates: ['2024-01-02', '2024-01-03', '2024-01-04'],
    equity: [1010, 1020, 1000],
    start: 1000,
    periodsPerYear: 252,
    figures: {
      totalReturn: 0,
      sharpe: 0,
      maxDrawdown: 0,
      volatility: 0,
      tradeCount: 1,
      exposure: 1,
      turnover: 1,
    },
    traded: [1000, 0, 1000],
    paid: [2, 0, 2],
    episodes: [],
    bars: 3,
    profits: {},
    orders: 2,
    refused: 0,
    fills: 2,
    ambiguous: 0,
    toolCalls: 0,
    toolErrors: 0,
    decisions: [
      { bar: 0, date: '2024-01-01', action: 'buy A 10' },
      { bar: 1, date: '2024-01-02', action: 'hold' },
    ],
    model: null,
    ...changes,
  };
}

describe('the result of a run at other costs', () => {
  it('equals its equity with paid costs added and a share of turnover subtracted', () => {
    const found = costSensitivity(cell({}), [0, 20, 100], undefined);
    expect(found.paidBasisPoints).toBeCloseTo(20, 12);
    // Final equity at costs of 0, 20 and 100 basis points: 1000 + 4 − 0, the recorded 1000, and 1000 + 4 −
    // 20.
    expect(found.levels.map(({ totalReturn }) => Number(totalReturn!.toFixed(12)))).toEqual([
      0.004, 0, -0.016,
    ]);
    expect(found.breakEven).toBeCloseTo(20, 12);
    // The first decision is before the date of the first paid cost, the second one is on this date. Only the
    // second one could have been different at other costs.
    expect(found).toMatchObject({ dependent: 1, decisions: 2 });
  });

  it('equals buy-and-hold where the two lines cross', () => {
    const held = cell({ equity: [1000, 1000, 999], traded: [500, 0, 0], paid: [1, 0, 0] });
    const { breakEvenToHold } = costSensitivity(cell({}), [], held);
    // The profit of both is equal at the cost rate b: 4 − 2000 b = 0 − 500 b.
    expect(breakEvenToHold).toBeCloseTo((4 / 1500) * 10_000, 9);
  });

  it('has no return if equity is exactly zero or absent', () => {
    // 1000 are traded, so costs of 100 basis points are 10. The run paid 2, so its equity of 8 would be 0.
    const gone = cell({ equity: [8, 9, 9], traded: [1000, 0, 0], paid: [2, 0, 0] });
    expect(costSensitivity(gone, [100], undefined).levels[0]).toEqual({
      basisPoints: 100,
      totalReturn: null,
      sharpe: null,
    });
    const empty = cell({ equity: [], traded: [], paid: [] });
    expect(costSensitivity(empty, [100], undefined).levels[0]!.totalReturn).toBeNull();
  });

  it('has no return if no equity remains', () => {
    expect(costSensitivity(cell({ equity: [5, 5, 5] }), [100], undefined).levels[0]!.totalReturn).toBeNull();
  });

  it('has returns relative to the previous equity, and losses are permanent', () => {
    expect(Array.from(cellReturns(cell({ equity: [1100, 0, 0] })))).toEqual(
      [0.1 + 8.881784197001252e-17, -1, 0].map((v) => expect.closeTo(v, 12)),
    );
  });
});

describe('periods in the market', () => {
  const lot = (symbol: string, entryBar: number, bar: number, quantity: string) => ({
    ...{ symbol, entryBar, bar, quantity, side: 'long', entryPrice: '10' },
  });

  it('are one per lot, as fractions of the equity at its entry', () => {
    const bars = Array.from({ length: 10 }, (_, index) => ({ bar: 100 + index, equity: '1000' }));
    const record = {
      bars,
      trades: [lot('A', 101, 104, '10'), lot('A', 102, 106, '20'), lot('A', 108, 109, '5')],
      openTrades: [{ ...lot('B', 105, 0, '50') }],
    };
    expect(episodesOf(record as unknown as Parameters<typeof episodesOf>[0])).toEqual([
      { symbol: 'A', from: 1, to: 4, weight: 0.1 },
      { symbol: 'A', from: 2, to: 6, weight: 0.2 },
      { symbol: 'B', from: 5, to: 10, weight: 0.5 },
      { symbol: 'A', from: 8, to: 9, weight: 0.05 },
    ]);
  });
});

it.skipIf(interpreter === undefined)('alpha, beta and PSR against buy-and-hold equal those of scipy', () => {
  const random = createRandom(9, 'beside');
  const held = Float64Array.from({ length: 90 }, () => 0.01 * random.normal());
  const own = held.map((value) => 0.0005 + 0.6 * value + 0.004 * random.normal());
  const found = compareWithHolding(own, held, 252)!;
  const { stdout, stderr } = spawnSync(
    interpreter!,
    [
      '-c',
      `import json,sys,numpy as np
from scipy.stats import linregress,skew,kurtosis,norm
o,h=map(np.array,json.load(sys.stdin))
f=linregress(h,o)
s=o.mean()/o.std(ddof=1)
psr=norm.cdf(s*np.sqrt(len(o)-1)/np.sqrt(1-skew(o)*s+(kurtosis(o,fisher=False)-1)/4*s*s))
print(json.dumps([f.intercept*252,f.slope,psr,np.prod(1+o)-np.prod(1+h),s*np.sqrt(252)]))`,
    ],
    { input: JSON.stringify([Array.from(own), Array.from(held)]), encoding: 'utf8' },
  );
  expect(stdout, stderr).not.toBe('');
  const [alpha, beta, psr, excess, sharpe] = JSON.parse(stdout) as number[];
  expect(found.alpha).toBeCloseTo(alpha!, 10);
  expect(found.beta).toBeCloseTo(beta!, 10);
  expect(found.psr).toBeCloseTo(psr!, 9);
  expect(found.excess).toBeCloseTo(excess!, 10);
  expect(found.sharpe).toBeCloseTo(sharpe!, 10);
});
