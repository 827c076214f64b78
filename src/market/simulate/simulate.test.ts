import { describe, expect, it } from 'vitest';
import { AppError, DAY } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { REGIMES, type RegimeName, simulateMarket } from './simulate.ts';

const regimes = Object.keys(REGIMES) as RegimeName[];
const returnsOf = ({ close }: BarSeries): number[] =>
  Array.from(close.subarray(1), (value, index) => Math.log(value / close[index]!));

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, index) => (value - meanA) * (b[index]! - meanB)));
  const variance = (values: readonly number[], center: number): number =>
    mean(values.map((value) => (value - center) ** 2));
  return covariance / Math.sqrt(variance(a, meanA) * variance(b, meanB));
}

const deviation = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe.each(regimes)('%s', (regime) => {
  it('creates valid bars, also over long periods', () => {
    const { open, high, low, close, volume, time } = simulateMarket({ seed: 3, bars: 60_000, regime })
      .series[0]!;
    let faults = 0;
    for (let bar = 0; bar < time.length; bar++) {
      const prices = [open[bar]!, high[bar]!, low[bar]!, close[bar]!];
      const twoDecimals = prices.every((price) => Number(price.toFixed(2)) === price);
      const inside =
        high[bar]! >= Math.max(open[bar]!, close[bar]!) && low[bar]! <= Math.min(open[bar]!, close[bar]!);
      if (!twoDecimals || !inside || !(low[bar]! > 0) || !Number.isInteger(volume[bar]) || volume[bar]! < 1)
        faults++;
      if (bar > 0 && time[bar]! <= time[bar - 1]!) faults++;
      const day = new Date(time[bar]!).getUTCDay();
      if (day === 0 || day === 6) faults++;
    }
    expect(faults).toBe(0);
  });

  it('creates the same bars for the same seed, and others for another seed', () => {
    const make = (seed: number): BarSeries => simulateMarket({ seed, bars: 200, regime }).series[0]!;
    expect(make(1)).toEqual(make(1));
    expect(make(1).close).not.toEqual(make(2).close);
  });

  it('begins with the same bars for any number of bars or symbols', () => {
    const many = simulateMarket({ seed: 9, bars: 2000, regime, symbols: ['A', 'B', 'C'] });
    const few = simulateMarket({ seed: 9, bars: 333, regime, symbols: ['B'] }).series[0]!;
    const same = many.series[1]!;
    expect(same.symbol).toBe('B');
    for (const column of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
      expect(same[column].slice(0, 333)).toEqual(few[column]);
    }
  });
});

describe('simulateMarket', () => {
  it.each([0, 0.3, 0.8, 1])('correlates the returns of symbols by %d', (wanted) => {
    const { series } = simulateMarket({
      seed: 5,
      bars: 8000,
      symbols: ['A', 'B', 'C'],
      correlation: wanted,
      price: 10_000,
    });
    const [a, b, c] = series.map(returnsOf) as [number[], number[], number[]];
    for (const [one, other] of [
      [a, b],
      [a, c],
      [b, c],
    ] as const)
      expect(Math.abs(correlation(one, other) - wanted)).toBeLessThan(0.05);
  });

  it('creates each regime with its characteristics', () => {
    const close = (regime: RegimeName, bars: number): Float64Array =>
      simulateMarket({ seed: 11, bars, regime }).series[0]!.close;
    const returns = (regime: RegimeName): number[] =>
      returnsOf(simulateMarket({ seed: 11, bars: 5000, regime }).series[0]!);
    expect(deviation(returns('random-walk'))).toBeCloseTo(0.012, 3);
    expect(deviation(returns('volatile'))).toBeGreaterThan(0.03);
    const reverting = close('mean-reverting', 5000);
    expect(Math.min(...reverting)).toBeGreaterThan(70);
    expect(Math.max(...reverting)).toBeLessThan(145);
    const fallen = close('crash', 100);
    expect(Math.min(...fallen)).toBeLessThan(0.85 * Math.max(...fallen.subarray(0, 61)));
    expect(close('trend', 1000).at(-1)!).toBeGreaterThan(150);
  });

  it('follows the interval and the start, on weekdays when daily', () => {
    const daily = simulateMarket({ seed: 1, bars: 6, start: '2020-01-04' }).clock;
    expect(daily[0]).toBe(Date.UTC(2020, 0, 6));
    expect(daily[5]).toBe(Date.UTC(2020, 0, 13));
    const minutes = simulateMarket({ seed: 1, bars: 3, start: '2020-01-04 10:00', interval: '5min' }).clock;
    expect(Array.from(minutes, (time) => time - Date.UTC(2020, 0, 4))).toEqual(
      [10, 10 + 1 / 12, 10 + 1 / 6].map((hours) => Math.round((hours * DAY) / 24)),
    );
  });

  it('reports every invalid option', () => {
    const options = { seed: 0.5, bars: 0, regime: 'sunny', colour: 1 } as unknown as Parameters<
      typeof simulateMarket
    >[0];
    let caught: unknown;
    try {
      simulateMarket(options);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(AppError);
    expect((caught as AppError).message).toContain('4 faults');
    for (const word of ['seed', 'bars', 'regime', 'colour'])
      expect((caught as AppError).message).toContain(word);
    expect(() => simulateMarket({ seed: 1, bars: 1, start: 'soon' })).toThrow('"soon" is not a date');
    expect(() => simulateMarket({ seed: 1, bars: 3_000_000 })).toThrow('past the year 9999');
  });
});
