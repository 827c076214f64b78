import { describe, expect, it } from 'vitest';
import { candleMarket, checkFills, tradeCandles } from './index.ts';

/**
 * Tests of fill rules that no scenario in features/ covers. Each test has few bars, so that a reader can
 * check it against docs/fill-rules.md by hand.
 */
const WEEK = `
  | date       | open | high | low | close |
  | 2024-01-02 | 100  | 100  | 100 | 100   |
  | 2024-01-03 | 101  | 103  | 99  | 102   |
  | 2024-01-04 | 104  | 106  | 103 | 105   |
  | 2024-01-05 | 107  | 109  | 106 | 108   |
`;

describe('fills at the close of the decision', () => {
  it('begin at the close of the first evaluated bar', async () => {
    const run = await tradeCandles(WEEK, [{ bar: 2, action: 'buy', quantity: 10 }], {
      settings: { fillOn: 'close', evaluateFrom: '2024-01-04' },
    });
    checkFills(
      run,
      `| bar | date       | side | quantity | price |
       | 2   | 2024-01-04 | buy  | 10       | 105   |`,
    );
    expect(run.result.finalEquity.toString()).toBe('100030');
  });

  it('may not be placed before it; with fills at opens the previous bar decides', async () => {
    await expect(
      tradeCandles(WEEK, [{ bar: 1, action: 'buy', quantity: 10 }], {
        settings: { fillOn: 'close', evaluateFrom: '2024-01-04' },
      }),
    ).rejects.toThrow(/2024-01-04|bar 1|before/);
    const run = await tradeCandles(WEEK, [{ bar: 1, action: 'buy', quantity: 10 }], {
      settings: { evaluateFrom: '2024-01-04' },
    });
    checkFills(run, '| date       | price |\n| 2024-01-04 | 104 |');
  });
});

describe('order sizes inside a bar', () => {
  it('are fractions of the current equity on the path, here after the stop loss', async () => {
    const run = await tradeCandles(
      `| date       | open | high | low | close |
       | 2024-01-02 | 100  | 100  | 100 | 100   |
       | 2024-01-03 | 100  | 100  | 100 | 100   |
       | 2024-01-04 | 100  | 100  | 80  | 80    |`,
      [
        { bar: 0, action: 'buy', quantity: 5, stopLoss: 90 },
        { bar: 1, action: 'buy', equityFraction: 0.5, type: 'limit', limitPrice: 85 },
      ],
      { settings: { cash: 1000, lot: 0.001 } },
    );
    // The stop loss at 90 leaves 950. Half of that buys 5.588 units at 85.
    checkFills(
      run,
      `| bar | order | side | quantity | price |
       | 1   | 1     | buy  | 5        | 100   |
       | 2   | 2     | sell | 5        | 90    |
       | 2   | 3     | buy  | 5.588    | 85    |`,
    );
  });

  it('given as money use the slipped price of the open', async () => {
    const run = await tradeCandles(WEEK, [{ bar: 1, action: 'buy', notional: 1060 }], {
      settings: { slippage: { model: 'fixed', amount: 2 } },
    });
    checkFills(run, '| bar | quantity | price |\n| 2 | 10 | 106 |');
  });
});

describe('an immediate-or-cancel order', () => {
  it('that reduces is cancelled if it does not fill at the next open', async () => {
    const run = await tradeCandles(WEEK, [
      { bar: 0, action: 'buy', quantity: 10 },
      { bar: 1, action: 'close', type: 'limit', limitPrice: 106, timeInForce: 'IOC' },
    ]);
    checkFills(run, '| bar | side | price |\n| 1 | buy | 101 |');
    expect(run.record.trades).toHaveLength(0);
  });
});

describe('an exit', () => {
  it('cannot be replaced, and the error contains the order and a suggestion', async () => {
    const said: string[] = [];
    const run = await tradeCandles(WEEK, {
      decide: ({ bar, orders }) => {
        if (bar === 0) orders.buy(10, { stopLoss: 90 });
        if (bar !== 1) return;
        const receipt = orders.replace(orders.pending()[0]!.id, { stopPrice: 95 });
        if (!receipt.accepted) said.push(`${receipt.refusal.message} ${receipt.refusal.remedy}`);
      },
    });
    checkFills(run, '| bar | side | price |\n| 1 | buy | 101 |');
    expect(said).toEqual([expect.stringMatching(/^Order 2 is an exit, and exits cannot be replaced\. \S/)]);
  });
});

describe('a daily bar among hourly bars', () => {
  it('is refused, because its first minute would reveal the end of the day', () => {
    const days = ['2024-01-02', '2024-01-03', '2024-01-04'];
    const rows = days.flatMap((day, at) => [
      ...(at === 1 ? [`| ${day}T00:00 | 10 | 14 | 9 | 13 |`] : []),
      `| ${day}T14:00 | 10 | 11 | 9 | 10 |`,
      `| ${day}T15:00 | 10 | 12 | 10 | 12 |`,
      `| ${day}T16:00 | 12 | 14 | 12 | 13 |`,
      `| ${day}T17:00 | 13 | 13 | 12 | 13 |`,
    ]);
    expect(() => candleMarket(['| date | open | high | low | close |', ...rows].join('\n'))).toThrow(
      /whole day/,
    );
  });
});
