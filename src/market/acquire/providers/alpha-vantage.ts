import { DAY, parseInstant } from '../../../kernel/index.ts';
import { instantsAt } from '../../index.ts';
import type { Http } from '../http.ts';
import { csvBars, type Page, type Provider, type Wanted } from '../provider.ts';

const ZONE = 'America/New_York';
const KEY = 'ALPHAVANTAGE_API_KEY';

/**
 * Unadjusted bars of US shares from Alpha Vantage. One response contains all days, or the minutes of one
 * month. Errors and rate limits are JSON with status 200.
 */
export const alphaVantage: Provider = {
  name: 'alphavantage',
  intervals: {
    '1min': '1min',
    '5min': '5min',
    '15min': '15min',
    '30min': '30min',
    '1h': '60min',
    '1d': 'DAILY',
    '1w': 'WEEKLY',
    '1mo': 'MONTHLY',
  },
  keys: [KEY],
  spacing: 12_000,
  baseUrl: 'https://www.alphavantage.co',
  async *pages(wanted, http) {
    const { symbol, from, to, interval } = wanted;
    const length = this.intervals[interval]!;
    if (!length.endsWith('min')) {
      const size: Record<string, string> = length === 'DAILY' ? { outputsize: 'full' } : {};
      const query = { function: `TIME_SERIES_${length}`, symbol, datatype: 'csv', ...size };
      yield await page(wanted, query, { from, to }, http);
      return;
    }
    for (const month of monthsOf(from, to)) {
      const query = {
        function: 'TIME_SERIES_INTRADAY',
        symbol,
        interval: length,
        month: month.name,
        adjusted: 'false',
        outputsize: 'full',
        datatype: 'csv',
      };
      yield await page(wanted, query, { from: Math.max(from, month.from), to: Math.min(to, month.to) }, http);
    }
  },
};

async function page(
  { symbol }: Wanted,
  query: Readonly<Record<string, string>>,
  period: { readonly from: number; readonly to: number },
  http: Http,
): Promise<Page> {
  for (let attempt = 1; ; attempt++) {
    const secret = { apikey: http.key(KEY) };
    const { text, sha256 } = await http.get({ path: '/query', query, secret });
    if (!text.trimStart().startsWith('{')) {
      const bars = csvBars(text, { date: 'timestamp', volume: 'volume' }, easternTime, http);
      return { bars, ...period, query, sha256 };
    }
    if (/^\s*\{\s*\}\s*$/.test(text)) return { bars: [], ...period, query, sha256 };
    if (/Error Message/.test(text))
      throw http.refused(
        `unknown symbol ${symbol} for these settings`,
        'Check the symbol, and the intervals that your plan includes.',
      );
    if (!/"Note"/.test(text) || attempt === 3) throw http.failed('the limit of your plan is reached');
    await http.pause(60 * http.second, 'the limit per minute is reached');
  }
}

/**
 * Converts a timestamp in New York time to an instant. A date without a time becomes midnight UTC of that
 * date.
 */
function easternTime(text: string): number {
  const local = parseInstant(text);
  if (local === undefined) return Number.NaN;
  return text.length <= 10 ? local : (instantsAt(ZONE, local)[0] ?? Number.NaN);
}

/** Returns the calendar months in New York time that overlap a period. `from` and `to` are UTC instants. */
function monthsOf(from: number, to: number): { name: string; from: number; to: number }[] {
  const months: { name: string; from: number; to: number }[] = [];
  const first = new Date(from - DAY);
  for (let year = first.getUTCFullYear(), month = first.getUTCMonth(); ; month++) {
    const [start, end] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)].map(
      (local) => instantsAt(ZONE, local)[0]!,
    ) as [number, number];
    if (start > to) return months;
    const name = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
    if (end > from) months.push({ name, from: start, to: end - 1 });
  }
}
