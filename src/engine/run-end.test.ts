import { describe, expect, it, vi } from 'vitest';
import { run, steady } from '../../test/support/engine-run.ts';
import { decimalString } from '../kernel/index.ts';
import { simulateMarket } from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { runBacktest } from './run.ts';
import { World } from './world/world.ts';

describe('the end of a run', () => {
  it('is reported with its outcome and the open positions', async () => {
    const { events } = await run(steady(3), ({ bar, orders }) => void (bar === 0 && orders.buy(3)), {
      settings: { commissionRate: 0.01 },
    });
    expect(events.at(-1)).toEqual({
      type: 'run_finished',
      outcome: 'completed',
      bars: 3,
      commissionPaid: '3',
      openTrades: [
        {
          id: 1,
          symbol: 'A',
          side: 'long',
          quantity: '3',
          entryBar: 1,
          entryTime: '1970-01-02',
          entryPrice: '100',
          lastPrice: '100',
          grossPnl: '0',
          commission: '3',
          netPnl: '-3',
        },
      ],
    });
  });

  it.each(['sync', 'async'])('is after the current bar if the run is interrupted (%s)', async (kind) => {
    const controller = new AbortController();
    const { result, events, story } = await run(
      steady(5),
      ({ bar, orders }) => {
        orders.buy(1);
        if (bar === 2) controller.abort();
        return kind === 'async' ? Promise.resolve() : undefined;
      },
      { signal: controller.signal },
    );
    expect(result).toMatchObject({ outcome: 'interrupted', bars: 3 });
    expect(result.error).toBeUndefined();
    expect(result.equity).toHaveLength(3);
    expect(story.slice(-2)).toEqual(['2 bar', 'run_finished']);
    expect(events.at(-1)).toMatchObject({ outcome: 'interrupted', bars: 3 });
  });

  it('is an interruption, not a failure, if the decider stopped because of it', async () => {
    const controller = new AbortController();
    const { result } = await run(
      steady(5),
      async () => {
        controller.abort();
        throw new Error('the model call was aborted');
      },
      { signal: controller.signal },
    );
    expect(result.outcome).toBe('interrupted');
  });

  it('is an interruption if a feed ends because of it, and complete if a feed ends by itself', async () => {
    const outcomeOf = async (isAborted: boolean, feed: object | undefined): Promise<string> => {
      const controller = new AbortController();
      const next = (): Promise<boolean> => {
        if (isAborted) controller.abort();
        return Promise.resolve(false);
      };
      const decide = ({ bar }: BarContext): void => {
        if (isAborted && feed === undefined && bar === 2) controller.abort();
      };
      const { result } = await run(steady(3), decide, {
        signal: controller.signal,
        ...(feed && { feed: { ...feed, next } as never }),
      });
      expect(result.bars).toBe(3);
      return result.outcome;
    };
    const feed = { isDue: () => Promise.resolve(true), decided: () => undefined, lateAt: () => undefined };
    expect(await outcomeOf(true, feed)).toBe('interrupted');
    expect(await outcomeOf(false, feed)).toBe('completed');
    // All bars were processed before the interruption.
    expect(await outcomeOf(true, undefined)).toBe('completed');
  });

  it('is before the first bar if the run is interrupted beforehand', async () => {
    const decide = vi.fn();
    const { result, story } = await run(steady(5), decide, { signal: AbortSignal.abort() });
    expect(decide).not.toHaveBeenCalled();
    expect(result).toMatchObject({ outcome: 'interrupted', bars: 0 });
    expect(story).toEqual(['run_started', 'run_finished']);
  });

  it.each([
    [
      'throws',
      (): void => {
        throw new Error('no idea');
      },
    ],
    ['rejects', (): Promise<void> => Promise.reject(new Error('no idea'))],
  ])('is reported with the error and the bar of a decider that %s', async (_, fail) => {
    const close = vi.fn();
    const { result, events } = await run(steady(5), () => undefined, {
      decider: { decide: ({ bar }: BarContext) => (bar === 2 ? fail() : undefined), close },
    });
    expect(result).toMatchObject({ outcome: 'failed', bars: 2, error: new Error('no idea') });
    expect(result.equity).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({
      type: 'run_finished',
      outcome: 'failed',
      bars: 2,
      error: { code: 'decider_failed', message: 'no idea' },
    });
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('closes the decider once, in all cases', async () => {
    for (const signal of [undefined, AbortSignal.abort()]) {
      const close = vi.fn();
      await runBacktest({
        market: steady(2),
        decider: { decide: () => undefined, close },
        ...(signal && { signal }),
      });
      expect(close).toHaveBeenCalledTimes(1);
    }
  });

  it('is reported even when closing the decider fails', async () => {
    const events: RunEvent[] = [];
    const close = (): void => {
      throw new Error('cannot close');
    };
    await runBacktest({
      market: steady(2),
      decider: { decide: () => undefined, close },
      onEvent: (event) => events.push(event),
    }).catch(() => undefined);
    expect(events.at(-1)).toMatchObject({ type: 'run_finished' });
  });
});

describe('progress', () => {
  it('is reported about every thousand bars of fast rules', async () => {
    const seen: number[] = [];
    await run(steady(3000), () => undefined, { onProgress: (done) => void seen.push(done) });
    expect(seen).toEqual([1, 1025, 2049]);
  });

  it('is reported for every bar of a slow decider, which waits for it', async () => {
    const seen: string[] = [];
    await run(steady(3), async ({ bar }) => void seen.push(`decide ${bar}`), {
      onProgress: async (done) => {
        await new Promise(setImmediate);
        seen.push(`done ${done}`);
      },
    });
    expect(seen).toEqual(['decide 0', 'done 1', 'decide 1', 'done 2', 'decide 2', 'done 3']);
  });

  it('allows an interruption between fast bars', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    const { result } = await run(steady(5000), () => undefined, {
      signal: controller.signal,
      onProgress: () => new Promise((resolve) => setImmediate(resolve)),
    });
    expect(result.outcome).toBe('interrupted');
    expect(result.bars).toBeLessThan(5000);
  });
});

describe('a run without a listener', () => {
  it('creates no events, and the result is the same', async () => {
    const market = simulateMarket({ seed: 5, bars: 200, symbols: ['A', 'B'] });
    const decide = ({ bar, orders, account, record }: BarContext): void => {
      record({ type: 'note', bar, text: 'unheard' });
      if (bar % 7 === 0) orders.submit({ action: 'buy', symbol: bar % 2 ? 'A' : 'B', equityFraction: 0.3 });
      if (bar % 11 === 0 && account.units('A') !== 0) orders.close({ symbol: 'A' });
    };
    const heard = await run(market, decide, { settings: { commissionRate: 0.001 } });
    const barEvent = vi.spyOn(World.prototype, 'barEvent');
    const openTrades = vi.spyOn(World.prototype, 'openTradeRecords');
    const unheard = await runBacktest({ market, decider: { decide }, settings: { commissionRate: 0.001 } });
    expect(barEvent).not.toHaveBeenCalled();
    expect(openTrades).not.toHaveBeenCalled();
    expect(unheard.equity).toEqual(heard.result.equity);
    expect(unheard.trades.length).toBeGreaterThan(0);
    expect(unheard.trades.map(({ netPnl }) => decimalString(netPnl))).toEqual(
      heard.result.trades.map(({ netPnl }) => decimalString(netPnl)),
    );
  });
});

describe('a decider that continues after the run', () => {
  it.each<[string, (turn: BarContext) => unknown]>([
    ['record', ({ bar, record }) => record({ type: 'note', bar, text: 'late' })],
    ['orders.submit', ({ orders }) => orders.submit({ action: 'buy', quantity: 1 })],
    ['orders.buy', ({ orders }) => orders.buy(1)],
    ['orders.sell', ({ orders }) => orders.sell(1)],
    ['orders.close', ({ orders }) => orders.close()],
    ['orders.cancel', ({ orders }) => orders.cancel(1)],
    ['orders.replace', ({ orders }) => orders.replace(1, { limitPrice: 1 })],
    ['orders.rebalance', ({ orders }) => orders.rebalance({ weights: {} })],
  ])('cannot call turn.%s, and the run has no event after its end', async (name, call) => {
    let turn: BarContext | undefined;
    const { events } = await run(steady(3), (given) => {
      turn = given;
      if (given.bar === 0) given.orders.buy(1, { type: 'limit', limitPrice: 0.01 });
    });
    const count = events.length;
    expect(() => call(turn!)).toThrow(
      expect.objectContaining({
        code: 'run_over',
        message: `turn.${name} was called after the end of the run.`,
      }),
    );
    expect(events).toHaveLength(count);
    expect(events.at(-1)!.type).toBe('run_finished');
  });
});
