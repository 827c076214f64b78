import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ANSWERS, barOf, DataServer, type Received, type Reply } from '../../../test/support/data-server.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { type AppError, formatInstant } from '../../kernel/index.ts';
import { loadMarket, readManifest, symbolFolder } from '../index.ts';
import { downloadBars } from './download.ts';
import { downloadFred } from './fred.ts';
import { Http } from './http.ts';
import type { Provider } from './provider.ts';
import { type CcxtExchange, ccxtProvider } from './providers/ccxt.ts';
import { providerOf } from './providers/index.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'sandtable-download-'));
const servers: DataServer[] = [];
let folders = 0;
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KEYS = {
  ALPHAVANTAGE_API_KEY: 'secret-key',
  TIINGO_API_KEY: 'secret-key',
  APCA_API_KEY_ID: 'id',
  APCA_API_SECRET_KEY: 'secret-key',
  FRED_API_KEY: 'secret-key',
};
const SYMBOLS: Readonly<Record<string, string>> = { stooq: 'AAPL.US' };
const JANUARY_2021 = Date.UTC(2021, 0, 10);

async function serverOf(answer: (received: Received) => Reply): Promise<DataServer> {
  const server = await new DataServer(answer).start();
  servers.push(server);
  return server;
}

interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly interval?: string;
  readonly symbol?: string;
  readonly out?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly notes?: string[];
  readonly now?: number;
}

const httpOf = (name: string, url: string, { environment = KEYS, notes = [] }: Asked = {}): Http =>
  new Http({
    provider: name,
    baseUrl: url,
    spacing: 0,
    environment,
    second: 5,
    onNote: (text) => notes.push(text),
  });

function download(provider: Provider | string, url: string, asked: Asked = {}) {
  const found = typeof provider === 'string' ? providerOf(provider) : provider;
  const {
    from = '2020-01-01',
    to = '2020-12-31',
    interval = '1d',
    out = path.join(root, String(++folders)),
  } = asked;
  return downloadBars(
    {
      provider: found,
      symbol: asked.symbol ?? SYMBOLS[found.name] ?? 'AAPL',
      from: Date.parse(from),
      to: Date.parse(to) + 86_399_999,
      interval,
      out,
      now: asked.now ?? JANUARY_2021,
    },
    httpOf(found.name, url, asked),
  );
}

describe.each(['stooq', 'alphavantage', 'tiingo', 'alpaca'])('%s', (name) => {
  const answer = ANSWERS[name]!;

  it('adds the days of its answers to a catalogue, and later requests only missing ones', async () => {
    const server = await serverOf(answer);
    const out = path.join(root, name);
    const first = await download(name, server.url, { out, to: '2020-06-30' });
    expect([first.added, first.revised]).toEqual([130, 0]);
    const asked = server.received.length;
    const again = await download(name, server.url, { out, to: '2020-06-30' });
    expect([again.added, again.requests, server.received.length]).toEqual([0, 0, asked]);
    const rest = await download(name, server.url, { out });
    expect([rest.added, rest.revised]).toEqual([132, 0]);
    const { market } = await loadMarket({ paths: [`${out}/@AAPL*`] });
    const [series] = market.series;
    expect([
      series!.time.length,
      formatInstant(series!.time[0]!),
      formatInstant(series!.time.at(-1)!),
    ]).toEqual([262, '2020-01-01', '2020-12-31']);
    const { time, ...bar } = {
      time: series!.time[3]!,
      open: series!.open[3]!,
      high: series!.high[3]!,
      low: series!.low[3]!,
      close: series!.close[3]!,
      volume: series!.volume[3]!,
    };
    expect(bar).toEqual(barOf(time / 86_400_000));
  });

  it('waits as long as the server requests after too many requests, and retries server errors', async () => {
    const server = await serverOf(answer);
    server.troubles.push({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, 'hang up');
    const notes: string[] = [];
    const { added } = await download(name, server.url, { to: '2020-01-31', notes });
    expect(added).toBe(23);
    const [first, second] = server.received;
    expect(second!.time - first!.time).toBeGreaterThanOrEqual(990);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(/responded with HTTP 429; next attempt in 1 s/);
  });

  it('stops if a server stays busy or requests a wait of hours, with an error that has no key', async () => {
    const server = await serverOf(() => ({ status: 500 }));
    const busy = await rejectionOf(download(name, server.url));
    expect([busy.code, busy.kind]).toEqual(['download_failed', 'run']);
    server.troubles.push({ status: 429, headers: { 'retry-after': '7200' } });
    const later = await rejectionOf(download(name, server.url));
    expect(later.hint).toMatch(/in 7200 s/);
    for (const error of [busy, later])
      expect(`${error.message}${error.hint}`).not.toMatch(/secret-key|apikey/);
  });

  it('reports an unknown symbol or one without data', async () => {
    const server = await serverOf(answer);
    const outcome = await download(name, server.url, { symbol: 'NOBODY' }).then(
      ({ added }) => added,
      (error: AppError) => error.code,
    );
    expect(outcome).toBe(name === 'alpaca' ? 0 : 'download_refused');
  });

  it('refuses a response in another format and stores nothing', async () => {
    for (const text of ['<html>maintenance</html>', '', '[1, 2]', '{"bars": 3}']) {
      const server = await serverOf(() => text);
      const error = await rejectionOf(download(name, server.url));
      expect(error.code).toBe('download_failed');
    }
  });

  it('does not send its key to another host, and reads no data from it', async () => {
    const other = await serverOf(answer);
    const server = await serverOf(() => ({ status: 302, headers: { location: `${other.url}/elsewhere` } }));
    const refused = await rejectionOf(download(name, server.url));
    expect([refused.code, other.received.length]).toEqual(['download_refused', 0]);
    expect(refused.message).toMatch(/redirects to 127\.0\.0\.1:\d+, and redirects are not followed/);
  });

  it('refuses a response above the size limit', async () => {
    const server = await serverOf(() => 'x'.repeat(2_000_000));
    const refused = await rejectionOf(
      downloadBars(
        {
          provider: providerOf(name),
          symbol: SYMBOLS[name] ?? 'AAPL',
          from: Date.UTC(2020, 0, 1),
          to: Date.UTC(2020, 11, 31),
          interval: '1d',
          out: path.join(root, `${name}-large`),
          now: JANUARY_2021,
        },
        new Http({
          provider: name,
          baseUrl: server.url,
          spacing: 0,
          environment: KEYS,
          second: 5,
          maxBytes: 1_000_000,
        }),
      ),
    );
    expect([refused.code, server.received.length]).toEqual(['download_refused', 1]);
    expect(refused.message).toContain('the response has more than 1000000 bytes');
  });

  it('stores no key', async () => {
    const server = await serverOf(answer);
    const out = path.join(root, `${name}-keys`);
    const { folder } = await download(name, server.url, { out, to: '2020-01-31' });
    const [obtained] = readManifest(folder)!.obtained;
    expect(obtained).toMatchObject({ source: name, from: '2020-01-01', to: '2020-01-31T23:59:59.999' });
    for (const file of readdirSync(folder))
      expect(readFileSync(path.join(folder, file), 'latin1')).not.toContain('secret-key');
  });
});

describe.each(['alphavantage', 'tiingo', 'alpaca'])('the key of %s', (name) => {
  it('is required and must be valid', async () => {
    const server = await serverOf(ANSWERS[name]!);
    const none = await rejectionOf(download(name, server.url, { environment: {} }));
    expect(none.message).toMatch(
      /the environment variable (ALPHAVANTAGE_API_KEY|TIINGO_API_KEY|APCA_API_KEY_ID) is not set/,
    );
    const wrong = Object.fromEntries(Object.keys(KEYS).map((key) => [key, 'wrong-one']));
    const refused = await rejectionOf(download(name, server.url, { environment: wrong }));
    expect(refused.code).toBe('download_refused');
    expect(`${refused.message}${refused.hint}`).not.toContain('wrong-one');
  });
});

describe('downloads', () => {
  it('keep the data received before a failure, and continue there', async () => {
    const answer = ANSWERS.alpaca!;
    const server = await serverOf((received) =>
      received.query.page_token === '100' && server.received.length < 9 ? { status: 500 } : answer(received),
    );
    const out = path.join(root, 'cut');
    await rejectionOf(download('alpaca', server.url, { out }));
    const folder = symbolFolder(out, '1d', 'AAPL');
    expect(readManifest(folder)!.parts[0]!.bars).toBe(100);
    const { added, revised } = await download('alpaca', server.url, { out });
    expect([added, revised]).toEqual([162, 0]);
    expect(server.received.at(-1)!.query.start).toBe('2020-05-19T04:00:00.001Z');
  });

  it('omit a bar that has not ended yet', async () => {
    const server = await serverOf(ANSWERS.stooq!);
    const out = path.join(root, 'running');
    const early = await download('stooq', server.url, {
      out,
      from: '2020-03-02',
      now: Date.UTC(2020, 2, 5, 12),
    });
    expect(early.added).toBe(3);
    const later = await download('stooq', server.url, {
      out,
      from: '2020-03-02',
      now: Date.UTC(2020, 2, 7, 12),
    });
    expect([later.added, later.revised]).toEqual([2, 0]);
  });

  it('read minutes of New York and of IEX', async () => {
    const vantage = await serverOf(ANSWERS.alphavantage!);
    const out = path.join(root, 'hours');
    expect(
      (
        await download('alphavantage', vantage.url, {
          out,
          interval: '1h',
          from: '2020-03-06',
          to: '2020-03-09',
        })
      ).added,
    ).toBe(6);
    const { market } = await loadMarket({ paths: [`${out}/@AAPL`] });
    expect([...market.clock].map(formatInstant).slice(2, 4)).toEqual([
      '2020-03-06T16:00:00',
      '2020-03-09T13:00:00',
    ]);
    const tiingo = await serverOf(ANSWERS.tiingo!);
    expect(
      (await download('tiingo', tiingo.url, { interval: '1h', from: '2020-03-02', to: '2020-03-13' })).added,
    ).toBe(20);
    expect(tiingo.received).toHaveLength(3);
  });

  it('wait for the next minute on a text notice of Alpha Vantage, and stop at the daily limit', async () => {
    const server = await serverOf(ANSWERS.alphavantage!);
    server.troubles.push(
      '{"Note": "Thank you for using Alpha Vantage! Our standard API call frequency is 5 calls per minute"}',
    );
    const notes: string[] = [];
    expect((await download('alphavantage', server.url, { notes })).added).toBe(262);
    expect(notes[0]).toMatch(/limit per minute/);
    server.troubles.push('{"Information": "our standard API rate limit is 25 requests per day"}');
    expect((await rejectionOf(download('alphavantage', server.url))).code).toBe('download_failed');
    const stooq = await serverOf(() => 'Exceeded the daily hits limit');
    expect((await rejectionOf(download('stooq', stooq.url))).message).toMatch(/daily limit/);
  });

  it('refuse invalid bars and store nothing', async () => {
    const server = await serverOf(() => 'Date,Open,High,Low,Close,Volume\n2020-01-02,10,9,8,9,5');
    const out = path.join(root, 'bad');
    const error = await rejectionOf(download('stooq', server.url, { out }));
    expect(error.message).toMatch(/stooq returned invalid bars.*high/s);
    expect(readManifest(symbolFolder(out, '1d', 'AAPL.US'))).toBeUndefined();
  });
});

describe('FRED', () => {
  it('stores every vintage with the time at which it was known', async () => {
    const server = await serverOf(ANSWERS.fred!);
    const out = path.join(root, 'fred');
    const { values, file } = await downloadFred(
      'GDP',
      { from: Date.UTC(2020, 0, 1), to: JANUARY_2021 },
      out,
      httpOf('fred', server.url),
    );
    expect(values).toBe(2);
    expect(readFileSync(file.replace('.parquet', '.manifest.json'), 'utf8')).not.toContain('secret-key');
    const unknown = downloadFred('GPD', { from: 0, to: 1 }, out, httpOf('fred', server.url));
    expect((await rejectionOf(unknown)).message).toBe('fred: unknown series GPD.');
  });
});

/**
 * Fake exchange with the interface of ccxt 4. Returns at most 500 rows from `since`, and throws its own error
 * classes.
 */
class NetworkError extends Error {}
class RateLimitExceeded extends NetworkError {}
class BadSymbol extends Error {}

class FakeExchange implements CcxtExchange {
  static troubles: Error[] = [];
  static calls = 0;
  readonly timeframes = { '1m': '1m', '1h': '60', '1d': '1440' };
  async fetchOHLCV(symbol: string, timeframe: string, since: number): Promise<(number | undefined)[][]> {
    FakeExchange.calls += 1;
    const trouble = FakeExchange.troubles.shift();
    if (trouble !== undefined) throw trouble;
    if (symbol !== 'BTC/USDT') throw new BadSymbol(`fake does not have market symbol ${symbol}`);
    const step = timeframe === '1h' ? 3_600_000 : 86_400_000;
    const first = Math.ceil(Math.max(since, Date.UTC(2020, 0, 1)) / step) * step;
    return Array.from({ length: 500 }, (_, index) => {
      const { open, high, low, close } = barOf(index);
      return [first + index * step, open, high, low, close, undefined];
    });
  }
}

describe('ccxt', () => {
  const provider = ccxtProvider('fake', async () => ({ fake: FakeExchange }));

  it('reads an exchange page by page, waits at its limits, and reports unknown symbols', async () => {
    FakeExchange.troubles = [new RateLimitExceeded('too many'), new NetworkError('away')];
    const asked = { symbol: 'BTC/USDT', interval: '1h', from: '2019-12-01', to: '2020-02-29' };
    expect((await download(provider, '', asked)).added).toBe(60 * 24);
    expect(FakeExchange.calls).toBe(2 + 3);
    expect((await rejectionOf(download(provider, '', { ...asked, symbol: 'BTC/USD' }))).message).toMatch(
      /unknown symbol BTC\/USD/,
    );
    expect((await rejectionOf(download(provider, '', { ...asked, interval: '1w' }))).message).toMatch(
      /interval 1w is not available/,
    );
    const other = ccxtProvider('fke', async () => ({ fake: FakeExchange }));
    expect((await rejectionOf(download(other, '', asked))).hint).toBe('Did you mean ccxt:fake?');
  });

  it('reports how to install the package if it is missing', async () => {
    const error = await rejectionOf(download(providerOf('ccxt:kraken'), '', { symbol: 'BTC/USD' }));
    expect(error.hint).toBe('Install it: npm install ccxt@4.5.84');
  });
});
