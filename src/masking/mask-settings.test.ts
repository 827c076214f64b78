import { describe, expect, it } from 'vitest';
import { type MaskTerms, readRunSettings } from '../engine/index.ts';
import { formatInstant } from '../kernel/index.ts';
import { type BarSeries, createMarket } from '../market/index.ts';
import { maskCosts, maskRates, maskSettings } from './mask-settings.ts';
import { maskView } from './mask-view.ts';
import { maskSeries } from './masked-series.ts';
import { writeSteps } from './time-map.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2020, 0, 6, 10);
/** Two real days of three hours, and the same bars on two masked days. */
const REAL = [0, 1, 2, 24, 25, 26].map((hour) => START + hour * HOUR);
const SHOWN = REAL.map((time) => time + 80 * 365 * 24 * HOUR);
const calendarOf = (barTimes: 'start' | 'end' = 'start', own: object = { hours: '09:00-23:00' }) => ({
  calendar: { real: writeSteps(REAL), shown: writeSteps(SHOWN), interval: '1h', barTimes, ...own },
});

/** Returns a mask of the symbols M and N, which hide AAA and BBB. The prices of M are multiplied by 2.44. */
const maskOf = (own: object = {}): MaskTerms =>
  ({
    ...{ version: 2, kinds: [], symbols: { M: 'AAA', N: 'BBB' }, secret: 1, settings: {} },
    scales: { M: { price: '2.44', volume: '5', turnover: '12.2' } },
    currencies: { CUR1: { real: 'EUR', rateFactor: '4', symbols: ['M'] } },
    account: { name: 'ACC', real: 'USD' },
    ...own,
  }) as unknown as MaskTerms;

const masked = (settings: object, own: object = {}, rates: readonly BarSeries[] = []) =>
  maskSettings(readRunSettings(settings), maskOf(own), rates);

describe('masked settings', () => {
  it('have the settings of a symbol in masked units', () => {
    const instrument = {
      ...{ lot: '5', tick: 0.05, minimumNotional: 10, margin: 1234, currency: 'EUR' },
      commission: { model: 'per-share', perShare: 0.005, minimum: 1 },
    };
    const { instruments } = masked({
      instruments: { AAA: instrument, BBB: { lot: '5' } },
      currencies: { EUR: { rate: 1.1 } },
    });
    expect(instruments.M).toMatchObject({
      // One masked unit represents 2.44 × 4 = 9.76 real units. The lot 5 / 9.76 = 0.51 and the tick 0.05 ×
      // 2.44 = 0.122 are rounded down to powers of ten.
      ...{ lot: '0.1', tick: 0.1, minimumNotional: 2.5, currency: 'CUR1' },
      // Margin and fee are rounded to two digits: 1234 × 2.44 = 3010.96 becomes 3000, and the maintenance
      // margin is half of it.
      ...{ margin: 3000, maintenanceMargin: 1500 },
      commission: { model: 'per-share', perShare: 0.012, minimum: 0.25 },
      scale: { price: 2.4, turnover: 12.2 },
    });
    expect(instruments.N).toEqual({ lot: '5' });
  });

  it('have the settings of the run for a symbol without its own', () => {
    const { instruments, tick, lot, commission } = masked({
      ...{ tick: 0.5, lot: '3', commission: { model: 'fixed', amount: 10 } },
    });
    expect(instruments).toEqual({
      M: {
        ...{ lot: '0.1', tick: 1, commission: { model: 'fixed', amount: 2.5 } },
        scale: { price: 2.4, turnover: 12.2 },
      },
    });
    // A run-wide tick would reveal the price level of all symbols, so it is removed. Symbols with masked
    // prices get a separate tick.
    expect(tick).toBeUndefined();
    expect([lot, commission]).toEqual(['3', { model: 'fixed', amount: 10 }]);
    expect(masked({ tick: 0.5 }, { scales: undefined }).tick).toBe(0.5);
    expect(masked({ commission: { model: 'rate', rate: 0.001 } }).instruments.M!.commission).toEqual({
      ...{ model: 'rate', rate: 0.001 },
    });
  });

  it('have separate margins, and a multiplier instead of the value of a tick', () => {
    const { instruments } = masked({
      instruments: {
        AAA: { tick: 0.25, tickValue: 12.5, margin: 100, maintenanceMargin: 90 },
        BBB: { tickValue: 5, tick: 0.5 },
      },
    });
    expect(instruments.M).toMatchObject({ multiplier: 50, margin: 240, maintenanceMargin: 220 });
    expect(instruments.M).not.toHaveProperty('tickValue');
    expect(instruments.N).toMatchObject({ multiplier: 10, tick: 0.5 });
  });

  it('have masked currencies and rates', () => {
    expect(masked({ currency: 'USD', currencies: { EUR: { rate: 1.5 } } })).toMatchObject({
      currency: 'ACC',
      currencies: { CUR1: { rate: 6, inverse: false, tradable: false } },
    });
    // The rate is given in euros per dollar. The masked rate is in dollars per euro, times the factor 4: 4 /
    // 1.6.
    const inverse = { currencies: { EUR: { rate: 1.6, inverse: true } } };
    expect(masked(inverse).currencies.CUR1!.rate).toBe(2.5);
    expect(masked({ currencies: { EUR: { rate: 'EURUSD' } } }).currencies.CUR1!.rate).toBe('FX:CUR1');
    expect(masked({ instruments: { BBB: { currency: 'USD' } } }).instruments.N!.currency).toBe('ACC');
    expect(
      masked({ instruments: { BBB: { currency: 'CHF' } }, currencies: { CHF: { rate: 1 } } }).instruments.N!
        .currency,
    ).toBe('CHF');
    const open = masked(
      { currency: 'USD', currencies: { EUR: { rate: 1.23456789 } } },
      {
        account: undefined,
        currencies: { CUR1: { real: 'EUR', rateFactor: '1', symbols: [] } },
      },
    );
    expect(open).toMatchObject({ currency: 'USD', currencies: { CUR1: { rate: 1.23456789 } } });
  });

  it('begin the evaluation at the same bar', () => {
    const from = (text: string, barTimes: 'start' | 'end') =>
      Date.parse(
        `${masked({ evaluateFrom: text, barTimes }, calendarOf(barTimes)).evaluateFrom!.replace(/Z?$/, 'Z')}`,
      );
    const text = (time: number) => formatInstant(time);
    expect(from(text(REAL[3]!), 'start')).toBe(SHOWN[3]);
    expect(from(text(REAL[2]! + 1000), 'start')).toBe(SHOWN[3]);
    // With end stamps, a bar that ends exactly at the given instant is not evaluated. The evaluation begins
    // at its end.
    expect(from(text(REAL[3]!), 'end')).toBe(SHOWN[3]);
    expect(from(text(REAL[0]! - 5 * HOUR), 'start')).toBe(SHOWN[0]);
    expect(from(text(REAL[0]! - 5 * HOUR), 'end')).toBe(SHOWN[0]! - 24 * HOUR);
    expect(from(text(REAL[5]! + 5 * HOUR), 'start')).toBe(SHOWN[5]! + 24 * HOUR);
    expect(masked({ evaluateFrom: '2020-01-07' }).evaluateFrom).toBe('2020-01-07');
    expect(masked({ evaluateFrom: 'first-decision' }, calendarOf()).evaluateFrom).toBe('first-decision');
  });

  it('have the hours of the masked calendar, and the bars of real auctions', () => {
    const settings = { session: { hours: '10:00-13:00', timezone: 'UTC' } };
    expect(masked(settings).session).toMatchObject({ hours: '10:00-13:00' });
    expect(masked(settings, calendarOf('start', {})).session).toBeUndefined();
    expect(masked(settings, calendarOf()).session).toEqual({
      ...{ hours: '09:00-23:00', timezone: 'UTC' },
      // Indices of the first and the last of the three bars of each day.
      auctionBars: { opens: [0, 3], closes: [2, 5] },
    });
    expect(masked({}, calendarOf()).session).toBeUndefined();
  });

  it('have dates of borrow rates at the masked bars, and no dates of the instrument', () => {
    const rows = [REAL[0]!, REAL[2]! + HOUR, REAL[2]! + 2 * HOUR, REAL[3]!].map((time, at) => ({
      ...{ from: formatInstant(time), available: true, rate: at / 100 },
    }));
    const settings = {
      instruments: { BBB: { borrow: rows, expiry: '2020-02-01', hours: '10:00-13:00', timezone: 'UTC' } },
    };
    const dated = masked(settings, calendarOf()).instruments.N!;
    const moved = SHOWN[0]! - REAL[0]!;
    expect(dated.borrow!.map(({ from }) => from)).toEqual(
      [REAL[0]!, REAL[2]! + HOUR, REAL[2]! + 2 * HOUR, REAL[3]!].map((time) => formatInstant(time + moved)),
    );
    expect(dated).not.toHaveProperty('expiry');
    expect(dated).not.toHaveProperty('hours');
    expect(masked(settings).instruments.N!.borrow).toEqual(readRunSettings(settings).instruments.BBB!.borrow);
  });
});

describe('masked cost functions', () => {
  const view = maskView(maskOf());
  const fill = { symbol: 'M', quantity: 10, price: 122, filledBefore: 3, paidBefore: 5, volume: 50 } as never;
  const seen: unknown[] = [];
  const answering = (answer: unknown) => (given: object) => {
    seen.splice(0, seen.length, given);
    return answer as number;
  };

  it('receive real values, and their commission is converted', () => {
    const { commission, slippage } = maskCosts({ commission: answering(12) }, view);
    expect(slippage).toBeUndefined();
    expect(Number(commission!(fill))).toBe(3);
    expect(seen).toMatchObject([
      { symbol: 'AAA', quantity: 97.6, price: 50, filledBefore: 3 * 9.76, paidBefore: 20 },
    ]);
    expect(Number(commission!({ ...(fill as object), symbol: 'N' } as never))).toBe(12);
    expect(seen).toMatchObject([{ symbol: 'BBB', quantity: 10, price: 122, filledBefore: 3, paidBefore: 5 }]);
    expect(Number(commission!({ ...(fill as object), symbol: 'Z' } as never))).toBe(12);
    expect(seen).toMatchObject([{ symbol: 'Z' }]);
  });

  it('receive the real volume, and their slippage is converted', () => {
    const { commission, slippage } = maskCosts({ slippage: answering('0.5') }, view);
    expect(commission).toBeUndefined();
    expect(Number(slippage!(fill))).toBe(1.22);
    expect(seen).toMatchObject([{ symbol: 'AAA', quantity: 97.6, price: 50, volume: 10 }]);
  });

  it.each([Number.NaN, 'x', '', ' ', Number.POSITIVE_INFINITY])(
    'have the result %j returned unchanged',
    (answer) => {
      expect(maskCosts({ commission: answering(answer) }, view).commission!(fill)).toBe(answer);
    },
  );
});

describe('masked exchange rates', () => {
  const bars = (symbol: string, price: (bar: number) => number) => {
    const open = Float64Array.from(REAL, (_, bar) => price(bar));
    const close = open.map((value) => value + 0.5);
    return {
      symbol,
      time: Float64Array.from(REAL),
      open,
      high: close,
      low: open,
      close,
      volume: open,
      interval: '1h',
    };
  };
  const market = createMarket([bars('AAA', () => 100) as BarSeries]);

  it('are those at the start and the end of each bar, times the factor', () => {
    const rates = [bars('EURUSD', (bar) => 1 + bar) as BarSeries];
    const settings = readRunSettings({ currency: 'USD' });
    const [series] = maskRates(market, Float64Array.from(SHOWN), { settings, rates }, maskView(maskOf()));
    expect(series).toMatchObject({ symbol: 'FX:CUR1', interval: '1h' });
    expect([...series!.time]).toEqual(SHOWN);
    // The open is the rate at the start of a bar, the close the rate at its end. Both are multiplied by the
    // factor 4.
    expect([...series!.open]).toEqual([4, 8, 12, 16, 20, 24]);
    expect([...series!.close]).toEqual([6, 10, 14, 18, 22, 26]);
    expect([...series!.high]).toEqual([...series!.close]);
    expect([...series!.low]).toEqual([...series!.open]);
    expect([...series!.ends!]).toEqual(SHOWN.map((time) => time + HOUR));
  });

  it('are inverted if only the inverse is in the data, and absent without a series', () => {
    const settings = readRunSettings({ currency: 'USD' });
    const view = maskView(maskOf());
    const rates = [bars('USDEUR', (bar) => 2 + bar) as BarSeries];
    const [series] = maskRates(market, Float64Array.from(SHOWN), { settings, rates }, view);
    expect([...series!.open].map((value) => value.toPrecision(6))).toEqual(
      [2, 3, 4, 5, 6, 7].map((value) => (4 / value).toPrecision(6)),
    );
    expect(series!.high[0]).toBe(series!.open[0]);
    expect(series!.low[0]).toBe(series!.close[0]);
    expect(maskRates(market, Float64Array.from(SHOWN), { settings, rates: [] }, view)).toEqual([]);
  });
});

it('the ends of masked bars are converted to masked times, without noise', () => {
  const column = Float64Array.from(REAL, () => 10);
  const bars = { open: column, high: column.slice(), low: column.slice(), close: column.slice() };
  const ends = Float64Array.from(REAL, (time, bar) => (bar === 5 ? Infinity : time + HOUR));
  const series = { symbol: 'AAA', time: Float64Array.from(REAL), ...bars, volume: column.slice(), ends };
  expect([...maskSeries(series, maskView(maskOf(calendarOf()))).ends!]).toEqual([
    ...SHOWN.slice(0, 5).map((time) => time + HOUR),
    Infinity,
  ]);
  expect(maskSeries(series, maskView(maskOf())).ends).toEqual(ends);
});
