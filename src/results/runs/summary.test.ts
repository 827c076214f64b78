import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTrade, type RecordSketch, runRecord } from '../../../test/support/records.ts';
import { type RunSummary, runSummarySchema, summarise } from '../analysis/index.ts';
import { equityCsv, tradesCsv } from './export/run-csv.ts';

/** Names of fields in `summary.json` that must not change, because users' programs read them. */
const PROMISED = [
  'runId strategy bars initialCash finalEquity totalReturn cagr sharpe sortino maxDrawdown',
  'tradeCount openTradeCount winRate profitFactor commissionPaid sealed',
].flatMap((line) => line.split(' '));

describe('summarise', () => {
  const summary = summarise(
    runRecord({
      strategy: 'sma-cross',
      cash: '100.00',
      equity: ['100', '110', '99', '108.90'],
      fills: [{ quantity: '1', price: '100', commission: '0.25' }],
      trades: [{ netPnl: '8.90' }],
      openTrades: [openTrade()],
      events: [{ type: 'tool_called', bar: 1, sequence: 1, name: 'compute', arguments: {}, result: 1 }],
    }),
    { runId: 'run-1' },
  );

  it('has the documented fields, with amounts as plain decimal strings', () => {
    expect(Object.keys(summary)).toEqual(expect.arrayContaining(PROMISED));
    expect(summary).toMatchObject({
      runId: 'run-1',
      strategy: 'sma-cross',
      outcome: 'completed',
      sealed: false,
      openDoors: ['strategy code runs with your rights'],
      bars: 4,
      initialCash: '100',
      finalEquity: '108.9',
      firstBar: '2024-01-01',
      lastBar: '2024-01-04',
      tradeCount: 1,
      openTradeCount: 1,
      winRate: 1,
      profitFactor: null,
      commissionPaid: '0.25',
      slippagePaid: '0',
      toolCalls: 1,
      rejectedOrders: 0,
      expectancy: '8.9',
    });
    const unpriced = [
      'benchmarkReturn alpha beta correlation trackingError informationRatio upCapture downCapture treynor',
      'benchmarkScale benchmarkAtEqualVolatility',
    ].flatMap((line) => line.split(' '));
    expect(summary.reasons).toEqual({
      ...Object.fromEntries(unpriced.map((name) => [name, 'the journal has no prices in its bars'])),
      payoffRatio: 'no trade lost money',
      averageLoss: 'no trade lost money',
      averageLossRate: 'no trade lost money',
      gainToPain: 'no month lost money',
      profitFactor: 'no trade lost money',
      sqn: 'a single closed trade',
      kelly: 'fewer than 30 closed trades',
    });
  });

  it('conforms to its schema, in the order of its keys', () => {
    expect(runSummarySchema.parse(summary)).toEqual(summary);
    // Optional fields: `evaluatedFrom` needs history before the evaluated bars, `reducedOrders` needs reduced
    // orders, and `spine` is set when files are written.
    const rare = ['evaluatedFrom', 'reducedOrders', 'funding', 'spine'];
    const names = Object.keys(runSummarySchema.shape).filter((name) => !rare.includes(name));
    expect(Object.keys(summary)).toEqual(names);
  });

  it('has the sum of each kind of cash entry, and funding only if it occurred', () => {
    const entry = (
      kind: 'dividend' | 'borrow_fee' | 'interest' | 'margin_interest' | 'funding',
      amount: string,
    ) => ({ type: 'cash_entry', bar: 1, kind, amount, cash: '100' }) as const;
    const events = [
      entry('dividend', '2'),
      entry('dividend', '0.5'),
      entry('borrow_fee', '-0.25'),
      entry('interest', '1'),
      entry('margin_interest', '-3'),
    ];
    const moved = summarise(runRecord({ equity: [100, 101], events }), { runId: 'r' });
    expect(moved).toMatchObject({
      dividends: '2.5',
      borrowFees: '-0.25',
      interest: '1',
      marginInterest: '-3',
    });
    expect(moved).not.toHaveProperty('funding');
    const funded = runRecord({ equity: [100, 101], events: [...events, entry('funding', '-0.125')] });
    expect(summarise(funded, { runId: 'r' })).toHaveProperty('funding', '-0.125');
  });

  it('of a run stopped before its first bar has the initial cash', () => {
    const empty = summarise(runRecord({ cash: '100', equity: [], outcome: 'interrupted' }), { runId: 'r' });
    expect(empty).toMatchObject({
      bars: 0,
      finalEquity: '100',
      totalReturn: null,
      firstBar: null,
      outcome: 'interrupted',
    });
    expect(empty.reasons.totalReturn).toBe('no bar was processed');
    expect(runSummarySchema.safeParse(empty).success).toBe(true);
  });

  it('reports missing values of a killed run', () => {
    const killed = summarise(runRecord({ equity: [100, 101], killed: true }), { runId: 'r' });
    expect(killed.outcome).toBe('interrupted');
    expect(killed.damage).toEqual(['The journal has no run_finished event: the run was killed.']);
  });
});

const amount = fc
  .tuple(fc.constantFrom('', '-'), fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 9999 }))
  .map(([sign, whole, part]) => `${whole + part === 0 ? '' : sign}${whole}.${part}`);
const positive = amount.map((text) => text.replace('-', '')).filter((text) => Number(text) > 0);
const HOUR = 3_600_000;
const flat = (price: number) => [price, price, price, price, 1] as const;

const sketch: fc.Arbitrary<RecordSketch> = fc
  .record({
    cash: positive,
    equity: fc.array(fc.oneof({ weight: 4, arbitrary: positive }, { weight: 1, arbitrary: amount }), {
      maxLength: 40,
    }),
    hours: fc.constantFrom(1, 5, 24, 48, 168, 730),
    trades: fc.array(fc.record({ netPnl: amount, entryPrice: fc.oneof(positive, fc.constant('0')) }), {
      maxLength: 40,
    }),
    killed: fc.boolean(),
    closes: fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1, maxLength: 5 }),
    priced: fc.boolean(),
  })
  .map(({ hours, priced, closes, ...rest }) => ({
    ...rest,
    ...(priced ? { prices: rest.equity.map((_, bar) => [flat(closes[bar % closes.length]!)]) } : {}),
    dates: rest.equity.map((_, bar) => new Date(Date.UTC(2020, 0, 3) + bar * hours * HOUR).toISOString()),
    exposure: rest.equity.map((value) => (Number(value) > 0 ? 0.5 : null)),
  }));

const FIGURES: readonly (keyof RunSummary)[] = [
  ...([
    'totalReturn',
    'cagr',
    'volatility',
    'sharpe',
    'psr',
    'sortino',
    'maxDrawdown',
    'drawdownDays',
    'calmar',
    'benchmarkReturn',
    'alpha',
    'beta',
    'correlation',
  ] as const),
  ...([
    'exposure',
    'meanExposure',
    'turnover',
    'openTradeCount',
    'winRate',
    'profitFactor',
    'expectancy',
  ] as const),
  ...([
    'expectancyRate',
    'sqn',
    'kelly',
    'bestTrade',
    'worstTrade',
    'returnBeforeCommission',
    'returnBeforeCosts',
    'returnAfterModel',
  ] as const),
  ...([
    'drawdownCount',
    'averageDrawdown',
    'averageDrawdownDays',
    'ulcerIndex',
    'ulcerPerformanceIndex',
    'recoveryFactor',
    'gainToPain',
    'valueAtRisk',
    'conditionalValueAtRisk',
    'omega',
    'tailRatio',
    'skewness',
    'kurtosis',
    'bestDay',
    'worstDay',
  ] as const),
  ...([
    'trackingError',
    'informationRatio',
    'upCapture',
    'downCapture',
    'treynor',
    'benchmarkScale',
    'benchmarkAtEqualVolatility',
    'payoffRatio',
    'averageWin',
    'averageLoss',
    'averageWinRate',
    'averageLossRate',
    'longestWinningStreak',
    'longestLosingStreak',
    'averageHoldingDays',
    'medianHoldingDays',
    'longestHoldingDays',
  ] as const),
];

describe('the summary of any run', () => {
  it('has finite metrics, and a reason for exactly those that are null', () => {
    fc.assert(
      fc.property(sketch, (run) => {
        const summary = summarise(runRecord(run), { runId: 'r' });
        // The schema rejects NaN and infinities.
        expect(runSummarySchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
        expect(Object.keys(summary.reasons).sort()).toEqual(
          FIGURES.filter((name) => summary[name] === null).sort(),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('has metrics within their bounds', () => {
    fc.assert(
      fc.property(sketch, (run) => {
        const summary = summarise(runRecord(run), { runId: 'r' });
        const { maxDrawdown, winRate, exposure, totalReturn, profitFactor, volatility } = summary;
        if (maxDrawdown !== null) {
          expect(maxDrawdown).toBeLessThanOrEqual(0);
          // If equity is never negative, the drawdown cannot exceed 100 %. It is at least as deep as the
          // total loss.
          if (run.equity.every((value) => Number(value) >= 0)) {
            expect(maxDrawdown).toBeGreaterThanOrEqual(-1);
            expect(maxDrawdown).toBeLessThanOrEqual(Math.min(totalReturn!, 0) + 1e-12);
          }
        }
        for (const share of [winRate, exposure, summary.psr])
          if (share !== null) expect(share >= 0 && share <= 1).toBe(true);
        if (summary.correlation !== null) expect(Math.abs(summary.correlation)).toBeLessThanOrEqual(1 + 1e-9);
        if (profitFactor !== null) expect(profitFactor).toBeGreaterThanOrEqual(0);
        if (volatility !== null) expect(volatility).toBeGreaterThanOrEqual(0);
        const { valueAtRisk, conditionalValueAtRisk, worstDay, bestDay, ulcerIndex, averageDrawdown } =
          summary;
        if (valueAtRisk !== null) {
          expect(conditionalValueAtRisk).toBeLessThanOrEqual(valueAtRisk + 1e-12);
          expect(worstDay).toBeLessThanOrEqual(conditionalValueAtRisk! + 1e-12);
          expect(bestDay).toBeGreaterThanOrEqual(valueAtRisk - 1e-12);
        }
        if (ulcerIndex !== null && run.equity.every((value) => Number(value) >= 0))
          expect(ulcerIndex).toBeLessThanOrEqual(Math.abs(maxDrawdown!) + 1e-12);
        if (averageDrawdown !== null) {
          expect(averageDrawdown).toBeGreaterThanOrEqual(maxDrawdown! - 1e-12);
          expect(summary.averageDrawdownDays).toBeLessThanOrEqual(summary.drawdownDays! + 1e-9);
        }
        if (summary.omega !== null) expect(summary.omega).toBeGreaterThanOrEqual(0);
        if (summary.longestHoldingDays !== null)
          expect(summary.averageHoldingDays).toBeLessThanOrEqual(summary.longestHoldingDays);
      }),
    );
  });

  it('has the same ratios in another currency', () => {
    // Doubling a float64 is exact, so ratios of doubled amounts are bitwise equal to the original ratios.
    const doubled = (text: string | number) => String(Number(text) * 2);
    fc.assert(
      fc.property(sketch, (run) => {
        const one = summarise(runRecord({ ...run, trades: [] }), { runId: 'r' });
        const twice = { ...run, trades: [], cash: doubled(run.cash!), equity: run.equity.map(doubled) };
        const other = summarise(runRecord(twice), { runId: 'r' });
        for (const name of [
          'totalReturn',
          'cagr',
          'volatility',
          'sharpe',
          'sortino',
          'maxDrawdown',
          'calmar',
          'valueAtRisk',
          'conditionalValueAtRisk',
          'omega',
          'tailRatio',
          'skewness',
          'kurtosis',
          'ulcerIndex',
          'recoveryFactor',
          'gainToPain',
        ] as const) {
          expect(other[name]).toBe(one[name]);
        }
      }),
    );
  });

  it('has tables with one row per bar and per trade, and the same deepest drawdown', () => {
    fc.assert(
      fc.property(sketch, (run) => {
        const record = runRecord(run);
        const rows = equityCsv(record).trimEnd().split('\n').slice(1);
        expect(rows).toHaveLength(run.equity.length);
        const drawdowns = rows.map((row) => Number(row.split(',')[4]));
        expect(drawdowns.length === 0 ? null : Math.min(...drawdowns)).toBe(
          summarise(record, { runId: 'r' }).maxDrawdown,
        );
        expect(tradesCsv(record).trimEnd().split('\n')).toHaveLength(record.trades.length + 1);
      }),
    );
  });
});
