import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket, type Market, SeriesCursor } from '../../market/index.ts';
import { type RunSettingsInput, readRunSettings } from '../settings/settings.ts';
import { averageTrueRange, checkTickGrid, spreadColumns } from './price-details.ts';

const bars = [0, 1, 2].map((day) => ({ time: day * DAY, open: 10, high: 11, low: 9, close: 10, volume: 1 }));

function marketWith(extra: Readonly<Record<string, readonly number[]>> | undefined): Market {
  const series = barSeries('A', bars);
  if (extra === undefined) return createMarket([series]);
  const columns = Object.entries(extra).map(([name, values]) => [name, Float64Array.from(values)]);
  return createMarket([{ ...series, extra: Object.fromEntries(columns) }]);
}

/** Returns a market whose columns may contain gaps, which `createMarket` would refuse. */
function marketWithGaps(extra: Readonly<Record<string, readonly number[]>>): Market {
  const columns = Object.entries(extra).map(([name, values]) => [name, Float64Array.from(values)]);
  const market = createMarket([barSeries('A', bars)]);
  return { ...market, series: [{ ...market.series[0]!, extra: Object.fromEntries(columns) }] };
}

const columnsOf = (market: Market, slippage: RunSettingsInput['slippage']) =>
  spreadColumns(market, readRunSettings(slippage === undefined ? {} : { slippage }))?.map((column) => [
    ...column,
  ]);

describe('spreads of the data', () => {
  it('are read only if slippage uses a column', () => {
    expect(columnsOf(marketWith(undefined), undefined)).toBeUndefined();
    expect(columnsOf(marketWith(undefined), { model: 'bps', bps: 3 })).toBeUndefined();
    expect(columnsOf(marketWith(undefined), { model: 'spread', bps: 3 })).toBeUndefined();
  });

  it('are a column, or the exact difference of ask and bid', () => {
    expect(columnsOf(marketWith({ s: [0, 0.5, 2] }), { model: 'spread', column: 's' })).toEqual([
      [0, 0.5, 2],
    ]);
    const quotes = marketWith({ b: [100.01, 9, 5], a: [100.02, 9, 5.3] });
    expect(columnsOf(quotes, { model: 'spread', bid: 'b', ask: 'a' })).toEqual([[0.01, 0, 0.3]]);
  });

  it('must be finite and not negative in every row', () => {
    const faultsOf = (market: Market, slippage: RunSettingsInput['slippage']): string => {
      try {
        return JSON.stringify(columnsOf(market, slippage));
      } catch (error) {
        return String(error);
      }
    };
    const { NaN: none, POSITIVE_INFINITY: endless } = Number;
    const one = faultsOf(marketWithGaps({ s: [none, -0.5, endless] }), { model: 'spread', column: 's' });
    expect(one).toContain('The spreads cannot be used: 3 faults');
    expect(one).toContain('A 1970-01-01: has no spread');
    expect(one).toContain('A 1970-01-02: the spread is -0.5');
    expect(one).toContain('A 1970-01-03: the spread is Infinity');
    const quotes = marketWithGaps({ b: [1, none, 3], a: [none, 2, 2.5] });
    const two = faultsOf(quotes, { model: 'spread', bid: 'b', ask: 'a' });
    expect(two).toContain('A 1970-01-01: has no spread');
    expect(two).toContain('A 1970-01-02: has no spread');
    expect(two).toContain('A 1970-01-03: the spread is -0.5');
    expect(faultsOf(marketWith({ s: [1, 1, 1] }), { model: 'spread', column: 'toString' })).toContain(
      'The bars of A have no column "toString"',
    );
    expect(faultsOf(marketWith(undefined), { model: 'spread', column: 's' })).toContain('no column "s"');
  });
});

describe('the average true range', () => {
  const walk = fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)), { minLength: 2, maxLength: 45 });

  it('is the average of Wilder over at most 12 × length true ranges, for any bars', () => {
    fc.assert(
      fc.property(walk, fc.constantFrom(1, 2, 3), (steps, length) => {
        const rows = steps.map(([low, height, part], day) => {
          const [base, high] = [100 + low, 100 + low + height];
          const close = Math.min(high, base + part);
          return { time: day * DAY, open: close, high, low: base, close, volume: 1 };
        });
        const cursor = new SeriesCursor(barSeries('A', rows));
        for (const { time } of rows) cursor.advanceTo(time);
        const ranges = rows.slice(1).map(({ high, low }, index) => {
          const { close } = rows[index]!;
          return Math.max(high - low, Math.abs(high - close), Math.abs(low - close));
        });
        const used = ranges.slice(-12 * length);
        const first = used.slice(0, length).reduce((sum, range) => sum + range, 0) / length;
        const expected =
          used.length < length
            ? Number.NaN
            : used.slice(length).reduce((mean, range) => (mean * (length - 1) + range) / length, first);
        const found = averageTrueRange(cursor.window, length);
        if (Number.isNaN(expected)) expect(found).toBeNaN();
        else expect(found).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('requires one more bar than its length', () => {
    const cursor = new SeriesCursor(barSeries('A', bars));
    const seen = bars.map(({ time }) => {
      cursor.advanceTo(time);
      return averageTrueRange(cursor.window, 2);
    });
    expect(seen).toEqual([Number.NaN, Number.NaN, 2]);
  });
});

describe('the check of the tick', () => {
  const isRefused = (low: number, high: number, tick: number): boolean => {
    const bar = { time: 0, open: low, high, low, close: high, volume: 1 };
    try {
      checkTickGrid(createMarket([barSeries('A', [bar])]), readRunSettings({ tick }));
      return false;
    } catch {
      return true;
    }
  };

  it('accepts exactly the bars that contain a multiple of it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.nat(40),
        fc.integer({ min: 1, max: 60 }),
        (low, width, tick) => {
          const contains = Array.from({ length: width + 1 }, (_, step) => low + step).some(
            (cents) => cents % tick === 0,
          );
          expect(isRefused(low / 100, (low + width) / 100, tick / 100)).toBe(!contains);
        },
      ),
    );
  });

  it('ignores bars after the end of the clock', () => {
    const good = { time: 0, open: 10, high: 10, low: 10, close: 10, volume: 1 };
    const whole = createMarket([
      barSeries('A', [good, { ...good, time: DAY, open: 9, low: 9, high: 9, close: 9 }]),
    ]);
    const settings = readRunSettings({ tick: 10 });
    expect(() => checkTickGrid(whole, settings)).toThrow('A 1970-01-02: no price from 9 to 9');
    expect(() => checkTickGrid({ ...whole, clock: whole.clock.slice(0, 1) }, settings)).not.toThrow();
  });
});
