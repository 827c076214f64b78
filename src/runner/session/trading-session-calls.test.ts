import { describe, expect, it } from 'vitest';
import { ClientDrivenDecider } from '../../agents/index.ts';
import { type Json, runBacktest } from '../../engine/index.ts';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { createToolkit } from '../../toolkit/index.ts';
import { TradingSession } from './trading-session.ts';

const bar = (day: number, price: number) => ({
  ...{ time: day * DAY, open: price, high: price + 1, low: price - 1, close: price, volume: 100 },
});
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Starts a session over six bars of symbol A, and over bars of further symbols. */
function started(others: readonly string[] = [], contexts = 0) {
  const stale = barSeries(
    'B',
    [0, 1].map((day) => bar(day, 50)),
  );
  const market = createMarket([
    barSeries(
      'A',
      range(6).map((day) => bar(day, 10 + day)),
    ),
    ...others.map((symbol) =>
      symbol === 'B'
        ? stale
        : barSeries(
            symbol,
            range(6).map((day) => bar(day, 20)),
          ),
    ),
  ]);
  const stop = new AbortController();
  const decider = new ClientDrivenDecider();
  const done = runBacktest({
    market,
    decider,
    signal: stop.signal,
    context: range(contexts).map((n) =>
      barSeries(
        `C${String(n).padStart(2, '0')}`,
        range(6).map((day) => bar(day, 7)),
      ),
    ),
    settings: { cash: 10_000 },
  });
  let ends = 0;
  const session = new TradingSession({
    decider,
    toolkit: createToolkit({ tools: ['trade_execute'] }),
    bars: market.clock.length,
    end: async () => {
      ends += 1;
      stop.abort();
      decider.next();
      const { outcome, bars } = await done;
      return { finished: true, outcome, bars };
    },
  });
  return { session, ends: () => ends };
}
type Answer = Record<string, Json> & { readonly bars?: Record<string, Json> };

describe('a session that advances', () => {
  it('reports the new bar, the account and the events since the last decision', async () => {
    const { session } = started(['B']);
    await session.call('trade_execute', { action: 'buy', symbol: 'A', quantity: 10 });
    const one = (await session.call('next_bar', {})) as Answer;
    expect(one).toMatchObject({ moved: 1, bar: 1, date: '1970-01-02', cash: 10_000 - 110, equity: 10_000 });
    expect(one.bars).toEqual({
      A: { open: 11, high: 12, low: 10, close: 11, volume: 100 },
      B: { open: 50, high: 51, low: 49, close: 50, volume: 100 },
    });
    expect(JSON.stringify(one.since_last_decision)).toContain('fills');
    expect(one).not.toHaveProperty('note');
    expect(one).not.toHaveProperty('context');
    const three = (await session.call('next_bar', { bars: 2 })) as Answer;
    expect(three).toMatchObject({ moved: 2, bar: 3, equity: 10_020 });
    expect(three.bars!.B).toMatchObject({ close: 50, stale: true });
  });

  it('stops at the last bar of the data, and adds a note about this', async () => {
    const { session } = started();
    const last = await session.call('next_bar', { bars: 9 });
    expect(last).toMatchObject({ moved: 5, bar: 5, note: 'This is the last bar of the data. Call finish.' });
    const again = (await session.call('next_bar', {})) as Answer;
    expect(again).toMatchObject({ moved: 0, bar: 5, note: 'This is the last bar of the data. Call finish.' });
    expect(again).not.toHaveProperty('since_last_decision');
    expect(await started().session.call('next_bar', { bars: 5 })).not.toHaveProperty('note');
  });

  it('shows the bars as a table from six symbols on', async () => {
    const five = (await started(['D', 'E', 'F', 'G']).session.call('next_bar', {})) as Answer;
    expect(Object.keys(five.bars!)).toEqual(['A', 'D', 'E', 'F', 'G']);
    const six = (await started(['D', 'E', 'F', 'G', 'H']).session.call('next_bar', {})) as Answer;
    expect(six).not.toHaveProperty('bars');
    expect(six.table).toMatchObject({ columns: expect.any(Array) as unknown[] });
  });

  it('shows up to fifty context symbols', async () => {
    const answer = (await started([], 51).session.call('next_bar', {})) as Answer;
    const context = answer.context as Record<string, Json>;
    expect(Object.keys(context)).toHaveLength(50);
    expect(context.C00).toEqual({ date: '1970-01-02', open: 7, high: 8, low: 6, close: 7, volume: 100 });
  });

  it.each([{ bars: 0 }, { bars: 10_001 }, { bars: 1.5 }, { other: 1 }])('refuses %j', async (given) => {
    const { session } = started();
    expect(await session.call('next_bar', given)).toHaveProperty('error');
    expect(await session.call('next_bar', {})).toMatchObject({ bar: 1 });
  });
});

describe('a session that ends', () => {
  it('refuses further calls', async () => {
    const { session, ends } = started();
    expect(await session.call('finish', { now: true })).toHaveProperty('error');
    expect(await session.call('finish', {})).toEqual({ finished: true, outcome: 'interrupted', bars: 1 });
    for (const name of ['finish', 'next_bar', 'trade_execute'])
      expect(await session.call(name, {})).toMatchObject({ code: 'finished', error: 'The run is finished.' });
    expect(await session.stop()).toMatchObject({ finished: true });
    expect(ends()).toBe(1);
  });

  it('first completes the calls that were made before', async () => {
    const { session, ends } = started();
    const answers = await Promise.all([
      session.call('next_bar', {}),
      session.call('next_bar', {}),
      session.stop(),
      session.stop(),
    ]);
    expect(answers.map((answer) => (answer as Answer).bar ?? (answer as Answer).bars)).toEqual([1, 2, 3, 3]);
    expect(ends()).toBe(1);
  });
});
