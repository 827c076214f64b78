import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../agents/index.ts';
import { candleMarket, checkFills, tradeCandles } from './index.ts';

const CANDLES = `
  | date       | open | high | low | close |
  |------------|------|------|-----|-------|
  | 2024-01-02 | 100  | 102  | 99  | 101   |
  | 2024-01-03 | 103  | 106  | 100 | 104   |
  | 2024-01-04 | 104  | 105  | 98  | 99    |
`;

describe('hand-written candles', () => {
  it('form a market', () => {
    const { symbols, series, clock } = candleMarket(CANDLES);
    expect(symbols).toEqual(['ACME']);
    expect([...clock].map((time) => new Date(time).toISOString().slice(0, 10))).toEqual([
      '2024-01-02',
      '2024-01-03',
      '2024-01-04',
    ]);
    expect([series[0]?.high[1], series[0]?.volume[2]]).toEqual([106, 1000]);
  });

  it('may have several symbols', () => {
    const market = candleMarket(`
      | date | symbol | open | high | low | close | volume |
      | 2024-01-02T10:00 | B | 1 | 2 | 1 | 2 | 7 |
      | 2024-01-02T10:00 | A | 3 | 4 | 3 | 4 | 8 |`);
    expect(market.symbols).toEqual(['A', 'B']);
    expect(market.series.map(({ volume }) => volume[0])).toEqual([8, 7]);
  });

  it.each([
    ['a date', '| 2024-13-02 | 1 | 1 | 1 | 1 |', 'row 1: "2024-13-02" is not a date'],
    [
      'a price',
      '| 2024-01-02 | 1 | x | 1 |  |',
      'row 1: its high, "x", is not a number\n  row 1: its close, "", is not a number',
    ],
    ['a cell', '| 2024-01-02 | 1 | 1 | 1 |', 'row 1: has 4 cells, the header 5'],
  ])('are refused without %s, with all faults together', (_, row, message) => {
    expect(() => candleMarket(`| date | open | high | low | close |\n${row}`)).toThrow(message);
  });

  it('are refused with an unknown column, or without a required one', () => {
    expect(() => candleMarket('| date | open | high | low | clsoe |')).toThrow(
      /has the unknown column "clsoe" .*\n.*has no close/,
    );
    expect(() => candleMarket(CANDLES.replace('106', '99'))).toThrow();
  });
});

describe('a trader on candles', () => {
  it('places a list of orders', async () => {
    const run = await tradeCandles(CANDLES, [
      { bar: 0, action: 'buy', quantity: 10, reason: 'in' },
      { bar: 1, action: 'close' },
    ]);
    checkFills(
      run,
      `| date       | side | quantity | price  | reason |
       | 2024-01-03 | buy  | 10.0     | 103.00 | in     |
       | 2024-01-04 | sell | 10       | 104    |        |`,
    );
    expect(run.result.finalEquity.toString()).toBe('100010');
    expect(run.record.trades).toHaveLength(1);
  });

  it('may be a strategy with parameters, or a decider, with settings', async () => {
    const strategy = defineStrategy({
      name: 'once',
      summary: 'Buys once.',
      parameters: z.object({ units: z.coerce.number().default(1) }),
      onBar: ({ bar, orders }, { parameters }) => void (bar === 0 && orders.buy(parameters.units)),
    });
    const settings = { commissionRate: 0.01 };
    const run = await tradeCandles(CANDLES, strategy, { settings, parameters: { units: '3' } });
    checkFills(run, '| quantity | commission |\n| 3 | 3.09 |');
    expect(run.record.started.strategy).toMatchObject({ name: 'once', parameters: { units: 3 } });
    const decide = ({ bar, orders }: { bar: number; orders: { buy(units: number): unknown } }): void =>
      void (bar === 1 && orders.buy(2));
    checkFills(await tradeCandles(candleMarket(CANDLES), { decide }), '| bar | price |\n| 2 | 104 |');
  });

  it('rethrows errors of the trader', async () => {
    const decide = (): never => {
      throw new Error('own mistake');
    };
    await expect(tradeCandles(CANDLES, { decide })).rejects.toThrow('own mistake');
    await expect(
      tradeCandles(CANDLES, [{ bar: 0, action: 'buy', quantity: 1, size: 3 } as never]),
    ).rejects.toThrow();
  });

  it.each([
    ['another price', '| price |\n| 103.01 |'],
    ['one fill more', '| price |\n| 103 |\n| 104 |'],
    ['one fewer', '| price |'],
    ['an empty cell', '| quantity |\n|  |'],
  ])('fails for a table with %s, and shows both', async (_, table) => {
    const run = await tradeCandles(CANDLES, [{ bar: 0, action: 'buy', quantity: 0.5 }], {
      settings: { lot: 0.5 },
    });
    expect(() => checkFills(run, table)).toThrow(/Expected:\n.*(?:\n.*)*Filled:\n {2}\| (price|quantity)/);
    expect(() => checkFills(run, '| price |\n| 103 |')).not.toThrow();
  });

  it('places listed orders at the close of a date', async () => {
    const candles = `| date | open | high | low | close |
      | 2024-01-02 | 10 | 11 | 9 | 10 |
      | 2024-01-03 | 10 | 11 | 9 | 10 |
      | 2024-01-04 | 12 | 13 | 11 | 12 |`;
    const { fills } = await tradeCandles(candles, [{ date: '2024-01-03', action: 'buy', quantity: 5 }]);
    expect(fills).toMatchObject([{ date: '2024-01-04', price: '12' }]);
  });
});
