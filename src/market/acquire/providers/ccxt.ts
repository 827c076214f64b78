import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { AppError, messageOf, nearest, packageFile } from '../../../kernel/index.ts';
import type { Http } from '../http.ts';
import type { Page, Provider, Wanted } from '../provider.ts';

/** Parts of a ccxt exchange that this module uses. */
export interface CcxtExchange {
  readonly timeframes?: Readonly<Record<string, unknown>>;
  urls?: { api?: unknown };
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since: number,
    limit?: number,
  ): Promise<readonly (readonly (number | undefined)[])[]>;
}

type CcxtModule = Readonly<Record<string, new (options: object) => CcxtExchange>>;

const ROWS = 500;
const TRIES = 6;

/** Loads the optional library ccxt. */
async function loadCcxt(): Promise<CcxtModule> {
  let place: string;
  try {
    place = createRequire(import.meta.url).resolve('ccxt');
  } catch (cause) {
    throw new AppError({
      code: 'download_refused',
      message: 'Crypto exchanges need the optional package `ccxt`, which is not installed.',
      hint: `Install it: npm install ccxt@${packageFile().peerDependencies.ccxt}`,
      cause,
    });
  }
  const module = (await import(pathToFileURL(place).href)) as { readonly default: CcxtModule };
  return module.default;
}

/**
 * Returns a provider for one exchange of ccxt.
 *
 * @param exchange name, such as `kraken`
 * @param load loads the library
 */
export function ccxtProvider(exchange: string, load: () => Promise<CcxtModule> = loadCcxt): Provider {
  const units = ['1min', '5min', '15min', '30min', '1h', '4h', '1d', '1w', '1mo'];
  const timeframe = (text: string): string => text.replace('min', 'm').replace('1mo', '1M');
  return {
    name: `ccxt:${exchange}`,
    intervals: Object.fromEntries(units.map((unit) => [unit, timeframe(unit)])),
    keys: [],
    spacing: 0,
    baseUrl: '',
    async *pages(wanted, http) {
      const client = await connect(exchange, http, load);
      yield* pagesOf(client, wanted, timeframe(wanted.interval), http);
    },
  };
}

async function connect(name: string, http: Http, load: () => Promise<CcxtModule>): Promise<CcxtExchange> {
  const module = await load();
  const Exchange = Object.hasOwn(module, name) ? module[name] : undefined;
  if (typeof Exchange !== 'function' || !('fetchOHLCV' in Exchange.prototype)) {
    const names = Object.keys(module).filter((one) => /^[a-z0-9]+$/.test(one));
    const meant = nearest(name, names);
    throw http.refused(
      `ccxt has no exchange "${name}"`,
      meant === undefined ? 'Expected a name such as ccxt:kraken.' : `Did you mean ccxt:${meant}?`,
    );
  }
  const client = new Exchange({ enableRateLimit: true });
  // If a base URL is set, it replaces the host of the exchange. Tests and private gateways serve the
  // exchange's paths at another host.
  if (http.baseUrl !== '' && client.urls !== undefined)
    client.urls.api = moved(client.urls.api, http.baseUrl);
  return client;
}

function moved(place: unknown, base: string): unknown {
  if (typeof place === 'string') return place.replace(/^[a-z]+:\/\/[^/]+/, base);
  if (typeof place !== 'object' || place === null) return place;
  return Object.fromEntries(Object.entries(place).map(([name, value]) => [name, moved(value, base)]));
}

async function* pagesOf(
  client: CcxtExchange,
  { symbol, from, to, interval }: Wanted,
  timeframe: string,
  http: Http,
): AsyncIterable<Page> {
  if (client.timeframes !== undefined && !(timeframe in client.timeframes))
    throw http.refused(
      `the interval ${interval} is not available`,
      `Available: ${Object.keys(client.timeframes).join(', ')}.`,
    );
  for (let since = from; since <= to; ) {
    const rows = await ask(client, symbol, timeframe, since, http);
    const later = rows.filter((row) => (row[0] ?? 0) >= since);
    const last = later.at(-1)?.[0];
    const bars = later
      .filter((row) => row[0]! <= to)
      .map((row) => {
        const [time, open, high, low, close, volume] = row.map((value) => value ?? Number.NaN);
        return {
          time: time!,
          open: open!,
          high: high!,
          low: low!,
          close: close!,
          volume: Number.isNaN(volume) ? 0 : volume!,
        };
      });
    const end = last === undefined || last >= to ? to : last;
    const query = { symbol, timeframe, since: String(since) };
    yield {
      bars,
      from: since,
      to: end,
      query,
      sha256: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
    };
    since = end + 1;
  }
}

async function ask(
  client: CcxtExchange,
  symbol: string,
  timeframe: string,
  since: number,
  http: Http,
): Promise<readonly (readonly (number | undefined)[])[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.fetchOHLCV(symbol, timeframe, since, ROWS);
    } catch (error) {
      const kinds = classesOf(error);
      if (kinds.includes('BadSymbol'))
        throw http.refused(`unknown symbol ${symbol}`, 'Use the notation of ccxt, for example BTC/USDT.');
      // In ccxt, temporary errors such as RateLimitExceeded and DDoSProtection are subclasses of
      // NetworkError.
      if (!kinds.includes('NetworkError'))
        throw http.refused(messageOf(error).slice(0, 200), 'Check the symbol, the interval and the dates.');
      if (attempt === TRIES) throw http.failed(`the exchange is busy or unreachable (${kinds[0]})`);
      await http.pause(http.second * 2 ** attempt, `${kinds[0]}`);
    }
  }
}

function classesOf(error: unknown): string[] {
  const names: string[] = [];
  for (
    let one: unknown = Object(error);
    one !== null && one !== undefined;
    one = Object.getPrototypeOf(one)
  ) {
    const { name } = (one as { readonly constructor?: { readonly name?: string } }).constructor ?? {};
    if (name !== undefined && !names.includes(name)) names.push(name);
  }
  return names;
}
