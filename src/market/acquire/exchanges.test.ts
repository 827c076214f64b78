import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { clientOf, pagesOf } from '../../../test/support/scripted-http.ts';
import type { Http } from './http.ts';
import type { Provider } from './provider.ts';
import { ccxtProvider } from './providers/ccxt.ts';
import { PROVIDER_NAMES, providerOf } from './providers/index.ts';

const BAR = { open: 1, high: 3, low: 0.5, close: 2, volume: 10 };

describe('a provider by its name', () => {
  it('is one of the list, or an exchange of ccxt', () => {
    expect(PROVIDER_NAMES).toEqual(['stooq', 'alphavantage', 'tiingo', 'alpaca', 'fred', 'ccxt:<exchange>']);
    expect([providerOf('TIINGO').name, providerOf('ccxt:kraken').name]).toEqual(['tiingo', 'ccxt:kraken']);
    expect(providerOf('ccxt:kraken').intervals).toEqual({
      ...{ '1min': '1m', '5min': '5m', '15min': '15m', '30min': '30m', '1h': '1h', '4h': '4h' },
      ...{ '1d': '1d', '1w': '1w', '1mo': '1M' },
    });
    for (const name of ['ccxt:', 'ccxt:Kraken!', 'other:kraken'])
      expect(() => providerOf(name)).toThrow(expect.objectContaining({ code: 'bad_flags' }));
    expect(() => providerOf('stooqq')).toThrow(expect.objectContaining({ hint: 'Did you mean stooq?' }));
    expect(() => providerOf('zzzzzzzzz')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Available: stooq, ') }),
    );
  });
});

describe('an exchange of ccxt', () => {
  class NetworkError extends Error {}
  class BadSymbol extends Error {}

  function exchangeOf(answers: (readonly (readonly (number | undefined)[])[] | Error)[], own: object = {}) {
    const calls: unknown[][] = [];
    const made: unknown[] = [];
    class Exchange {
      constructor(options: object) {
        made.push(options);
        Object.assign(this, own);
      }
      async fetchOHLCV(...given: unknown[]) {
        calls.push(given);
        const next = answers.shift() ?? [];
        if (next instanceof Error) throw next;
        return next;
      }
    }
    const load = async () => ({ kraken: Exchange, Other: Exchange, nothing: class {} }) as never;
    return { calls, made, provider: ccxtProvider('kraken', load), load };
  }
  const row = (time: number) => [time, 1, 3, 0.5, 2, 10];
  const period = {
    symbol: 'BTC/USDT',
    interval: '1mo',
    from: '1970-01-01T00:00:00',
    to: '1970-01-01T00:00:01',
  };

  it('is requested page after page until the end of the period', async () => {
    const { provider, calls, made } = exchangeOf([
      [row(-5), row(0), [400, 1, 3, 0.5, 2, undefined]],
      [row(400), row(800), row(1000), row(1200)],
    ]);
    const pages = await pagesOf(provider, clientOf().http, period);
    expect(pages.map(({ from, to, bars }) => [from, to, bars])).toEqual([
      [
        0,
        400,
        [
          { time: 0, ...BAR },
          { time: 400, ...BAR, volume: 0 },
        ],
      ],
      [
        401,
        1000,
        [
          { time: 800, ...BAR },
          { time: 1000, ...BAR },
        ],
      ],
    ]);
    expect(calls).toEqual([
      ['BTC/USDT', '1M', 0, 500],
      ['BTC/USDT', '1M', 401, 500],
    ]);
    expect(pages[1]!.query).toEqual({ symbol: 'BTC/USDT', timeframe: '1M', since: '401' });
    expect(pages[0]!.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(made).toEqual([{ enableRateLimit: true }]);
    const empty = await pagesOf(exchangeOf([]).provider, clientOf().http, period);
    expect(empty.map(({ from, to, bars }) => [from, to, bars])).toEqual([[0, 1000, []]]);
  });

  it('is requested again up to five times if it is busy', async () => {
    const busy = (count: number) => Array.from({ length: count }, () => new NetworkError('busy'));
    const client = clientOf();
    await pagesOf(exchangeOf(busy(5)).provider, client.http, period);
    expect(client.pauses).toEqual([2, 4, 8, 16, 32].map((seconds) => [seconds * 1000, 'NetworkError']));
    const failed = await rejectionOf(pagesOf(exchangeOf(busy(6)).provider, clientOf().http, period));
    expect(failed.message).toContain('the exchange is busy or unreachable (NetworkError)');
  });

  it('reports unknown symbols, intervals and exchange names, and other errors', async () => {
    const ask = (provider: Provider) => rejectionOf(pagesOf(provider, clientOf().http, period));
    expect((await ask(exchangeOf([new BadSymbol('x')]).provider)).message).toContain(
      'unknown symbol BTC/USDT',
    );
    const other = await ask(exchangeOf([new Error('y'.repeat(300))]).provider);
    expect(other.message).toBe(`x: ${'y'.repeat(200)}.`);
    const frames = await ask(exchangeOf([], { timeframes: { '1h': 60, '1d': 1440 } }).provider);
    expect([frames.message, frames.hint]).toEqual([
      'x: the interval 1mo is not available.',
      'Available: 1h, 1d.',
    ]);
    const { load } = exchangeOf([]);
    const unknown = ['krakn', 'zzzzzz', 'nothing', 'constructor'];
    const errors = await Promise.all(unknown.map((name) => ask(ccxtProvider(name, load))));
    for (const [place, { message }] of errors.entries())
      expect(message).toContain(`ccxt has no exchange "${unknown[place]}"`);
    expect(errors.slice(0, 2).map(({ hint }) => hint)).toEqual([
      'Did you mean ccxt:kraken?',
      'Expected a name such as ccxt:kraken.',
    ]);
  });

  it('is requested at another host if a base URL is set', async () => {
    const own = { urls: { api: { public: 'https://api.kraken.com/0', list: ['http://a.b/c', 5, null] } } };
    const { provider } = exchangeOf([], own);
    await pagesOf(provider, { ...clientOf().http, baseUrl: 'http://local' } as unknown as Http, period);
    expect(own.urls.api).toEqual({ public: 'http://local/0', list: { 0: 'http://local/c', 1: 5, 2: null } });
    const untouched = { urls: { api: 'https://api.kraken.com' } };
    await pagesOf(exchangeOf([], untouched).provider, clientOf().http, period);
    expect(untouched.urls.api).toBe('https://api.kraken.com');
  });
});
