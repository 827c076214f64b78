import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { createRandom } from '../../../kernel/index.ts';
import { computeMetrics } from '../figures/metrics.ts';
import { summarise } from '../summary/summary.ts';
import {
  emptyFigures,
  type FigureValues,
  STRESS_FIGURE_NAMES,
  shareInterval,
  stressDistribution,
  stressFigures,
  type WorldRow,
} from './distribution.ts';
import { stressVerdict } from './stress-report.ts';
import { tradeCones } from './trade-cones.ts';

const figures = (own: Partial<FigureValues>): FigureValues => ({ ...emptyFigures(), ...own });
const row = (
  world: number,
  own: Partial<FigureValues>,
  outcome: WorldRow['outcome'] = 'completed',
): WorldRow => ({
  world,
  outcome,
  figures: figures(own),
});
const among = (actual: Partial<FigureValues>, rows: readonly WorldRow[], isInsolvent = false) =>
  stressDistribution({ isInsolvent, figures: figures(actual) }, rows, true);

describe('a metric of a run compared with generated worlds', () => {
  it('equals the one in the summary of the run', () => {
    const record = runRecord({ equity: [100, 110, 104, 120, 118, 140, 90, 130] });
    const summary = summarise(record, { runId: 'x' });
    const found = stressFigures(computeMetrics(record));
    for (const name of STRESS_FIGURE_NAMES) expect(found[name]).toBe(summary[name]);
  });

  it('has p = (1 + worlds at least as good) / (1 + worlds), including ties', () => {
    const rows = [0.5, 1, 1.5, 2].map((sharpe, index) => row(index + 1, { sharpe }));
    expect(among({ sharpe: 1.5 }, rows).sharpe).toMatchObject({
      actual: 1.5,
      p: 3 / 5,
      asGood: 2,
      defined: 4,
    });
    expect(among({ sharpe: 1.5 + 1e-13 }, rows).sharpe.p).toBe(3 / 5);
    expect(among({ sharpe: 9 }, rows).sharpe.p).toBe(1 / 5);
    expect(among({ sharpe: -9 }, rows).sharpe.p).toBe(1);
  });

  it('is better for smaller and shorter drawdowns', () => {
    const rows = [
      [-0.1, 10],
      [-0.3, 30],
      [-0.5, 50],
    ].map(([maxDrawdown, drawdownDays], index) =>
      row(index + 1, { maxDrawdown: maxDrawdown!, drawdownDays: drawdownDays! }),
    );
    const found = among({ maxDrawdown: -0.3, drawdownDays: 50 }, rows);
    expect(found.maxDrawdown.asGood).toBe(2);
    expect(found.drawdownDays.asGood).toBe(3);
    expect(among({ tradeCount: 5 }, rows).tradeCount.p).toBeNull();
  });

  it('counts an insolvent world as worse, and a failed world against the strategy', () => {
    const rows = [row(1, { sharpe: 9 }, 'insolvent'), row(2, {}, 'failed'), row(3, { sharpe: 0 })];
    const { sharpe } = among({ sharpe: 1 }, rows);
    expect(sharpe).toMatchObject({ asGood: 1, p: 2 / 4 });
    expect(among({ sharpe: -3 }, rows, true).sharpe.p).toBe(1);
  });

  it('is compared by total return if it is undefined', () => {
    const rows = [
      row(1, { profitFactor: null, totalReturn: 0.5 }),
      row(2, { profitFactor: null, totalReturn: 0 }),
    ];
    expect(among({ profitFactor: 2, totalReturn: 0.2 }, rows).profitFactor.asGood).toBe(1);
    expect(among({ profitFactor: null, totalReturn: 0.2 }, rows).profitFactor.p).toBeNull();
  });

  it('has no p-value in worlds that preserve the edge', () => {
    const found = stressDistribution(
      { isInsolvent: false, figures: figures({ sharpe: 1 }) },
      [row(1, { sharpe: 2 }), row(2, { sharpe: 0 })],
      false,
    );
    expect(found.sharpe).not.toHaveProperty('p');
    expect(found.sharpe.quantiles?.q50).toBe(1);
    const verdict = stressVerdict('noise', found, [row(1, { sharpe: 2 }), row(2, { sharpe: 0 })]);
    expect(verdict.state).toBe('band');
  });
});

describe('the interval of a proportion', () => {
  it('is the Wilson interval', () => {
    // Expected values: `proportion_confint(10, 100, method="wilson")` of Python's statsmodels, and the same
    // for (0, 20).
    expect(shareInterval(10, 100).low).toBeCloseTo(0.05522914, 7);
    expect(shareInterval(10, 100).high).toBeCloseTo(0.17436566, 7);
    expect(shareInterval(0, 20)).toMatchObject({ low: 0 });
    expect(shareInterval(0, 20).high).toBeCloseTo(0.16112516, 7);
    expect(shareInterval(7, 7).high).toBe(1);
  });
});

describe('the verdict of a stress test', () => {
  it('reports no evidence for a strategy that never had a position', () => {
    const rows = Array.from({ length: 50 }, (_, index) => row(index + 1, { totalReturn: 0.1 }));
    const found = among({ totalReturn: 0, exposure: 0 }, rows);
    expect(stressVerdict('permute', found, rows)).toMatchObject({
      state: 'no_evidence',
      because: ['The strategy never held a position.'],
    });
  });

  const verdict = (asGood: number, worlds: number, failed = 0) => {
    const rows = Array.from({ length: worlds }, (_, index) =>
      index < failed
        ? row(index + 1, {}, 'failed')
        : row(index + 1, { sharpe: index < failed + asGood ? 2 : 0 }),
    );
    return stressVerdict('permute', among({ sharpe: 1 }, rows), rows);
  };

  it('states whether luck can explain the result', () => {
    expect(verdict(205, 500)).toMatchObject({ state: 'luck_would_do' });
    // With 18 worlds or fewer, the state is always `undecided`.
    for (const worlds of [1, 18]) expect(verdict(worlds, worlds).state).toBe('undecided');
    expect(verdict(19, 19).state).toBe('luck_would_do');
    expect(verdict(205, 500).because[0]).toBe(
      '41% of the worlds without this edge did as well: luck can explain the result.',
    );
    expect(verdict(1, 500).state).toBe('beyond_luck');
    // A share below 1 % is shown with one decimal place.
    expect(verdict(1, 500).because[0]).toContain('0.2% of the worlds');
    expect(verdict(8, 500).because[0]).toContain('2% of the worlds');
    expect(verdict(25, 500).state).toBe('undecided');
    expect(verdict(0, 500, 50)).toMatchObject({ state: 'luck_would_do' });
    expect(verdict(0, 500, 50).because.at(-1)).toContain('50 of 500 worlds gave no result');
  });
});

describe('trades of a run, shuffled and resampled', () => {
  const pnls = fc.array(fc.integer({ min: -900, max: 1000 }), { minLength: 2, maxLength: 40 });

  it('have the same final value in every order, and the actual drawdown in the actual order', () => {
    fc.assert(
      fc.property(pnls, (given) => {
        const cones = tradeCones(100_000, given, 50, createRandom(1))!;
        const end = given.reduce((sum, pnl) => sum + pnl, 0) / 100_000;
        for (const value of Object.values(cones.shuffled.totalReturn)) expect(value).toBeCloseTo(end, 9);
        expect(cones.actual.totalReturn).toBeCloseTo(end, 9);
        expect(cones.actual.equity.at(-1)).toBeCloseTo(1 + end, 9);
        let [equity, peak, deepest] = [1e5, 1e5, 0];
        for (const pnl of given) {
          equity += pnl;
          peak = Math.max(peak, equity);
          deepest = Math.min(deepest, equity / peak - 1);
        }
        expect(cones.actual.maxDrawdown).toBeCloseTo(deepest, 9);
        for (const { equity: cone } of [cones.shuffled, cones.resampled])
          for (const [index, low] of cone.q05.entries()) expect(low).toBeLessThanOrEqual(cone.q95[index]!);
      }),
      { numRuns: 50 },
    );
  });

  it('are not shuffled if there are fewer than two, or if they lost everything', () => {
    expect(tradeCones(100, [5], 10, createRandom(1))).toBeUndefined();
    expect(tradeCones(100, [-60, -40, 10], 10, createRandom(1))).toBeUndefined();
  });

  it('have deeper drawdowns in nearly every order than in one that alternates losses and wins', () => {
    const even = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 100 : -90));
    const cones = tradeCones(10_000, even, 500, createRandom(1))!;
    expect(cones.shuffled.asDeep).toBeGreaterThan(0.99);
    const losing = cones.resampled.losing;
    expect(losing).toBeGreaterThan(0.2);
    expect(losing).toBeLessThan(0.6);
  });
});
