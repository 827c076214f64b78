import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { type Market, simulateMarket } from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import type { BarEvent, RunEvent } from '../events/events.ts';
import { runBacktest } from '../run.ts';
import type { RunSettingsInput } from '../settings/settings.ts';
import { amountsOfBars, equityNumberOf } from './light-bar.ts';

/** Multiplies all prices by a factor, so that they have more decimal places than simulated prices. */
function withPlaces(market: Market, factor: number): Market {
  const scale = (column: Float64Array): Float64Array => column.map((value) => value * factor);
  const series = market.series.map((one) => ({
    ...one,
    open: scale(one.open),
    high: scale(one.high),
    low: scale(one.low),
    close: scale(one.close),
  }));
  return { ...market, series };
}

interface Case {
  readonly seed: number;
  readonly factor: number;
  readonly settings: RunSettingsInput;
}

async function barsOf({ seed, factor, settings }: Case, lightBars: boolean): Promise<BarEvent[]> {
  const random = createRandom(seed);
  const bars: BarEvent[] = [];
  const decide = ({ orders, symbols }: BarContext): void => {
    const symbol = symbols[Math.floor(random.next() * symbols.length)]!;
    if (random.next() < 0.3) orders.close({ symbol });
    else if (random.next() < 0.5)
      orders.submit({ symbol, action: random.next() < 0.5 ? 'buy' : 'sell', equityFraction: 0.4 });
  };
  const take = (event: RunEvent): void => {
    if (event.type === 'bar') bars.push(event);
  };
  const market = withPlaces(simulateMarket({ seed, bars: 50, symbols: ['A', 'B', 'C'] }), factor);
  await runBacktest({ market, decider: { decide }, settings, lightBars, onEvent: take });
  return bars;
}

describe('lazily built bar events', () => {
  it('have the same texts as other bar events, for all prices', async () => {
    const settings = fc.constantFrom<RunSettingsInput>(
      { cash: '10000' },
      { cash: '10000.123456789012', lot: 0.001, commissionRate: 0.0002 },
      { cash: '90071992547409.91', leverage: 3 },
      { cash: '500', leverage: 10, allowNegativeEquity: true },
      { cash: '10000', instruments: { A: { multiplier: 50, margin: 0.1 }, B: { multiplier: 2 } } },
    );
    const factor = fc.constantFrom(1, 1 / 3, 0.001, 12_345.678, 1e-9, 1e9);
    await fc.assert(
      fc.asyncProperty(fc.record({ seed: fc.nat(1_000), factor, settings }), async (one) => {
        const light = await barsOf(one, true);
        const plain = await barsOf(one, false);
        expect(JSON.stringify(light)).toBe(JSON.stringify(plain));
        const [first, last] = [light[0]!.bar, light.at(-1)!.bar];
        const columns = amountsOfBars(light)!.equityNumbers(first, last);
        expect([...columns]).toEqual(plain.map(equityNumberOf));
      }),
      { numRuns: 40 },
    );
  });
});
