import { describe, expect, it } from 'vitest';
import { normalCdf } from '../series/distributions.ts';
import type { StudyCell } from './cell.ts';
import { compareWithHolding, costSensitivity } from './cost-sensitivity.ts';

const dates = ['2024-01-02', '2024-01-03', '2024-01-04'];
const cell = (changes: object = {}) =>
  ({
    ...{
      start: 100,
      equity: [101, 104, 110],
      traded: [0, 200, 300],
      paid: [0, 2, 3],
      dates,
      periodsPerYear: 4,
    },
    decisions: dates.map((date) => ({ date })),
    ...changes,
  }) as unknown as StudyCell;

describe('the sensitivity to costs', () => {
  it('is linear in the traded money', () => {
    const found = costSensitivity(cell(), [0, 100, 400], undefined);
    // Costs of 5 for 500 traded are 100 basis points. The profit without costs is 15, which is 300 basis
    // points of 500.
    expect(found).toMatchObject({
      paidBasisPoints: 100,
      breakEven: 300,
      breakEvenToHold: null,
      decisions: 3,
    });
    expect(found.levels.map(({ basisPoints }) => basisPoints)).toEqual([0, 100, 400]);
    for (const [at, total] of [0.15, 0.1, -0.05].entries())
      expect(found.levels[at]!.totalReturn).toBeCloseTo(total, 12);
    // Equity of 101, 106 and 115 without costs.
    const returns = [0.01, 106 / 101 - 1, 115 / 106 - 1];
    const mean = (returns[0]! + returns[1]! + returns[2]!) / 3;
    const deviation = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 2);
    expect(found.levels[0]!.sharpe).toBeCloseTo((mean / deviation) * 2, 10);
  });

  it('counts the decisions from the first cost on', () => {
    expect(costSensitivity(cell(), [], undefined).dependent).toBe(2);
    expect(costSensitivity(cell({ paid: [1, 0, 0] }), [], undefined).dependent).toBe(3);
    expect(costSensitivity(cell({ paid: [0, 0, 0] }), [], undefined).dependent).toBe(0);
  });

  it('is unknown without trades or profit, and after a loss of everything', () => {
    const idle = costSensitivity(cell({ traded: [0, 0, 0], paid: [0, 0, 0] }), [], undefined);
    expect(idle).toMatchObject({ paidBasisPoints: null, breakEven: null });
    expect(costSensitivity(cell({ equity: [100, 99, 95] }), [], undefined).breakEven).toBeNull();
    expect(costSensitivity(cell({ equity: [100, 99, 95.5] }), [], undefined).breakEven).toBeCloseTo(10, 9);
    const lost = { totalReturn: null, sharpe: null };
    // Equity without costs is 115 at the end. Costs of 2,300 basis points on 500 traded are 115, so nothing
    // is left.
    const levels = costSensitivity(cell(), [2_299, 2_300], undefined).levels;
    expect(levels[0]!.totalReturn).toBeCloseTo(-0.9995, 10);
    expect(levels[1]).toMatchObject(lost);
    expect(
      costSensitivity(cell({ equity: [], traded: [], paid: [] }), [0], undefined).levels[0],
    ).toMatchObject(lost);
    expect(
      costSensitivity(cell({ equity: [101], traded: [0], paid: [0] }), [0], undefined).levels[0],
    ).toMatchObject({
      totalReturn: expect.closeTo(0.01, 12),
      sharpe: null,
    });
    const steady = { equity: [200, 400, 800], traded: [0, 0, 0], paid: [0, 0, 0] };
    expect(costSensitivity(cell(steady), [0], undefined).levels[0]!.sharpe).toBeNull();
  });

  it('has the costs at which holding is equally good', () => {
    // Without costs, holding gains 4 % and the run gains 15 %. Holding trades 0.5 times its initial equity,
    // the run trades 5 times.
    const held = cell({ start: 200, equity: [200, 206, 207], traded: [100, 0, 0], paid: [1, 0, 0] });
    expect(costSensitivity(cell(), [], held).breakEvenToHold).toBeCloseTo((0.11 / 4.5) * 10_000, 8);
    expect(costSensitivity(cell(), [], cell({ equity: [100, 100, 110] })).breakEvenToHold).toBeNull();
    expect(
      costSensitivity(cell(), [], cell({ equity: [100, 100, 120], traded: [0, 0, 0] })).breakEvenToHold,
    ).toBeNull();
    expect(costSensitivity(cell(), [], cell({ equity: [100, 100, 100] })).breakEvenToHold).toBeNull();
    // Without costs, both gain 15 %, and only the run trades.
    const equal = cell({ equity: [100, 100, 115], traded: [0, 0, 0], paid: [0, 0, 0] });
    expect(costSensitivity(cell(), [], equal).breakEvenToHold).toBeNull();
  });
});

describe('a comparison with holding', () => {
  it('compounds returns, and fits a line to them', () => {
    const held = Float64Array.of(0.01, -0.02, 0.03);
    const own = held.map((value) => 0.001 + 2 * value);
    const found = compareWithHolding(own, held, 252)!;
    const [total, hold] = [own, held].map(
      (of) => of.reduce((growth, value) => growth * (1 + value), 1) - 1,
    ) as [number, number];
    expect(found).toMatchObject({ sessions: 3, totalReturn: total, holdReturn: hold, excess: total - hold });
    expect(found.alpha).toBeCloseTo(0.252, 10);
    expect(found.beta).toBeCloseTo(2, 10);
    const mean = (own[0]! + own[1]! + own[2]!) / 3;
    const moment = (power: number) => own.reduce((sum, value) => sum + (value - mean) ** power, 0) / 3;
    const ratio = mean / Math.sqrt((moment(2) * 3) / 2);
    expect(found.sharpe).toBeCloseTo(ratio * Math.sqrt(252), 10);
    const [skewness, kurtosis] = [moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2];
    const variance = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2;
    expect(found.psr).toBeCloseTo(normalCdf((ratio * Math.SQRT2) / Math.sqrt(variance)), 10);
  });

  it('is undefined for other sessions, and partly without variation', () => {
    const three = new Float64Array(3);
    expect(compareWithHolding(new Float64Array(0), new Float64Array(0), 252)).toBeNull();
    expect(compareWithHolding(three, new Float64Array(2), 252)).toBeNull();
    expect(compareWithHolding(three, three, 252)).toMatchObject({
      alpha: null,
      beta: null,
      sharpe: null,
      psr: null,
    });
  });
});
