// Reads a run as danfo.js DataFrames: profit by side of the market, and costs.
// node --import tsx docs/examples/analyse-in-danfo.ts [run folder]
import { readRun, runBacktest, simulateMarket } from 'sandtable';

const run = readRun(process.argv[2] ?? 'reports/example-sma-cross');

const trades = await run.toFrame('trades');
console.log(`${run.runId}: ${trades.shape[0]} trades`);
// A frame without rows cannot be grouped. An open trade has no exit bar (NaN); its profit is calculated at
// the last close.
if (trades.shape[0]! > 0) {
  const closed = trades.query(trades.column('exitBar').ge(0));
  const bySide = closed.groupby(['side']).agg({ netPnl: ['count', 'sum', 'mean'] });
  console.log(bySide.toString());
}

const equity = await run.toFrame('equity');
console.log(`deepest drawdown: ${(100 * Number(equity.column('drawdown').min())).toFixed(2)}%`);

const decisions = await run.toFrame('decisions');
console.log(
  `bars with an order: ${decisions.query(decisions.column('orders').gt(0)).shape[0]} of ${decisions.shape[0]}`,
);

const metrics = await run.toFrame('metrics');
const figures = metrics.column('figure').values as string[];
const sharpe = Number(metrics.column('value').values[figures.indexOf('sharpe')]);
console.log(`Sharpe ratio: ${sharpe.toFixed(4)}`);

// Inside a run, a decider gets only the bars up to its current bar.
await runBacktest({
  market: simulateMarket({ seed: 1, bars: 50 }),
  decider: {
    async decide({ bar, window }) {
      if (bar !== 29) return;
      const bars = await window.toFrame();
      console.log(
        `at bar ${bar}: ${bars.shape[0]} bars, mean close ${Number(bars.column('close').mean()).toFixed(2)}`,
      );
    },
  },
});
