import { describe, expect, it } from 'vitest';
import { MASK_VERSION, readRunSettings } from '../engine/index.ts';
import { type BarSeries, mapColumns, simulateMarket } from '../market/index.ts';
import { createMask } from './mask.ts';
import { maskView } from './mask-view.ts';
import { maskMarket } from './mask-world.ts';
import { maskContext, maskSeries, placeBelow, shownPrice } from './masked-series.ts';
import { writeSteps } from './time-map.ts';

const ALL = ['prices', 'dates', 'symbols'] as const;
const symbols = Array.from({ length: 12 }, (_, at) => `T${at + 10}`);
const market = simulateMarket({ seed: 2, bars: 20, symbols });
const context = simulateMarket({ seed: 3, bars: 20, symbols: ['OIL', 'VIX'] }).series;

describe('the terms of a mask', () => {
  const settings = readRunSettings({
    currency: 'CHF',
    instruments: { T10: { currency: 'EUR' }, T11: { currency: 'JPY' } },
  });
  const mask = createMask(ALL, market, 5, settings, context);

  it('have a name of equal length for each symbol, and separate names for shown series', () => {
    const names = Object.keys(mask.symbols);
    expect(names.slice(0, 12)).toEqual(
      Array.from({ length: 12 }, (_, at) => `S${String(at + 1).padStart(2, '0')}`),
    );
    expect(names.slice(12)).toEqual(['C1', 'C2']);
    expect(Object.values(mask.symbols).slice(0, 12).sort()).toEqual(symbols);
    expect(Object.values(mask.symbols).slice(12).sort()).toEqual(['OIL', 'VIX']);
    const similar = simulateMarket({ seed: 2, bars: 5, symbols: ['S7', 'SX3'] });
    expect(Object.keys(createMask(['symbols'], similar, 1).symbols)).toEqual(['SXX1', 'SXX2']);
    const words = simulateMarket({ seed: 2, bars: 5, symbols: ['SPY', 'S.5'] });
    expect(Object.keys(createMask(['symbols'], words, 1).symbols)).toEqual(['S1', 'S2']);
  });

  it('have consistent factors of few digits for prices, volume, turnover and exchange rates', () => {
    const digits = (text: string): number =>
      text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
    const rates = Object.values(mask.currencies!);
    expect(Object.keys(mask.scales!)).toEqual(Object.keys(mask.symbols));
    for (const [name, { price, volume, turnover }] of Object.entries(mask.scales!)) {
      const rate = Number(rates.find((one) => one.symbols.includes(name))?.rateFactor ?? '1');
      const first = [...market.series, ...context].find(({ symbol }) => symbol === mask.symbols[name])!
        .close[0]!;
      expect(Number(price) * first).toBeGreaterThan(19.99);
      expect(Number(price) * first).toBeLessThan(500.1);
      expect(
        [digits(price), digits(volume), digits(turnover)].map((count, at) => count <= [6, 6, 3][at]!),
      ).toEqual([true, true, true]);
      expect(Number(turnover)).toBeGreaterThanOrEqual(1);
      expect(Number(turnover)).toBeLessThanOrEqual(30);
      expect(Number(volume)).toBe(Number((Number(turnover) / (Number(price) * rate)).toPrecision(6)));
    }
    expect(rates.map(({ real }) => real).sort()).toEqual(
      ['EUR', 'JPY', 'USD'].filter((code) => rates.some(({ real }) => real === code)),
    );
    for (const { rateFactor } of rates) {
      expect(digits(rateFactor)).toBeLessThanOrEqual(4);
      expect(Number(rateFactor)).toBeGreaterThanOrEqual(0.2);
      expect(Number(rateFactor)).toBeLessThanOrEqual(5);
    }
    const many = Array.from({ length: 300 }, (_, seed) =>
      Number(createMask(['prices'], market, seed).scales!.T10!.turnover),
    );
    expect(Math.min(...many)).toBeLessThan(1.1);
    expect(Math.max(...many)).toBeGreaterThan(27);
  });

  it('contain only the parts that the masked kinds need', () => {
    expect(mask).toMatchObject({
      version: MASK_VERSION,
      kinds: ['symbols', 'dates', 'prices'],
      account: { name: 'HOME', real: 'CHF' },
    });
    expect(Object.keys(createMask(['dates'], market, 5)).sort()).toEqual([
      'calendar',
      'kinds',
      'secret',
      'settings',
      'symbols',
      'version',
    ]);
    const plain = createMask(['prices'], market, 5, settings);
    expect(Object.keys(plain).sort()).toEqual([
      'currencies',
      'kinds',
      'scales',
      'secret',
      'settings',
      'symbols',
      'version',
    ]);
    expect(plain.symbols).toEqual(Object.fromEntries(symbols.map((symbol) => [symbol, symbol])));
    expect(Object.entries(plain.currencies!).every(([name, { real }]) => name === real)).toBe(true);
    const named = createMask(['symbols'], market, 5, settings);
    expect(Object.values(named.currencies!).every(({ rateFactor }) => rateFactor === '1')).toBe(true);
    expect('account' in createMask(['symbols'], market, 5, readRunSettings({ currency: 'USD' }))).toBe(false);
    expect('account' in createMask(['symbols'], market, 5)).toBe(false);
    expect(mask.secret).toBeLessThan(2 ** 32);
  });

  it('have a secret that depends on the data', () => {
    const changed = (of: (series: BarSeries) => BarSeries) => ({
      ...market,
      series: market.series.map((one, at) => (at === 0 ? of(one) : one)),
    });
    const last = (column: Float64Array) => column.map((value, bar) => (bar === 19 ? value * 2 : value));
    const first = (column: Float64Array) => column.map((value, bar) => (bar === 0 ? value * 2 : value));
    const secrets = [
      market,
      changed((one) => ({ ...one, close: last(one.close) })),
      changed((one) => ({ ...one, close: first(one.close) })),
      changed((one) => ({ ...one, volume: last(one.volume) })),
      changed((one) => ({ ...one, volume: first(one.volume) })),
    ].map((one) => createMask(['prices'], one, 5).secret);
    expect(new Set(secrets).size).toBe(5);
    expect(createMask(['prices'], market, 5, undefined, context).secret).not.toBe(secrets[0]);
  });

  it('use 100 as the first price of a series without a price above 0', () => {
    const zero = {
      ...market,
      series: market.series.map((one) =>
        mapColumns(one, (column) => (column === one.close ? column.map(() => 0) : column)),
      ),
    };
    const { scales } = createMask(['prices'], zero, 5);
    for (const { price } of Object.values(scales!)) {
      expect(Number(price)).toBeGreaterThanOrEqual(0.2);
      expect(Number(price)).toBeLessThanOrEqual(5);
    }
  });
});

describe('a masked series', () => {
  const HOUR = 3_600_000;
  const times = Float64Array.from([0, 1, 2], (hour) => hour * HOUR);
  const shown = times.map((time) => time + 1000 * HOUR);
  const column = (...values: number[]) => Float64Array.from(values);
  const series: BarSeries = {
    ...{
      symbol: 'AAA',
      time: times,
      open: column(10, 11, 12),
      high: column(10, 11, 12),
      low: column(10, 11, 12),
    },
    ...{
      close: column(10, 11, 12),
      volume: column(1000, 2000, 0),
      extra: { spread: column(0.05, 0.1, 0) },
      interval: '1h',
    },
  };
  const viewOf = (own: object = {}, barTimes: 'start' | 'end' = 'start') =>
    maskView({
      ...{ version: MASK_VERSION, kinds: [], secret: 7, symbols: { M: 'AAA' }, settings: {} },
      scales: { M: { price: '2', volume: '3', turnover: '6' } },
      calendar: { real: writeSteps(times), shown: writeSteps(shown), interval: '1h', barTimes },
      ...own,
    } as never);

  it('has its masked name and times, prices within half a step, and exact multiples of the spread', () => {
    const masked = maskSeries(series, viewOf());
    expect([masked.symbol, [...masked.time]]).toEqual(['M', [...shown]]);
    // The prices are whole numbers, so the noise is at most 0.5, which the factor 2 doubles.
    for (const [bar, value] of masked.close.entries())
      expect(Math.abs(value - 2 * series.close[bar]!)).toBeLessThanOrEqual(1);
    expect(masked.close).toEqual(masked.open);
    for (const [bar, value] of [...masked.volume].slice(0, 2).entries())
      expect(Math.abs(value - 3 * series.volume[bar]!)).toBeLessThanOrEqual(1500);
    expect(masked.volume[2]).toBe(0);
    expect([...masked.extra!.spread!]).toEqual([0.1, 0.2, 0]);
    expect(shownPrice('11', series, viewOf())).toBe(String(masked.close[1]));
  });

  it('is unchanged where the mask hides nothing', () => {
    const open = viewOf({ scales: undefined, calendar: undefined, symbols: {} });
    const masked = maskSeries(series, open);
    expect([masked.symbol, masked.time, masked.close, masked.volume]).toEqual([
      'AAA',
      times,
      series.close,
      series.volume,
    ]);
    expect(shownPrice('11', series, open)).toBe('11');
    expect(maskContext(series, open).ends).toBeUndefined();
  });

  it('that is not traded becomes visible at the masked ends of its bars', () => {
    expect([...maskContext(series, viewOf()).ends!]).toEqual([...shown].map((time) => time + HOUR));
    const ended = maskContext(series, viewOf({}, 'end'));
    expect([[...ended.time], ended.ends]).toEqual([[...shown], undefined]);
  });

  it('has prices in multiples of the largest power of ten within the masked tick', () => {
    const tick = 0.25;
    const masked = maskSeries({ ...series, close: column(10.25, 10.5, 10.75) }, viewOf(), { tick });
    for (const value of masked.close) expect(Number((value * 10).toFixed(6))).toBe(Math.round(value * 10));
    expect([1, 0.01, 0.099, 999, 1000, 0.1 * 3].map(placeBelow)).toEqual([0, -2, -2, 2, 3, -1]);
  });

  it('is in the order of its masked name', () => {
    const both = simulateMarket({ seed: 1, bars: 5, symbols: ['AAA', 'BBB'] });
    const mask = { ...createMask(['symbols'], both, 1), symbols: { S2: 'AAA', S1: 'BBB' } };
    const masked = maskMarket(both, mask);
    expect([masked.symbols, masked.series[0]!.close]).toEqual([['S1', 'S2'], both.series[1]!.close]);
  });
});
