import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { DAY, parseInstant } from '../kernel/index.ts';
import { simulateMarket } from '../market/index.ts';
import { withCanary } from './canary.ts';
import { createMask } from './mask.ts';
import { maskSettings } from './mask-settings.ts';
import { maskMarket } from './mask-world.ts';

const ALL = ['symbols', 'dates', 'prices'] as const;

describe('a mask', () => {
  it('is the same for the same seed, and others differ', () => {
    const market = simulateMarket({ seed: 1, bars: 30 });
    expect(createMask(ALL, market, 5)).toEqual(createMask(ALL, market, 5));
    const drawn = new Set(
      Array.from({ length: 30 }, (_, seed) => JSON.stringify(createMask(ALL, market, seed))),
    );
    expect(drawn.size).toBeGreaterThan(25);
  });

  it('keeps weekdays and distances, and no masked date is a real one', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 400 }), (seed, bars) => {
        const market = simulateMarket({ seed, bars });
        const masked = maskMarket(market, createMask(['dates'], market, seed));
        const real = new Set(market.clock);
        for (const [index, time] of masked.clock.entries()) {
          expect(real.has(time)).toBe(false);
          expect(new Date(time).getUTCDay()).toBe(new Date(market.clock[index]!).getUTCDay());
          expect(time - market.clock[index]!).toBe(masked.clock[0]! - market.clock[0]!);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('multiplies prices exactly, and keeps the order of symbols', () => {
    const symbols = Array.from({ length: 11 }, (_, index) => `T${index}`);
    const market = simulateMarket({ seed: 2, bars: 50, symbols });
    const mask = createMask(ALL, market, 3);
    const masked = maskMarket(market, mask);
    expect(masked.symbols).toEqual([...masked.symbols].sort());
    expect(masked.symbols.map((name) => mask.symbols[name])).toEqual(market.symbols);
    for (const [index, { close }] of masked.series.entries()) {
      for (const [bar, price] of close.entries()) {
        expect(price / Number(mask.priceFactor)).toBeCloseTo(market.series[index]!.close[bar]!, 9);
        expect(price).not.toBe(market.series[index]!.close[bar]);
      }
    }
  });

  it('leaves alone what it does not hide', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const masked = maskMarket(market, createMask(['symbols'], market, 3));
    expect(masked.clock).toEqual(market.clock);
    expect(masked.series[0]?.close).toEqual(market.series[0]?.close);
    expect(masked.symbols).not.toEqual(market.symbols);
  });

  it('gives settings that are settings again, whatever it multiplies by', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const settings = readRunSettings({ participation: 1, cash: '2500.50', tick: 0.01 });
    for (let seed = 0; seed < 40; seed++) {
      const masked = maskSettings(settings, createMask(ALL, market, seed));
      expect(readRunSettings(masked)).toEqual(masked);
    }
  });

  it('moves the dates from which something can be borrowed with the bars', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const [real = ''] = market.symbols;
    const settings = readRunSettings({
      instruments: { [real]: { borrow: [{ from: '2020-03-02', available: false }] } },
    });
    const mask = createMask(ALL, market, 3);
    const [own] = Object.values(maskSettings(settings, mask).instruments);
    const moved = parseInstant(own!.borrow![0]!.from)! - parseInstant('2020-03-02')!;
    expect([moved / DAY, own!.borrow![0]!.available]).toEqual([mask.days, false]);
    expect(mask.days).not.toBe(0);
  });
});

describe('a canary', () => {
  it('stands behind the last bar, off the clock that a run walks', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const watched = withCanary(market);
    expect(watched.clock).toEqual(market.clock);
    const { time, close } = watched.series[0]!;
    expect(close.length).toBeGreaterThan(20);
    expect(close.subarray(0, 20)).toEqual(market.series[0]?.close);
    for (const later of time.subarray(20)) expect(later - market.clock.at(-1)!).toBeGreaterThanOrEqual(DAY);
  });
});
