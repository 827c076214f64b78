import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Next response of the server: a text, or a status with headers. */
export type Reply =
  | string
  | { readonly status: number; readonly text?: string; readonly headers?: Readonly<Record<string, string>> };

/** Request that the server has received. */
export interface Received {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly time: number;
}

/** Local HTTP server that imitates the responses of a data provider. */
export class DataServer {
  readonly received: Received[] = [];
  /**
   * Limits and faults that the server returns before it calls the handler. The first one is used for the next
   * request.
   */
  readonly troubles: (Reply | 'hang up')[] = [];
  readonly #server: Server;

  constructor(answer: (received: Received) => Reply) {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://local');
      const received = {
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        time: Date.now(),
      };
      this.received.push(received);
      const reply = this.troubles.shift() ?? answer(received);
      if (reply === 'hang up') {
        request.socket.destroy();
        return;
      }
      const { status = 200, text = '', headers = {} } = typeof reply === 'string' ? { text: reply } : reply;
      response.writeHead(status, headers).end(text);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

const weekdays = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
    if (![0, 6].includes(new Date(day).getUTCDay())) days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
};

/** Returns the bar of a day or minute. All imitated providers return the same bar for the same index. */
export function barOf(index: number): {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
} {
  const open = 100 + (index % 50);
  return { open, high: open + 2, low: open - 1, close: open + 1, volume: 1_000 + index };
}

const dayNumber = (day: string): number => Math.round(Date.parse(day) / 86_400_000);
const cells = (day: string): string => {
  const { open, high, low, close, volume } = barOf(dayNumber(day));
  return [day, open, high, low, close, volume].join(',');
};
const dashed = (day = ''): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;

/**
 * First and last date of the daily bars that all imitated providers have. Each provider formats dates in its
 * own way.
 */
const [FIRST, LAST] = ['2020-01-01', '2020-12-31'];
const within = (from: string, to: string): string[] =>
  weekdays(FIRST, LAST).filter((day) => day >= from && day <= to);

export const ANSWERS: Readonly<Record<string, (received: Received) => Reply>> = {
  stooq({ path, query }) {
    if (path !== '/q/d/l/') return { status: 404 };
    if (query.s !== 'aapl.us') return 'No data';
    const days = within(dashed(query.d1), dashed(query.d2));
    return days.length === 0
      ? 'No data'
      : ['Date,Open,High,Low,Close,Volume', ...days.map(cells)].join('\r\n');
  },
  alphavantage({ query }) {
    if (query.apikey !== 'secret-key')
      return '{"Error Message": "the parameter apikey is invalid or missing."}';
    if (query.symbol !== 'AAPL')
      return '{"Error Message": "Invalid API call. Please retry or visit the documentation."}';
    const header = 'timestamp,open,high,low,close,volume';
    if (query.function === 'TIME_SERIES_DAILY')
      return [header, ...within(FIRST, LAST).reverse().map(cells)].join('\r\n');
    const days = within(`${query.month}-01`, `${query.month}-31`);
    const bars = days.flatMap((day) =>
      [9, 10, 11].map(
        (hour) => `${cells(day).replace(day, `${day} ${String(hour).padStart(2, '0')}:00:00`)}`,
      ),
    );
    return [header, ...bars.reverse()].join('\r\n');
  },
  tiingo({ path, query, headers }) {
    if (headers.authorization !== 'Token secret-key')
      return { status: 401, text: '{"detail":"Invalid token."}' };
    const [, symbol] = /\/(?:tiingo\/daily|iex)\/([^/]+)\/prices/.exec(path) ?? [];
    if (symbol !== 'aapl') return { status: 404, text: `{"detail":"Error: Ticker '${symbol}' not found"}` };
    const days = within(query.startDate ?? '', query.endDate ?? '');
    const hours = path.startsWith('/iex') ? ['15:00', '16:00'] : ['00:00'];
    return JSON.stringify(
      days.flatMap((day) =>
        hours.map((hour) => ({
          date: `${day}T${hour}:00.000Z`,
          ...barOf(dayNumber(day)),
          adjClose: 1,
          divCash: 0,
          splitFactor: 1,
        })),
      ),
    );
  },
  alpaca({ path, query, headers }) {
    if (headers['apca-api-key-id'] !== 'id' || headers['apca-api-secret-key'] !== 'secret-key')
      return { status: 403, text: '{"message":"forbidden."}' };
    if (path !== '/v2/stocks/AAPL/bars') return '{"bars":null,"symbol":"X","next_page_token":null}';
    const days = within((query.start ?? '').slice(0, 10), (query.end ?? '').slice(0, 10));
    const at = Number(query.page_token ?? 0);
    const page = days.slice(at, at + 100);
    const bars = page.map((day) => {
      const { open, high, low, close, volume } = barOf(dayNumber(day));
      // Midnight in New York is 05:00 UTC in winter and 04:00 UTC in summer.
      const hour = day >= '2020-03-09' && day < '2020-11-02' ? '04' : '05';
      return { t: `${day}T${hour}:00:00Z`, o: open, h: high, l: low, c: close, v: volume, n: 10, vw: close };
    });
    const next = at + 100 < days.length ? String(at + 100) : null;
    return JSON.stringify({ bars: bars.length === 0 ? null : bars, symbol: 'AAPL', next_page_token: next });
  },
  fred({ query }) {
    if (query.api_key !== 'secret-key')
      return {
        status: 400,
        text: '{"error_code":400,"error_message":"Bad Request. The value for variable api_key is not registered."}',
      };
    if (query.series_id !== 'GDP')
      return {
        status: 400,
        text: '{"error_code":400,"error_message":"Bad Request. The series does not exist."}',
      };
    return JSON.stringify({
      count: 3,
      offset: 0,
      limit: 100000,
      observations: [
        { realtime_start: '2020-04-29', realtime_end: '2020-05-27', date: '2020-01-01', value: '21537.9' },
        { realtime_start: '2020-05-28', realtime_end: '9999-12-31', date: '2020-01-01', value: '21534.9' },
        { realtime_start: '2020-07-30', realtime_end: '9999-12-31', date: '2020-04-01', value: '.' },
      ],
    });
  },
};
