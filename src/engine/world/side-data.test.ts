import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../../kernel/index.ts';
import { barSeries, createMarket, featureTable } from '../../market/index.ts';
import type { RunEvent } from '../events/events.ts';
import { runBacktest } from '../run.ts';
import { type Arrivals, emptyPrices, takePrices } from './side-data.ts';

const FIRST = Date.UTC(2024, 0, 1);
const bars = (symbol: string, count: number) =>
  barSeries(
    symbol,
    Array.from({ length: count }, (_, bar) => ({
      time: FIRST + bar * DAY,
      open: 10 + bar,
      high: 20 + bar,
      low: 5 + bar,
      close: 15 + bar,
      volume: bar,
    })),
  );
const market = createMarket([bars('A', 4)]);

/** Returns the types of the events about side data, by bar. */
async function eventsOf(data: Partial<Parameters<typeof runBacktest>[0]>): Promise<string[]> {
  const events: RunEvent[] = [];
  const { error } = await runBacktest({
    market,
    ...data,
    decider: { decide: () => undefined },
    onEvent: (event) => events.push(event),
  });
  if (error !== undefined) throw error;
  return events.flatMap((event) =>
    event.type.endsWith('_known') || event.type === 'file_written'
      ? [`${'bar' in event && event.bar} ${event.type}`]
      : [],
  );
}

describe('data other than bars', () => {
  const features = [featureTable([{ date: '2024-01-02', x: 5 }])];
  const context = [bars('VIX', 2)];
  const arrivals: Arrivals = {
    files: [{ path: 'notes.md', content: 'text', known: { instant: FIRST + 2 * DAY, wholeDay: false } }],
    take: (file, availableAt, bar) => ({
      type: 'file_written',
      bar,
      path: file.path,
      mode: 'create',
      content: 'text',
      availableAt: formatInstant(availableAt),
    }),
  };

  it('become visible at the end of their bar, in any combination of kinds', async () => {
    expect(await eventsOf({})).toEqual([]);
    expect(await eventsOf({ features: [], context: [] })).toEqual([]);
    expect(await eventsOf({ features })).toEqual(['1 features_known']);
    expect(await eventsOf({ context })).toEqual(['0 context_known', '1 context_known']);
    expect(await eventsOf({ features, context })).toEqual([
      '0 context_known',
      '1 features_known',
      '1 context_known',
    ]);
  });

  it('can be files, which are written when they become visible', async () => {
    expect(await eventsOf({ arrivals })).toEqual(['1 file_written']);
    expect(await eventsOf({ arrivals, features })).toEqual(['1 features_known', '1 file_written']);
    expect(await eventsOf({ arrivals: { ...arrivals, files: [] } })).toEqual([]);
  });
});

describe('the prices of the current bar', () => {
  it('are unknown before the first bar', () => {
    const none = [Number.NaN, Number.NaN];
    const prices = emptyPrices(2, false);
    expect(Object.fromEntries(Object.entries(prices).map(([name, column]) => [name, [...column]]))).toEqual({
      trades: [0, 0],
      open: none,
      high: none,
      low: none,
      close: none,
      volume: [0, 0],
    });
    expect([...emptyPrices(2, true).spread!]).toEqual([0, 0]);
  });

  it('are copied from the row, and a bar without volume counts as not traded', () => {
    const prices = emptyPrices(2, false);
    const shown = (): number[] =>
      [prices.open, prices.high, prices.low, prices.close, prices.volume, prices.trades].map(
        (column) => column[1]!,
      );
    takePrices(prices, 1, bars('A', 4), 2);
    expect(shown()).toEqual([12, 22, 7, 17, 2, 1]);
    takePrices(prices, 1, bars('A', 4), 0);
    expect(shown()).toEqual([10, 20, 5, 15, 0, 0]);
    expect(prices.open[0]).toBeNaN();
  });
});
