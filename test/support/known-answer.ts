import { type Decider, type RunEvent, runBacktest } from '../../src/engine/index.ts';
import { type RunRecord, recordOf } from '../../src/journal/index.ts';
import { type BarSeries, createMarket } from '../../src/market/index.ts';

// At a cross of the averages of 10 and 20 closes, closes the position and opens one in the other direction
// for 99.99% of the equity.
const crosses: Decider = {
  decide(turn) {
    const { close } = turn.window;
    if (turn.bar < 20) return;
    const average = (length: number, back: number): number => {
      let sum = 0;
      for (let index = 0; index < length; index++) sum += close.at(-1 - back - index)!;
      return sum / length;
    };
    const now = average(10, 0) - average(20, 0);
    const before = average(10, 1) - average(20, 1);
    if (before < 0 && now > 0) turn.orders.submit({ action: 'buy', equityFraction: 0.9999 });
    if (before > 0 && now < 0) turn.orders.submit({ action: 'sell', equityFraction: 0.9999 });
  },
};

/** Runs the example of docs/metrics.md whose figures are known exactly. Returns its record. */
export async function knownAnswer(bars: BarSeries): Promise<RunRecord> {
  const market = createMarket([bars]);
  const settings = { cash: '10000', commissionRate: 0.002 };
  const events: RunEvent[] = [];
  await runBacktest({ market, decider: crosses, settings, onEvent: (event) => events.push(event) });
  return recordOf(events);
}
