import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineStrategy, ruleDecider, type Strategy } from '../src/agents/index.ts';
import type { Decider, RunEvent } from '../src/engine/index.ts';
import { AppError, type Decimal, decimal, decimalString, ZERO } from '../src/kernel/index.ts';
import type { Market } from '../src/market/index.ts';
import { provisionRuntime, Sandbox } from '../src/sandbox/index.ts';
import { createToolkit } from '../src/toolkit/index.ts';
import { skipBecause } from './missing.ts';
import {
  bytesUpTo,
  eventsOf,
  follow,
  marketOf,
  marketPlan,
  rules,
  seriesOf,
  settings,
  tamper,
  tampered,
} from './support/laws.ts';
import { PATIENT_MS } from './support/patience.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Returns the number of the bar at a fraction of the market's length. `part`: 0 to 1. */
const barAt = ({ clock }: Market, part: number): number =>
  Math.min(clock.length - 1, Math.floor(part * clock.length));

describe('look-ahead: bars after bar t change nothing up to t', () => {
  it('for rules', async () => {
    let trades = 0;
    await fc.assert(
      fc.asyncProperty(
        marketPlan,
        rules,
        settings,
        share,
        tamper,
        async (plan, strategy, terms, part, change) => {
          const series = seriesOf(plan);
          const market = marketOf(series);
          const bar = barAt(market, part);
          const other = marketOf(tampered(series, market.clock[bar]!, change));
          const before = await eventsOf(market, follow(strategy), terms);
          const after = await eventsOf(other, follow(strategy), terms);
          expect(bytesUpTo(after, bar)).toBe(bytesUpTo(before, bar));
          trades += before.filter((event) => event.type === 'order_filled').length;
        },
      ),
      { numRuns: 250 },
    );
    expect(trades).toBeGreaterThan(250);
  });

  it('and a decider with look-ahead is detected', async () => {
    const cheat = (market: Market): Decider => ({
      decide({ bar, symbols, orders }) {
        const next = market.series[0]!.close[bar + 1] ?? 0;
        if (next > market.series[0]!.close[bar]!) orders.buy(1, { symbol: symbols[0]! });
      },
    });
    const outcome = await fc.check(
      fc.asyncProperty(marketPlan, share, tamper, async (plan, part, change) => {
        const series = seriesOf({ ...plan, missing: [] });
        const market = marketOf(series);
        const bar = barAt(market, part);
        const other = marketOf(tampered(series, market.clock[bar]!, change));
        const [before, after] = [
          await eventsOf(market, cheat(market), {}),
          await eventsOf(other, cheat(other), {}),
        ];
        return bytesUpTo(after, bar) === bytesUpTo(before, bar);
      }),
    );
    expect(outcome.failed).toBe(true);
  });
});

describe('determinism', () => {
  it('produces the same bytes twice, for any order of the symbols', async () => {
    await fc.assert(
      fc.asyncProperty(
        marketPlan,
        rules,
        settings,
        fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
        async (plan, strategy, terms, keys) => {
          const run = async (market: Market): Promise<string> =>
            JSON.stringify(await eventsOf(market, follow(strategy), terms));
          const series = seriesOf(plan);
          const shuffled = series
            .map((one, index) => ({ one, key: keys[index]! }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          const first = await run(marketOf(series));
          expect(await run(marketOf(seriesOf(plan)))).toBe(first);
          expect(await run(marketOf(shuffled))).toBe(first);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Account that is calculated only from the events of a run. */
class Shadow {
  cash: Decimal;
  commission: Decimal = ZERO;
  profit: Decimal = ZERO;
  readonly units = new Map<string, Decimal>();
  readonly initial: Decimal;

  constructor(cash: string) {
    this.initial = decimal(cash);
    this.cash = this.initial;
  }

  take(event: RunEvent): void {
    if (event.type === 'order_filled') {
      const quantity = decimal(event.quantity).times(event.side === 'buy' ? 1 : -1);
      this.cash = this.cash.minus(quantity.times(event.price)).minus(event.commission);
      this.commission = this.commission.plus(event.commission);
      this.units.set(event.symbol, (this.units.get(event.symbol) ?? ZERO).plus(quantity));
      expect(event.cash).toBe(decimalString(this.cash));
    }
    if (event.type === 'trade_closed') {
      expect(decimalString(decimal(event.grossPnl).minus(event.commission))).toBe(event.netPnl);
      this.profit = this.profit.plus(event.netPnl);
    }
  }
}

describe('conservation of money', () => {
  it('requires cash + Σ position × close = equity after every bar, exactly, with every fill inside its bar', async () => {
    await fc.assert(
      fc.asyncProperty(marketPlan, rules, settings, async (plan, strategy, terms) => {
        const series = seriesOf(plan);
        const market = marketOf(series);
        const shadow = new Shadow(String(terms.cash));
        const lastClose = new Map<string, number>();
        const events = await eventsOf(market, follow(strategy), terms);
        for (const event of events) {
          shadow.take(event);
          if (event.type === 'order_filled') {
            const { time, open, high, low, volume } = market.series[market.symbols.indexOf(event.symbol)]!;
            const index = time.indexOf(market.clock[event.bar]!);
            expect(index).toBeGreaterThanOrEqual(0);
            expect(volume[index]).toBeGreaterThan(0);
            expect(event.priceBeforeSlippage).toBe(decimalString(decimal(open[index]!)));
            expect(decimal(event.price).lessThanOrEqualTo(high[index]!)).toBe(true);
            expect(decimal(event.price).greaterThanOrEqualTo(low[index]!)).toBe(true);
            const against = decimal(event.price).minus(event.priceBeforeSlippage);
            expect(
              event.side === 'buy' ? against.isNegative() && !against.isZero() : against.greaterThan(0),
            ).toBe(false);
          }
          if (event.type === 'bar') {
            for (const { symbol, time, close } of market.series) {
              const index = time.indexOf(market.clock[event.bar]!);
              if (index >= 0) lastClose.set(symbol, close[index]!);
            }
            let equity = shadow.cash;
            for (const [symbol, units] of shadow.units)
              equity = equity.plus(units.times(lastClose.get(symbol)!));
            expect(event.cash).toBe(decimalString(shadow.cash));
            expect(event.equity).toBe(decimalString(equity));
          }
          if (event.type === 'run_finished') {
            const open = event.openTrades.reduce((sum, trade) => sum.plus(trade.netPnl), ZERO);
            const equity = events.findLast((one) => one.type === 'bar')!.equity;
            expect(decimalString(shadow.profit.plus(open))).toBe(
              decimalString(decimal(equity).minus(shadow.initial)),
            );
            expect(event.commissionPaid).toBe(decimalString(shadow.commission));
            if (terms.allowShort === false)
              for (const units of shadow.units.values()) expect(units.isNegative()).toBe(false);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

const runtime = await provisionRuntime().catch((error: unknown) => {
  if (error instanceof AppError && error.code === 'no_python_wheels') return undefined;
  throw error;
});
if (runtime === undefined)
  skipBecause('The laws were not proven for compute: no source of the Python wheels can be reached.');

describe.skipIf(runtime === undefined)('look-ahead with compute', () => {
  let sandbox: Sandbox | undefined;
  afterAll(() => sandbox?.close());

  const expression = fc.constantFrom(
    'df.close.iloc[-1] / df.close.mean()',
    'df.close.tail(N).max() / df.high.max()',
    'df.volume.sum() / (len(df) + df.volume.iloc[-1])',
    'latest(ta.sma(df.close, N)) / df.close.iloc[-1] if len(df) >= N else 1',
    'float(np.random.rand() + df.open.iloc[-1] / df.open.iloc[0])',
    '[df_NAME.shape[0], df_NAME.close.sum(), equity, cash, positions, str(df.date.iloc[-1])]',
  );

  /**
   * Returns a decider that runs Python code on every bar and trades if its result is above or below the
   * threshold.
   */
  const asking = (code: string, threshold: number): Decider => {
    const strategy = defineStrategy({
      name: 'asking',
      summary: '',
      parameters: z.object({}),
      tools: ['compute'],
      async onBar({ orders, account, symbols }, { compute }) {
        const own = code.replaceAll('NAME', symbols.at(-1)!.toLowerCase());
        const { result, error } = await compute(own, symbols[0]!);
        if (error !== undefined) throw new Error(error);
        const value = Array.isArray(result) ? Number(result[1]) % 2 : Number(result);
        if (value > threshold && account.units() === 0) orders.submit({ action: 'buy', equityFraction: 0.5 });
        if (value < threshold && account.units() > 0) orders.close();
      },
    });
    return ruleDecider(strategy as unknown as Strategy, {}, createToolkit({ sandbox: sandbox! }));
  };

  // A child that does not start reports an error within a minute. The timeout of the test is longer, because
  // this error is more useful than a timeout.
  it('is impossible: no event or answer up to t changes', async () => {
    sandbox = new Sandbox({ runtime: runtime!, seed: 11, spares: 0, timeoutMs: PATIENT_MS });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        marketPlan,
        expression,
        fc.integer({ min: 1, max: 9 }),
        share,
        tamper,
        fc.constantFrom(null, 6),
        async (plan, template, length, part, change, lookback) => {
          const code = template.replaceAll('N)', `${length})`).replaceAll('>= N', `>= ${length}`);
          // All runs of this test share one sandbox, so the symbols of each market have different names.
          const named = `R${run++}`;
          const series = [seriesOf(plan, `${named}A`), seriesOf(plan, `${named}B`)] as const;
          const market = marketOf(series[0]);
          const bar = barAt(market, part);
          const other = marketOf(tampered(series[1], market.clock[bar]!, change));
          const text = async (one: Market, prefix: string): Promise<string> => {
            const events = await eventsOf(one, asking(code, 0.97), { lookback });
            return bytesUpTo(events, bar).replaceAll(prefix, '').replaceAll(prefix.toLowerCase(), '');
          };
          const before = await text(market, `${named}A`);
          expect(await text(other, `${named}B`)).toBe(before);
          expect(before).toContain('tool_called');
        },
      ),
      { numRuns: 8 },
    );
  });
});
