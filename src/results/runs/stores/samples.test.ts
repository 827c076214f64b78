import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import type { RunEvent } from '../../../engine/index.ts';
import { agreementCsv, compareSamples, samplesText } from './samples.ts';

const decision = (bar: number, cost: string | null): RunEvent => ({
  ...{ type: 'decision_made', bar, sample: 1, outcome: 'answered', rounds: 1, toolCalls: 0, text: '' },
  ...{ usage: { input: 1, cached: 0, output: 1, reasoning: 0 }, cost },
});
const configured = {
  ...{ type: 'model_configured', provider: 'p', model: 'm', configuration: {}, price: null },
} as unknown as RunEvent;
const buy = { type: 'order_accepted', bar: 1, orderId: 1, symbol: 'A', action: 'buy', quantity: '5' };

function sample(number: number, equity: readonly number[], more: Partial<RecordSketch> = {}) {
  const record = runRecord({ cash: '100', equity, ...more });
  return { sample: number, folder: `sample-${number}`, record };
}

describe('the comparison of samples', () => {
  const { comparison, bars } = compareSamples([
    sample(1, [100, 110], { events: [configured, decision(0, '0.5'), decision(1, '0.25'), buy as RunEvent] }),
    sample(2, [100, 120], { events: [configured, decision(0, '1'), decision(1, null)], outcome: 'failed' }),
    sample(3, [100, 140], { trades: [{ netPnl: '40' }] }),
  ]);

  it('has the figures, decisions and cost of each sample', () => {
    expect(comparison.samples).toEqual([
      {
        ...{ sample: 1, folder: 'sample-1', outcome: 'completed', finalEquity: '110', decisions: 2 },
        ...{ totalReturn: expect.closeTo(0.1, 12), cagr: expect.any(Number), volatility: null, sharpe: null },
        ...{ maxDrawdown: 0, tradeCount: 0, cost: '0.75' },
      },
      expect.objectContaining({ sample: 2, outcome: 'failed', decisions: 2, cost: null }),
      expect.objectContaining({ sample: 3, finalEquity: '140', decisions: 0, cost: null, tradeCount: 1 }),
    ]);
  });

  it('has the mean, the standard deviation and the range of each figure', () => {
    const { totalReturn, sharpe, tradeCount } = comparison.spread;
    // The returns are 10, 20 and 40 %. Their mean is 70 / 3 %, their variance (40² + 10² + 50²) / 9 / 2.
    expect(totalReturn.mean).toBeCloseTo(0.7 / 3, 12);
    expect(totalReturn.deviation).toBeCloseTo(Math.sqrt((1600 + 100 + 2500) / 18) / 100, 12);
    expect([totalReturn.least, totalReturn.most]).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.4, 12)]);
    expect(sharpe).toEqual({ mean: null, deviation: null, least: null, most: null });
    expect(tradeCount).toMatchObject({ mean: 1 / 3, least: 0, most: 1 });
    const single = compareSamples([sample(1, [100, 110])]).comparison;
    expect(single.spread.totalReturn).toMatchObject({ mean: expect.closeTo(0.1, 12), deviation: null });
  });

  it('has the agreement of the decisions at each bar', () => {
    expect(bars).toMatchObject([
      { bar: 0, actions: ['hold', 'hold', ''], agreement: 1 },
      { bar: 1, actions: ['buy A 5', 'hold', ''], agreement: 0.5 },
    ]);
    expect(comparison.agreement).toMatchObject({ aboveFloor: 0.5, bars: 2 });
    expect(agreementCsv(bars, [1, 2, 3])).toBe(
      [
        'bar,date,most,agreement,entropy,sample1,sample2,sample3',
        '0,2024-01-01,hold,1,0,hold,hold,',
        '1,2024-01-02,buy A 5,0.5,1,buy A 5,hold,',
        '',
      ].join('\n'),
    );
  });

  it('is printed as a table', () => {
    expect(samplesText(comparison)).toBe(
      [
        'Sample          Return      Sharpe    Drawdown      Trades   Decisions',
        '1               10.00%           –       0.00%           0           2',
        '2 failed        20.00%           –       0.00%           0           2',
        '3               40.00%           –       0.00%           1           0',
        'mean            23.33%           –       0.00%         0.3',
        'deviation       15.28%           –       0.00%         0.6',
        'least           10.00%           –       0.00%         0.0',
        'most            40.00%           –       0.00%         1.0',
        '',
        'Agreement 50.00% over 2 bars: 0% if all samples ordered differently, 100% if all ordered the same, including sizes and targets; entropy 0.50 of 1.00 bits.',
      ].join('\n'),
    );
    const alone = samplesText(compareSamples([sample(1, [100, 110])]).comparison).split('\n');
    expect(alone.at(-1)).toBe('No bar has two decisions to compare.');
    expect(alone[3]).toBe(`deviation ${'–'.padStart(12).repeat(4)}`);
  });
});
