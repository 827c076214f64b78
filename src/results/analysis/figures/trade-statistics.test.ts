import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../../test/support/records.ts';
import { computeMetrics } from './metrics.ts';
import { tradeStatistics } from './trade-statistics.ts';

const EQUITY = [100, 101, 102];
const ofTrades = (...amounts: string[]) =>
  computeMetrics(runRecord({ equity: EQUITY, trades: amounts.map((netPnl) => ({ netPnl })) }));

describe('trade metrics calculated by hand', () => {
  const metrics = ofTrades('30', '-10', '0', '20', '-5.5');

  it('include the number of trades, the win rate and the breakeven trades', () => {
    expect(metrics.tradeCount.value).toBe(5);
    // Two of five trades are wins. A breakeven trade is not a win.
    expect(metrics.winRate.value).toBe(0.4);
    expect(metrics.breakevens.value).toBe(1);
    expect(metrics.openTradeCount.value).toBe(0);
  });

  it('state how lots are matched', () => {
    const sampleOf = (settings: Readonly<Record<string, string>>) =>
      computeMetrics(runRecord({ equity: EQUITY, trades: [{ netPnl: '1' }], settings })).tradeCount
        .convention;
    expect(sampleOf({ lots: 'fifo' })).toContain('first in first out');
    expect(sampleOf({})).toContain('first in first out');
    expect(sampleOf({ lots: 'average' })).toContain('at their average cost');
  });

  it('include the profit factor and the expectancy', () => {
    // Wins of 50 divided by losses of 15.5.
    expect(metrics.profitFactor.value).toBeCloseTo(3.225806, 6);
    // Five trades with a total profit of 34.5. Each trade has an entry notional of 1 × 100.
    expect(metrics.expectancy.value).toBe('6.9');
    expect(metrics.expectancyRate.value).toBeCloseTo(0.069, 12);
  });

  it('include the mean profit per entry notional, with equal weights of the trades', () => {
    const two = computeMetrics(
      runRecord({
        equity: EQUITY,
        trades: [
          { netPnl: '10', quantity: '1', entryPrice: '100' },
          { netPnl: '-10', quantity: '4', entryPrice: '10', side: 'short' },
        ],
      }),
    );
    // Mean of profit / entry notional: (10 / 100 − 10 / 40) / 2
    expect(two.expectancyRate.value).toBeCloseTo(-0.075, 12);
    expect(two.expectancy.value).toBe('0');
  });

  it('round a mean with endless decimals to ten decimal places', () => {
    expect(ofTrades('1', '0', '0').expectancy.value).toBe('0.3333333333');
  });

  it('include the SQN', () => {
    // Profits of 1, 2 and 3 have a mean of 2 and a standard deviation of 1: √3 · 2 / 1
    expect(ofTrades('1', '2', '3').sqn.value).toBeCloseTo(3.464102, 6);
  });

  it('include the best and the worst trade', () => {
    expect(metrics.bestTrade.value).toEqual({ id: 1, symbol: 'AAA', netPnl: '30' });
    expect(metrics.worstTrade.value).toEqual({ id: 2, symbol: 'AAA', netPnl: '-10' });
  });

  it('include the Kelly fraction from 30 trades on', () => {
    // 20 wins of 30 and 10 losses of 15. The win rate is 2/3, and the payoff ratio is 2.
    // 2/3 − (1/3) / 2 = 0.5
    const thirty = [...Array(20).fill('30'), ...Array(10).fill('-15')];
    expect(ofTrades(...thirty).kelly.value).toBeCloseTo(0.5, 12);
    expect(ofTrades(...thirty.slice(1)).kelly).toMatchObject({
      value: null,
      reason: 'fewer than 30 closed trades',
    });
  });

  it('are summed as exact decimals', () => {
    // In float64, ten times 0.1 adds up to 0.9999999999999999.
    expect(ofTrades(...Array(10).fill('0.1'), '-1').expectancy.value).toBe('0');
    expect(ofTrades(...Array(10).fill('0.1'), '-1').profitFactor.value).toBe(1);
  });
});

describe('undefined trade metrics', () => {
  it('have a reason if no trade was closed', () => {
    const metrics = ofTrades();
    for (const name of [
      'winRate',
      'profitFactor',
      'expectancy',
      'expectancyRate',
      'sqn',
      'bestTrade',
      'worstTrade',
    ] as const) {
      expect([name, metrics[name].value, metrics[name].reason]).toEqual([name, null, 'no trade was closed']);
    }
    expect(metrics.kelly.reason).toBe('fewer than 30 closed trades');
    expect(metrics.tradeCount.value).toBe(0);
  });

  it('are the profit factor and the Kelly fraction without a losing trade', () => {
    expect(ofTrades('1', '2').profitFactor).toMatchObject({ value: null, reason: 'no trade lost money' });
    expect(ofTrades(...Array(30).fill('1')).kelly.reason).toBe('no trade lost money');
  });

  it('are the Kelly fraction, but not the profit factor, without a winning trade', () => {
    expect(ofTrades('-1', '-2').profitFactor.value).toBe(0);
    expect(ofTrades(...Array(30).fill('-1')).kelly.reason).toBe('no trade won money');
  });

  it('are the SQN of one trade, and of trades with equal results', () => {
    expect(ofTrades('5').sqn.reason).toBe('a single closed trade');
    expect(ofTrades('0.1', '0.1', '0.1').sqn.reason).toBe('all trades have the same net P&L');
    expect(ofTrades('0', '0').sqn.reason).toBe('all trades have the same net P&L');
  });

  it('are the expectancy rate if a trade was entered at a price of 0', () => {
    const record = runRecord({ equity: EQUITY, trades: [{ netPnl: '1', entryPrice: '0' }] });
    expect(computeMetrics(record).expectancyRate.reason).toBe('trade 1 was entered at a price of 0');
  });
});

describe('open trades', () => {
  it('are counted separately, and do not change the figures of closed trades', () => {
    const metrics = computeMetrics(
      runRecord({ equity: EQUITY, trades: [{ netPnl: '1' }], openTrades: [openTrade({ netPnl: '-50' })] }),
    );
    expect(metrics.openTradeCount.value).toBe(1);
    expect(metrics.tradeCount.value).toBe(1);
    expect(metrics.winRate.value).toBe(1);
  });

  it('are unknown in a killed run, unless the run had no position', () => {
    const killed = runRecord({ equity: EQUITY, cashPath: [100, 0, 0], exposure: [0, 1, 1], killed: true });
    expect(computeMetrics(killed).openTradeCount).toMatchObject({
      value: null,
      reason: 'the journal has no end, so its open trades are not known',
    });
    expect(computeMetrics(runRecord({ equity: EQUITY, killed: true })).openTradeCount.value).toBe(0);
  });

  it('do not hide commission in a killed run: its commission is the sum over its fills', () => {
    const killed = runRecord({
      equity: EQUITY,
      killed: true,
      fills: [
        { quantity: '1', price: '10', commission: '0.1' },
        { quantity: '1', price: '10', commission: '0.2' },
      ],
    });
    expect(computeMetrics(killed).commission.value).toBe('0.3');
  });
});

describe('open trades of a run that ended early', () => {
  const count = (more: object) =>
    computeMetrics(runRecord({ equity: EQUITY, cashPath: [0, 0, 0], ...more })).openTradeCount;
  const broken = 'the run ended within a bar, so the trades open before this bar are not known';

  it('are counted if the journal lists them, or if the last bar has no position', () => {
    for (const outcome of ['completed', 'insolvent'] as const)
      expect(count({ outcome })).toMatchObject({ value: 0 });
    expect(count({ outcome: 'failed' })).toMatchObject({ value: null, reason: broken });
    expect(count({ outcome: 'failed', openTrades: [openTrade()] }).value).toBe(1);
    expect(count({ outcome: 'failed', cashPath: [0, 0, 102] }).value).toBe(0);
    expect(count({ outcome: 'failed', cashPath: [100, 101, 0] }).reason).toBe(broken);
    expect(count({ cash: '1', equity: [], killed: true }).value).toBe(0);
  });

  it('are described as matched first in first out if the settings are invalid', () => {
    const record = runRecord({ equity: EQUITY });
    const lots = (settings: unknown) =>
      tradeStatistics({ ...record, started: { ...record.started, settings } } as typeof record).tradeCount;
    for (const settings of [null, 'average', 5])
      expect(lots(settings)).toEqual({
        value: 0,
        convention: 'closed trades; lots matched first in first out',
      });
  });
});

describe('wins, losses and holding times', () => {
  it('are means, medians and streaks of closed trades', () => {
    const metrics = ofTrades('30', '20', '-10', '0', '-5.5', '-1', '-2', '3');
    expect(metrics.averageWin.value).toBe('17.6666666667');
    expect(metrics.averageLoss.value).toBe('-4.625');
    expect(metrics.payoffRatio.value).toBeCloseTo(53 / 3 / 4.625, 12);
    // Each trade has an entry notional of 100, so rates are amounts / 100.
    expect(metrics.averageWinRate.value).toBeCloseTo(0.53 / 3, 12);
    expect(metrics.averageLossRate.value).toBeCloseTo(-0.04625, 12);
    expect(metrics.longestWinningStreak.value).toBe(2);
    expect(metrics.longestLosingStreak.value).toBe(3);
    expect(ofTrades('-1').longestWinningStreak.value).toBe(0);
  });

  it('have reasons if they are undefined', () => {
    const reasons = (...amounts: string[]) => {
      const { averageWin, averageLoss, payoffRatio, averageWinRate, averageLossRate, longestLosingStreak } =
        ofTrades(...amounts);
      return [averageWin, averageLoss, payoffRatio, averageWinRate, averageLossRate, longestLosingStreak].map(
        ({ value, reason }) => (value === null ? reason : 'defined'),
      );
    };
    const [none, noWin, noLoss] = ['no trade was closed', 'no trade won money', 'no trade lost money'];
    expect(reasons()).toEqual(Array(6).fill(none));
    expect(reasons('1')).toEqual(['defined', noLoss, noLoss, 'defined', noLoss, 'defined']);
    expect(reasons('-1')).toEqual([noWin, 'defined', noWin, noWin, 'defined', 'defined']);
  });

  it('include days from entry to exit', () => {
    const trades = ['2024-01-02', '2024-01-05', '2024-01-01T12:00:00'].map((exitTime) => ({
      netPnl: '1',
      exitTime,
    }));
    const { averageHoldingDays, medianHoldingDays, longestHoldingDays } = computeMetrics(
      runRecord({ equity: EQUITY, trades }),
    );
    expect(averageHoldingDays.value).toBeCloseTo(5.5 / 3, 12);
    expect(medianHoldingDays.value).toBe(1);
    expect(longestHoldingDays.value).toBe(4);
  });

  it('include hours of trades within a day as fractions of a day', () => {
    const trades = ['2024-01-01T06:00:00', '2024-01-01T12:00:00'].map((exitTime) => ({
      netPnl: '1',
      exitTime,
    }));
    const { averageHoldingDays, medianHoldingDays, longestHoldingDays } = computeMetrics(
      runRecord({ equity: EQUITY, trades }),
    );
    expect([averageHoldingDays.value, medianHoldingDays.value, longestHoldingDays.value]).toEqual([
      0.375, 0.375, 0.5,
    ]);
  });

  it('have no mean rate if a trade was entered at a price of 0', () => {
    const trades = [{ netPnl: '-1' }, { netPnl: '1', entryPrice: '0' }, { netPnl: '1' }];
    const metrics = computeMetrics(runRecord({ equity: EQUITY, trades }));
    expect(metrics.averageWinRate.reason).toBe('trade 2 was entered at a price of 0');
    expect(metrics.averageLossRate.value).toBeCloseTo(-0.01, 12);
    expect(metrics.expectancyRate.reason).toBe('trade 2 was entered at a price of 0');
  });

  it('name the first of equal extreme trades', () => {
    const { bestTrade, worstTrade } = ofTrades('-1', '2', '2', '-1');
    expect([bestTrade.value?.id, worstTrade.value?.id]).toEqual([2, 1]);
  });
});
