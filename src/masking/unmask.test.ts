import { describe, expect, it } from 'vitest';
import { real, START } from '../../test/support/masked-events.ts';

describe('an event of a masked run', () => {
  it('of the start has the real settings, and the real symbols in alphabetical order', () => {
    expect(real(START)).toEqual({
      ...START,
      settings: { cash: '7', own: true, more: 1 },
      symbols: ['AAA', 'BBB'],
    });
  });

  it.each(['order_accepted', 'order_adjusted'])('of the type %s has real quantities and prices', (type) => {
    const amounts = {
      quantity: '3',
      targetQuantity: '-2',
      notional: '100',
      limitPrice: '10',
      stopPrice: '12',
    };
    const order = {
      type,
      bar: 1,
      symbol: 'M',
      ...amounts,
      limitOffset: '1',
      activationPrice: '5',
      orderId: 4,
    };
    expect(real(order)).toEqual({
      ...{ type, bar: 1, orderId: 4, symbol: 'BBB', quantity: '24', targetQuantity: '-16', notional: '100' },
      ...{ limitPrice: '5', stopPrice: '6', limitOffset: '0.5', activationPrice: '2.5' },
    });
  });

  it('of a fill has the real time within the bar, prices, rate and quantity', () => {
    const fill = {
      ...{
        type: 'order_filled',
        symbol: 'M',
        detailTime: '2100-02-01T09:30:00',
        quantity: '1.5',
        requestedQuantity: '2',
      },
      ...{ commission: '3', cash: '4', price: '7', priceBeforeSlippage: '6', rate: '5', gainIfOther: '1' },
    };
    expect(real(fill)).toEqual({
      ...{
        type: 'order_filled',
        symbol: 'BBB',
        detailTime: '2020-01-06T10:30:00',
        quantity: '12',
        requestedQuantity: '16',
      },
      ...{
        commission: '3',
        cash: '4',
        price: '3.5',
        priceBeforeSlippage: '3',
        rate: '1.25',
        gainIfOther: '1',
      },
    });
  });

  it('of a closed trade has real times, prices, rates and amounts of money', () => {
    const trade = {
      ...{
        type: 'trade_closed',
        symbol: 'N',
        entryTime: '2100-02-01T09:00:00',
        exitTime: '2100-02-01T11:00:00',
      },
      ...{
        quantity: '2',
        entryPrice: '5',
        exitPrice: '15',
        grossPnl: '1',
        netPnl: 'x',
        entryRate: '3',
        exitRate: '4',
      },
    };
    expect(real(trade)).toEqual({
      ...{
        type: 'trade_closed',
        symbol: 'AAA',
        entryTime: '2020-01-06T10:00:00',
        exitTime: '2020-01-06T12:00:00',
      },
      ...{
        quantity: '20',
        entryPrice: '0.5',
        exitPrice: '1.5',
        grossPnl: '1',
        netPnl: 'x',
        entryRate: '3',
        exitRate: '4',
      },
    });
  });

  it('of a payment, split, roll or delisting has real values', () => {
    expect(
      real({
        type: 'cash_entry',
        symbol: 'M',
        time: '2100-02-01T09:30:00',
        quantity: '1',
        perUnit: '4',
        rate: '8',
        amount: '1',
      }),
    ).toEqual({
      ...{
        type: 'cash_entry',
        symbol: 'BBB',
        time: '2020-01-06T10:30:00',
        quantity: '8',
        perUnit: '2',
        rate: '2',
        amount: '1',
      },
    });
    expect(
      real({
        type: 'split',
        symbol: 'M',
        quantityBefore: '1',
        quantityAfter: '2',
        leftOver: '0.5',
        cash: '3',
        price: '6',
      }),
    ).toEqual({
      ...{
        type: 'split',
        symbol: 'BBB',
        quantityBefore: '8',
        quantityAfter: '16',
        leftOver: '4',
        cash: '3',
        price: '3',
      },
    });
    expect(
      real({ type: 'rolled', symbol: 'M', quantity: '1', fromPrice: '4', toPrice: '6', gap: '2' }),
    ).toEqual({
      ...{ type: 'rolled', symbol: 'BBB', quantity: '8', fromPrice: '2', toPrice: '3', gap: '1' },
    });
    expect(real({ type: 'delisted', symbol: 'M', price: '4' })).toEqual({
      type: 'delisted',
      symbol: 'BBB',
      price: '2',
    });
    for (const type of ['order_cancelled', 'order_rejected'])
      expect(real({ type, symbol: 'M', quantity: '1' })).toEqual({ type, symbol: 'BBB', quantity: '1' });
    const halted = { type: 'risk_halted', from: '5', equity: '6' };
    expect(real(halted)).toEqual(halted);
  });

  it('of a bar has the real date and the prices in the order of real symbols', () => {
    const bar = {
      ...{
        type: 'bar',
        date: '2100-02-01T10:00:00',
        cash: '5',
        equity: '6',
        bounds: { M: 'worse', Z: 'better' },
      },
      ...{
        prices: [
          [2, 4, 1, 3, 10],
          [10, 20, 5, 15, 8],
        ],
        ambiguity: { worse: '1', better: '2' },
      },
    };
    expect(real(bar)).toEqual({
      ...{
        type: 'bar',
        date: '2020-01-06T11:00:00',
        cash: '5',
        equity: '6',
        bounds: { BBB: 'worse', Z: 'better' },
      },
      ...{
        prices: [
          [1, 2, 0.5, 1.5, 2],
          [1, 2, 0.5, 1.5, 20],
        ],
        ambiguity: { worse: '1', better: '2' },
      },
    });
    expect(real({ type: 'bar', prices: [null, [10, 10, 10, 10, null]] }).prices).toEqual([
      [1, 1, 1, 1, null],
      null,
    ]);
    expect(real({ type: 'bar', prices: [[1, 1, 1, 1, 1]] }).prices).toEqual([[1, 1, 1, 1, 1]]);
    expect(real({ type: 'bar', cash: '5' })).toEqual({ type: 'bar', cash: '5' });
  });

  it('of data that became visible has real symbols and times', () => {
    const known = { availableAt: '2100-02-01T10:00:00' };
    const realKnown = { availableAt: '2020-01-06T11:00:00' };
    const row = {
      symbol: 'M',
      date: '2100-02-01T09:00:00',
      periodEnd: '2100-02-01T11:00:00',
      ...known,
      x: 1,
    };
    for (const type of ['features_known', 'fundamentals_known'])
      expect(real({ type, rows: [row] }).rows).toEqual([
        { symbol: 'BBB', date: '2020-01-06T10:00:00', periodEnd: '2020-01-06T12:00:00', ...realKnown, x: 1 },
      ]);
    expect(
      real({
        type: 'documents_known',
        documents: [{ ...known, symbols: ['N', 'Z'], text: 'M' }, { id: 'a' }],
      }).documents,
    ).toEqual([{ ...realKnown, symbols: ['AAA', 'Z'], text: 'M' }, { id: 'a' }]);
    expect(
      real({ type: 'context_known', series: [{ symbol: 'M', ...known, prices: [2, 2, 2, 2, 1] }] }).series,
    ).toEqual([{ symbol: 'BBB', ...realKnown, prices: [1, 1, 1, 1, 2] }]);
    expect(real({ type: 'universe_changed', entered: ['M'], left: ['N', 'Q'] })).toMatchObject({
      entered: ['BBB'],
      left: ['AAA', 'Q'],
    });
    for (const type of ['features_known', 'documents_known', 'context_known', 'universe_changed'])
      expect(real({ type, rows: 1, documents: 1, series: 1 })).toEqual({
        type,
        rows: 1,
        documents: 1,
        series: 1,
      });
  });

  it('of the end has the open trades in the order of real symbols, numbered from 1', () => {
    const trade = (id: number, symbol: string) => ({ id, symbol, quantity: '1', lastPrice: '10' });
    expect(
      real({ type: 'run_finished', commissionPaid: '5', openTrades: [trade(1, 'M'), trade(2, 'N')] }),
    ).toEqual({
      ...{ type: 'run_finished', commissionPaid: '5' },
      openTrades: [
        { id: 1, symbol: 'AAA', quantity: '10', lastPrice: '1' },
        { id: 2, symbol: 'BBB', quantity: '8', lastPrice: '5' },
      ],
    });
    expect(real({ type: 'run_finished' })).toEqual({ type: 'run_finished' });
  });

  it('of another type is unchanged, and so is every event of a run without a mask', () => {
    for (const type of ['tool_called', 'note', 'constructor'])
      expect(real({ type, symbol: 'M', price: '4' })).toEqual({ type, symbol: 'M', price: '4' });
    const event = { type: 'order_accepted', symbol: 'M', quantity: '1' };
    for (const mask of [undefined, null, 5, {}, { symbols: {} }]) expect(real(event, { mask })).toBe(event);
  });
});
