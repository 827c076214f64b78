import type { Answer, Http, Request } from '../../src/market/acquire/http.ts';
import { Http as RealHttp } from '../../src/market/acquire/http.ts';
import type { Page, Provider } from '../../src/market/acquire/provider.ts';
import { parseInterval } from '../../src/market/index.ts';

export const UTC = (text: string): number => Date.parse(`${text}Z`);
/** Real client. Scripted clients use its errors. */
export const REAL_HTTP = new RealHttp({ provider: 'x', baseUrl: '', spacing: 0, environment: {} });

/** Returns a client that responds with the given texts in order, and records requests and pauses. */
export function clientOf(...texts: (string | { readonly status: number; readonly text: string })[]) {
  const asked: Request[] = [];
  const pauses: unknown[] = [];
  const http = {
    baseUrl: '',
    second: 1000,
    key: (name: string) => `key of ${name}`,
    failed: REAL_HTTP.failed.bind(REAL_HTTP),
    refused: REAL_HTTP.refused.bind(REAL_HTTP),
    pause: async (...given: unknown[]) => void pauses.push(given),
    async get(wanted: Request): Promise<Answer> {
      asked.push(wanted);
      const next = texts.shift() ?? '';
      return typeof next === 'string'
        ? { status: 200, text: next, sha256: 'hash' }
        : { ...next, sha256: 'hash' };
    },
  };
  return { http: http as unknown as Http, asked, pauses };
}

/** Returns all pages of a provider, by default of daily bars of BRK/B. */
export async function pagesOf(
  provider: Provider,
  http: Http,
  own: { symbol?: string; interval?: string; from: string; to: string },
) {
  const { symbol = 'BRK/B', interval = '1d', from, to } = own;
  const pages: Page[] = [];
  const wanted = { symbol, interval, length: parseInterval(interval), from: UTC(from), to: UTC(to) };
  for await (const page of provider.pages(wanted, http)) pages.push(page);
  return pages;
}
