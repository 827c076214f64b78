import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BarSeries, simulateMarket, toCsv } from '../../src/market/index.ts';

/** Starts a proxy that records all bytes of each request and forwards the request to the server `target`. */
export async function recordingProxy(target: string): Promise<{
  readonly url: string;
  readonly requests: string[];
  close(): void;
}> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString('utf8');
    requests.push([request.url, ...request.rawHeaders, body].join('\n'));
    const answer = await fetch(`${new URL(target).origin}${request.url}`, {
      method: request.method ?? 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => void server.close() };
}

/**
 * Returns daily bars with prices of at least six digits. Such a number does not occur in a text by chance, so
 * its occurrence reveals the data.
 */
export function revealingSeries(
  symbol: string,
  seed: number,
  bars: number,
  start: string,
  level = 1,
): BarSeries {
  const [series] = simulateMarket({ seed, bars, symbols: [symbol], start, regime: 'trend' }).series;
  const { time, open, high, low, close, volume } = series!;
  const rounded = (column: Float64Array): Float64Array =>
    // Rounds to six decimal places. The small offset prevents trailing zeros.
    column.map((value) => Math.round((value * level * 1.000_371 + 0.000_013) * 1e6) / 1e6);
  return {
    symbol,
    time,
    open: rounded(open),
    high: rounded(high),
    low: rounded(low),
    close: rounded(close),
    volume,
  };
}

/**
 * Returns the finer bars of a daily series as CSV, two per day. The bar of 10:00 goes from the open to the
 * low. The bar of 14:00 goes from the low over the high to the close.
 */
export function finerCsv({ time, open, high, low, close, volume }: BarSeries): string {
  const rows = [...time].flatMap((day, bar) => {
    const date = new Date(day).toISOString().slice(0, 10);
    return [
      [`${date} 10:00`, open[bar], Math.max(open[bar]!, low[bar]!), low[bar], low[bar], volume[bar]],
      [`${date} 14:00`, low[bar], high[bar], low[bar], close[bar], volume[bar]],
    ].map((row) => row.join(','));
  });
  return `date,open,high,low,close,volume\n${rows.join('\n')}\n`;
}

/** Returns a series as CSV with an additional column `spread`, which is different in each row. */
export function csvWithSpread(series: BarSeries): string {
  const [header, ...rows] = toCsv(series).trim().split('\n');
  return `${[`${header},spread`, ...rows.map((row, bar) => `${row},${(0.010_007 + bar / 1e6).toFixed(6)}`)].join('\n')}\n`;
}

/**
 * Returns all symbols, dates and numbers of the data that occur in the texts. Empty if the texts reveal none.
 */
export function revealedBy(
  texts: readonly string[],
  facts: {
    readonly names: readonly string[];
    readonly series: readonly BarSeries[];
    readonly numbers: readonly number[];
  },
): string[] {
  const { names, series } = facts;
  const times = series.flatMap(({ time }) => [...time]);
  const years = new Set(times.map((time) => new Date(time).getUTCFullYear()));
  const [first, last] = [Math.min(...times), Math.max(...times) + 86_400_000];
  const numbers = new Set(facts.numbers);
  for (const { open, high, low, close, volume } of series)
    for (const column of [open, high, low, close, volume]) for (const value of column) numbers.add(value);
  const revealed = new Set<string>();
  for (const text of texts) {
    for (const name of names)
      if (text.toLowerCase().includes(name.toLowerCase())) revealed.add(`symbol ${name}`);
    for (const [number] of text.matchAll(/\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?/gi)) {
      const value = Number(number.replaceAll(/[,_]/g, ''));
      const digits = number.replaceAll(/\D/g, '').replace(/^0+/, '');
      if (digits.length >= 6 && numbers.has(value)) revealed.add(`number ${number}`);
      // A year reveals a date in any notation. A number of eight digits may be a compact date, whose first
      // four digits are the year.
      const compact = digits.length === 8 && !number.includes('.') ? Math.floor(value / 10_000) : value;
      if (years.has(compact)) revealed.add(`date ${number}`);
      // Checks seconds, milliseconds, microseconds and nanoseconds since 1970.
      for (const unit of [1e3, 1, 1e-3, 1e-6])
        if (digits.length >= 9 && value * unit >= first && value * unit <= last)
          revealed.add(`instant ${number}`);
    }
  }
  return [...revealed].sort();
}
