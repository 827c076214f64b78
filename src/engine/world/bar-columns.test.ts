import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../broker/account/index.ts';
import { DAY, decimal, Exact, formatInstant } from '../../kernel/index.ts';
import { barSeries, createMarket, type Market, simulateMarket } from '../../market/index.ts';
import type { BarEvent } from '../events/events.ts';
import { BarAmounts, BarSource, lightAmounts, NO_EXPOSURE } from './bar-amounts.ts';
import { amountsOfBars, equityNumberOf, LightBar, priceReader, sourceOfBars } from './light-bar.ts';

/** Returns a market in which `A` has a bar every day, and `B` only on `daysOfB`. */
function marketOf(days: number, daysOfB: readonly number[]): Market {
  const bar = (day: number) => ({
    time: day * DAY,
    open: 10 + day,
    high: 30 + day,
    low: 5 + day,
    close: 20 + day,
    volume: 100 * day,
  });
  return createMarket([
    barSeries(
      'A',
      Array.from({ length: days }, (_, day) => bar(day)),
    ),
    { ...barSeries('B', daysOfB.map(bar)), interval: '1d' },
  ]);
}

const valuesAt = (day: number) => [10 + day, 30 + day, 5 + day, 20 + day, 100 * day];

describe('the bars of a market', () => {
  const market = marketOf(6, [1, 2, 5]);
  const source = BarSource.of(market);

  it('are shared by all runs on the market', () => {
    expect(BarSource.of(market)).toBe(source);
    expect(BarSource.of(marketOf(6, [1]))).not.toBe(source);
    expect(source.market).toBe(market);
  });

  it('have a row of a symbol only if the symbol has a bar', () => {
    const rows = (symbol: number) => [0, 1, 2, 3, 4, 5].map((bar) => source.rowOf(bar, symbol));
    expect(rows(0)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rows(1)).toEqual([undefined, 0, 1, undefined, undefined, 2]);
  });

  it('have the right row of a symbol with any gaps', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 30 }), (given) => {
        const days = given.sort((a, b) => a - b);
        const large = BarSource.of(marketOf(41, days));
        for (let day = 0; day <= 40; day++) {
          const row = days.indexOf(day);
          expect(large.rowOf(day, 1)).toBe(row < 0 ? undefined : row);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('have prices, and null for a symbol without a bar', () => {
    expect(source.pricesAt(0)).toEqual([valuesAt(0), null]);
    expect(source.pricesAt(5)).toEqual([valuesAt(5), valuesAt(5)]);
  });

  it('have the right dates if they are read in any order', () => {
    expect([3, 0, 5, 3].map((bar) => source.dateOf(bar))).toEqual([
      '1970-01-04',
      '1970-01-01',
      '1970-01-06',
      '1970-01-04',
    ]);
  });

  it('return the same object each time for the times of a range', () => {
    const part = source.times(1, 3);
    expect([...part]).toEqual([DAY, 2 * DAY, 3 * DAY]);
    for (const first of [0, 2, 3, 4]) source.times(first, 5);
    expect(source.times(1, 3)).toBe(part);
    expect([...source.times(0, 5)]).toEqual([...market.clock]);
  });

  it('have the right dates beyond the size of the date cache', () => {
    const time = Float64Array.from({ length: 50_002 }, (_, bar) => bar * 60_000);
    const price = time.map(() => 5);
    const series = { symbol: 'A', time, open: price, high: price, low: price, close: price, volume: price };
    const long = BarSource.of(createMarket([series]));
    for (const bar of [50_001, 50_000, 49_999]) expect(long.dateOf(bar)).toBe(formatInstant(bar * 60_000));
  });
});

describe('the amounts of the bars of a run', () => {
  /** Returns the columns of a run that buys at bar 1, sells at bar 3 and goes short at bar 4. */
  function amountsOf(market: Market): { amounts: BarAmounts; ledger: Ledger } {
    const ledger = new Ledger(['A', 'B'], decimal('100'));
    const amounts = new BarAmounts(BarSource.of(market));
    const book = (bar: number, quantity: number, price: number): void => {
      ledger.book({ symbol: 0, bar, time: bar, quantity, price, commission: 0, reason: 'test' });
    };
    for (const [bar, mark] of [10, 12.5, 8, 9, 9, 40].entries()) {
      if (bar === 1) book(bar, 4, 10);
      if (bar === 3) book(bar, -4, 9);
      if (bar === 4) book(bar, -5, 9);
      ledger.mark(0, mark);
      amounts.take(bar, ledger);
    }
    return { amounts, ledger };
  }

  it('are cash, equity and exposure at each close', () => {
    const { amounts } = amountsOf(marketOf(6, [1]));
    const bars = [0, 1, 2, 3, 4, 5];
    expect(bars.map((bar) => amounts.cash(bar).toString())).toEqual(['100', '60', '60', '96', '141', '141']);
    expect(bars.map((bar) => amounts.equity(bar).toString())).toEqual([
      '100',
      '110',
      '92',
      '96',
      '96',
      '-59',
    ]);
    expect([...amounts.exposures]).toEqual([0, 50 / 110, 32 / 92, 0, 45 / 96, NO_EXPOSURE]);
    expect([...amounts.equityNumbers(1, 4)]).toEqual([110, 92, 96, 96]);
    expect([...amounts.equityNumbers(5, 5)]).toEqual([-59]);
  });

  it('are the same if bars arrive during the run', () => {
    const { amounts } = amountsOf(marketOf(1, [0]));
    const whole = amountsOf(marketOf(6, [1])).amounts;
    for (let bar = 0; bar < 6; bar++) {
      expect(amounts.equity(bar).toString()).toBe(whole.equity(bar).toString());
      expect(amounts.cash(bar).toString()).toBe(whole.cash(bar).toString());
      expect(amounts.exposures[bar]).toBe(whole.exposures[bar]);
    }
  });

  it('of a long run include every bar', () => {
    const amounts = lightAmounts(marketOf(1, [0]));
    for (let bar = 0; bar < 100; bar++)
      amounts.add(bar, Exact.of(bar), { mantissa: 15 * bar, scale: 1 }, bar / 100);
    for (let bar = 0; bar < 100; bar++) {
      expect(amounts.equityNumber(bar)).toBe(1.5 * bar);
      expect(amounts.cash(bar).toNumber()).toBe(bar);
      expect(amounts.exposures[bar]).toBe(bar / 100);
    }
  });

  it('have no exposure without positive equity', () => {
    const amounts = lightAmounts(marketOf(4, [0]));
    const ledger = new Ledger(['A', 'B'], decimal('0'));
    amounts.take(0, ledger);
    ledger.book({ symbol: 0, bar: 1, time: 1, quantity: 1, price: 5, commission: 0, reason: 'test' });
    ledger.mark(0, 5);
    amounts.take(1, ledger);
    ledger.mark(0, 6);
    amounts.take(2, ledger);
    expect([...amounts.exposures.slice(0, 3)]).toEqual([NO_EXPOSURE, NO_EXPOSURE, 6]);
  });

  it('are exact if the equity has more digits than a float64', () => {
    const amounts = lightAmounts(marketOf(3, [0]));
    const ledger = new Ledger(['A'], decimal('90071992547409930.25'));
    ledger.book({ symbol: 0, bar: 0, time: 0, quantity: '0.5', price: '0.1', commission: 0, reason: 'test' });
    ledger.mark(0, 0.125);
    amounts.take(0, ledger);
    expect(amounts.equity(0).toString()).toBe('90071992547409930.2625');
    expect(amounts.exposures[0]).toBe(0.0625 / Number('90071992547409930.2625'));
    ledger.book({ symbol: 0, bar: 1, time: 1, quantity: '-1', price: '0.1', commission: 0, reason: 'test' });
    ledger.mark(0, 1e18);
    amounts.take(1, ledger);
    expect(amounts.exposures[1]).toBe(NO_EXPOSURE);
  });

  it('that are read from a journal reuse the cash object for an equal equity', () => {
    const amounts = lightAmounts(marketOf(3, [0]));
    const cash = Exact.of('12.5');
    amounts.add(0, cash, { mantissa: 125, scale: 1 }, 0);
    amounts.add(1, cash, { mantissa: 1250, scale: 1 }, 0);
    amounts.add(2, cash, { mantissa: 125, scale: 2 }, 0);
    expect(amounts.equity(0)).toBe(cash);
    expect([1, 2].map((bar) => amounts.equity(bar).toString())).toEqual(['125', '1.25']);
  });
});

describe('light bars', () => {
  const market = marketOf(6, [1, 2, 5]);
  const amounts = lightAmounts(market);
  for (let bar = 0; bar < 6; bar++)
    amounts.add(bar, Exact.of('7.5'), { mantissa: 8 + bar, scale: 0 }, bar === 2 ? NO_EXPOSURE : 0.25);
  const bars = [0, 1, 2, 3, 4, 5].map((bar) => new LightBar(amounts, bar));
  const plain: BarEvent[] = bars.map((bar) => bar.toJSON());

  it('have the fields of the journal', () => {
    expect(plain[2]).toEqual({
      type: 'bar',
      bar: 2,
      date: '1970-01-03',
      cash: '7.5',
      equity: '10',
      exposure: null,
      prices: [valuesAt(2), valuesAt(2)],
    });
    const doubtful = Object.assign(new LightBar(amounts, 1), {
      ambiguity: { worse: '1', better: '2' },
      bounds: { A: 'canonical' },
    });
    expect(doubtful.toJSON()).toMatchObject({
      exposure: 0.25,
      ambiguity: { worse: '1', better: '2' },
      bounds: { A: 'canonical' },
    });
  });

  it('give access to their columns only if they are consecutive bars of one run', () => {
    expect(amountsOfBars(bars)).toBe(amounts);
    expect(amountsOfBars(bars.slice(2, 4))).toBe(amounts);
    expect(sourceOfBars(bars)).toBe(amounts.source);
    expect(amountsOfBars([bars[0]!, bars[2]!])).toBeUndefined();
    expect(amountsOfBars([bars[0]!, plain[1]!])).toBeUndefined();
    expect(amountsOfBars([plain[0]!, bars[1]!])).toBeUndefined();
    expect(
      amountsOfBars([bars[0]!, new LightBar(lightAmounts(simulateMarket({ seed: 1, bars: 9 })), 1)]),
    ).toBe(undefined);
    expect(sourceOfBars(plain)).toBeUndefined();
    expect(amountsOfBars([])).toBeUndefined();
  });

  it('have the same prices as the bars of a journal, and no prices outside the bars', () => {
    const [light, other] = [priceReader(bars.slice(1, 4)), priceReader(plain.slice(1, 4))];
    for (const field of ['open', 'high', 'low', 'close', 'volume'] as const)
      for (const symbol of [0, 1])
        for (const index of [-1, 0, 1, 2, 3])
          expect(light(index, symbol, field), `${index} ${symbol} ${field}`).toBe(
            other(index, symbol, field),
          );
    expect([0, 1, 2, 3].map((index) => light(index, 1, 'close'))).toEqual([21, 22, undefined, undefined]);
    expect(light(0, 0, 'volume')).toBe(100);
  });

  it('have the same equity as the bars of a journal', () => {
    expect(bars.map(equityNumberOf)).toEqual([8, 9, 10, 11, 12, 13]);
    expect(plain.map(equityNumberOf)).toEqual([8, 9, 10, 11, 12, 13]);
  });
});
