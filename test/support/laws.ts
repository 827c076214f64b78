import fc from 'fast-check';
import {
  type BarContext,
  type Decider,
  type RunEvent,
  type RunSettingsInput,
  runBacktest,
} from '../../src/engine/index.ts';
import { DAY } from '../../src/kernel/index.ts';
import {
  type Bar,
  type BarSeries,
  barSeries,
  createMarket,
  type Market,
  simulateMarket,
} from '../../src/market/index.ts';

/**
 * Generators of random markets, random rules and random changes of later bars. Used by property tests, for
 * example of the absence of look-ahead.
 */

const SYMBOLS = ['AAA', 'BBB', 'CCC'] as const;

export interface MarketPlan {
  readonly seed: number;
  readonly bars: number;
  readonly symbols: number;
  /**
   * Patterns of missing bars (only where `mayDrop` allows) and of bars without volume (`still`). A pattern
   * repeats: bar `index` of a symbol uses element (symbol + 3 × index) modulo its length.
   */
  readonly missing: readonly boolean[];
  readonly still: readonly boolean[];
}

// True in one of eight cases. fast-check prefers small numbers, so the largest number stands for true.
const seldom = fc.integer({ min: 0, max: 7 }).map((value) => value === 7);

export const marketPlan: fc.Arbitrary<MarketPlan> = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  bars: fc.integer({ min: 4, max: 60 }),
  symbols: fc.integer({ min: 1, max: 3 }),
  missing: fc.array(seldom, { maxLength: 7 }),
  still: fc.array(seldom, { maxLength: 11 }),
});

/** Returns the series of a plan, with missing bars. Each series has at least its first bar. */
export function seriesOf({ seed, bars, symbols, missing, still }: MarketPlan, prefix = ''): BarSeries[] {
  const regime = 'volatile';
  const { series } = simulateMarket({ seed, bars, regime, symbols: SYMBOLS.slice(0, symbols) });
  return series.map((one, symbol) => {
    const rows: Bar[] = [];
    for (const [index, bar] of barsOf(one).entries()) {
      const place = symbol + 3 * index;
      if (missing[place % missing.length] && mayDrop(rows)) continue;
      rows.push(still[place % still.length] ? { ...bar, volume: 0 } : bar);
    }
    // The interval is set, because a few bars with gaps could suggest another interval.
    return { ...barSeries(prefix + one.symbol, rows), interval: '1d' };
  });
}

function barsOf({ time, open, high, low, close, volume }: BarSeries): Bar[] {
  return Array.from(time, (instant, index) => ({
    time: instant,
    open: open[index]!,
    high: high[index]!,
    low: low[index]!,
    close: close[index]!,
    volume: volume[index]!,
  }));
}

export interface Tamper {
  /** Changes of the later bars. The list is repeated. `silence`: the volume becomes 0. */
  readonly changes: readonly ('keep' | 'drop' | 'change' | 'silence')[];
  readonly factor: number;
  /** Number of bars that are added at the end of each symbol. */
  readonly appended: number;
}

export const tamper: fc.Arbitrary<Tamper> = fc.record({
  changes: fc.array(fc.constantFrom('keep', 'drop', 'change', 'silence'), { minLength: 1, maxLength: 6 }),
  factor: fc.double({ min: 0.2, max: 5, noNaN: true }),
  appended: fc.nat({ max: 5 }),
});

/** Returns the series with changes to all bars after an instant. */
export function tampered(series: readonly BarSeries[], instant: number, plan: Tamper): BarSeries[] {
  const { changes, factor, appended } = plan;
  const endsEarly = changes.every((change) => change === 'drop');
  return series.map((one) => {
    const bars: Bar[] = [];
    for (const [index, bar] of barsOf(one).entries()) {
      const change = bar.time <= instant ? 'keep' : changes[index % changes.length];
      if (change === 'drop' && (endsEarly || mayDrop(bars))) continue;
      if (change === 'change') bars.push(scaled(bar, factor));
      else bars.push(change === 'silence' ? { ...bar, volume: 0 } : bar);
    }
    const last = bars.at(-1)!;
    const start = Math.max(last.time, instant);
    for (let day = 1; day <= appended; day++) bars.push({ ...scaled(last, factor), time: start + day * DAY });
    return { ...barSeries(one.symbol, bars), ...(one.interval !== undefined && { interval: one.interval }) };
  });
}

/**
 * Returns true if the next bar may be missing: only after three steps of one day. With regular gaps, the bars
 * would no longer count as daily bars.
 */
function mayDrop(bars: readonly Bar[]): boolean {
  return bars.length > 3 && bars.at(-1)!.time - bars.at(-4)!.time === 3 * DAY;
}

function scaled({ time, open, high, low, close }: Bar, factor: number): Bar {
  return {
    time,
    open: open * factor,
    high: high * factor,
    low: low * factor,
    close: close * factor,
    volume: 7,
  };
}

/**
 * Random trading rule. Acts if a condition on a column of bars and a condition on the account are both true.
 */
export interface Rule {
  readonly symbol: number;
  readonly column: 'open' | 'high' | 'low' | 'close' | 'volume';
  readonly length: number;
  readonly threshold: number;
  readonly above: boolean;
  readonly account: 'any' | 'flat' | 'long' | 'short' | 'rich' | 'poor';
  readonly action: 'buy' | 'sell' | 'close';
  readonly size: { readonly quantity: number } | { readonly equityFraction: number };
}

export const rules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    symbol: fc.nat({ max: 2 }),
    column: fc.constantFrom('open', 'high', 'low', 'close', 'volume'),
    length: fc.integer({ min: 1, max: 12 }),
    threshold: fc.integer({ min: 950, max: 1050 }).map((value) => value / 1000),
    above: fc.boolean(),
    account: fc.constantFrom('any', 'any', 'flat', 'long', 'short', 'rich', 'poor'),
    action: fc.constantFrom('buy', 'sell', 'close'),
    size: fc.oneof(
      fc.integer({ min: 1, max: 40 }).map((quantity) => ({ quantity })),
      fc.constantFrom(0.1, 0.5, 0.99, 1).map((equityFraction) => ({ equityFraction })),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

export const settings: fc.Arbitrary<RunSettingsInput> = fc.record({
  cash: fc.constantFrom('1000', '25000.37', '1000000'),
  commissionRate: fc.constantFrom(0, 0.0015, 0.01),
  slippageBps: fc.constantFrom(0, 7, 250),
  leverage: fc.constantFrom(1, 2),
  allowShort: fc.boolean(),
  lookback: fc.constantFrom(null, 1, 5, 20),
});

export function follow(plan: readonly Rule[]): Decider {
  return {
    decide(turn) {
      for (const rule of plan) {
        const symbol = turn.symbols[rule.symbol % turn.symbols.length]!;
        const column = turn.windowOf(symbol)[rule.column];
        const ratio = column.last / column.mean(rule.length);
        if (!(rule.above ? ratio > rule.threshold : ratio < rule.threshold)) continue;
        if (!accountIs(rule.account, turn, symbol)) continue;
        const size = rule.action === 'close' ? {} : rule.size;
        turn.orders.submit({ action: rule.action, symbol, ...size });
      }
    },
  };
}

function accountIs(state: Rule['account'], { account }: BarContext, symbol: string): boolean {
  const units = account.units(symbol);
  if (state === 'flat') return units === 0;
  if (state === 'long') return units > 0;
  if (state === 'short') return units < 0;
  if (state === 'rich') return account.equity.greaterThan(account.cash);
  return state === 'any' || account.cash.lessThan(10_000);
}

/** Runs a backtest and returns all its events. */
export async function eventsOf(
  market: Market,
  decider: Decider,
  terms: RunSettingsInput,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market,
    decider,
    settings: terms,
    onEvent: (event) => events.push(event),
  });
  if (result.error !== undefined) throw result.error;
  return events;
}

/** Returns the JSON of all events up to a bar, including this bar. */
export function bytesUpTo(events: readonly RunEvent[], bar: number): string {
  return events
    .filter((event) => 'bar' in event && event.bar <= bar)
    .map((event) => JSON.stringify(event))
    .join('\n');
}

/** Creates a market. The series can be in any order. */
export const marketOf = (series: readonly BarSeries[]): Market => createMarket(series);
