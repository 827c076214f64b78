import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../test/support/records.ts';
import type { BarValues } from '../../engine/index.ts';
import { tradesPart } from './trades.ts';

const trade = { netPnl: '1', quantity: '2', entryPrice: '10', exitPrice: '11' };

describe('the rows of trades', () => {
  it('have the values of closed and open trades', () => {
    const bar = (low: number, high: number): BarValues[] => [[10, high, low, 10, 1]];
    const { rows } = tradesPart(
      runRecord({
        ...{ equity: [100, 100, 100], symbols: ['AAA'], prices: [bar(10, 10), bar(9, 12), bar(10, 10)] },
        trades: [
          {
            ...{ ...trade, entryBar: 1, bar: 2, entryTime: '2024-01-02', exitTime: '2024-01-03T09:30:00' },
            ...{
              grossPnl: '2.1234567',
              commission: '0.5',
              netPnl: '1.6234567',
              multiplier: '5',
              entryRate: '0.5',
            },
          },
        ],
        openTrades: [openTrade({ side: 'short', quantity: '-3', entryPrice: '10.123456789012345' })],
        fills: [{ bar: 1, quantity: '2', price: '10', reason: 'cheap' }],
      }),
    );
    expect(rows).toEqual([
      {
        ...{
          id: 1,
          symbol: 0,
          side: 'long',
          quantity: 2,
          entryBar: 1,
          entryTime: Date.UTC(2024, 0, 2) / 1000,
        },
        ...{
          entryPrice: 10,
          notional: 50,
          exitBar: 2,
          exitTime: Date.UTC(2024, 0, 3, 9, 30) / 1000,
          exitPrice: 11,
        },
        ...{ gross: 2.123457, commission: 0.5, net: 1.623457, reason: 'market', entryReason: 'cheap' },
        ...{ adverse: -0.1, favourable: 0.2 },
      },
      {
        ...{
          id: 9,
          symbol: 0,
          side: 'short',
          quantity: -3,
          entryBar: 1,
          entryTime: Date.UTC(2024, 0, 2) / 1000,
        },
        ...{
          entryPrice: 10.123456789,
          notional: 30.370370367,
          exitBar: null,
          exitTime: null,
          exitPrice: 12.5,
        },
        ...{ gross: 5, commission: 0.02, net: 4.98, reason: 'open at the end', entryReason: 'cheap' },
        ...{ adverse: null, favourable: null },
      },
    ]);
  });

  it('have the reason of the fill that opened the position', () => {
    const fill = (bar: number, side: 'buy' | 'sell', quantity: string, reason: string) => ({
      ...{ bar, side, quantity, reason, price: '1', orderId: bar },
    });
    const reasons = (fills: ReturnType<typeof fill>[], events: object[] = []) =>
      tradesPart(
        runRecord({
          equity: [1, 1, 1, 1, 1],
          trades: fills.map(({ bar }) => ({ ...trade, entryBar: bar })),
          ...{ fills, events: events as never },
        }),
      ).rows.map(({ entryReason }) => entryReason);
    expect(
      reasons([fill(0, 'buy', '2', 'in'), fill(1, 'sell', '1', 'less'), fill(2, 'sell', '1', 'out')]),
    ).toEqual(['in', '', '']);
    expect(
      reasons([fill(0, 'sell', '2', 'short'), fill(1, 'buy', '3', 'turn'), fill(2, 'buy', '1', 'more')]),
    ).toEqual([...['short', 'turn', 'more']]);
    // After the split, the position is 4, so the second sell leaves a long position.
    const split = {
      type: 'split',
      bar: 2,
      symbol: 'AAA',
      ratio: '2',
      quantityBefore: '2',
      quantityAfter: '4',
    };
    const sells = [fill(1, 'buy', '2', 'in'), fill(2, 'sell', '3', 'part'), fill(3, 'sell', '3', 'turn')];
    expect(reasons(sells, [split])).toEqual(['in', '', 'turn']);
    expect(reasons(sells)).toEqual(['in', 'part', 'turn']);
  });
});

describe('the decimal places of a symbol', () => {
  const placesOf = (own: object) =>
    tradesPart(runRecord({ equity: [1, 1], symbols: ['AAA', 'BBB'], trades: [{ ...trade, ...own }] }))
      .places[0];

  it('are limited by its smallest price', () => {
    const long = '123456789';
    const priced = (whole: string) =>
      placesOf({ entryPrice: `${whole}.${long}`, exitPrice: `${whole}.${long}` })!.price;
    expect(['1000', '999', '10', '9', '0'].map(priced)).toEqual([2, 4, 4, 6, 6]);
    expect(placesOf({ entryPrice: '0.1', exitPrice: `0.1${long}` })!.price).toBe(6);
    expect(placesOf({ entryPrice: '0.099', exitPrice: `0.1${long}` })!.price).toBe(8);
    expect(placesOf({ entryPrice: '5', exitPrice: '2000.5' })).toEqual({ price: 1, quantity: 0 });
    expect(placesOf({ quantity: '0.123456789' })!.quantity).toBe(6);
    expect(placesOf({ quantity: '0.250' })!.quantity).toBe(2);
  });

  it('are zero without trades', () => {
    expect(tradesPart(runRecord({ equity: [1], symbols: ['AAA'] })).places).toEqual([
      { price: 0, quantity: 0 },
    ]);
  });
});
