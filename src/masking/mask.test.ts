import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstBarFrom, readRunSettings } from '../engine/index.ts';
import { DAY, formatInstant, parseInstant } from '../kernel/index.ts';
import { type BarSeries, createMarket, mapColumns, simulateMarket } from '../market/index.ts';
import { withCanary } from './leaks.ts';
import { createMask } from './mask.ts';
import { maskSettings } from './mask-settings.ts';
import { maskMarket } from './mask-world.ts';
import { unmasker } from './unmask.ts';

const ALL = ['symbols', 'dates', 'prices'] as const;

describe('a mask', () => {
  it('is the same for the same seed, and differs for other seeds', () => {
    const market = simulateMarket({ seed: 1, bars: 30 });
    expect(createMask(ALL, market, 5)).toEqual(createMask(ALL, market, 5));
    const drawn = new Set(
      Array.from({ length: 30 }, (_, seed) => JSON.stringify(createMask(ALL, market, seed))),
    );
    expect(drawn.size).toBeGreaterThan(25);
  });

  it('moves every bar to the next day of a calendar without holidays, and contains no real date', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 400 }), (seed, bars) => {
        const market = simulateMarket({ seed, bars });
        // Adds a holiday of one week after every seven bars. The masked calendar must not show these
        // holidays.
        const clock = market.clock.map((time, bar) => time + Math.floor(bar / 7) * 7 * DAY);
        const series = market.series.map((one) =>
          mapColumns(one, (column) => (column === one.time ? clock : column)),
        );
        const held = createMarket(series.map((one) => ({ ...one, interval: '1d' })));
        const { clock: shown } = maskMarket(held, createMask(['dates'], held, seed));
        const real = new Set(clock);
        for (const [bar, time] of shown.entries()) {
          expect(real.has(time)).toBe(false);
          const weekday = new Date(time).getUTCDay();
          expect(weekday).toBeGreaterThan(0);
          expect(weekday).toBeLessThan(6);
          if (bar > 0) expect(time - shown[bar - 1]!).toBe((weekday === 1 ? 3 : 1) * DAY);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('moves first prices to levels from 20 to 500', () => {
    const market = simulateMarket({ seed: 2, bars: 2 });
    const [{ close }] = market.series as [BarSeries];
    const levels = Array.from({ length: 5_000 }, (_, seed) => {
      const [scale] = Object.values(createMask(['prices'], market, seed).scales!);
      return close[0]! * Number(scale!.price);
    });
    const [least, most] = [Math.min(...levels), Math.max(...levels)];
    expect(least).toBeGreaterThan(19.999);
    expect(least).toBeLessThan(20.05);
    expect(most).toBeGreaterThan(499);
    expect(most).toBeLessThan(500.001);
  });

  it('shows prices at another level, near the real prices times their factor, in the same order', () => {
    const symbols = Array.from({ length: 11 }, (_, index) => `T${index}`);
    const market = simulateMarket({ seed: 2, bars: 50, symbols });
    const mask = createMask(ALL, market, 3);
    const masked = maskMarket(market, mask);
    expect(masked.symbols).toEqual([...masked.symbols].sort());
    expect(masked.symbols.map((name) => mask.symbols[name])).not.toEqual(market.symbols);
    const factors = new Set<string>();
    for (const { symbol, close, high } of masked.series) {
      const real = market.series.find((one) => one.symbol === mask.symbols[symbol])!;
      const { price } = mask.scales![symbol]!;
      factors.add(price);
      for (const [bar, shown] of close.entries()) {
        // The tolerance allows noise of half a cent and rounding to five significant digits.
        const apart = Math.abs(shown / Number(price) - real.close[bar]!);
        expect(apart).toBeLessThanOrEqual(0.0051 + real.close[bar]! * 5.1e-5);
        expect(String(shown).replace('.', '').replace(/^0+/, '').length).toBeLessThanOrEqual(5);
        expect(shown).toBeLessThanOrEqual(high[bar]!);
        const other = (bar * 7) % 50;
        expect(
          Math.sign(shown - close[other]!) * Math.sign(real.close[bar]! - real.close[other]!),
        ).toBeGreaterThanOrEqual(0);
      }
    }
    expect(factors.size).toBe(11);
  });

  it('does not change what it does not hide', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const masked = maskMarket(market, createMask(['symbols'], market, 3));
    expect(masked.clock).toEqual(market.clock);
    expect(masked.series[0]?.close).toEqual(market.series[0]?.close);
    expect(masked.symbols).not.toEqual(market.symbols);
  });

  it('converts settings to valid settings, with any factor', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const settings = readRunSettings({ participation: 1, cash: '2500.50', tick: 0.01 });
    for (let seed = 0; seed < 40; seed++) {
      const masked = maskSettings(settings, createMask(ALL, market, seed));
      expect(readRunSettings(masked)).toEqual(masked);
    }
  });

  it('preserves the bar from which shares can be borrowed', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const [real = ''] = market.symbols;
    // The first rate applies from a day before the first bar, the second from a day without a bar.
    const from = [market.clock[0]! - 3 * DAY, market.clock[6]! - DAY / 2].map(formatInstant);
    const borrow = from.map((date) => ({ from: date, available: false }));
    const settings = readRunSettings({ instruments: { [real]: { borrow } } });
    const mask = createMask(ALL, market, 3);
    const [own] = Object.values(maskSettings(settings, mask).instruments);
    const { clock } = maskMarket(market, mask);
    const bars = own!.borrow!.map((row) => firstBarFrom(clock, parseInstant(row.from)!));
    expect(bars).toEqual([0, 6]);
  });

  it('rounds a lot, a tick and a fee to digits that reveal nothing', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const settings = readRunSettings({
      tick: 0.01,
      commission: { model: 'per-share', perShare: 0.005, minimum: 1 },
    });
    for (let seed = 0; seed < 20; seed++) {
      const mask = createMask(ALL, market, seed);
      const [own] = Object.values(maskSettings(settings, mask).instruments);
      const { price } = Object.values(mask.scales!)[0]!;
      expect(String(own!.lot)).toMatch(/^(10*|0\.0*1)$/);
      expect(Number(own!.lot) * Number(price)).toBeGreaterThan(0.1 - 1e-9);
      expect(Number(own!.lot) * Number(price)).toBeLessThanOrEqual(1 + 1e-9);
      expect(own!.tick! / Number(price)).toBeLessThanOrEqual(0.01 + 1e-9);
      expect(Math.abs(own!.scale!.price / Number(price) - 1)).toBeLessThanOrEqual(0.05);
      expect(String(own!.scale!.price).replace(/[0.]/g, '').length).toBeLessThanOrEqual(2);
    }
  });
});

describe('a canary bar', () => {
  it('is after the last bar and not on the clock of the run', () => {
    const market = simulateMarket({ seed: 2, bars: 20 });
    const watched = withCanary(market);
    expect(watched.clock).toEqual(market.clock);
    const { time, close } = watched.series[0]!;
    expect(close.length).toBeGreaterThan(20);
    expect(close.subarray(0, 20)).toEqual(market.series[0]?.close);
    for (const later of time.subarray(20)) expect(later - market.clock.at(-1)!).toBeGreaterThanOrEqual(DAY);
  });
});

describe('session hours of a masked run', () => {
  const market = simulateMarket({ seed: 3, bars: 60 });
  const session = { hours: '09:30-16:00', timezone: 'America/New_York' };

  it('are those of the settings if dates are not masked', () => {
    const settings = readRunSettings({ session });
    const shown = maskSettings(settings, createMask(['prices'], market, 1));
    expect(settings.session).toBeDefined();
    expect(shown.session).toEqual(settings.session);
  });

  it('are hidden if dates are masked, and absent if the settings have none', () => {
    const shown = maskSettings(readRunSettings({ session }), createMask(['dates'], market, 1));
    expect(JSON.stringify(shown)).not.toContain('New_York');
    expect('session' in maskSettings(readRunSettings({}), createMask(['prices'], market, 1))).toBe(false);
  });
});

it('lists the symbols of an unmasked run by their real names', () => {
  const market = simulateMarket({ seed: 5, bars: 40, symbols: ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'] });
  for (let seed = 0; seed < 6; seed++) {
    const mask = createMask(['symbols'], market, seed);
    const masked = Object.keys(mask.symbols).sort();
    const start = { type: 'run_started', mask, symbols: masked, settings: { cash: '1' } };
    const real = unmasker(start)(start);
    expect(real.symbols).toEqual(['AAA', 'BBB', 'CCC', 'DDD', 'EEE']);
  }
});
