import { z } from 'zod';
import { DAY, parseInstant } from '../../../kernel/index.ts';
import { type Provider, readJson } from '../provider.ts';

const KEY = 'TIINGO_API_KEY';

const rows = z.array(
  z.object({
    date: z.string(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().nullish(),
  }),
);

/**
 * Days per request. More days could exceed the provider's maximum number of rows, and the response would then
 * be cut off.
 */
const DAYS_AT_ONCE = 5;

/** Unadjusted bars of US shares: daily bars from Tiingo's own database, minute bars from the exchange IEX. */
export const tiingo: Provider = {
  name: 'tiingo',
  intervals: {
    '1min': '1min',
    '5min': '5min',
    '15min': '15min',
    '30min': '30min',
    '1h': '1hour',
    '1d': 'daily',
  },
  keys: [KEY],
  spacing: 1_000,
  baseUrl: 'https://api.tiingo.com',
  async *pages({ symbol, from, to, interval }, http) {
    const isDaily = interval === '1d';
    const path = `/${isDaily ? 'tiingo/daily' : 'iex'}/${encodeURIComponent(symbol.toLowerCase())}/prices`;
    const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
    const step = isDaily ? Number.POSITIVE_INFINITY : DAYS_AT_ONCE * DAY;
    for (let start = from; start <= to; start += step) {
      const end = Math.min(to, start + step - 1);
      const query = {
        startDate: day(start),
        endDate: day(end),
        format: 'json',
        ...(isDaily
          ? {}
          : { resampleFreq: this.intervals[interval]!, columns: 'open,high,low,close,volume' }),
      };
      const headers = { authorization: `Token ${http.key(KEY)}` };
      const { text, sha256, status } = await http.get({ path, query, headers, expected: [404] });
      if (status === 404)
        throw http.refused(`unknown symbol ${symbol}`, 'Check the symbol. Tiingo writes BRK.B as BRK-B.');
      const bars = readJson(text, rows, http).map(({ date, volume, ...prices }) => {
        return { time: parseInstant(date) ?? Number.NaN, ...prices, volume: volume ?? 0 };
      });
      yield { bars, from: start, to: end, query, sha256 };
    }
  },
};
