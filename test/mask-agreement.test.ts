import { describe, expect, it } from 'vitest';
import {
  type BarContext,
  type RunEvent,
  type RunSettingsInput,
  readRunSettings,
  runBacktest,
} from '../src/engine/index.ts';
import {
  barSeries,
  type CorporateAction,
  createMarket,
  type Market,
  simulateMarket,
} from '../src/market/index.ts';
import { createMask, type GivenWorld, maskView, maskWorld, unmasker } from '../src/masking/index.ts';
import { sampled } from './support/depth.ts';

const BARS = 150;
const SEEDS = 6;
/**
 * Largest relative change of the equity at any bar that masking may cause by rounding, for share prices of
 * about 100 and an account of 100,000. `APART_BY_TENS`: the same with lots of ten shares. docs/masks.md
 * states these limits.
 */
const [APART, APART_BY_TENS] = [0.001, 0.004];

/**
 * Trading rule that is called for each symbol at each bar. `index`: position of the symbol in the order of
 * the real names.
 */
type Rule = (turn: BarContext, symbol: string, index: number) => void;

const average = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

const RULES: Readonly<Record<string, Rule>> = {
  'targets by a plan, long and short'({ bar, orders }, symbol, index) {
    if ((bar + 7 * index) % 15 === 0)
      orders.submit({ action: 'target', symbol, targetFraction: [0.3, -0.2, 0.1, 0][(bar + index) % 4]! });
  },
  'amounts of money by a plan, closed after ten bars'({ bar, orders, account }, symbol, index) {
    if (bar % 20 === index) orders.submit({ action: 'buy', symbol, notional: 15_000 });
    if (bar % 20 === index + 10 && account.units(symbol) !== 0) orders.close({ symbol });
  },
  'a crossing of two averages'({ orders, account, windowOf }, symbol) {
    const { close, length } = windowOf(symbol);
    if (length < 20) return;
    const isUp = average(close.tail(5)) > average(close.tail(20));
    if (isUp && account.units(symbol) === 0) orders.submit({ action: 'buy', symbol, equityFraction: 0.3 });
    if (!isUp && account.units(symbol) !== 0) orders.close({ symbol });
  },
  'limits below, with stops and targets as fractions'({ bar, orders, account, windowOf }, symbol, index) {
    if (bar % 12 !== index || account.units(symbol) !== 0) return;
    orders.submit({
      action: 'buy',
      symbol,
      equityFraction: 0.25,
      type: 'limit',
      limitPrice: windowOf(symbol).close.last * 0.985,
      validBars: 5,
      stopLoss: { fraction: 0.05 },
      takeProfit: { fraction: 0.06 },
    });
  },
};

const SETTINGS: Readonly<Record<string, RunSettingsInput>> = {
  'a rate': { commissionRate: 0.001, slippageBps: 2 },
  'fees for a share, in cents': {
    commission: { model: 'per-share', perShare: 0.01, minimum: 1 },
    tick: 0.01,
  },
  'lots of ten': { lot: 10 },
  'a share of the volume, and impact': {
    participation: 0.000_5,
    slippage: { model: 'volume-impact', coefficient: 10 },
  },
  'interest and borrowed shares': { financing: { creditRate: 0.03, debitRate: 0.08, borrowRate: 0.05 } },
};

function worldOf(seed: number, settings: RunSettingsInput): GivenWorld {
  const market = createMarket(
    simulateMarket({ seed, bars: BARS, symbols: ['ONE', 'THREE', 'TWO'], start: '2019-01-01' }).series,
  );
  const at = (bar: number): number => market.clock[bar]!;
  const actions: CorporateAction[] = [
    { symbol: 'ONE', time: at(30), kind: 'dividend', amount: '0.55' },
    { symbol: 'TWO', time: at(60), kind: 'dividend', amount: '0.31' },
    { symbol: 'THREE', time: at(90), kind: 'dividend', amount: '1.1' },
  ];
  return { market, settings: readRunSettings(settings), rates: [], actions };
}

/** Runs a rule. Returns the equity at each bar, and the events. */
async function outcome(
  world: GivenWorld,
  rule: Rule,
  realName: (symbol: string) => string,
): Promise<{ readonly equity: Float64Array; readonly events: readonly RunEvent[] }> {
  const events: RunEvent[] = [];
  const { equity, error } = await runBacktest({
    market: world.market,
    settings: world.settings,
    actions: world.actions,
    interestClock: world.interestClock,
    onEvent: (event) => events.push(event),
    decider: {
      decide(turn) {
        const symbols = [...turn.symbols].sort((a, b) => (realName(a) < realName(b) ? -1 : 1));
        for (const [index, symbol] of symbols.entries()) rule(turn, symbol, index);
      },
    },
  });
  if (error !== undefined) throw error;
  return { equity, events };
}

const tradesOf = (events: readonly object[]): readonly unknown[] =>
  (events as readonly RunEvent[]).flatMap((event) =>
    event.type === 'trade_closed' ? [[event.symbol, event.side, event.entryTime, event.exitTime]] : [],
  );

const CASES = Object.keys(RULES).flatMap((rule) =>
  Object.keys(SETTINGS).map((terms) => [rule, terms] as const),
);

describe('a rule on data with masked names, dates and prices', () => {
  it.each(sampled(CASES, 4))(
    'by %s, with %s: has the same profit as without a mask, within rounding',
    async (rule, terms) => {
      let [same, trades] = [0, 0];
      for (let seed = 1; seed <= SEEDS; seed++) {
        const world = worldOf(seed, SETTINGS[terms]!);
        const mask = createMask(['symbols', 'dates', 'prices'], world.market, seed, world.settings);
        const shown = maskWorld(world, mask);
        const { symbols } = maskView(mask);
        const open = await outcome(world, RULES[rule]!, (symbol) => symbol);
        const masked = await outcome(shown, RULES[rule]!, (symbol) => symbols[symbol]!);
        const real = unmasker({ mask, symbols: shown.market.symbols });
        const made = tradesOf(open.events);
        trades += made.length;
        const back = tradesOf(masked.events.map((event) => real(event)));
        // A price within a cent of a limit or an average may cause another decision with the mask. All later
        // trades may then differ, so such a run is not compared.
        if (JSON.stringify(back) !== JSON.stringify(made)) continue;
        same += 1;
        for (const [bar, value] of masked.equity.entries())
          expect(Math.abs(value / open.equity[bar]! - 1)).toBeLessThanOrEqual(
            terms === 'lots of ten' ? APART_BY_TENS : APART,
          );
      }
      expect(trades).toBeGreaterThan(SEEDS);
      expect(same).toBeGreaterThanOrEqual(rule.includes('plan') ? SEEDS : SEEDS - 2);
    },
  );
});

/**
 * Returns hourly bars of New York sessions, including a holiday, a half day and the end of daylight saving
 * time.
 */
function hourly(): Market {
  const days = Array.from({ length: 40 }, (_, day) => Date.UTC(2023, 9, 23) + day * 86_400_000);
  const times = days.flatMap((day) => {
    const weekday = new Date(day).getUTCDay();
    if (weekday === 0 || weekday === 6 || day === Date.UTC(2023, 10, 23)) return [];
    const opens = day + (day < Date.UTC(2023, 10, 5) ? 13.5 : 14.5) * 3_600_000;
    const bars = day === Date.UTC(2023, 10, 24) ? 3 : 7;
    return Array.from({ length: bars }, (_, hour) => opens + hour * 3_600_000);
  });
  const { open, high, low, close, volume } = simulateMarket({ seed: 5, bars: times.length }).series[0]!;
  const bars = times.map((time, bar) => ({
    time,
    open: open[bar]!,
    high: high[bar]!,
    low: low[bar]!,
    close: close[bar]!,
    volume: volume[bar]!,
  }));
  return createMarket([barSeries('ACME', bars)]);
}

describe('masked dates of hourly bars', () => {
  it.each(['start', 'end'] as const)(
    'preserve sessions, day orders, daily limits and interest, with timestamps at the %s',
    async (barTimes) => {
      const market = hourly();
      const settings = readRunSettings({
        barTimes,
        session: { hours: '09:30-16:00', timezone: 'America/New_York', calendar: 'XNYS' },
        financing: { creditRate: 0.03, debitRate: 0.08 },
        leverage: 2,
        risk: { maxDailyLoss: 0.01 },
        commissionRate: 0.001,
      });
      const world: GivenWorld = { market, settings, rates: [], actions: [] };
      const rule: Rule = ({ bar, orders, account, windowOf }, symbol) => {
        if (bar % 3 === 0 && account.units() === 0)
          orders.submit({
            action: 'buy',
            symbol,
            equityFraction: 1.5,
            type: 'limit',
            limitPrice: windowOf(symbol).close.last * 0.99,
            timeInForce: 'DAY',
          });
        else if (bar % 11 === 0 && account.units() !== 0) orders.close({ symbol });
      };
      const mask = createMask(['dates'], market, 3, settings);
      const shown = maskWorld(world, mask);
      const open = await outcome(world, rule, (symbol) => symbol);
      const masked = await outcome(shown, rule, (symbol) => symbol);
      const real = unmasker({ mask, symbols: shown.market.symbols });
      const [, ...was] = open.events;
      const [, ...is] = masked.events.map((event) => real(event));
      expect(is).toEqual(was);
      const happened = JSON.stringify(was);
      for (const sign of ['order_filled', 'order_cancelled', 'margin_interest', 'trade_closed'])
        expect(happened).toContain(sign);
      const clock = shown.market.clock;
      expect(new Date(clock[0]!).toISOString().slice(11, 16)).toBe(barTimes === 'start' ? '09:00' : '10:00');
    },
  );
});
