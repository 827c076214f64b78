import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import type { RunOutcome } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { createRandom } from '../../../kernel/index.ts';
import { computeMetrics, type MetricsOptions } from '../figures/metrics.ts';
import { ENOUGH_SESSIONS } from '../series/ratios.ts';
import { summarise } from './summary.ts';
import { runSummarySchema } from './summary-schema.ts';
import { ENOUGH_TRADES, type Verdict } from './verdict.ts';

const SESSIONS = 750;
const MANY = Array.from({ length: ENOUGH_TRADES }, () => ({ netPnl: '1' }));

/**
 * Creates a benchmark of daily closes and the equity of a run. The function `own` computes each return of the
 * run from the return of the benchmark and random noise.
 */
function sketch(own: (benchmark: number, noise: number) => number, sessions = SESSIONS): RecordSketch {
  const random = createRandom(11, 'verdicts');
  let [close, worth] = [100, 100_000];
  const closes = [close];
  const equity = [worth];
  for (let session = 1; session <= sessions; session++) {
    const change = 0.0003 + 0.01 * random.normal();
    close *= 1 + change;
    worth *= 1 + own(change, random.normal());
    closes.push(close);
    equity.push(worth);
  }
  return {
    cash: '100000',
    equity,
    prices: closes.map((price) => [[price, price, price, price, 1]]),
    trades: MANY,
  };
}

const verdict = (run: RecordSketch, options?: MetricsOptions): Verdict =>
  computeMetrics(runRecord(run), options).verdict;

describe('the verdict on a run', () => {
  it('is better or worse if the whole interval is, at equal volatility', () => {
    const better = verdict(sketch((change, noise) => change + 0.002 + 0.001 * noise));
    expect(better.state).toBe('better');
    expect(better.because[0]).toContain('Better than buying and holding at equal volatility');
    const { low, estimate, high, sessions, confidence } = better.interval!;
    expect(low).toBeGreaterThan(0);
    expect(low < estimate && estimate < high).toBe(true);
    expect([sessions, confidence]).toEqual([SESSIONS, 0.95]);
    const worse = verdict(sketch((change, noise) => change - 0.002 + 0.001 * noise));
    expect(worse.state).toBe('worse');
    expect(worse.interval!.high).toBeLessThan(0);
  });

  it('is not better for leverage alone, with any profit', () => {
    const run = sketch((change) => 3 * change);
    const { totalReturn, benchmarkReturn, benchmarkAtEqualVolatility } = computeMetrics(runRecord(run));
    expect(totalReturn.value).toBeGreaterThan(benchmarkReturn.value! + 0.1);
    expect(benchmarkAtEqualVolatility.value).toBeCloseTo(totalReturn.value!, 9);
    const found = verdict(run);
    expect(found.state).toBe('indistinguishable');
    expect(found.interval).toMatchObject({ low: expect.closeTo(0, 9), high: expect.closeTo(0, 9) });
  });

  it.each([
    ['same-bar fills', 'Orders were filled at the close of the bar that they were decided on'],
    ['better answers booked', 'In bars with several possible outcomes the best one was used'],
  ])('is "no evidence" instead of better with optimistic assumptions: %s', (stamp, why) => {
    const record = (own: number): RunRecord => {
      const run = runRecord(sketch((change, noise) => change + own + 0.001 * noise));
      const bars = run.bars.map((bar, index) =>
        index === 3 ? { ...bar, ambiguity: { worse: bar.equity, better: `${Number(bar.equity) + 1}` } } : bar,
      );
      return { ...run, bars, started: { ...run.started, stamps: [stamp] } } as RunRecord;
    };
    const found = computeMetrics(record(0.002)).verdict;
    expect(found.state).toBe('no_evidence');
    expect(found.because[0]).toContain(why);
    expect(found.interval?.low).toBeGreaterThan(0);
    // If a run is worse even with settings that improve its result, the verdict is `worse`.
    expect(computeMetrics(record(-0.002)).verdict.state).toBe('worse');
  });

  it('is indistinguishable for a small random difference', () => {
    const found = verdict(sketch((change, noise) => change + 0.00002 + 0.005 * noise));
    expect(found.state).toBe('indistinguishable');
    expect(found.because[0]).toContain('Not distinguishable from buying and holding');
  });

  it('finances the scaled position at the risk-free rate', () => {
    // Half of the benchmark at all times, with the remaining cash at 5 %. This requires no skill.
    const half = sketch((change) => 0.05 / 252 + 0.5 * (change - 0.05 / 252));
    const terms = { riskFreeRate: 0.05, periodsPerYear: 252 };
    expect(verdict(half, terms)).toMatchObject({
      state: 'indistinguishable',
      interval: { low: expect.closeTo(0, 9), high: expect.closeTo(0, 9) },
    });
    expect(verdict(half, { periodsPerYear: 252 }).state).not.toBe('indistinguishable');
  });

  it('is "no evidence" for few trades or sessions, and states how many are needed', () => {
    const good = sketch((change, noise) => change + 0.002 + 0.001 * noise);
    const seven = verdict({ ...good, trades: MANY.slice(0, 7) });
    expect(seven).toEqual({
      state: 'no_evidence',
      because: ['Too few trades to judge: 7 closed, at least 30 needed.'],
    });
    expect(verdict({ ...good, trades: MANY.slice(1) }).state).toBe('no_evidence');
    const short = sketch((change) => change + 0.002, ENOUGH_SESSIONS - 1);
    expect(verdict({ ...short, trades: [] }).because).toEqual([
      'Too few trades to judge: 0 closed, at least 30 needed.',
      'Too few sessions to judge: 59 session returns, at least 60 needed.',
    ]);
    expect(verdict(sketch((change) => change + 0.002, ENOUGH_SESSIONS)).state).toBe('better');
  });

  it('is "no evidence" without a benchmark', () => {
    const { prices: _, ...unpriced } = sketch((change) => change + 0.002);
    expect(verdict(unpriced)).toEqual({
      state: 'no_evidence',
      because: ['There is nothing to compare the run with: the journal has no prices in its bars.'],
    });
    const { state, because } = verdict({ ...sketch(() => 0), trades: MANY });
    expect([state, because[0]]).toEqual([
      'no_evidence',
      'There is nothing to compare the run with: session returns do not vary.',
    ]);
  });

  it.each<[RunOutcome, string]>([
    ['failed', 'The strategy crashed after 751 of 751 bars'],
    ['interrupted', 'The run was interrupted after'],
    ['stopped', 'The run was stopped after'],
    ['budget_exhausted', 'The run used up its budget after'],
  ])('is incomplete for a run that %s', (outcome, why) => {
    const found = verdict({ ...sketch((change) => change + 0.002), outcome });
    expect(found.state).toBe('incomplete');
    expect(found.because[0]).toContain(why);
  });

  it('is incomplete for a run that was killed', () => {
    const found = verdict({ ...sketch((change) => change + 0.002), killed: true });
    expect(found.state).toBe('incomplete');
    expect(found.because[0]).toContain('The run was killed after 751 of 751 bars');
  });

  it('is insolvent once equity was zero, for any later equity and end of the run', () => {
    const good = sketch((change) => change + 0.002);
    const gone = good.equity.map((value, bar) => (bar === 300 ? -319_919 : value));
    for (const run of [good, { ...good, killed: true }]) {
      const found = verdict({ ...run, equity: gone });
      expect(found.state).toBe('broke');
      expect(found.because[0]).toMatch(/^Equity fell to −319,919\.00 on \d{4}-\d\d-\d\d/);
    }
    expect(verdict({ ...good, equity: good.equity.map((value, bar) => (bar === 9 ? 0 : value)) }).state).toBe(
      'broke',
    );
    expect(verdict({ ...good, outcome: 'insolvent' }).state).toBe('broke');
  });

  it('covers the days of the benchmark, and states it', () => {
    const run = sketch((change, noise) => change + 0.002 + 0.001 * noise);
    const record = runRecord(run);
    const from = 400;
    const times = record.bars.slice(from).map(({ date }) => Date.parse(date));
    const closes = run.prices!.slice(from).map(([values]) => values![3]);
    const { verdict: found } = computeMetrics(record, { benchmark: { name: 'INDEX', times, closes } });
    expect(found.state).toBe('better');
    expect(found.interval!.sessions).toBe(SESSIONS - from);
    expect(found.because[1]).toBe(
      `INDEX covers only ${record.bars[from]!.date} to ${record.bars.at(-1)!.date}, and the verdict is of these days.`,
    );
  });

  it('is deterministic and part of the summary', () => {
    const run = sketch((change, noise) => change + 0.0003 + 0.004 * noise);
    const summary = summarise(runRecord(run), { runId: 'r' });
    expect(runSummarySchema.parse(summary).verdict).toEqual(verdict(run));
  });
});
