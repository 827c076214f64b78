import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { computeMetrics } from '../figures/metrics.ts';
import { cutoffLines, modelCutoffSchema, splitAtCutoff } from './cutoff.ts';

const record = runRecord({
  cash: '100',
  equity: [110, 120, 132, 99],
  dates: ['2024-05-30', '2024-05-31T16:00:00', '2024-06-01T10:00:00', '2024-06-03'],
});

describe('metrics before and after the cutoff of a model', () => {
  it('count the bars of the cutoff day as before the cutoff', () => {
    const split = splitAtCutoff(record, '2024-06-01')!;
    expect(split.before).toMatchObject({ firstBar: '2024-05-30', lastBar: '2024-06-01T10:00:00', bars: 3 });
    expect(split.after).toMatchObject({ firstBar: '2024-06-03', lastBar: '2024-06-03', bars: 1 });
    expect(split.before!.totalReturn).toBeCloseTo(0.32, 12);
    expect(split.after!.totalReturn).toBeCloseTo(-0.25, 12);
  });

  it('are null for a side without bars of the run', () => {
    expect(splitAtCutoff(record, '2024-06-03')).toMatchObject({ before: { bars: 4 }, after: null });
    expect(splitAtCutoff(record, '2024-05-29')).toMatchObject({ before: null, after: { bars: 4 } });
    expect(splitAtCutoff(record, undefined)).toBeNull();
  });

  it('have no return if the equity at the cutoff is not positive', () => {
    const nothing = {
      ...{ totalReturn: null, cagr: null, volatility: null, sharpe: null, sortino: null },
      ...{ maxDrawdown: null, drawdownDays: null, calmar: null },
    };
    for (const equity of ['0', '-5']) {
      const lost = runRecord({
        ...{ cash: '100', equity: [110, equity, 40, 80], exposure: [0, 0, 0.5, 0.5] },
        dates: ['2024-05-30', '2024-06-01', '2024-06-02', '2024-06-03'],
        trades: [{ bar: 2, netPnl: '40' }],
      });
      const split = splitAtCutoff(lost, '2024-06-01')!;
      expect(split.before!.totalReturn).toBeCloseTo(Number(equity) / 100 - 1, 12);
      expect(split.after).toMatchObject({
        ...nothing,
        bars: 2,
        meanExposure: 0.5,
        exposure: 1,
        tradeCount: 1,
      });
      expect(cutoffLines(split)[1]).toContain('2 bars, return none, Sharpe none, drawdown none, 1 trades.');
    }
    const poor = runRecord({
      ...{ cash: '100', equity: [110, '0.5', 1] },
      dates: ['2024-05-30', '2024-06-01', '2024-06-02'],
    });
    expect(splitAtCutoff(poor, '2024-06-01')!.after!.totalReturn).toBe(1);
  });

  it('are shown in one line for each side', () => {
    expect(cutoffLines(null)).toEqual([]);
    const [before, after, ...others] = cutoffLines(splitAtCutoff(record, '2024-06-03'));
    expect(before).toBe(
      "Up to the model's cutoff of 2024-06-03: 4 bars, return −1.00%, Sharpe −1.63, drawdown −25.00%, 0 trades.",
    );
    expect(after).toBe("After the model's cutoff of 2024-06-03: no bar.");
    expect(others).toEqual([]);
  });

  it('show undefined figures as "none"', () => {
    const [before] = cutoffLines(splitAtCutoff(runRecord({ cash: '100', equity: [110] }), '2024-06-03'));
    expect(before).toBe(
      "Up to the model's cutoff of 2024-06-03: 1 bars, return 10.00%, Sharpe none, drawdown 0.00%, 0 trades.",
    );
    const empty = splitAtCutoff(runRecord({ cash: '100', equity: [110, 120] }), '2024-01-01')!;
    const unknown = { ...empty, before: { ...empty.before!, totalReturn: null, maxDrawdown: null } };
    expect(cutoffLines(unknown)[0]).toContain('return none, Sharpe none, drawdown none');
  });

  it('are the metrics of a run with only the bars, fills and trades of the side', () => {
    const dates = ['2024-05-30', '2024-05-31', '2024-06-01', '2024-06-03'];
    const fill = (bar: number) => ({
      bar,
      quantity: '1',
      price: '10.5',
      priceBeforeSlippage: '10',
      commission: '1',
    });
    const trade = (bar: number) => ({ bar, netPnl: bar === 2 ? '-3' : '5' });
    const exposure = [0.25, 0.5, 1, 0];
    const whole = runRecord({
      cash: '100',
      equity: [110, 99, 132, 99],
      dates,
      exposure,
      fills: [0, 1, 3].map(fill),
      trades: [1, 2, 3].map(trade),
    });
    const metrics = computeMetrics(
      runRecord({
        cash: '99',
        equity: [132, 99],
        dates: dates.slice(2),
        exposure: exposure.slice(2),
        fills: [fill(1)],
        trades: [trade(2), trade(3)],
      }),
    );
    expect(splitAtCutoff(whole, '2024-05-31')!.after).toEqual({
      firstBar: '2024-06-01',
      lastBar: '2024-06-03',
      bars: 2,
      totalReturn: 0,
      cagr: metrics.cagr.value,
      volatility: metrics.volatility.value,
      sharpe: metrics.sharpe.value,
      sortino: metrics.sortino.value,
      maxDrawdown: -0.25,
      drawdownDays: 2,
      calmar: metrics.calmar.value,
      exposure: 0.5,
      meanExposure: 0.5,
      turnover: metrics.turnover.value,
      tradeCount: 2,
      winRate: 0.5,
      profitFactor: expect.closeTo(5 / 3, 12),
      expectancy: '1',
      expectancyRate: expect.closeTo(0.01, 12),
      sqn: metrics.sqn.value,
      kelly: null,
      commissionPaid: '1',
      slippagePaid: '0.5',
    });
  });

  it('conform to their schema', () => {
    const split = splitAtCutoff(record, '2024-06-01');
    expect(modelCutoffSchema.parse(split)).toEqual(split);
    const { after } = split!;
    expect([after!.bars, after!.tradeCount]).toEqual([1, 0]);
    expect(modelCutoffSchema.safeParse({ ...split, after: { ...after, bars: 0 } }).success).toBe(false);
    expect(modelCutoffSchema.safeParse({ ...split, after: { ...after, tradeCount: -1 } }).success).toBe(
      false,
    );
  });
});
