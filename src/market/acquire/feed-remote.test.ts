import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FEED_FAULTS, FeedServer, type ServedBar } from '../../../test/support/feed-server.ts';
import { barSeries, createMarket, growingMarket, Intake, readFeedDocument } from '../index.ts';
import { httpFeed, providerFeed, socketFeed } from './feed-remote.ts';
import type { FeedInput, FeedSource } from './feed-source.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);
const bars: ServedBar[] = Array.from({ length: 60 }, (_, bar) => ({
  time: START + bar * MINUTE,
  values: [100 + bar, 102 + bar, 99 + bar, 101 + bar, 5],
}));
const history = () =>
  createMarket([
    barSeries(
      'BTCUSDT',
      bars.slice(0, 3).map(({ time, values: [open, high, low, close, volume] }) => ({
        time,
        open,
        high,
        low,
        close,
        volume,
      })),
    ),
  ]);

let server: FeedServer | undefined;
afterEach(() => server?.stop());

/**
 * Reads a feed until all bars have been received. Appends each bar to the market as soon as it arrives,
 * without waiting for real time to pass.
 */
async function receive(
  source: FeedSource,
): Promise<{ readonly times: number[]; readonly inputs: FeedInput[]; readonly notApplied: string[] }> {
  const growing = growingMarket(history());
  const notApplied: string[] = [];
  const interval = { milliseconds: MINUTE };
  const intake = new Intake({
    market: growing.market,
    barTimes: 'start',
    interval,
    patience: undefined,
    onNotApplied: ({ type }) => notApplied.push(type),
  });
  const stop = new AbortController();
  const inputs: FeedInput[] = [];
  const times: number[] = [];
  for await (const input of source({ market: growing.market, interval, ends: true, signal: stop.signal })) {
    inputs.push(input);
    if (input.kind !== 'document') continue;
    for (const message of readFeedDocument(input.document).messages) intake.take(message, undefined, 0);
    for (let group = intake.release(0); group !== undefined; group = intake.release(0)) {
      growing.append(group.time, group.bars);
      times.push(group.time);
    }
    if (times.length === bars.length - 3) stop.abort();
  }
  return { times, inputs, notApplied };
}

const expected = bars.slice(3).map(({ time }) => time);
const options = { environment: { KEY: 'secret' }, poll: 1, firstWait: 1 };

describe.each(['klines', 'bars'])('a feed over HTTP in the form of /%s', (path) => {
  it('loses and repeats no bar, with any faults of the server', async () => {
    // Every second response has a fault.
    const faultOf = (response: number) =>
      response % 2 === 1 ? FEED_FAULTS[(response >> 1) % FEED_FAULTS.length] : undefined;
    server = await new FeedServer({ symbol: 'BTCUSDT', bars, page: 3, faultOf }).start();
    const { times, inputs, notApplied } = await receive(
      httpFeed(`http://${server.host}/${path}?since={since}`, options),
    );
    expect(times).toEqual(expected);
    expect(notApplied).toContain('revised');
    const states = inputs.flatMap((input) =>
      input.kind === 'connection' ? [`${input.state} ${input.problem ?? ''}`] : [],
    );
    expect(states).toEqual(expect.arrayContaining(['lost HTTP 429', 'lost HTTP 503', 'restored ']));
    expect(inputs.filter(({ kind }) => kind === 'problem').length).toBeGreaterThan(0);
  });
});

// Node fires a timer immediately if its delay exceeds 2^31 − 1 ms (25 days). The test waits longer than that.
it.each(['1e300', '4000000'])('waits after a server requests %s s', async (wait) => {
  let requests = 0;
  const busy = createServer((_, response) => {
    requests += 1;
    response.writeHead(429, { 'retry-after': wait }).end();
  });
  await new Promise<void>((done) => busy.listen(0, '127.0.0.1', done));
  const stop = new AbortController();
  const interval = { milliseconds: MINUTE };
  const terms = { market: history(), interval, ends: true, signal: stop.signal };
  const address = `http://127.0.0.1:${(busy.address() as AddressInfo).port}/`;
  const inputs = httpFeed(address, options)(terms)[Symbol.asyncIterator]();
  expect((await inputs.next()).value).toMatchObject({ kind: 'connection', problem: 'HTTP 429' });
  const next = inputs.next();
  await Promise.race([next, new Promise((done) => setTimeout(done, 200))]);
  expect(requests).toBe(1);
  stop.abort();
  expect((await next).done).toBe(true);
  busy.closeAllConnections();
  await new Promise((done) => busy.close(done));
});

describe('a feed over a WebSocket', () => {
  it('subscribes, reconnects and loses no bar', async () => {
    const faultOf = (message: number) =>
      (({ 7: 'hang up', 20: 'garbage', 30: 'repeat', 41: 'hang up' }) as const)[message];
    server = await new FeedServer({ symbol: 'BTCUSDT', bars, faultOf }).start();
    const source = socketFeed(`ws://${server.host}/stream`, { ...options, send: ['{"key":"${' + 'KEY}"}'] });
    const { times, inputs } = await receive(source);
    expect(times).toEqual(expected);
    expect(server.received).toEqual(Array(3).fill('{"key":"secret"}'));
    expect(inputs.filter((input) => input.kind === 'connection' && input.state === 'lost')).toHaveLength(2);
  });

  it('refuses a variable that is not set', async () => {
    await expect(receive(socketFeed('ws://127.0.0.1:9/${' + 'NONE}', options))).rejects.toMatchObject({
      code: 'bad_feed',
    });
  });
});

describe('a feed of a provider', () => {
  it('refuses a bar length that the provider does not offer', async () => {
    await expect(receive(providerFeed('stooq', options))).rejects.toMatchObject({ code: 'bad_feed' });
  });
});
