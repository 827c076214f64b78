import { afterEach, describe, expect, it } from 'vitest';
import { DataServer, type Received, type Reply } from '../../../test/support/data-server.ts';
import { barSeries, createMarket } from '../index.ts';
import { httpFeed, providerFeed } from './feed-remote.ts';
import type { FeedInput, FeedSource } from './feed-source.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5);
const bar = (time: number) => ({ time, open: 100, high: 101, low: 99, close: 100, volume: 10 });
const market = createMarket(
  ['AAPL.US', 'MSFT.US'].map((symbol) => barSeries(symbol, [bar(START), bar(START + DAY)])),
);
const options = { environment: { KEY: ' secret ' }, poll: 1, firstWait: 1 };

let server: DataServer | undefined;
afterEach(() => server?.stop());

/** Reads the first inputs of a feed. */
async function inputsOf(
  source: FeedSource,
  count: number,
  interval = { milliseconds: DAY },
): Promise<FeedInput[]> {
  const stop = new AbortController();
  const inputs: FeedInput[] = [];
  for await (const input of source({ market, interval, ends: true, signal: stop.signal })) {
    inputs.push(input);
    if (inputs.length === count) stop.abort();
  }
  return inputs.slice(0, count);
}
async function started(answer: (received: Received) => Reply): Promise<string> {
  server = await new DataServer(answer).start();
  return server.url;
}

describe('a feed that polls an address', () => {
  it('requests bars since the newest bar, and returns the time of the server', async () => {
    const url = await started(() => ({
      status: 200,
      text: '[1]',
      headers: { date: 'Mon, 05 Jan 2026 00:00:10 GMT' },
    }));
    const address = `${url}/bars?a={since}&b={since_iso}&c=\${KEY}`;
    const inputs = await inputsOf(httpFeed(address, options), 3);
    // The server sends whole seconds, rounded down, so half a second is added.
    const document = { kind: 'document', document: [1], serverTime: START + 10_500 };
    expect(inputs).toEqual([document, { kind: 'idle' }, document]);
    expect(server!.received[0]!.query).toEqual({
      a: String(START + DAY),
      b: '2026-01-06T00:00:00.000Z',
      c: 'secret',
    });
    expect(server!.received[0]!.headers).toMatchObject({
      'user-agent': 'sandtable',
      accept: 'application/json',
    });
  });

  it('reports each failure as a lost connection, and reports when it is restored', async () => {
    const url = await started(() => '{}');
    server!.troubles.push({ status: 503 }, { status: 404 });
    const inputs = await inputsOf(httpFeed(url, options), 5);
    expect(
      inputs.map((input) =>
        input.kind === 'connection' ? `${input.state} ${input.problem ?? ''}` : input.kind,
      ),
    ).toEqual([...['lost HTTP 503', 'lost HTTP 404', 'restored ', 'document', 'idle']]);
  });

  it('returns a response that is not JSON as a problem', async () => {
    const url = await started(() => 'x'.repeat(100));
    expect(await inputsOf(httpFeed(url, options), 1)).toEqual([
      { kind: 'problem', problem: `not JSON: ${'x'.repeat(80)}` },
    ]);
  });

  it('is refused if an environment variable in its address is not set', async () => {
    const empty = { ...options, environment: { KEY: ' ' } };
    await expect(inputsOf(httpFeed('http://127.0.0.1:9/${' + 'KEY}', empty), 1)).rejects.toMatchObject({
      ...{ code: 'bad_feed', message: 'The environment variable KEY is not set, and the feed uses it.' },
    });
  });
});

describe('a feed that polls a provider', () => {
  const keys = {
    environment: { APCA_API_KEY_ID: 'id', APCA_API_SECRET_KEY: 'secret' },
    poll: 1,
    firstWait: 1,
  };
  const answer = (volume: number) =>
    JSON.stringify({ bars: [{ t: '2026-01-07T05:00:00Z', o: 1, h: 3, l: 0.5, c: 2, v: volume }] });

  it('requests the bars of each symbol after the newest one', async () => {
    const url = await started(({ path }) => answer(path.length));
    const inputs = await inputsOf(providerFeed('alpaca', { ...keys, baseUrl: url }), 3);
    const prices = { time: Date.UTC(2026, 0, 7), open: 1, high: 3, low: 0.5, close: 2, volume: 23 };
    expect(inputs).toEqual([
      { kind: 'document', document: [{ symbol: 'AAPL.US', ...prices }] },
      { kind: 'document', document: [{ symbol: 'MSFT.US', ...prices }] },
      { kind: 'idle' },
    ]);
    expect(
      server!.received.slice(0, 2).map(({ path, query }) => [path, query.start, query.timeframe]),
    ).toEqual([
      ['/v2/stocks/AAPL.US/bars', '2026-01-07T00:00:00.000Z', '1Day'],
      ['/v2/stocks/MSFT.US/bars', '2026-01-07T00:00:00.000Z', '1Day'],
    ]);
  });

  it('continues after a failure, and ends with an error at an unknown symbol', async () => {
    const replies: Reply[] = ['not JSON', '{"bars": null}', { status: 404 }];
    const url = await started(() => replies.shift()!);
    const inputs: FeedInput[] = [];
    const read = async () => {
      const terms = {
        market,
        interval: { milliseconds: DAY },
        ends: true,
        signal: new AbortController().signal,
      };
      for await (const input of providerFeed('alpaca', { ...keys, baseUrl: url })(terms)) inputs.push(input);
    };
    await expect(read()).rejects.toMatchObject({ code: 'download_refused' });
    expect(inputs).toEqual([
      {
        kind: 'connection',
        state: 'lost',
        problem: expect.stringContaining('alpaca: the response has an unexpected format'),
      },
      { kind: 'document', document: [] },
    ]);
  });
});
