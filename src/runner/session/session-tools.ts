import { z } from 'zod';

/** Definition of the tool that advances a session. */
export const nextBarTool = {
  name: 'next_bar',
  description: `Close your decision at this bar and move the market on. Orders you placed can fill at the open of the next bar.

  bars   how many bars to move, 1 to 10000 (default 1); those between pass without a decision of yours

The answer is {moved, since_last_decision, bar, date, bars: {symbol: {open, high, low, close, volume}}, cash, equity} at the new bar;
from six symbols on a table {columns, rows, stale} in place of bars.
since_last_decision is what happened on the way: profit, and where there were any fills, closed_trades, refused (orders that could not
fill), cancelled, new_orders (stops and targets that came with a fill), dividends, splits, margin_calls, financing, new_documents.
At the end of the data fewer bars are moved than asked for, and note says so: call finish then.

Examples: {}   {"bars": 5}`,
  parameters: z.strictObject({
    bars: z.number().int().min(1).max(10_000).default(1).describe('How many bars to move'),
  }),
  example: { bars: 1 },
} as const;

export const finishTool = {
  name: 'finish',
  description: `End the run at this bar and write its reports. Orders that rest never fill; open positions are valued at the last close.
A run that did not come to the end of its data is kept as interrupted.

The answer is {finished: true, outcome, run, folder, summary: {final_equity, total_return, max_drawdown, sharpe, trades, …}}.

Example: {}`,
  parameters: z.strictObject({}),
  example: {},
} as const;
