import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { clientOf, pagesOf, REAL_HTTP, UTC } from '../../../test/support/scripted-http.ts';
import { DAY } from '../../kernel/index.ts';
import { csvBars, readJson } from './provider.ts';
import { providerOf } from './providers/index.ts';

const BAR = { open: 1, high: 3, low: 0.5, close: 2, volume: 10 };
const YEAR = { from: '2020-01-01T00:00', to: '2020-12-31T23:59' };

describe('bars in CSV', () => {
  const bars = (text: string, volume = 'Vol') =>
    csvBars(text, { date: 'Date', volume }, (date) => UTC(`${date}T00:00`), REAL_HTTP);

  it('are read by the names of the columns, and the volume may be missing', () => {
    expect(bars('\nClose, low ,HIGH,Open,date,vol\r\n2,0.5,3,1, 2020-01-02 ,10\n')).toEqual([
      { time: UTC('2020-01-02T00:00'), ...BAR },
    ]);
    const noVolume = [{ time: UTC('2020-01-02T00:00'), ...BAR, volume: 0 }];
    expect(bars('Date,Open,High,Low,Close\n2020-01-02,1,3,0.5,2')).toEqual(noVolume);
    expect(bars('Date,Open,High,Low,Close,Vol\n2020-01-02,1,3,0.5,2, ')).toEqual(noVolume);
    expect(bars('Date,Open,High,Low,Close,Vol')).toEqual([]);
  });

  it('are refused with a missing column, and with a line that is not a bar', () => {
    for (const name of ['Date', 'Open', 'High', 'Low', 'Close'])
      expect(() => bars('Date,Open,High,Low,Close\n'.replace(name, 'x'))).toThrow(
        'the response is not a table of bars',
      );
    expect(() => bars(`${'h'.repeat(90)}\n`)).toThrow(`("${'h'.repeat(80)}")`);
    for (const line of [
      '2020-01-02,1,3,,2,5',
      '2020-01-02,1,3,x,2,5',
      'soon,1,3,0.5,2,5',
      '2020-01-02,1,3,0.5',
      '2020-01-02,1,3,0.5,2,x',
    ])
      expect(() => bars(`Date,Open,High,Low,Close,Vol\n${line}`)).toThrow(`a line is not a bar ("${line}")`);
  });
});

describe('a JSON response', () => {
  it('is refused if its format is unexpected', () => {
    expect(readJson('{"a": 1}', z.object({ a: z.number() }), REAL_HTTP)).toEqual({ a: 1 });
    for (const text of ['{"a": "1"}', '{'])
      expect(() => readJson(text, z.object({ a: z.number() }), REAL_HTTP)).toThrow('unexpected format');
    expect(() => readJson(`a\n  b${'c'.repeat(100)}`, z.object({}), REAL_HTTP)).toThrow(
      `("a b${'c'.repeat(75)}")`,
    );
  });
});

describe('stooq', () => {
  it('is requested once for the period, in lower case', async () => {
    const { http, asked } = clientOf('Date,Open,High,Low,Close,Volume\n2020-01-02,1,3,0.5,2,10');
    const pages = await pagesOf(providerOf('Stooq'), http, { symbol: 'AAPL.US', interval: '1w', ...YEAR });
    const query = { s: 'aapl.us', d1: '20200101', d2: '20201231', i: 'w' };
    expect(asked).toEqual([{ path: '/q/d/l/', query }]);
    expect(pages).toEqual([
      {
        ...{ bars: [{ time: UTC('2020-01-02T00:00'), ...BAR }], query, sha256: 'hash' },
        ...{ from: UTC(YEAR.from), to: UTC(YEAR.to) },
      },
    ]);
  });

  it('reports limits and unknown symbols, which the provider sends as plain text', async () => {
    const ask = (text: string) => rejectionOf(pagesOf(providerOf('stooq'), clientOf(text).http, YEAR));
    expect((await ask('Exceeded the daily hits limit')).code).toBe('download_failed');
    for (const text of [' No data', 'Brak danych']) expect((await ask(text)).code).toBe('download_refused');
  });
});

describe('tiingo', () => {
  const row = { date: '2020-01-02T00:00:00.000Z', ...BAR };

  it('is requested once for daily bars', async () => {
    const { http, asked } = clientOf(JSON.stringify([row, { ...row, volume: null }]));
    const pages = await pagesOf(providerOf('tiingo'), http, YEAR);
    const query = { startDate: '2020-01-01', endDate: '2020-12-31', format: 'json' };
    expect(asked).toEqual([
      {
        ...{ path: '/tiingo/daily/brk%2Fb/prices', query, expected: [404] },
        headers: { authorization: 'Token key of TIINGO_API_KEY' },
      },
    ]);
    expect(pages.map(({ bars }) => bars)).toEqual([
      [
        { time: UTC('2020-01-02T00:00'), ...BAR },
        { time: UTC('2020-01-02T00:00'), ...BAR, volume: 0 },
      ],
    ]);
  });

  it('is requested five days at a time for shorter bars', async () => {
    const { http, asked } = clientOf('[]', '[]', '[]');
    const period = { interval: '1h', from: '2020-01-01T00:00', to: '2020-01-11T00:00' };
    const pages = await pagesOf(providerOf('tiingo'), http, period);
    expect(pages.map(({ from, to }) => [from, to].map((time) => (time - UTC(period.from)) / DAY))).toEqual([
      [0, 5 - 1 / DAY],
      [5, 10 - 1 / DAY],
      [10, 10],
    ]);
    expect(asked.map(({ path, query }) => [path, query])).toEqual(
      [
        ['2020-01-01', '2020-01-05'],
        ['2020-01-06', '2020-01-10'],
        ['2020-01-11', '2020-01-11'],
      ].map(([startDate, endDate]) => [
        '/iex/brk%2Fb/prices',
        { startDate, endDate, format: 'json', resampleFreq: '1hour', columns: 'open,high,low,close,volume' },
      ]),
    );
  });

  it('reports an unknown symbol', async () => {
    const { http } = clientOf({ status: 404, text: '' });
    expect((await rejectionOf(pagesOf(providerOf('tiingo'), http, YEAR))).message).toContain(
      'unknown symbol BRK/B',
    );
  });
});

describe('alpaca', () => {
  const bar = (t: string) => ({ t, o: 1, h: 3, l: 0.5, c: 2, v: 10 });
  const answer = (times: readonly string[] | null, token?: string | null) =>
    JSON.stringify({
      bars: times?.map(bar) ?? null,
      ...(token === undefined ? {} : { next_page_token: token }),
    });

  it('is requested page by page, and daily bars have New York dates', async () => {
    const { http, asked } = clientOf(
      answer(['2020-01-02T05:00:00Z'], 'next'),
      answer(null, 'more'),
      answer(['2020-07-02T04:00:00Z'], null),
    );
    const pages = await pagesOf(providerOf('alpaca'), http, YEAR);
    expect(pages.map(({ bars }) => bars)).toEqual([
      [{ time: UTC('2020-01-02T00:00'), ...BAR }],
      [],
      [{ time: UTC('2020-07-02T00:00'), ...BAR }],
    ]);
    const first = UTC('2020-01-02T05:00');
    expect(pages.map(({ from, to }) => [from, to])).toEqual([
      [UTC(YEAR.from), first],
      [first + 1, first + 1],
      [first + 2, UTC(YEAR.to)],
    ]);
    const query = {
      ...{ timeframe: '1Day', start: '2020-01-01T00:00:00.000Z', end: '2020-12-31T23:59:00.000Z' },
      ...{ limit: '10000', adjustment: 'raw', sort: 'asc' },
    };
    const headers = {
      ...{ 'apca-api-key-id': 'key of APCA_API_KEY_ID', 'apca-api-secret-key': 'key of APCA_API_SECRET_KEY' },
    };
    expect(asked).toEqual(
      [{}, { page_token: 'next' }, { page_token: 'more' }].map((token) => ({
        ...{ path: '/v2/stocks/BRK%2FB/bars', headers, query: { ...query, ...token } },
      })),
    );
    for (const page of pages) expect(page.query).toEqual(query);
  });

  it('does not change the times of shorter bars', async () => {
    const { http } = clientOf(answer(['2020-01-02T14:30:00Z']));
    const [page] = await pagesOf(providerOf('alpaca'), http, { interval: '1h', ...YEAR });
    expect([page!.bars[0]!.time, page!.to]).toEqual([UTC('2020-01-02T14:30'), UTC(YEAR.to)]);
  });
});

describe('alphavantage', () => {
  const provider = providerOf('alphavantage');
  const csv = (...times: string[]) =>
    ['timestamp,open,high,low,close,volume', ...times.map((time) => `${time},1,3,0.5,2,10`)].join('\n');

  it('is requested once for daily and weekly bars', async () => {
    const { http, asked } = clientOf(csv('2020-01-02'), csv());
    const [page] = await pagesOf(provider, http, YEAR);
    expect(page).toMatchObject({
      bars: [{ time: UTC('2020-01-02T00:00') }],
      from: UTC(YEAR.from),
      to: UTC(YEAR.to),
    });
    await pagesOf(provider, http, { interval: '1w', ...YEAR });
    const own = { symbol: 'BRK/B', datatype: 'csv' };
    expect(asked).toEqual([
      {
        ...{ path: '/query', secret: { apikey: 'key of ALPHAVANTAGE_API_KEY' } },
        query: { function: 'TIME_SERIES_DAILY', ...own, outputsize: 'full' },
      },
      {
        ...{ path: '/query', secret: { apikey: 'key of ALPHAVANTAGE_API_KEY' } },
        query: { function: 'TIME_SERIES_WEEKLY', ...own },
      },
    ]);
  });

  it('is requested month by month for shorter bars, by months of New York', async () => {
    const { http, asked } = clientOf(
      csv('2019-12-31 19:30:00'),
      csv('2020-01-02 09:30:00'),
      csv('2020-07-01 09:30:00'),
    );
    const period = { interval: '1h', from: '2020-01-01T00:00', to: '2020-02-01T04:59' };
    const pages = await pagesOf(provider, http, period);
    // In New York the period ends on 31 January at 23:59, and begins on 31 December at 19:00.
    expect(asked.map(({ query }) => query!.month)).toEqual(['2019-12', '2020-01']);
    expect(asked[0]!.query).toEqual({
      ...{ function: 'TIME_SERIES_INTRADAY', symbol: 'BRK/B', interval: '60min', month: '2019-12' },
      ...{ adjusted: 'false', outputsize: 'full', datatype: 'csv' },
    });
    const border = UTC('2020-01-01T05:00');
    expect(pages.map(({ from, to }) => [from, to])).toEqual([
      [UTC(period.from), border - 1],
      [border, UTC(period.to)],
    ]);
    expect(pages.map(({ bars }) => bars.map(({ time }) => time))).toEqual([
      [UTC('2020-01-01T00:30')],
      [UTC('2020-01-02T14:30')],
    ]);
  });

  it('requests two months if the period ends at the first instant of the second', async () => {
    const { http, asked } = clientOf(csv(), csv());
    // In New York the period ends on 1 February at 00:00.
    await pagesOf(provider, http, { interval: '1h', from: '2020-01-31T00:00', to: '2020-02-01T05:00' });
    expect(asked.map(({ query }) => query!.month)).toEqual(['2020-01', '2020-02']);
  });

  it('waits twice at the limit per minute, and then fails', async () => {
    const note = '{"Note": "5 calls per minute"}';
    const { http, pauses } = clientOf(note, note, csv('2020-01-02'));
    expect((await pagesOf(provider, http, YEAR))[0]!.bars).toHaveLength(1);
    expect(pauses).toEqual(Array(2).fill([60_000, 'the limit per minute is reached']));
    expect((await rejectionOf(pagesOf(provider, clientOf(note, note, note).http, YEAR))).message).toContain(
      'limit of your plan',
    );
    const daily = clientOf('{"Information": "25 requests per day"}');
    expect((await rejectionOf(pagesOf(provider, daily.http, YEAR))).code).toBe('download_failed');
    expect(daily.pauses).toEqual([]);
  });

  it('returns no bars for an empty object, and reports an unknown symbol', async () => {
    expect((await pagesOf(provider, clientOf(' {} ').http, YEAR))[0]!.bars).toEqual([]);
    const unknown = clientOf('{"Error Message": "Invalid API call"}');
    expect((await rejectionOf(pagesOf(provider, unknown.http, YEAR))).message).toContain(
      'unknown symbol BRK/B',
    );
  });
});
