import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../../agents/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { SILENT } from '../context.ts';
import type { TrialInput } from './trial-strategy.ts';
import { evaluateTrial, openTrialWorld, type TrialWorld } from './trial-world.ts';

const marketOf = (seed: number) => simulateMarket({ seed, bars: 20, symbols: ['AAA'], start: '2024-01-01' });
const market = marketOf(3);
const dates = [...market.clock].map((time) => formatInstant(time));
const { open, close } = market.series[0]!;
const decided: string[] = [];
/** Strategy that buys `quantity` shares at its first decision and never sells. */
const holder = defineStrategy({
  name: 'holder',
  summary: '',
  parameters: z.object({ quantity: z.coerce.number().default(10) }),
  settings: { cash: 10_000, seed: 4 },
  onBar({ bar, account, orders }, { parameters: { quantity } }) {
    decided.push(`${quantity} at ${bar}`);
    if (account.units() === 0 && orders.pending().length === 0) orders.buy(quantity);
  },
});
const worlds: TrialWorld[] = [];
afterEach(async () => {
  decided.length = 0;
  for (const one of worlds.splice(0)) await one.close();
});
async function opened(settings: object = { cash: 50_000 }): Promise<TrialWorld> {
  const world = await openTrialWorld(
    { strategy: holder, market, options: {}, settings },
    {
      ...{ environment: {}, observer: SILENT },
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    },
  );
  worlds.push(world);
  return world;
}
const equityOf = async (input: TrialInput, world?: TrialWorld): Promise<number> =>
  (await evaluateTrial(world ?? (await opened()), input)).result.equity.at(-1)!;

describe('a trial', () => {
  it('uses its own parameters and settings before those of the world and the strategy', async () => {
    expect(await equityOf({})).toBeCloseTo(50_000 + 10 * (close[19]! - open[1]!), 4);
    expect(await equityOf({ parameters: { quantity: 20 } })).toBeCloseTo(
      50_000 + 20 * (close[19]! - open[1]!),
      4,
    );
    expect(await equityOf({ settings: { cash: 70_000 } })).toBeCloseTo(
      70_000 + 10 * (close[19]! - open[1]!),
      4,
    );
    expect(await equityOf({}, await opened({}))).toBeCloseTo(10_000 + 10 * (close[19]! - open[1]!), 4);
  });

  it('uses the seed of its input, else of its settings, else of the strategy', async () => {
    const world = await opened();
    expect((await world.settingsOf()).seed).toBe(4);
    expect((await world.settingsOf({ seed: 9 })).seed).toBe(9);
    expect((await world.settingsOf({ seed: 0, settings: { seed: 8 } })).seed).toBe(0);
    expect((await world.settingsOf({ settings: { seed: 8 } })).seed).toBe(8);
    expect(world.detailSources).toEqual([]);
    expect((await world.strategy({ quantity: 3 })).parameters).toEqual({ quantity: 3 });
  });

  it('may run on other bars, which does not change the shared bars', async () => {
    const world = await opened();
    const other = marketOf(8);
    const [series] = other.series;
    const expected = 50_000 + 10 * (series!.close[19]! - series!.open[1]!);
    expect(await equityOf({ market: other }, world)).toBeCloseTo(expected, 4);
    expect(await equityOf({}, world)).toBeCloseTo(50_000 + 10 * (close[19]! - open[1]!), 4);
  });

  it('starts to trade at its evaluation date', async () => {
    const world = await opened();
    const evaluateFrom = dates[10]!;
    expect(await equityOf({ settings: { evaluateFrom } }, world)).toBeCloseTo(
      50_000 + 10 * (close[19]! - open[10]!),
      4,
    );
    expect(decided[0]).toBe('10 at 9');
  });

  it('closes its positions at the open of the last bar on request', async () => {
    const evaluation = await evaluateTrial(await opened(), { closeAtEnd: true });
    expect(evaluation.result.equity.at(-1)).toBeCloseTo(50_000 + 10 * (open[19]! - open[1]!), 4);
    expect(evaluation.record.trades).toMatchObject([{ quantity: '10', bar: 19 }]);
    expect(decided.at(-1)).toBe('10 at 17');
  });

  it('may change its parameters at a date', async () => {
    const later = [{ from: dates[12]!, parameters: { quantity: 30 } }];
    await evaluateTrial(await opened(), { later });
    expect(decided.slice(10, 13)).toEqual(['10 at 10', '30 at 11', '30 at 12']);
    expect(decided).toHaveLength(20);
  });

  it('reports its decisions and its progress, and stops on request', async () => {
    const [bars, stop] = [[] as number[][], new AbortController()];
    let decisions = 0;
    const deciding = (): void => {
      decisions += 1;
      if (decisions === 5) stop.abort();
    };
    const onProgress = (done: number, of: number): void => void bars.push([done, of]);
    const { outcome, result, scalars, summary } = await evaluateTrial(await opened(), {
      deciding,
      onProgress,
      signal: stop.signal,
    });
    expect([outcome, result.bars, decisions]).toEqual(['interrupted', 5, 5]);
    expect(bars[0]).toEqual([1, 20]);
    expect([scalars.bars, summary.runId]).toEqual([5, '']);
  });

  it('provides the figures of a part of its bars', async () => {
    const evaluation = await evaluateTrial(await opened(), {});
    const part = evaluation.scalarsBetween(market.clock[5]!, market.clock[10]!);
    expect(part).toMatchObject({ bars: 5, firstBar: dates[5], lastBar: dates[9] });
    expect(evaluation.scalarsBetween(0, 1)).toBeUndefined();
    const { totalReturn, sharpe } = evaluation.summary;
    expect(evaluation.scalars).toMatchObject({ totalReturn, sharpe, bars: 20 });
  });
});
