import { z } from 'zod';
import { DAY, parseInstant } from '../../../kernel/index.ts';
import { localTime } from '../../index.ts';
import { type Provider, readJson } from '../provider.ts';

const [ID, SECRET] = ['APCA_API_KEY_ID', 'APCA_API_SECRET_KEY'];

const answer = z.object({
  bars: z
    .array(
      z.object({ t: z.string(), o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number() }),
    )
    .nullable(),
  next_page_token: z.string().nullish(),
});

/** Unadjusted bars of US shares from Alpaca, requested page by page. */
export const alpaca: Provider = {
  name: 'alpaca',
  intervals: {
    '1min': '1Min',
    '5min': '5Min',
    '15min': '15Min',
    '30min': '30Min',
    '1h': '1Hour',
    '4h': '4Hour',
    '1d': '1Day',
    '1w': '1Week',
    '1mo': '1Month',
  },
  keys: [ID, SECRET],
  spacing: 300,
  baseUrl: 'https://data.alpaca.markets',
  async *pages({ symbol, from, to, interval, length }, http) {
    const headers = { 'apca-api-key-id': http.key(ID), 'apca-api-secret-key': http.key(SECRET) };
    let [token, start] = ['', from];
    for (;;) {
      const query: Record<string, string> = {
        timeframe: this.intervals[interval]!,
        start: new Date(from).toISOString(),
        end: new Date(to).toISOString(),
        limit: '10000',
        adjustment: 'raw',
        sort: 'asc',
        ...(token === '' ? {} : { page_token: token }),
      };
      const path = `/v2/stocks/${encodeURIComponent(symbol)}/bars`;
      const { text, sha256 } = await http.get({ path, query, headers });
      const page = readJson(text, answer, http);
      const stamps = (page.bars ?? []).map(({ t }) => parseInstant(t) ?? Number.NaN);
      const bars = (page.bars ?? []).map(({ o, h, l, c, v }, index) => {
        return {
          time: barTime(stamps[index]!, length.milliseconds),
          open: o,
          high: h,
          low: l,
          close: c,
          volume: v,
        };
      });
      token = page.next_page_token ?? '';
      const end = token === '' ? to : (stamps.at(-1) ?? start);
      const { page_token: _token, ...sent } = query;
      yield { bars, from: start, to: end, query: sent, sha256 };
      if (token === '') return;
      start = end + 1;
    }
  },
};

/**
 * Returns the time of a bar. Alpaca stamps daily and longer bars with midnight in New York. They get midnight
 * UTC of the same date. Times of intraday bars are unchanged.
 */
function barTime(stamp: number, length: number): number {
  if (length < DAY) return stamp;
  return Math.floor(localTime('America/New_York', stamp) / DAY) * DAY;
}
