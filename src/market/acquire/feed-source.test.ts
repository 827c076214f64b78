import { expect, it } from 'vitest';
import { simulateMarket } from '../index.ts';
import { simulatedFeed } from './feed-source.ts';

/** Receives the bars of a simulated feed. */
async function barsOf(seed: number, count: number): Promise<Record<string, number>[]> {
  const market = simulateMarket({ seed: 3, bars: 10, symbols: ['A', 'B'] });
  const stop = new AbortController();
  const interval = { milliseconds: 86_400_000 };
  const bars: Record<string, number>[] = [];
  for await (const input of simulatedFeed(seed)({ market, interval, ends: true, signal: stop.signal })) {
    if (input.kind !== 'document') continue;
    bars.push(...(input.document as Record<string, number>[]));
    if (bars.length >= count) stop.abort();
  }
  return bars;
}

it('a simulated feed continues the prices of the history in small steps', async () => {
  const { series } = simulateMarket({ seed: 3, bars: 10, symbols: ['A', 'B'] });
  const last = new Map(series.map(({ symbol, close }) => [symbol, close.at(-1)!]));
  const bars = await barsOf(1, 200);
  for (const { symbol, open, high, low, close } of bars as unknown as (Record<
    'open' | 'high' | 'low' | 'close',
    number
  > & {
    readonly symbol: string;
  })[]) {
    expect(Math.abs(open / last.get(symbol)! - 1)).toBeLessThan(0.05);
    expect(Math.abs(close / open - 1)).toBeLessThan(0.1);
    expect(Math.max(open, close)).toBeLessThanOrEqual(high);
    expect(Math.min(open, close)).toBeGreaterThanOrEqual(low);
    last.set(symbol, close);
  }
  const closes = bars.map(({ close }) => close);
  expect(new Set(closes).size).toBeGreaterThan(190);
});

it('a simulated feed has the same bars for the same seed, and other bars for another seed', async () => {
  expect(await barsOf(1, 20)).toEqual(await barsOf(1, 20));
  expect(await barsOf(2, 20)).not.toEqual(await barsOf(1, 20));
});
