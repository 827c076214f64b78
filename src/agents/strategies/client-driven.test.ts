import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { ClientDrivenDecider } from './client-driven.ts';

const market = simulateMarket({ seed: 1, bars: 10 });

describe('a run that its client drives', () => {
  it('waits at each bar, passes over those it is asked to, and ends with the data', async () => {
    const decider = new ClientDrivenDecider();
    const run = runBacktest({ market, decider });
    expect((await decider.turn)?.bar).toBe(0);
    expect((await decider.turn)?.bar).toBe(0);
    expect((await decider.next())?.bar).toBe(1);
    expect((await decider.next(5))?.bar).toBe(6);
    expect(await decider.next(100)).toBeUndefined();
    expect(await decider.next()).toBeUndefined();
    expect(await run).toMatchObject({ outcome: 'completed', bars: 10 });
  });

  it('ends after the bar under way when it is stopped', async () => {
    const decider = new ClientDrivenDecider();
    const stop = new AbortController();
    const run = runBacktest({ market, decider, signal: stop.signal });
    (await decider.turn)?.orders.buy(1);
    stop.abort();
    expect(await decider.next()).toBeUndefined();
    expect(await run).toMatchObject({ outcome: 'interrupted', bars: 1 });
  });
});
