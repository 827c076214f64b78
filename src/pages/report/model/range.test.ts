import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { beforeAll, describe, expect, it } from 'vitest';
import smaCross from '../../../../strategies/sma-cross.ts';
import { pageDataIn } from '../../../../test/support/page-data.ts';
import type { RunEvent } from '../../../engine/index.ts';
import { type RunRecord, recordOf } from '../../../journal/index.ts';
import {
  benchmarkTable,
  capacityOf,
  computeMetrics,
  recordBetween,
} from '../../../results/analysis/index.ts';
import { reportPage } from '../report-page.ts';
import { waterfallOf } from './attribution.ts';
import { capacityOfRange, paidStepsOf } from './costs.ts';
import type { PageData } from './page-data.ts';
import { benchmarkTableOfRange, rangeBetween, tradesIn, wholeRange } from './range.ts';
import { type FallRow, spreadOfRange } from './spread.ts';
import { tradeSums } from './tiles.ts';

/** Runs a backtest and returns its record and its page data. */
async function run(interval: '1d' | '1h', bars: number): Promise<{ record: RunRecord; data: PageData }> {
  const events: RunEvent[] = [];
  const market = simulateMarket({ seed: 4, bars, interval });
  const settings = { cash: '100000', commissionRate: 0.001, slippageBps: 5 };
  await runBacktest({
    market,
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast: 4, slow: 9 }), undefined),
    settings,
    onEvent: (event) => events.push(event),
  });
  const record = recordOf(JSON.parse(JSON.stringify(events)) as RunEvent[]);
  return { record, data: pageDataIn(reportPage({ runId: 'r', record, manifest: undefined })) };
}

describe.each([
  ['1d', 700],
  ['1h', 1500],
] as const)('metrics of a period (%s)', (interval, bars) => {
  let record: RunRecord;
  let data: PageData;
  beforeAll(async () => {
    ({ record, data } = await run(interval, bars));
  });

  it.each([
    [0, 0.5],
    [0.3, 0.8],
    [0.6, 1],
    [0, 1],
  ])('equal those of the analysis of the same bars (%f to %f)', (from, to) => {
    const last = data.sessions.time.length - 1;
    const starts = data.sessions.first ?? data.sessions.time;
    const range = { from: Math.floor(from * last), to: Math.floor(to * last) };
    const end = to === 1 ? Number.POSITIVE_INFINITY : starts[range.to + 1]! * 1000;
    const part = recordBetween(record, starts[range.from]! * 1000, end)!;
    const options = { periodsPerYear: data.terms.periodsPerYear };
    const metrics = computeMetrics(part, options);
    const [room, roomOfPart] = [capacityOfRange(data, range), capacityOf(part)];
    if ('reason' in room || 'reason' in roomOfPart) throw new Error('no capacity');
    expect(room.fills).toBe(roomOfPart.fills);
    for (const [place, { usual, all }] of room.steps.entries()) {
      expect(usual / roomOfPart.steps[place]!.usual).toBeCloseTo(1, 4);
      expect(all / roomOfPart.steps[place]!.all).toBeCloseTo(1, 4);
    }
    const rows = new Map(benchmarkTableOfRange(data, range).map((row) => [row.name, row.own]));
    for (const name of [
      'totalReturn',
      'cagr',
      'volatility',
      'sharpe',
      'sortino',
      'maxDrawdown',
      'conditionalValueAtRisk',
      'turnover',
    ] as const)
      expect(rows.get(name), name).toBeCloseTo(metrics[name].value!, 6);
    expect(rows.get('exposure')).toBeCloseTo(metrics.meanExposure.value!, 5);
    const trades = tradesIn(data, range);
    const sums = tradeSums(trades);
    expect(sums.closed).toBe(part.trades.length);
    expect(sums.winRate).toBeCloseTo(metrics.winRate.value!, 12);
    expect(sums.profitFactor).toBeCloseTo(metrics.profitFactor.value!, 6);
    const { steps, profit } = waterfallOf(data, range);
    expect(profit).toBeCloseTo(Number(metrics.attribution.profit), 3);
    expect(steps.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(profit, 3);
    const commission = steps.find(({ name }) => name === 'Commission')!.amount;
    expect(-commission).toBeCloseTo(
      part.fills.reduce((sum, fill) => sum + Number(fill.commission), 0),
      3,
    );
    expect(paidStepsOf(data, range).map(({ name }) => name)).toEqual(
      metrics.costSteps.map(({ name }) => name),
    );
    for (const [place, { amount, returnAfter }] of paidStepsOf(data, range).entries()) {
      expect(amount).toBeCloseTo(Number(metrics.costSteps[place]!.amount), 3);
      expect(returnAfter).toBeCloseTo(metrics.costSteps[place]!.returnAfter!, 7);
    }
    const spread = spreadOfRange(data, range);
    expect(spread.months.map(({ year }) => year)).toEqual(metrics.months.map(({ year }) => year));
    for (const [place, { months, total }] of spread.months.entries()) {
      const own = metrics.months[place]!;
      expect(total).toBeCloseTo(own.total!, 7);
      for (const [month, value] of months.entries()) {
        if (value === null) expect(own.months[month]).toBeNull();
        else expect(value).toBeCloseTo(own.months[month]!, 7);
      }
    }
    expect(spread.falls[0]!.depth).toBeCloseTo(metrics.deepestDrawdowns[0]!.depth, 6);
    expect(spread.tradeStreaks).toEqual([
      metrics.longestWinningStreak.value,
      metrics.longestLosingStreak.value,
    ]);
    if (data.terms.intraday) return;
    const plain = ({ depth, ...fall }: FallRow) => ({ ...fall, depth: depth.toFixed(6) });
    expect(spread.falls.map(plain)).toEqual(metrics.deepestDrawdowns.map(plain));
  });

  it('mark a drawdown as recovered if the equity reaches its earlier peak', () => {
    const recovered = computeMetrics(record).deepestDrawdowns.map((one) => one.recovered);
    const shown = spreadOfRange(data, wholeRange(data)).falls.map((one) => one.recovered);
    expect(shown).toEqual(recovered.slice(0, shown.length));
    expect(shown).toContain(true);
  });

  it('use the intervals of the table on the opened page', () => {
    const whole = benchmarkTable(record, computeMetrics(record));
    const again = benchmarkTableOfRange(data, wholeRange(data));
    for (const [place, row] of whole.entries()) {
      if (row.low === null) expect(again[place]!.low).toBeNull();
      else expect(again[place]!.low).toBeCloseTo(row.low, 5);
      expect(again[place]!.supports).toBe(row.supports);
      if (row.name === 'totalReturn' || row.name === 'cagr')
        expect(again[place]!.benchmark).toBeCloseTo(row.benchmark!, 5);
    }
  });
});

it('determines the market regime of a period from all earlier bars', async () => {
  const { data } = await run('1d', 700);
  const whole = spreadOfRange(data, wholeRange(data)).regimes;
  const halves = [
    { from: 0, to: 449 },
    { from: 450, to: data.sessions.time.length - 1 },
  ].map((range) => spreadOfRange(data, range).regimes);
  const sessions = (regimes: typeof whole, name: string): number =>
    'reason' in regimes ? Number.NaN : (regimes.find((one) => one.name === name)?.sessions ?? 0);
  if ('reason' in whole) throw new Error(whole.reason);
  for (const { name, sessions: all } of whole)
    expect(
      halves.reduce((sum, half) => sum + sessions(half, name), 0),
      name,
    ).toBe(all);
});

it('returns the sessions between two days, inclusive', async () => {
  const { data } = await run('1h', 200);
  const day = (at: number) => data.sessions.first![at]! - (data.sessions.first![at]! % 86_400);
  expect(rangeBetween(data, day(2), day(4))).toEqual({ from: 2, to: 4 });
  expect(rangeBetween(data, day(4), day(2))).toBeUndefined();
  expect(rangeBetween(data, 0, 1)).toBeUndefined();
});
