import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/support/error-of.ts';
import { type BarSeries, barSeries } from '../bars/bar-columns.ts';
import { type DeclaredIndicator, declareIndicators, type IndicatorKit } from './declare.ts';
import { IndicatorMemo } from './indicator-set.ts';

type Row = readonly [high: number, low: number, close: number];

function seriesOf(rows: readonly Row[]): BarSeries {
  return barSeries(
    'A',
    rows.map(([high, low, close], bar) => ({ time: bar, open: close, high, low, close, volume: bar + 1 })),
  );
}

describe('a declaration of indicators', () => {
  const declare = (of: (kit: IndicatorKit) => unknown) => declareIndicators(of, {}, 'mine');
  const keyOf = (one: DeclaredIndicator<never>): string => one.key;

  it('has the documented default lengths and columns', () => {
    const all = declare((kit) => ({
      ...{ a: kit.sma(), b: kit.ema(), c: kit.rsi(), d: kit.macd(), e: kit.atr(), f: kit.bollinger() },
      ...{ g: kit.donchian(), h: kit.adx(), i: kit.stdev(), j: kit.zscore(), k: kit.highest() },
      ...{ l: kit.lowest(), m: kit.donchian(3), n: kit.adx(3), o: kit.sma(2, 'open') },
    }));
    expect(Object.values(all).map((one) => keyOf(one as DeclaredIndicator<never>))).toEqual([
      ...['sma 10 close', 'ema 10 close', 'rsi 14 close', 'macd 12 26 9 close', 'atr 14 high low close'],
      ...['bollinger 5 2 close', 'donchian 20 20 high low', 'adx 14 14 high low close', 'stdev 30 close'],
      ...['zscore 30 close', 'highest 20 high', 'lowest 20 low', 'donchian 3 3 high low'],
      ...['adx 3 3 high low close', 'sma 2 open'],
    ]);
  });

  it('accepts lengths from 1 to a million and deviations above 0', () => {
    const faults = (of: (kit: IndicatorKit) => DeclaredIndicator<never>) =>
      faultsOf(() => declare((kit) => ({ it: of(kit) })));
    for (const n of [1, 1_000_000]) expect(faults((kit) => kit.sma(n) as never)).toEqual([]);
    for (const n of [0, 1.5, 1_000_001])
      expect(faults((kit) => kit.sma(n) as never)).toEqual([
        `indicators.it: length of sma is ${n}. Expected a whole number of bars, 1 to 1000000`,
      ]);
    expect(faults((kit) => kit.bollinger(5, 0.5) as never)).toEqual([]);
    for (const n of [0, -1, Infinity])
      expect(faults((kit) => kit.bollinger(5, n) as never)).toEqual([
        `indicators.it: deviations of bollinger is ${n}. Expected a number above 0`,
      ]);
    expect(faults((kit) => kit.sma(0, 'typical' as never) as never)).toHaveLength(2);
    for (const wrong of [null, 5, [], 'x', {}]) expect(faults(() => wrong as never)).toHaveLength(1);
    for (const wrong of [null, 5, [1]]) expect(() => declare(() => wrong)).toThrow('Expected an object');
    expect(() => declare((kit) => (kit as unknown as Record<string, () => unknown>).smma!())).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Did you mean sma? Available: sma, ema') }),
    );
  });
});

describe('the cache of indicators', () => {
  const { sma, macd } = declareIndicators(
    (kit: IndicatorKit) => ({ sma: kit.sma(2), macd: kit.macd(2, 3, 2) }),
    {},
    'mine',
  );
  const bars = (start: number) => Array.from({ length: 10 }, (_, at): Row => [start + at, start - 1, start]);

  it('returns the same values for equal bars and equal indicators', () => {
    const memo = new IndicatorMemo();
    const of = (start: number, one = sma!) => memo.shareOf([seriesOf(bars(start))])('A')!(one);
    expect(of(5)).toBe(of(5));
    expect(of(5)).not.toBe(of(6));
    expect(of(5)).not.toBe(of(5, macd!));
    expect(memo.shareOf([seriesOf(bars(5))])('B')).toBeUndefined();
    expect(of(5)).toMatchObject({ computed: 0 });
    expect([of(5).columns.length, of(5, macd!).columns.length, of(5).columns[0]!.length]).toEqual([1, 3, 10]);
  });

  it('removes the least recently used values when it is full', () => {
    const memo = new IndicatorMemo(40);
    const of = (start: number, one = sma!) => memo.shareOf([seriesOf(bars(start))])('A')!(one);
    const [one, two] = [of(1), of(2)];
    of(3);
    of(4);
    // Four indicators with 10 values fill the cache. After this read, the second is the least recently used.
    expect(of(1)).toBe(one);
    of(5);
    expect(of(1)).toBe(one);
    expect(of(2)).not.toBe(two);
    // The three columns of MACD need 30 values, so three other indicators are removed.
    const first = of(1);
    of(9, macd!);
    expect(of(1)).toBe(first);
    expect(new IndicatorMemo(1).shareOf([seriesOf(bars(1))])('A')!(sma!).columns[0]).toHaveLength(10);
  });
});
