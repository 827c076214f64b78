import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { ClientDrivenDecider } from './client-driven.ts';

const market = simulateMarket({ seed: 1, bars: 10 });

describe('a client-driven run', () => {
  it('waits at each bar, skips bars on request, and ends with the data', async () => {
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

  it('ends after the current bar when it is stopped', async () => {
    const decider = new ClientDrivenDecider();
    const stop = new AbortController();
    const run = runBacktest({ market, decider, signal: stop.signal });
    (await decider.turn)?.orders.buy(1);
    stop.abort();
    expect(await decider.next()).toBeUndefined();
    expect(await run).toMatchObject({ outcome: 'interrupted', bars: 1 });
  });
});
