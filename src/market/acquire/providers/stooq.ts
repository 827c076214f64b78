import { parseInstant } from '../../../kernel/index.ts';
import { csvBars, type Provider } from '../provider.ts';

/**
 * Daily, weekly and monthly bars of Stooq. One CSV response contains all bars of the period. Errors are plain
 * text with status 200.
 */
export const stooq: Provider = {
  name: 'stooq',
  intervals: { '1d': 'd', '1w': 'w', '1mo': 'm' },
  keys: [],
  spacing: 1_000,
  baseUrl: 'https://stooq.com',
  async *pages({ symbol, from, to, interval }, http) {
    const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10).replaceAll('-', '');
    const query = { s: symbol.toLowerCase(), d1: day(from), d2: day(to), i: this.intervals[interval]! };
    const { text, sha256 } = await http.get({ path: '/q/d/l/', query });
    if (/exceeded/i.test(text))
      throw http.failed(`the daily limit is reached ("${text.trim().slice(0, 80)}")`);
    if (/^\s*(no data|brak danych)/i.test(text))
      throw http.refused(
        `no bars of ${symbol} in that period`,
        'Stooq symbols include the market, for example AAPL.US.',
      );
    const bars = csvBars(
      text,
      { date: 'Date', volume: 'Volume' },
      (date) => parseInstant(date) ?? Number.NaN,
      http,
    );
    yield { bars, from, to, query, sha256 };
  },
};
