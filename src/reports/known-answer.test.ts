import { describe, expect, it } from 'vitest';
import { type Decider, type RunEvent, runBacktest } from '../engine/index.ts';
import { recordOf } from '../journal/index.ts';
import { createMarket } from '../market/index.ts';
import { computeMetrics } from './metrics.ts';
import { runSummarySchema, summarise } from './summary.ts';
import { equityCsv, tradesCsv } from './tables.ts';
import { sharedBars } from './test-records.ts';

const bars = sharedBars('goog-daily.csv', 'GOOG');
if (bars === undefined)
  console.warn('The known answer was not tested: there is no ../shared/data/goog-daily.csv.');

// At each cross of the averages' closes: all out, then 99.99 % of equity the other way.
const crosses: Decider = {
  decide(turn) {
    const { close } = turn.window;
    if (turn.bar < 20) return;
    const average = (length: number, back: number): number => {
      let sum = 0;
      for (let index = 0; index < length; index++) sum += close.at(-1 - back - index)!;
      return sum / length;
    };
    const now = average(10, 0) - average(20, 0);
    const before = average(10, 1) - average(20, 1);
    if (before < 0 && now > 0) turn.orders.submit({ action: 'buy', equityFraction: 0.9999 });
    if (before > 0 && now < 0) turn.orders.submit({ action: 'sell', equityFraction: 0.9999 });
  },
};

describe.skipIf(bars === undefined)('the known answer of docs/metrics.md', () => {
  it('comes out of a real run', async () => {
    const market = createMarket([bars!]);
    const settings = { cash: '10000', commissionRate: 0.002 };
    const events: RunEvent[] = [
      {
        type: 'run_started',
        schema: 1,
        strategy: { name: 'sma-cross', kind: 'rules', parameters: { fast: 10, slow: 20, fraction: 0.9999 } },
        settings,
        symbols: market.symbols,
        bars: market.clock.length,
        data: null,
        sealed: true,
      },
    ];
    await runBacktest({ market, decider: crosses, settings, onEvent: (event) => events.push(event) });
    const record = recordOf(events);
    const summary = runSummarySchema.parse(summarise(record, { runId: 'known' }));
    expect(summary.finalEquity).toBe('56263.51934');
    expect(summary.tradeCount).toBe(93);
    expect(summary.openTradeCount).toBe(1);
    expect(summary.winRate).toBeCloseTo(0.526882, 6);
    expect(summary.maxDrawdown).toBeCloseTo(-0.339316, 6);
    expect(summary.totalReturn).toBeCloseTo(5.626351934 - 1, 12);
    expect(summary.periodsPerYear).toBe(252);
    expect(computeMetrics(record).sessions).toBe(2148);
    expect(equityCsv(record).trimEnd().split('\n')).toHaveLength(2149);
    expect(tradesCsv(record).trimEnd().split('\n')).toHaveLength(95);
  });
});
