import { describe, expect, it } from 'vitest';
import { AppError, DAY, decimalString } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import type { BarContext, Decider } from './decider.ts';
import { RunStop } from './decision.ts';
import type { RunEvent } from './events/events.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';

type Row = readonly [open: number, high: number, low: number, close: number];
const marketOf = (rows: readonly Row[]) =>
  createMarket([
    barSeries(
      'A',
      rows.map(([open, high, low, close], day) => ({
        time: day * DAY,
        open,
        high,
        low,
        close,
        volume: 1_000,
      })),
    ),
  ]);
const steady = (bars: number) => marketOf(Array.from({ length: bars }, () => [100, 100, 100, 100] as const));

async function run(
  decider: Partial<Decider>,
  options: Partial<BacktestOptions> = {},
): Promise<{ result: BacktestResult; events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: steady(4),
    decider: { decide: () => undefined, ...decider },
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { result, events };
}

const buyAtStart = ({ bar, orders }: BarContext): void => void (bar === 0 && orders.buy(10));

describe('the settings of a run', () => {
  it('take precedence over those of the decider, field by field', async () => {
    const decider = { settings: { cash: 500, seed: 7, risk: { maxPosition: 0.5 } } };
    const { result } = await run(decider, { settings: { cash: 900, risk: { noShort: true } } });
    expect(result.settings).toMatchObject({
      cash: '900',
      seed: 7,
      risk: { maxPosition: 0.5, noShort: true },
    });
    expect((await run(decider)).result.settings).toMatchObject({ cash: '500', seed: 7 });
    expect((await run({})).result.settings).toMatchObject({ cash: '100000', seed: 0 });
    await expect(run({ settings: { seed: -1 } })).rejects.toThrow('The settings of the decider');
  });

  it('contain the start of the evaluation after a warm-up', async () => {
    const { result } = await run({ warmUp: 3 });
    expect(result.settings.evaluateFrom).toBe('1970-01-04');
    expect((await run({})).result.settings.evaluateFrom).toBeUndefined();
  });

  it('use the cost models of the run, or those of the decider if the run has none', async () => {
    const paid = async (own: number | undefined, given: number | undefined): Promise<string> => {
      const costs = (amount: number | undefined) =>
        amount === undefined ? {} : { costs: { commission: () => amount } };
      const { result } = await run({ decide: buyAtStart, ...costs(own) }, costs(given));
      return `${decimalString(result.commissionPaid)} ${result.stamps.join()}`.trim();
    };
    expect(await paid(undefined, undefined)).toBe('0');
    expect(await paid(3, undefined)).toBe('3 custom commission model');
    expect(await paid(3, 5)).toBe('5 custom commission model');
  });
});

describe('the events of a run', () => {
  it('begin with `run_started`, unless the caller turns this event off', async () => {
    const first = async (options: Partial<BacktestOptions>) => (await run({}, options)).events[0]?.type;
    expect([await first({}), await first({ emitStart: true }), await first({ emitStart: false })]).toEqual([
      'run_started',
      'run_started',
      'bar',
    ]);
  });

  it('pass bars before the first decision to the `watch` function of the decider', async () => {
    const seen: string[] = [];
    await run({
      warmUp: 3,
      watch: ({ bar }) => void seen.push(`watch ${bar}`),
      decide: ({ bar }) => void seen.push(`decide ${bar}`),
    });
    expect(seen).toEqual(['watch 0', 'watch 1', 'decide 2', 'decide 3']);
  });

  it('record a missed decision for a bar that was no longer due', async () => {
    const seen: string[] = [];
    const feed = {
      next: () => Promise.resolve(false),
      isDue: (bar: number) => Promise.resolve(bar !== 2),
      decided: (bar: number) => void seen.push(`decided ${bar}`),
      lateAt: () => undefined,
      opensAfter: () => true,
    };
    const { events, result } = await run({ watch: ({ bar }) => void seen.push(`watch ${bar}`) }, { feed });
    expect(seen).toEqual(['decided 0', 'decided 1', 'watch 2', 'decided 3']);
    expect(events.filter(({ type }) => type === 'decision_missed')).toEqual([
      { type: 'decision_missed', bar: 2 },
    ]);
    expect([...result.equity]).toEqual([100_000, 100_000, 100_000, 100_000]);
  });
});

describe('the end of a run', () => {
  const endOf = async (thrown: unknown): Promise<unknown[]> => {
    const { events, result } = await run({
      decide: ({ bar }) => {
        if (bar === 1) throw thrown;
      },
    });
    const last = events.at(-1);
    return [
      result.outcome,
      result.bars,
      last?.type === 'run_finished' ? last.error : undefined,
      result.error,
    ];
  };
  const appError = (code: string): AppError => new AppError({ code, message: 'Text.', hint: 'Hint.' });

  it('has the code of an engine error, and the code decider_failed for other errors', async () => {
    const other = appError('anything');
    expect(await endOf(other)).toEqual(['failed', 1, { code: 'decider_failed', message: 'Text.' }, other]);
    const costs = appError('bad_cost_model');
    expect(await endOf(costs)).toEqual(['failed', 1, { code: 'bad_cost_model', message: 'Text.' }, costs]);
    expect((await endOf('words'))[2]).toEqual({
      code: 'decider_failed',
      message: 'it threw "words", which is not an error',
    });
  });

  it('has the outcome and the code of the stop if the decider stops the run', async () => {
    for (const outcome of ['stopped', 'budget_exhausted'] as const) {
      const stop = new RunStop(outcome, { code: 'enough', message: 'Over.', hint: '' });
      expect(await endOf(stop)).toEqual([outcome, 1, { code: 'enough', message: 'Over.' }, stop]);
    }
  });

  it('has the open trades and no error if the run completes', async () => {
    const { events, result } = await run({ decide: buyAtStart });
    expect(events.at(-1)).toEqual({
      type: 'run_finished',
      outcome: 'completed',
      bars: 4,
      openTrades: [
        {
          id: 1,
          symbol: 'A',
          side: 'long',
          quantity: '10',
          entryBar: 1,
          entryTime: '1970-01-02',
          entryPrice: '100',
          lastPrice: '100',
          grossPnl: '0',
          commission: '0',
          netPnl: '0',
        },
      ],
      commissionPaid: '0',
    });
    expect('error' in result || 'insolvency' in result).toBe(false);
  });

  it('is a failure if closing the decider throws, and has the first error', async () => {
    const close = (): void => {
      throw new Error('second');
    };
    const only = await run({ close });
    expect([only.result.outcome, String(only.result.error)]).toEqual(['failed', 'Error: second']);
    const both = await run({
      close,
      decide: () => {
        throw new Error('first');
      },
    });
    expect([both.result.outcome, String(both.result.error)]).toEqual(['failed', 'Error: first']);
  });
});

describe('a bar whose fills depend on the sequence of its prices', () => {
  // The bar of the exits reaches both 90 and 110, and closes at 100.
  const market = marketOf([
    [100, 100, 100, 100],
    [100, 100, 100, 100],
    [100, 112, 88, 100],
    [100, 100, 100, 100],
  ]);
  const decide = ({ bar, orders }: BarContext): void =>
    void (bar === 0 && orders.buy(10, { stopLoss: 90, takeProfit: 110 }));

  it.each([
    ['worst', '99900', '100100', 99_900],
    ['best', '99900', '100100', 100_100],
  ] as const)('is reported with both outcomes (%s)', async (resolve, worse, better, final) => {
    const { result, events } = await run({ decide }, { market, settings: { resolve } });
    const ambiguity = { bars: 1, fills: 1, difference: '200', finalEquity: { worse, better } };
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', openTrades: [], ambiguity });
    expect(result.ambiguity).toMatchObject({ bars: 1, fills: 1 });
    expect(
      [
        result.ambiguity.difference,
        result.ambiguity.finalEquity.worse,
        result.ambiguity.finalEquity.better,
      ].map(decimalString),
    ).toEqual(['200', worse, better]);
    expect([...result.equity]).toEqual([100_000, 100_000, final, final]);
    const bars = events.flatMap((event) => (event.type === 'bar' ? [event] : []));
    expect(bars.map(({ ambiguity: doubt }) => doubt)).toEqual([
      undefined,
      undefined,
      { worse, better },
      undefined,
    ]);
    expect(result.trades.map(({ exitReason, ambiguous }) => [exitReason, ambiguous])).toEqual([
      [resolve === 'worst' ? 'stop-loss' : 'take-profit', true],
    ]);
    expect(result.uncoveredBars).toBe(0);
  });
});
