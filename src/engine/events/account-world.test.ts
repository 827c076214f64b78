import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../broker/index.ts';
import { createRandom, DAY, decimal, decimalString } from '../../kernel/index.ts';
import {
  type BarSeries,
  barSeries,
  type CorporateAction,
  createMarket,
  type Market,
  simulateMarket,
} from '../../market/index.ts';
import { runBacktest } from '../run.ts';
import type { RunSettingsInput } from '../settings/settings.ts';
import type { RunEvent } from './events.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'];
const BARS = 60;

/** Three symbols with different holidays and first days, and an exchange rate that also skips days. */
function world(seed: number): { readonly series: BarSeries[]; readonly rates: BarSeries[] } {
  const random = createRandom(seed, 'holidays');
  const simulated = simulateMarket({ seed, bars: BARS, symbols: [...SYMBOLS, 'EURUSD'] }).series;
  const thinned = simulated.map((series, index): BarSeries => {
    const first = index * 3;
    const keep = Array.from(series.time, (_, bar) => bar >= first && (bar === first || random.next() > 0.2));
    const pick = (column: Float64Array): Float64Array => column.filter((_, bar) => keep[bar] === true);
    const { symbol, time, open, high, low, close, volume } = series;
    const scale = symbol === 'EURUSD' ? 0.01 : 1;
    const scaled = (column: Float64Array): Float64Array =>
      pick(column).map((value) => Number((value * scale).toFixed(4)));
    return {
      symbol,
      time: pick(time),
      open: scaled(open),
      high: scaled(high),
      low: scaled(low),
      close: scaled(close),
      volume: pick(volume),
    };
  });
  return {
    series: thinned.filter(({ symbol }) => symbol !== 'EURUSD'),
    rates: thinned.filter(({ symbol }) => symbol === 'EURUSD'),
  };
}

function actionsOf(seed: number, start: number): CorporateAction[] {
  const random = createRandom(seed, 'actions');
  const drawn = Array.from({ length: 8 }, (_, index): CorporateAction => {
    const symbol = SYMBOLS[index % SYMBOLS.length]!;
    const time = start + Math.floor(random.next() * BARS * 1.4) * DAY;
    if (random.next() < 0.5)
      return { symbol, time, kind: 'dividend', amount: (1 + Math.floor(random.next() * 9)).toString() };
    const [to, from] = random.next() < 0.5 ? ['3', '2'] : ['1', '3'];
    return { symbol, time, kind: 'split', to, from };
  });
  // At most one action per symbol and instant.
  return drawn.filter(({ symbol, time }, index) =>
    drawn.slice(0, index).every((before) => before.symbol !== symbol || before.time !== time),
  );
}

const SETTINGS: RunSettingsInput = {
  cash: '50000',
  leverage: 2,
  commissionRate: 0.001,
  instruments: { BBB: { currency: 'EUR', borrowRate: 0.2 } },
  financing: { creditRate: 0.02, debitRate: 0.06, borrowRate: 0.05 },
};

/** Draws orders by bar and symbol, independently of the order of the symbols. */
function ordersAt(seed: number, bar: number): OrderRequest[] {
  return SYMBOLS.flatMap((symbol): OrderRequest[] => {
    const random = createRandom(seed, `${symbol} ${bar}`);
    const dice = random.next();
    const quantity = 1 + Math.floor(random.next() * 60);
    if (dice < 0.12) return [{ action: 'buy', symbol, quantity, stopLoss: { fraction: 0.05 } }];
    if (dice < 0.24) return [{ action: 'sell', symbol, quantity, takeProfit: { fraction: 0.04 } }];
    if (dice < 0.3) return [{ action: 'sell', symbol, quantity, type: 'trailing_stop', trailAmount: 2 }];
    if (dice < 0.36) return [{ action: 'close', symbol }];
    return [];
  });
}

async function run(
  seed: number,
  market: Market,
  rates: BarSeries[],
  actions: readonly CorporateAction[],
  lots: 'fifo' | 'average' = 'fifo',
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market,
    rates,
    actions,
    settings: { ...SETTINGS, lots },
    decider: { decide: ({ bar }) => ({ orders: ordersAt(seed, bar) }) },
    onEvent: (event) => events.push(event),
  });
  expect(result.error).toBeUndefined();
  return events;
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });

describe('a run with dividends, splits, two currencies and financing', () => {
  it('does not depend on the order of symbols and actions', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.boolean(), async (seed, average) => {
        const lots = average ? 'average' : 'fifo';
        const { series, rates } = world(seed);
        const market = createMarket(series);
        const actions = actionsOf(seed, market.clock[0]!);
        const one = await run(seed, market, rates, actions, lots);
        const other = await run(
          seed,
          createMarket([...series].reverse()),
          rates,
          [...actions].sort((a, b) => (a.symbol > b.symbol ? -1 : a.symbol < b.symbol ? 1 : 0)),
          lots,
        );
        expect(other).toEqual(one);
        expect(one.some(({ type }) => type === 'order_filled')).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('contains no values of later bars, rates and actions', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 15, max: 40 }), async (seed, cut) => {
        const { series, rates } = world(seed);
        const market = createMarket(series);
        const actions = actionsOf(seed, market.clock[0]!);
        const until = market.clock[cut]!;
        const whole = await run(seed, market, rates, actions);
        const before = (one: BarSeries): BarSeries => {
          const end = one.time.filter((time) => time <= until).length;
          const part = (column: Float64Array): Float64Array => column.slice(0, end);
          const { symbol, time, open, high, low, close, volume } = one;
          return {
            symbol,
            time: part(time),
            open: part(open),
            high: part(high),
            low: part(low),
            close: part(close),
            volume: part(volume),
            // The interval is given, because one or two bars are not sufficient to detect it.
            interval: '1d',
          };
        };
        const known = await run(
          seed,
          createMarket(series.map(before)),
          rates.map(before),
          actions.filter(({ time }) => time <= until),
        );
        const upTo = (events: RunEvent[]): RunEvent[] =>
          events.filter((event) => 'bar' in event && event.bar <= cut);
        expect(upTo(known)).toEqual(upTo(whole));
      }),
      { numRuns: 25 },
    );
  });

  it('reconciles its equity with profits, dividends, interest and fees, to the last digit', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const { series, rates } = world(seed);
        const market = createMarket(series);
        const events = await run(seed, market, rates, actionsOf(seed, market.clock[0]!));
        let explained = decimal('50000');
        for (const event of events) {
          if (event.type === 'trade_closed') explained = explained.plus(event.netPnl);
          if (event.type === 'cash_entry') explained = explained.plus(event.amount);
          if (event.type === 'run_finished')
            for (const trade of event.openTrades) explained = explained.plus(trade.netPnl);
        }
        const last = events.findLast((event) => event.type === 'bar');
        expect(decimalString(explained)).toBe(last?.type === 'bar' ? last.equity : '');
      }),
      { numRuns: 25 },
    );
  });
});

describe('a symbol without a current bar', () => {
  it('is valued at its last close, is reported as stale, and its orders wait', async () => {
    const bar = (day: number, price: number) => ({
      time: day * DAY,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 100,
    });
    const market = createMarket([
      barSeries('AAA', [bar(0, 10), bar(1, 11), bar(3, 13)]),
      barSeries('BBB', [bar(0, 20), bar(1, 20), bar(2, 20), bar(3, 20)]),
    ]);
    const seen: string[] = [];
    const result = await runBacktest({
      market,
      settings: { cash: '1000' },
      decider: {
        decide({ bar: now, account, orders }) {
          const { stale, mark, quantity } = account.position('AAA');
          seen.push(`${now} ${quantity} at ${mark}${stale ? ' stale' : ''}`);
          if (now === 0) orders.buy(10, { symbol: 'AAA' });
          if (now === 2) expect(orders.sell(4, { symbol: 'AAA' }).accepted).toBe(true);
        },
      },
    });
    expect(seen).toEqual(['0 0 at 10', '1 10 at 11', '2 10 at 11 stale', '3 6 at 13']);
    expect(decimalString(result.cash)).toBe('942'); // 1000 − 110 + 4 × 13
  });
});

describe('exchange rates with other bars than the market', () => {
  const bar = (time: number, open: number, close: number) => ({
    time,
    open,
    high: Math.max(open, close),
    low: Math.min(open, close),
    close,
    volume: 1,
  });
  const equities = async (market: Market, rates: BarSeries, cash = '100'): Promise<number[]> => {
    const { equity } = await runBacktest({
      market,
      rates: [rates],
      settings: { cash, instruments: { SAP: { currency: 'EUR' } } },
      decider: {
        decide: ({ bar: now }) => (now === 0 ? { orders: [{ action: 'buy', quantity: 10 }] } : undefined),
      },
    });
    return [...equity];
  };
  const hour = DAY / 24;

  it('hide the close of a daily rate during the hours of that day', async () => {
    const market = createMarket([
      barSeries(
        'SAP',
        [22, 23, 24, 25].map((hours) => bar(hours * hour, 1, 1)),
      ),
    ]);
    const rates = barSeries('EURUSD', [bar(0, 1, 2), bar(DAY, 3, 4)]);
    // The units are bought at 23:00, when only the open (1) of the daily rate is known. At the end of the
    // hour the day also ends, and the rate is its close, 2. The next day opens at 3.
    expect(await equities(market, rates)).toEqual([100, 110, 120, 120]);
  });

  it('hide the close of a monthly rate during its last days, for any length of February', async () => {
    const days = (...texts: string[]): number[] => texts.map((text) => Date.parse(text));
    const market = createMarket([
      barSeries(
        'SAP',
        days('2023-03-28', '2023-03-29', '2023-03-30', '2023-03-31', '2023-04-01').map((time) =>
          bar(time, 1, 1),
        ),
      ),
    ]);
    const months = days('2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01');
    const rates = barSeries(
      'EURUSD',
      months.map((time, month) => bar(time, 1 + month, 1.5 + month)),
    );
    // The units are bought at the rate of the open of March, 2. The close of March, 2.5, becomes known at the
    // end of 31 March. A fixed month length of 28 days would reveal it too early.
    expect(await equities(market, rates)).toEqual([100, 100, 100, 105, 110]);
  });

  it('are known at their time if they have end timestamps', async () => {
    const market = createMarket([
      barSeries(
        'SAP',
        [1, 2, 3, 4].map((day) => bar(day * DAY, 1, 1)),
      ),
    ]);
    const rates = barSeries(
      'EURUSD',
      [1, 2, 3, 4].map((day) => bar(day * DAY, day, day + 0.5)),
    );
    const { equity } = await runBacktest({
      market,
      rates: [rates],
      settings: { cash: '100', instruments: { SAP: { currency: 'EUR' } }, barTimes: 'end' },
      decider: {
        decide: ({ bar: now }) => (now === 0 ? { orders: [{ action: 'buy', quantity: 10 }] } : undefined),
      },
    });
    // The units are bought at the open of the bar that ends on the second day, when the rate is 2 (the open
    // of that day's rate bar). At closes, equity is computed with the closes of the rate bars.
    expect([...equity]).toEqual([100, 105, 115, 125]);
  });

  it('use the last completed hour at the end of a day', async () => {
    const market = createMarket([barSeries('SAP', [bar(0, 1, 1), bar(DAY, 1, 1)])]);
    const rates = barSeries(
      'EURUSD',
      Array.from({ length: 60 }, (_, hours) => bar(hours * hour, 1 + hours, 1.5 + hours)),
    );
    // Ten units are bought at the open of the second day, when the rate is 25. At the end of this day, the
    // last hour has closed at 48.5. Rates of the following day are not used.
    expect(await equities(market, rates, '1000')).toEqual([1000, 1000 + 10 * 23.5]);
  });
});
