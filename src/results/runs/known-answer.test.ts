import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { knownAnswer } from '../../../test/support/known-answer.ts';
import { sharedBars } from '../../../test/support/records.ts';
import { computeMetrics, runSummarySchema, summarise } from '../analysis/index.ts';
import { equityCsv, tradesCsv } from './export/run-csv.ts';

const bars = sharedBars('goog-daily.csv', 'GOOG');
if (bars === undefined)
  skipBecause('The known answer was not tested: there is no ../shared/data/goog-daily.csv.');

describe.skipIf(bars === undefined)('the known answer of docs/metrics.md', () => {
  it('is the result of a real run', async () => {
    const record = await knownAnswer(bars!);
    const summary = runSummarySchema.parse(summarise(record, { runId: 'known' }));
    expect(summary.finalEquity).toBe('56263.51934');
    expect(summary.tradeCount).toBe(93);
    expect(summary.openTradeCount).toBe(1);
    expect(summary.winRate).toBeCloseTo(0.526882, 6);
    expect(summary.maxDrawdown).toBeCloseTo(-0.339316, 6);
    expect(summary.totalReturn).toBeCloseTo(5.626351934 - 1, 12);
    expect(summary.periodsPerYear).toBeCloseTo(2148 / (3117 / 365.25), 9);
    expect(computeMetrics(record).sessions).toBe(2148);
    expect(equityCsv(record).trimEnd().split('\n')).toHaveLength(2149);
    expect(tradesCsv(record).trimEnd().split('\n')).toHaveLength(95);
  });

  it('has the buy and hold return of the bars after the warm-up', async () => {
    const record = await knownAnswer(bars!);
    // The strategy compares two moving averages. Both are first defined at the 20th bar.
    const later = { ...record, bars: record.bars.slice(19) };
    expect(computeMetrics(later).benchmarkReturn.value).toBeCloseTo(6.073704, 6);
  });
});
