import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skipBecause } from '../../../../test/missing.ts';
import { knownAnswer } from '../../../../test/support/known-answer.ts';
import { runRecord, sharedBars } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { formatInstant } from '../../../kernel/index.ts';
import { shapeOf } from '../overfit/sharpe-tests.ts';
import { normalCdf, normalQuantile } from '../series/distributions.ts';
import { drawdownCurve, drawdownsOf } from './drawdown.ts';
import { equityColumns } from './equity.ts';
import { computeMetrics } from './metrics.ts';
import { sessionReturns } from './returns.ts';
import { sessionsOf } from './sessions.ts';

const figures = z.object({
  'portfolio-analytics': z.object({
    cumulativeReturn: z.number(),
    cagr: z.number(),
    sharpeRatio: z.number(),
    maxDrawdown: z.number(),
    topDrawdowns: z.array(z.tuple([z.number(), z.number(), z.number()])),
    probabilisticSharpeRatio: z.number(),
  }),
  'portfolio-analysis': z.object({
    getMaxRelativeDrawdown: z.number(),
    getSortino: z.number(),
    fallingReturns: z.number(),
  }),
  r: z.record(z.string(), z.number()),
});
const fixture = z
  .object({
    normal: z.array(z.number()),
    small: figures.extend({ rows: z.array(z.tuple([z.string(), z.string(), z.number()])) }),
    knownAnswer: figures,
  })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../../../test/fixtures/other-programs.json', import.meta.url), 'utf8'),
    ),
  );

/** Compares two values, with a relative tolerance of 1e-9. */
function agree(own: number | null, other: number | undefined): void {
  expect(own).not.toBeNull();
  expect(Math.abs(own! / other! - 1)).toBeLessThan(1e-9);
}

function holdAgainst(record: RunRecord, other: z.infer<typeof figures>): void {
  const metrics = computeMetrics(record);
  const columns = equityColumns(record);
  const returns = sessionReturns(sessionsOf(columns)) as Float64Array;
  const yearly = Math.sqrt(metrics.periodsPerYear);
  const { 'portfolio-analytics': analytics, 'portfolio-analysis': analysis, r } = other;
  agree(metrics.totalReturn.value, analytics.cumulativeReturn);
  agree(metrics.cagr.value, analytics.cagr);
  agree(metrics.sharpe.value! / yearly, analytics.sharpeRatio);
  agree(metrics.maxDrawdown.value, -analytics.maxDrawdown);
  agree(metrics.maxDrawdown.value, analysis.getMaxRelativeDrawdown);
  // R computes drawdowns from logarithmic returns. Its value is converted by exp(value) − 1.
  agree(metrics.maxDrawdown.value, Math.exp(-r.maxLogDrawdown!) - 1);
  agree(metrics.volatility.value! / yearly, r.sd);
  agree(metrics.psr.value, r.psr);
  agree(metrics.alpha.value, r.alpha);
  agree(metrics.beta.value, r.beta);
  agree(metrics.correlation.value, r.correlation);
  agree(shapeOf(returns).skewness, r.skewness);
  agree(shapeOf(returns).kurtosis, r.kurtosis);
  // The library portfolio-analysis divides by the number of falling returns, Sandtable by the number of all
  // returns.
  const share = returns.length / analysis.fallingReturns;
  agree(metrics.sortino.value! / yearly, analysis.getSortino * Math.sqrt(share));
  // The library portfolio-analytics uses sample moments for skewness and kurtosis, Sandtable population
  // moments.
  expect(Math.abs(metrics.psr.value! - analytics.probabilisticSharpeRatio)).toBeLessThan(0.003);
  // The library portfolio-analytics returns the indices of sessions instead of dates.
  const deepest = drawdownsOf(columns, drawdownCurve(columns)).sort((a, b) => a.depth - b.depth);
  for (const [rank, [depth, peak, trough]] of analytics.topDrawdowns.entries()) {
    agree(deepest[rank]!.depth, -depth);
    expect([deepest[rank]!.peakDate, deepest[rank]!.troughDate]).toEqual([
      formatInstant(columns.times[peak]!),
      formatInstant(columns.times[trough]!),
    ]);
  }
}

describe('metrics compared with other programs', () => {
  it('equal those for a small path', () => {
    const { rows } = fixture.small;
    const record = runRecord({
      dates: rows.map(([date]) => date),
      equity: rows.map(([, equity]) => equity),
      prices: rows.map(([, , close]) => [[close, close, close, close, 1]]),
    });
    holdAgainst(record, fixture.small);
  });

  it('equal those for the known answer', async () => {
    const bars = sharedBars('goog-daily.csv', 'GOOG');
    if (bars === undefined) return skipBecause('Not tested: there is no ../shared/data/goog-daily.csv.');
    holdAgainst(await knownAnswer(bars), fixture.knownAnswer);
  });

  it('use the same normal distribution', () => {
    const [first, second, below] = fixture.normal;
    agree(-normalQuantile(1 / 93), first);
    agree(-normalQuantile(1 / (93 * Math.E)), second);
    agree(normalCdf(1.2345), below);
  });
});
