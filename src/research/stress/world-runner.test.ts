import { afterEach, describe, expect, it } from 'vitest';
import { defineStrategy } from '../../agents/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { SILENT } from '../../runner/index.ts';
import { openWorldRunner, type WorldRunner } from './world-runner.ts';

const market = simulateMarket({ seed: 3, bars: 40, symbols: ['AAA'], start: '2024-01-01' });
const first = market.series[0]!.close[0]!;
const context = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};

const opened: WorldRunner[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Opens a runner for a strategy that buys at bar 2, sells at bar 6, and calls `act` at every bar. */
async function open(own: { settings?: object; act?: (bar: number, close: number) => void } = {}) {
  const strategy = defineStrategy({
    name: 'own',
    summary: '',
    onBar({ bar, window, orders }) {
      own.act?.(bar, window.close.last);
      if (bar === 2) orders.buy(10);
      if (bar === 6) orders.close();
    },
  });
  let decisions = 0;
  const runner = await openWorldRunner(
    {
      ...{ strategy, market, parameters: {}, options: {}, worlds: 2 },
      settings: { cash: 100_000, ...own.settings },
      terms: { kind: 'permute' },
    },
    context,
    () => decisions++,
  );
  opened.push(runner);
  return { runner, decisions: () => decisions };
}

describe('the run on the actual data', () => {
  it('reports its period, its cash and the profit of its trades', async () => {
    const { runner } = await open();
    const { open: opens } = market.series[0]!;
    const progress: number[][] = [];
    let seen: unknown;
    const actual = await runner.actual(
      undefined,
      (_, world) => {
        seen = world;
      },
      (done, total) => progress.push([done, total]),
    );
    expect(actual).toMatchObject({
      isInsolvent: false,
      run: { symbols: ['AAA'], firstBar: '2024-01-01', initialCash: '100000' },
    });
    expect(actual.netPnls).toHaveLength(1);
    expect(actual.netPnls[0]).toBeCloseTo(10 * (opens[7]! - opens[3]!), 4);
    expect('spent' in actual).toBe(false);
    expect(seen).toMatchObject({ strategy: { name: 'own' }, detailSources: [], project: undefined });
    expect(progress[0]).toEqual([1, 40]);
  });

  it('begins at the evaluation date, and worlds contain the actual bars before this date', async () => {
    const { runner } = await open({ settings: { evaluateFrom: '2024-01-16' } });
    expect((await runner.actual()).run.firstBar).toBe('2024-01-16');
    const { market: made } = runner.maker.make(1) as { market: typeof market };
    const same = (bar: number) => made.series[0]!.close[bar] === market.series[0]!.close[bar];
    const evaluated = [...market.clock].findIndex((time) => time >= Date.UTC(2024, 0, 16));
    expect(Array.from({ length: evaluated }, (_, bar) => same(bar)).every(Boolean)).toBe(true);
    expect(same(evaluated + 1)).toBe(false);
  });

  it('throws if the strategy fails or the run is stopped', async () => {
    const failing = await open({
      act(bar) {
        if (bar === 5) throw new Error('no more');
      },
    });
    await expect(failing.runner.actual()).rejects.toMatchObject({
      code: 'no_result',
      kind: 'run',
      message: expect.stringContaining('has no result: no more.') as string,
    });
    const { runner } = await open();
    const stop = new AbortController();
    stop.abort();
    await expect(runner.actual(stop.signal)).rejects.toMatchObject({
      code: 'interrupted',
      message: 'Stopped during the run on the original data.',
      hint: 'Start it again.',
    });
  });
});

describe('a world', () => {
  it('has the figures of its simulated market, which are the same each time', async () => {
    const { runner, decisions } = await open();
    const { row } = await runner.world(1);
    expect(row).toMatchObject({ world: 1, outcome: 'completed' });
    expect(decisions()).toBe(40);
    expect(await runner.world(1)).toEqual({ row });
    expect((await runner.world(2)).row.figures).not.toEqual(row.figures);
    const { figures } = await runner.actual();
    expect(row.figures).not.toEqual(figures);
    const { market: made } = runner.maker.make(1) as { market: typeof market };
    expect(made.series[0]!.close[0]).toBe(first);
    expect(made.series[0]!.close[1]).not.toBe(market.series[0]!.close[1]);
  });

  it('is recorded as failed if the strategy fails in it', async () => {
    const { runner } = await open({
      act(bar, close) {
        if (bar === 5 && close !== market.series[0]!.close[5]) throw new Error('lost');
      },
    });
    expect((await runner.world(1)).row).toMatchObject({ world: 1, outcome: 'failed', error: 'lost' });
  });
});
