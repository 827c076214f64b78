import { describe, expect, it } from 'vitest';
import { ClientDrivenDecider } from '../../agents/index.ts';
import { runBacktest } from '../../engine/index.ts';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { createToolkit } from '../../toolkit/index.ts';
import { TradingSession } from './trading-session.ts';

describe('a session with an insolvent account', () => {
  it('reports it in next_bar and ends', async () => {
    const closes = [100, 100, 250, 100, 100];
    const market = createMarket([
      barSeries(
        'A',
        closes.map((price, day) => ({
          time: day * DAY,
          open: price,
          high: price,
          low: price,
          close: price,
          volume: 100,
        })),
      ),
    ]);
    const decider = new ClientDrivenDecider();
    const done = runBacktest({
      market,
      decider,
      settings: { cash: 10_000 },
    });
    const session = new TradingSession({
      decider,
      toolkit: createToolkit({ tools: ['trade_execute'] }),
      bars: closes.length,
      end: async () => {
        decider.next();
        const { outcome, bars } = await done;
        return { finished: true, outcome, bars };
      },
    });
    await session.call('trade_execute', { action: 'sell', symbol: 'A', quantity: 100 });
    expect(await session.call('next_bar', { bars: 4 })).toEqual({
      finished: true,
      outcome: 'insolvent',
      bars: 3,
    });
    expect(await session.call('next_bar', {})).toMatchObject({ code: 'finished' });
  });
});
