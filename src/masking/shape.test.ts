import { describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { type BarSeries, simulateMarket } from '../market/index.ts';
import { checkShape, otherMarket, otherShape } from './shape.ts';

const market = simulateMarket({ seed: 3, bars: 2_000, symbols: ['ONE', 'TWO'] });
const [one] = market.series as [BarSeries, BarSeries];

function returnsOf({ close }: BarSeries): Float64Array {
  return close.map((value, bar) => (bar === 0 ? 0 : Math.log(value / close[bar - 1]!))).subarray(1);
}

function correlation(left: Float64Array, right: Float64Array): number {
  const apart = (values: Float64Array): Float64Array => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const [a, b] = [apart(left), apart(right)];
  const product = (x: Float64Array, y: Float64Array): number =>
    x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

describe('a series with changed shape', () => {
  it.each([1, 2, 3, 4, 5])('preserves what a strategy needs, seed %d', (seed) => {
    const made = otherShape(one, seed);
    for (const [bar, open] of made.open.entries()) {
      expect(made.low[bar]!).toBeLessThanOrEqual(Math.min(open, made.close[bar]!));
      expect(made.high[bar]!).toBeGreaterThanOrEqual(Math.max(open, made.close[bar]!));
      expect(made.low[bar]!).toBeGreaterThan(0);
    }
    expect(sizeOf(made) / sizeOf(one)).toBeGreaterThan(0.5);
    expect(sizeOf(made) / sizeOf(one)).toBeLessThan(1.8);
    const [busy, large] = [made.volume.subarray(1).map(Math.log), returnsOf(made).map(Math.abs)];
    const real = correlation(one.volume.subarray(1).map(Math.log), returnsOf(one).map(Math.abs));
    expect(correlation(busy, large)).toBeGreaterThan(real / 4);
    const gaps = made.open
      .map((open, bar) => (bar === 0 ? 0 : Math.log(open / made.close[bar - 1]!)))
      .subarray(1);
    expect(correlation(gaps, returnsOf(made))).toBeGreaterThan(-0.1);
    expect(made.close[0]).toBe(one.close[0]);
    expect(otherShape(one, seed)).toEqual(made);
  });

  it('preserves bars without volume and constant prices', () => {
    const flat = { ...one, volume: one.volume.map(() => 0) };
    expect(otherShape(flat, 1).volume.every((value) => value === 0)).toBe(true);
    const still = one.close.map(() => 50);
    const quiet = otherShape({ ...one, open: still, high: still, low: still, close: still }, 1);
    expect(quiet.close.every((value) => value === 50)).toBe(true);
  });

  it('preserves the typical volume, also of a single unit', () => {
    const rare = { ...one, volume: one.volume.map(() => 1) };
    const busy = { ...one, volume: one.volume.map(() => 1_000_000) };
    for (const [series, typical] of [
      [rare, 1],
      [busy, 1_000_000],
    ] as const) {
      const sorted = otherShape(series, 1).volume.subarray(1).sort();
      expect(sorted[sorted.length >> 1]! / typical).toBeCloseTo(1, 1);
    }
  });

  it('draws the spread of log volumes between a quarter and 0.55', () => {
    const spreads = Array.from({ length: 40 }, (_, seed) => {
      const logs = otherShape(one, seed).volume.subarray(1).map(Math.log);
      const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
      return Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length);
    });
    // Student's t is cut at four standard deviations, which makes the spread a little smaller.
    expect(Math.min(...spreads)).toBeGreaterThan(0.22);
    expect(Math.min(...spreads)).toBeLessThan(0.3);
    expect(Math.max(...spreads)).toBeLessThan(0.6);
    expect(Math.max(...spreads)).toBeGreaterThan(0.45);
  });

  it('draws the volatility of each symbol', () => {
    const ratios = Array.from({ length: 20 }, (_, seed) => {
      const [first, second] = otherMarket(market, seed).series.map(sizeOf);
      return first! / second!;
    });
    expect(ratios.some((ratio) => ratio > 1.15)).toBe(true);
    expect(ratios.some((ratio) => ratio < 0.87)).toBe(true);
  });

  it('accepts daily bars and settings alone', () => {
    expect(() => checkShape({ market, settings: readRunSettings({}), rates: [], actions: [] })).not.toThrow();
  });

  it.each<[string, object]>([
    ['--actions', { actions: [{ symbol: 'ONE', time: 0, kind: 'dividend', amount: '1' }] }],
    ['--rolls', { actions: [{ kind: 'roll' }] }],
    ['--funding', { actions: [{ kind: 'funding' }] }],
    ['--features', { features: [{ isOfBars: false }] }],
    ['--detail', { detail: {} }],
    ['--documents', { pointInTime: { documents: [{}], fundamentals: [] } }],
    ['--fundamentals', { pointInTime: { documents: [], fundamentals: [{}] } }],
    ['--universe', { pointInTime: { documents: [], fundamentals: [], universe: [] } }],
  ])('refuses %s and names no other input', (flag, own) => {
    const given = { market, settings: readRunSettings({}), rates: [], actions: [], ...own };
    const error = (() => {
      try {
        checkShape(given as Parameters<typeof checkShape>[0]);
      } catch (thrown) {
        return String(thrown);
      }
      return '';
    })();
    expect(error.match(/--(?!mask)[a-z]+/g)).toEqual([flag]);
  });

  it('changes three bars with a known interval, and no shorter series', () => {
    const cut = (bars: number): BarSeries => simulateMarket({ seed: 3, bars, symbols: ['ONE'] }).series[0]!;
    expect(otherShape(cut(3), 1).close).not.toEqual(cut(3).close);
    const short = cut(2);
    expect(otherShape(short, 1)).toBe(short);
    const one = cut(1);
    expect(otherShape(one, 1)).toBe(one);
  });

  it('refuses spreads from columns, which would remain in the order of real days', () => {
    const quoted = {
      ...market,
      series: market.series.map((series) => ({ ...series, extra: { spread: series.close } })),
    };
    const given = { market: quoted, settings: readRunSettings({}), rates: [], actions: [] };
    expect(() => checkShape(given)).toThrow('slippage from columns of the data');
  });
});

function sizeOf(series: BarSeries): number {
  const returns = returnsOf(series);
  return Math.sqrt(returns.reduce((sum, value) => sum + value * value, 0) / returns.length);
}
