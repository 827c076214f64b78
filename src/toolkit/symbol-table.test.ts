import { describe, expect, it } from 'vitest';
import { type BarContext, type Json, runBacktest } from '../engine/index.ts';
import { DAY } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import { LastTrades, symbolTable, TABLE_COLUMNS } from './symbol-table.ts';

const row = (close: number, day: number) => ({
  time: day * DAY,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1_000,
});
/**
 * Closes of the symbol `A`: 100 and 200 alternately. The symbol `B` has one bar less, so it has no bar on the
 * last day.
 */
const closes = Array.from({ length: 22 }, (_, day) => (day % 2 === 0 ? 100 : 200));
const market = createMarket([
  barSeries('A', closes.map(row)),
  barSeries('B', Array.from({ length: 21 }, () => 50).map(row)),
]);

/** Runs a backtest. Returns the rows of the table at each bar, with their values by column name. */
async function tables(decide: (turn: BarContext) => void): Promise<Readonly<Record<string, Json>>[][]> {
  const all: Readonly<Record<string, Json>>[][] = [];
  const trades = new LastTrades();
  const { error } = await runBacktest({
    market,
    settings: { cash: '1000' },
    decider: {
      readsEvents: true,
      decide(turn) {
        trades.note(turn.eventsSince);
        const {
          columns,
          rows,
          stale = [],
        } = symbolTable(turn, TABLE_COLUMNS, trades) as {
          columns: string[];
          rows: Json[][];
          stale?: string[];
        };
        all.push(
          rows.map((values) => ({
            ...Object.fromEntries(columns.map((column, index) => [column, values[index]!])),
            stale: stale.includes(String(values[0])),
          })),
        );
        decide(turn);
      },
    },
  });
  if (error !== undefined) throw error;
  return all;
}

describe('the table of symbols', () => {
  it('contains returns, volatility, position and profit in percent and money, null before they are known', async () => {
    const all = await tables(({ bar, orders }) => {
      if (bar === 0) orders.sell(2, { symbol: 'A' });
    });
    expect(all[0]![0]).toMatchObject({
      return_1: null,
      volatility: null,
      profit: null,
      weight: 0,
      last_trade: null,
    });
    // 2 units were sold short at 200 on bar 1. The close of bar 20 is 100. Unrealised profit: 200. Position
    // value: −200, of an equity of 1,200.
    expect(all[20]![0]).toEqual({
      symbol: 'A',
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      volume: 1_000,
      date: '1970-01-21',
      return_1: -50,
      return_5: -50,
      return_20: 0,
      // Ten returns of 100 % and ten of −50 %: mean 25 %, each 75 % away from the mean.
      volatility: Number((75 * Math.sqrt(20 / 19)).toFixed(2)),
      position: -2,
      weight: -16.67,
      profit: 200,
      last_trade: 'sell 2 at 200, bar 1',
      stale: false,
    });
    expect(all[20]![1]).toMatchObject({ symbol: 'B', return_1: 0, volatility: 0, last_trade: null });
  });

  it('marks a symbol without a current bar, and shows its last bar', async () => {
    const all = await tables(() => undefined);
    expect(all[21]!.map(({ stale, date }) => [stale, date])).toEqual([
      [false, '1970-01-22'],
      [true, '1970-01-21'],
    ]);
  });
});
