import http, { type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { HttpFailure, request } from './request.ts';

const LIMITS = { maxBytes: 1_000_000, idleMs: 10_000 };
const servers: http.Server[] = [];

async function serverOf(listener: RequestListener): Promise<{ url: string; received: IncomingMessage[] }> {
  const received: IncomingMessage[] = [];
  const server = http.createServer((asked, answer) => {
    received.push(asked);
    listener(asked, answer);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const failureOf = async (pending: Promise<unknown>): Promise<HttpFailure> => {
  const error = await pending.then(
    () => new Error('no failure'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HttpFailure)) throw error;
  return error;
};

it('sends method, headers and body, and returns status, headers and body', async () => {
  const { url } = await serverOf((asked, answer) => {
    let text = '';
    asked.on('data', (chunk) => {
      text += String(chunk);
    });
    asked.on('end', () =>
      answer
        .writeHead(201, { 'x-kind': 'echo' })
        .end(`${asked.method} ${String(asked.headers.authorization)} ${text}`),
    );
  });
  const response = await request(
    url,
    { method: 'POST', headers: { authorization: 'Bearer k' }, body: 'words' },
    LIMITS,
  );
  expect([response.status, response.headers.get('x-kind'), await response.text()]).toEqual([
    201,
    'echo',
    'POST Bearer k words',
  ]);
});

it.each([301, 302, 303, 307, 308])(
  'returns a %i without following it, so that no other host receives the credentials',
  async (status) => {
    const other = await serverOf((_asked, answer) => answer.end('stolen'));
    const first = await serverOf((_asked, answer) =>
      answer.writeHead(status, { location: `${other.url}/steal` }).end(),
    );
    const headers = { authorization: 'Bearer key', 'apca-api-key-id': 'id' };
    const response = await request(first.url, { method: 'POST', headers, body: '{}' }, LIMITS);
    expect([response.status, response.headers.get('location'), other.received.length]).toEqual([
      status,
      `${other.url}/steal`,
      0,
    ]);
  },
);

it('stops reading an endless body at the limit', async () => {
  let sent = 0;
  const { url } = await serverOf((_asked, answer) => {
    const chunk = Buffer.alloc(65_536);
    const write = (): void => {
      while (!answer.destroyed && answer.write(chunk)) sent += chunk.length;
    };
    answer.on('drain', write);
    write();
  });
  const response = await request(url, {}, LIMITS);
  const failure = await failureOf(response.arrayBuffer());
  expect([failure.kind, failure.message]).toEqual(['too_large', 'the response has more than 1000000 bytes']);
  // Buffers of the connection may contain more bytes than were read, but only a limited number.
  expect(sent).toBeLessThan(50_000_000);
});

it('counts the bytes of a compressed body after decompression', async () => {
  const { gzipSync } = await import('node:zlib');
  const { url } = await serverOf((_asked, answer) =>
    answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000))),
  );
  const response = await request(url, {}, LIMITS);
  expect((await failureOf(response.arrayBuffer())).kind).toBe('too_large');
});

it('ends a request whose headers never arrive', async () => {
  const { url } = await serverOf(() => undefined);
  const failure = await failureOf(request(url, {}, { ...LIMITS, answerMs: 40 }));
  expect([failure.kind, failure.message]).toEqual(['timeout', 'no response within 40 ms']);
});

it('ends a body that stalls', async () => {
  const { url } = await serverOf((_asked, answer) => void answer.write('begin'));
  const response = await request(url, {}, { ...LIMITS, answerMs: 10_000, idleMs: 40 });
  const failure = await failureOf(response.text());
  expect([failure.kind, failure.message]).toEqual(['timeout', 'no data for 40 ms']);
});

it('ends a body that arrives too slowly at the limit of the whole request', async () => {
  const { url } = await serverOf((_asked, answer) => {
    const timer = setInterval(() => answer.write('x'), 5);
    answer.on('close', () => clearInterval(timer));
  });
  // On a busy machine the time can be over before the body begins.
  const failure = await failureOf(
    request(url, {}, { ...LIMITS, totalMs: 80 }).then((response) => response.text()),
  );
  expect([failure.kind, failure.message]).toEqual(['timeout', 'no complete response within 80 ms']);
});

it('throws the abort reason of the caller, before and during the body', async () => {
  const { url } = await serverOf((asked, answer) => {
    if (asked.url === '/body') answer.write('begin');
  });
  const reason = new Error('interrupted');
  const before = new AbortController();
  const asked = request(url, { signal: before.signal }, LIMITS);
  before.abort(reason);
  await expect(asked).rejects.toBe(reason);
  const during = new AbortController();
  const response = await request(`${url}/body`, { signal: during.signal }, LIMITS);
  const text = response.text();
  during.abort(reason);
  await expect(text).rejects.toBe(reason);
});

it('reports the error code of a connection that fails', async () => {
  const { url } = await serverOf(() => undefined);
  const [server] = servers.splice(0);
  await new Promise((resolve) => server!.close(resolve));
  const failure = await failureOf(request(url, {}, LIMITS));
  expect([failure.kind, failure.code]).toEqual(['connection', 'ECONNREFUSED']);
});

/** A proxy that forwards plain requests to a fixed server and refuses tunnels, and the requests that it received. */
async function proxyTo(target: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = http.createServer((incoming, answer) => {
    asked.push(`GET ${incoming.url}`);
    http.get(target, { headers: incoming.headers }, (upstream) => upstream.pipe(answer));
  });
  proxy.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  servers.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

it('uses the proxy of the environment, except for NO_PROXY and this machine', async () => {
  const { url } = await serverOf((asked, answer) => answer.end(`for ${String(asked.headers.host)}`));
  const proxy = await proxyTo(url);
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, proxy.url);
  vi.stubEnv('NO_PROXY', 'direct.invalid');
  vi.stubEnv('no_proxy', 'direct.invalid');
  const far = await request('http://data.invalid/bars?key=1', {}, LIMITS);
  expect(await far.text()).toBe('for data.invalid');
  await failureOf(request('https://data.invalid/bars?key=1', {}, LIMITS));
  expect(proxy.asked).toEqual(['GET http://data.invalid/bars?key=1', 'CONNECT data.invalid:443']);
  expect((await failureOf(request('http://direct.invalid/bars', {}, LIMITS))).code).toBeDefined();
  expect(await (await request(url, {}, LIMITS)).text()).toContain('127.0.0.1');
  expect(proxy.asked).toHaveLength(2);
});

it.each(['http://[bad', 'socks5://user:geheim@proxy:1080', '://'])(
  'refuses %s as a proxy without showing it',
  async (proxy) => {
    vi.stubEnv('HTTP_PROXY', proxy);
    vi.stubEnv('http_proxy', proxy);
    const failure = await failureOf(request('http://data.invalid/bars', {}, LIMITS));
    expect([failure.kind, failure.message]).toEqual([
      'connection',
      'the value of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is not the address of an HTTP proxy',
    ]);
  },
);

it.each(['*', 'other, data.invalid', '.invalid', '*.invalid', 'DATA.invalid:80'])(
  'uses no proxy with NO_PROXY=%s',
  async (noProxy) => {
    const proxy = await proxyTo('http://127.0.0.1:9');
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('http_proxy', proxy.url);
    vi.stubEnv('NO_PROXY', noProxy);
    vi.stubEnv('no_proxy', noProxy);
    await failureOf(request('http://data.invalid/bars', {}, LIMITS));
    expect(proxy.asked).toEqual([]);
  },
);

it.each(['br', 'deflate', 'gzip, gzip'])(
  'counts the bytes of a body in %s after decompression',
  async (encoding) => {
    const { brotliCompressSync, deflateSync, gzipSync } = await import('node:zlib');
    const zeros = Buffer.alloc(5_000_000);
    const body =
      encoding === 'br'
        ? brotliCompressSync(zeros)
        : encoding === 'deflate'
          ? deflateSync(zeros)
          : gzipSync(gzipSync(zeros));
    const { url } = await serverOf((_asked, answer) =>
      answer.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    const response = await request(url, {}, LIMITS);
    expect((await failureOf(response.arrayBuffer())).kind).toBe('too_large');
  },
);

it('ends a response with endless headers', async () => {
  const { createServer } = await import('node:net');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\n');
    const write = (): void => {
      while (!socket.destroyed && socket.write(`x-more: ${'y'.repeat(1_000)}\r\n`));
    };
    socket.on('drain', write);
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const failure = await failureOf(request(`http://127.0.0.1:${port}/`, {}, LIMITS));
  expect(failure.code).toBe('UND_ERR_HEADERS_OVERFLOW');
  server.close();
});

it.each([
  ['a header value', { headers: { authorization: 'Bearer geheim\nx' } }, 'http://127.0.0.1:9/'],
  ['a header value that is not Latin-1', { headers: { key: 'geheim…' } }, 'http://127.0.0.1:9/'],
  ['a header name', { headers: { 'geheim\n': 'x' } }, 'http://127.0.0.1:9/'],
  ['the user of an address', {}, 'http://geheim@127.0.0.1:9/'],
  ['the password of an address', {}, 'http://user:geheim@127.0.0.1:9/'],
  ['an address', {}, 'http://[geheim/'],
  ['a method', { method: 'gehe im' }, 'http://127.0.0.1:9/'],
])('refuses %s without showing it', async (_, init, url) => {
  const failure = await failureOf(request(url, init, LIMITS));
  expect(failure.kind).toBe('connection');
  expect(String(failure.stack)).not.toContain('geheim');
});

it('reports the header that cannot be sent', async () => {
  const headers = { accept: 'text/plain', 'x-key': 'a\u0000b' };
  const failure = await failureOf(request('http://127.0.0.1:9/', { headers }, LIMITS));
  expect(failure.message).toBe('the value of the header x-key has characters that are not allowed in HTTP');
});
