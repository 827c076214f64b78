import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { Http } from './http.ts';
import { providerOf } from './providers/index.ts';

it('suggests the closest provider', () => {
  expect(() => providerOf('stoq')).toThrow(/Unknown provider "stoq"/);
  expect(providerOf('ccxt:kraken').name).toBe('ccxt:kraken');
});

describe('concurrent requests to a provider', () => {
  const servers: Server[] = [];
  afterAll(() => Promise.all(servers.map((server) => new Promise((done) => server.close(done)))));

  /** Starts a server that fails the first request to `/busy` and reports its largest number of open requests. */
  async function slowServer() {
    const seen = { open: 0, most: 0, paths: [] as string[] };
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      const status = path === '/busy' && !seen.paths.includes(path) ? 503 : path === '/none' ? 404 : 200;
      seen.paths.push(path);
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      setTimeout(() => {
        seen.open -= 1;
        response.writeHead(status).end(path);
      }, 20);
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { seen, http: new Http({ provider: 'x', baseUrl, spacing: 1, environment: {}, second: 5 }) };
  }

  it('are sent one at a time, in order, and wait for retries and failures', async () => {
    const { seen, http } = await slowServer();
    const answers = await Promise.allSettled(
      ['/a', '/busy', '/none', '/b'].map((path) => http.get({ path })),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual({ open: 0, most: 1, paths: ['/a', '/busy', '/busy', '/none', '/b'] });
  });
});
