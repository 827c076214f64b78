import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { createRandom, DAY } from '../../kernel/index.ts';
import { REGIMES, type SimulationOptions, simulateMarket, type Weather } from './simulate.ts';

const HOUR = DAY / 24;

interface Row {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/**
 * Second implementation of simulated bars, with prices as multiples of the starting price. A tenth of the
 * variance of a bar is between the previous close and its open. The rest is inside the bar.
 */
function barsOf(
  { regime = 'random-walk', correlation = 0.5, price = 100, seed, bars }: SimulationOptions,
  symbol: string,
  sigma: number,
): Row[] {
  const weather = REGIMES[regime](createRandom(seed, 'regime'));
  const shared = createRandom(seed, 'market');
  const own = createRandom(seed, `symbol/${symbol}`);
  const mixed = (): number =>
    shared.normal() * Math.sqrt(correlation) + own.normal() * Math.sqrt(1 - correlation);
  const limit = Math.log(50);
  /** A step that would pass the limit is made in the other direction, at most up to the limit. */
  const moved = (from: number, step: number): number => {
    if (Math.abs(from + step) <= limit) return from + step;
    return Math.sign(from - step) * Math.min(limit, Math.abs(from - step));
  };
  const cents = (log: number): number => Math.max(1, Math.round(price * Math.exp(log) * 100)) / 100;
  let level = 0;
  return Array.from({ length: bars }, () => {
    const now: Weather = { drift: 9, volatility: 9, pull: 9 };
    weather(now);
    const width = now.volatility * sigma;
    const gap = mixed() * 0.316 * width;
    const inside = mixed() * 0.949 * width + now.drift * sigma - now.pull * level;
    const open = moved(level, gap);
    const close = moved(open, inside);
    const [above, below] = [own.next(), own.next()].map((share) => 0.6 * share * width) as [number, number];
    const volume = Math.round(1e6 * (1 + Math.abs(open - close) / sigma) * Math.exp(0.3 * own.normal()));
    level = close;
    return {
      open: cents(open),
      high: cents(Math.max(open, close) + above),
      low: cents(Math.min(open, close) - below),
      close: cents(close),
      volume,
    };
  });
}

/** Number of bars of a symbol that differ from the second implementation by more than a rounding error. */
function differing(options: SimulationOptions, symbol = 'SIM', sigma = options.volatility ?? 0.012): number {
  const found = simulateMarket(options).series.find((one) => one.symbol === symbol)!;
  return barsOf(options, symbol, sigma).filter((row, bar) =>
    (['open', 'high', 'low', 'close', 'volume'] as const).some(
      (name) => Math.abs(found[name][bar]! - row[name]) > 0.011 + (name === 'volume' ? 1 : 0),
    ),
  ).length;
}

describe('simulated bars', () => {
  it('have the documented variance, range and volume in each regime', () => {
    for (const regime of Object.keys(REGIMES) as (keyof typeof REGIMES)[])
      expect(differing({ seed: 4, bars: 1_500, regime })).toBe(0);
  });

  it('share part of their moves between symbols', () => {
    const options = { seed: 5, bars: 300, symbols: ['A', 'B'], correlation: 0.3, price: 2_000 };
    expect([differing(options, 'A'), differing(options, 'B')]).toEqual([0, 0]);
    expect(differing({ ...options, correlation: 0 }, 'B')).toBe(0);
    expect(differing({ ...options, correlation: 1 }, 'B')).toBe(0);
  });

  it('have a volatility that is scaled to their length, unless it is given', () => {
    const short = { seed: 6, bars: 200, price: 1_000, interval: '15min' } as const;
    // A day has 96 quarters of an hour.
    expect(differing(short, 'SIM', 0.012 / Math.sqrt(96))).toBe(0);
    expect(differing({ ...short, volatility: 0.05 })).toBe(0);
  });

  it('turn back at fifty times the starting price and at a fiftieth of it', () => {
    const options = { seed: 1, bars: 20_000, regime: 'volatile', volatility: 0.2, price: 100 } as const;
    expect(differing(options)).toBe(0);
    const { open, close } = simulateMarket(options).series[0]!;
    const [most, least] = [Math.max(...open, ...close), Math.min(...open, ...close)];
    expect([most, least]).toEqual([5_000, 2]);
  });

  it('have prices of at least one cent', () => {
    const { low } = simulateMarket({ seed: 1, bars: 3_000, regime: 'volatile', volatility: 0.2, price: 1 })
      .series[0]!;
    expect(Math.min(...low)).toBe(0.01);
  });

  it('start on 3 January 2000 at 100, as one symbol SIM with one bar per weekday, unless other values are given', () => {
    const market = simulateMarket({ seed: 2, bars: 8 });
    expect(market.symbols).toEqual(['SIM']);
    expect(Array.from(market.clock, (time) => new Date(time).toISOString().slice(0, 10))).toEqual([
      '2000-01-03',
      '2000-01-04',
      '2000-01-05',
      '2000-01-06',
      '2000-01-07',
      '2000-01-10',
      '2000-01-11',
      '2000-01-12',
    ]);
    expect(market.series).toEqual(
      simulateMarket({
        seed: 2,
        bars: 8,
        regime: 'random-walk',
        symbols: ['SIM', ' SIM '],
        correlation: 0.5,
        start: '2000-01-03',
        interval: '1d',
        price: 100,
        volatility: 0.012,
      }).series,
    );
  });

  it.each([
    ['1min', HOUR / 60],
    ['5min', HOUR / 12],
    ['15min', HOUR / 4],
    ['30min', HOUR / 2],
    ['1h', HOUR],
    ['4h', 4 * HOUR],
  ] as const)('of %s follow each other on every day, also on weekends', (interval, length) => {
    const start = Date.parse('2020-01-04T23:00Z');
    const { clock } = simulateMarket({ seed: 1, bars: 4, start: '2020-01-04T23:00', interval });
    expect([...clock]).toEqual([0, 1, 2, 3].map((bar) => start + bar * length));
  });

  it('of a day begin on Monday if the start is on a Saturday or Sunday', () => {
    const first = (start: string): number => simulateMarket({ seed: 1, bars: 1, start }).clock[0]!;
    const monday = Date.parse('2020-01-06');
    expect(['2020-01-03', '2020-01-04', '2020-01-05', '2020-01-06', '2020-01-07'].map(first)).toEqual([
      monday - 3 * DAY,
      monday,
      monday,
      monday,
      monday + DAY,
    ]);
  });
});

describe('the options of a simulation', () => {
  const faultOf = (options: Partial<SimulationOptions>): string =>
    errorOf(() => simulateMarket({ seed: 1, bars: 1, ...options })).message;

  it('are refused if the bars would pass the year 9999', () => {
    // 9999-12-31 is a Friday.
    expect(simulateMarket({ seed: 1, bars: 2, start: '9999-12-30' }).clock).toHaveLength(2);
    expect(faultOf({ bars: 3, start: '9999-12-30' })).toBe(
      '3 bars of 1d from 9999-12-30 run past the year 9999.',
    );
    const hours = { start: '9999-12-30T23:00', interval: '1h' } as const;
    expect(simulateMarket({ seed: 1, bars: 2, ...hours }).clock).toHaveLength(2);
    expect(faultOf({ bars: 3, ...hours })).toContain('past the year 9999');
  });

  it('include the limits of each option, and nothing beyond', () => {
    for (const options of [
      { correlation: 0 },
      { correlation: 1 },
      { price: 1 },
      { price: 1_000_000 },
      { volatility: 0.2 },
      { volatility: 1e-9 },
      { seed: -3 },
    ])
      expect(simulateMarket({ seed: 1, bars: 1, ...options }).clock).toHaveLength(1);
    // An unreadable start is reported only if the other options are valid.
    expect(faultOf({ bars: 20_000_000, start: 'soon' })).toBe('start: "soon" is not a date.');
    for (const [name, options] of [
      ['bars', { bars: 20_000_001, start: 'soon' }],
      ['bars', { bars: 0 }],
      ['correlation', { correlation: -0.01 }],
      ['correlation', { correlation: 1.01 }],
      ['price', { price: 0.99 }],
      ['price', { price: 1_000_001 }],
      ['volatility', { volatility: 0 }],
      ['volatility', { volatility: 0.21 }],
      ['seed', { seed: 0.5 }],
      ['symbols', { symbols: [] }],
      ['symbols.1', { symbols: ['A', ' '] }],
    ] as const)
      expect(faultOf(options as Partial<SimulationOptions>)).toContain(`${name}: `);
  });

  it('must be an object', () => {
    const { code, message } = errorOf(() => simulateMarket(7 as unknown as SimulationOptions));
    expect([code, message.split('\n').length]).toEqual(['bad_simulation', 2]);
    expect(message).toContain('options: ');
  });
});
