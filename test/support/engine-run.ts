import type { Decider } from '../../src/engine/decider.ts';
import type { RunEvent } from '../../src/engine/events/events.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from '../../src/engine/run.ts';
import { DAY } from '../../src/kernel/index.ts';
import { type Bar, barSeries, createMarket, type Market } from '../../src/market/index.ts';

/**
 * Returns bars on the given days, which are numbers of days since 1970. Open, high, low and close of a bar
 * are equal.
 */
export function bars(days: readonly number[], price: (day: number) => number = () => 100): Bar[] {
  return days.map((day) => {
    const value = price(day);
    return { time: day * DAY, open: value, high: value, low: value, close: value, volume: 1 };
  });
}

export const steady = (count: number): Market =>
  createMarket([barSeries('A', bars(Array.from({ length: count }, (_, day) => day)))]);

/** Runs a backtest and collects its events. `story` contains each event as `bar type`. */
export async function run(
  market: Market,
  decide: Decider['decide'],
  options: Partial<BacktestOptions> = {},
): Promise<{ result: BacktestResult; events: RunEvent[]; story: string[] }> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market,
    decider: { decide },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const story = events.map((event) => ('bar' in event ? `${event.bar} ${event.type}` : event.type));
  return { result, events, story };
}
