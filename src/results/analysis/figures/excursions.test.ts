import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { excursionsOf } from './trade-statistics.ts';

describe('excursions of closed trades', () => {
  const bar = (high: number, low: number) => [[100, high, low, 100, 1]] as const;
  const prices = [bar(110, 95), bar(120, 90), [null], bar(300, 1)];
  const trade = { netPnl: '1', entryBar: 0, bar: 3, exitPrice: '104' };
  const excursion = (changes: object = {}, more: object = {}) =>
    excursionsOf(runRecord({ equity: [1, 1, 1, 1], prices, trades: [{ ...trade, ...changes }], ...more }))[0];
  const about = (adverse: number, favourable: number) => ({
    adverse: expect.closeTo(adverse, 12),
    favourable: expect.closeTo(favourable, 12),
  });

  it('are the extreme prices from the entry bar to the bar before the exit', () => {
    expect(excursion()).toEqual(about(-0.1, 0.2));
    expect(excursion({ side: 'short' })).toEqual(about(-0.2, 0.1));
    expect(excursion({ entryBar: 1, bar: 1 })).toEqual(about(0, 0.04));
  });

  it('include the entry and the exit price', () => {
    expect(excursion({ exitPrice: '130' })).toEqual(about(-0.1, 0.3));
    expect(excursion({ exitPrice: '80' })).toEqual(about(-0.2, 0.2));
    expect(excursion({ entryBar: 2, exitPrice: '90' })).toEqual(about(-0.1, 0));
  });

  it('convert prices before a split to units after the split', () => {
    const events = [{ type: 'split', symbol: 'AAA', bar: 1, ratio: '2:1' }];
    // High and low of the first bar, converted to units after the split: 55 and 47.5. They are compared with
    // the entry price of 50.
    expect(excursion({ entryPrice: '50', exitPrice: '52', bar: 1 }, { events })).toEqual(about(-0.05, 0.1));
  });

  it('are undefined without prices, and for an entry price of 0', () => {
    expect(excursion({ symbol: 'B' })).toBeUndefined();
    expect(excursion({ entryPrice: '0' })).toBeUndefined();
    expect(excursion({}, { prices: undefined })).toBeUndefined();
  });
});
