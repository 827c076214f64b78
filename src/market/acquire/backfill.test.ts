import { afterEach, expect, it } from 'vitest';
import { FeedServer, type ServedBar } from '../../../test/support/feed-server.ts';
import { barSeries, createMarket, growingMarket, Intake, readFeedDocument } from '../index.ts';
import { socketFeed } from './feed-remote.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);
const bars: ServedBar[] = Array.from({ length: 40 }, (_, bar) => ({
  time: START + bar * MINUTE,
  values: [100 + bar, 102 + bar, 99 + bar, 101 + bar, 5],
}));
let server: FeedServer | undefined;
afterEach(() => server?.stop());

it('a feed over a WebSocket requests the bars that it missed while the connection was closed', async () => {
  // The server loses the bars of messages 6 and 20, because it closes the connection and does not repeat them.
  const faultOf = (message: number) => (message === 6 || message === 20 ? ('hang up' as const) : undefined);
  server = await new FeedServer({ symbol: 'BTCUSDT', bars, page: 3, live: true, faultOf }).start();
  const growing = growingMarket(
    createMarket([
      barSeries(
        'BTCUSDT',
        bars.slice(0, 2).map(({ time, values: [open, high, low, close, volume] }) => ({
          time,
          open,
          high,
          low,
          close,
          volume,
        })),
      ),
    ]),
  );
  const terms = { market: growing.market, interval: { milliseconds: MINUTE } };
  const intake = new Intake({
    ...terms,
    barTimes: 'start',
    patience: undefined,
    onNotApplied: () => undefined,
  });
  const stop = new AbortController();
  const source = socketFeed(`ws://${server.host}/stream`, {
    ...{ environment: {}, poll: 1, firstWait: 1, send: ['{}'] },
    backfill: `http://${server.host}/klines?since={since}`,
  });
  const times: number[] = [];
  let lost = 0;
  for await (const input of source({ ...terms, ends: true, signal: stop.signal })) {
    if (input.kind === 'connection' && input.state === 'lost') lost += 1;
    if (input.kind !== 'document') continue;
    for (const message of readFeedDocument(input.document).messages) intake.take(message, undefined, 0);
    for (let group = intake.release(0); group !== undefined; group = intake.release(0)) {
      growing.append(group.time, group.bars);
      times.push(group.time);
    }
    if (times.at(-1) === bars.at(-1)!.time) stop.abort();
  }
  expect(times).toEqual(bars.slice(2).map(({ time }) => time));
  expect(lost).toBeGreaterThanOrEqual(2);
});
