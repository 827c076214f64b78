import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ContentStore, contentHash, objectCache, objectPath, withinTime } from './content-store.ts';
import { folderStore, openStore } from './open-store.ts';
import { s3Store } from './s3-store.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-store-'));
const keys = { AWS_ACCESS_KEY_ID: 'some', AWS_SECRET_ACCESS_KEY: 'key' };
let server: FauxqsServer;
beforeAll(async () => {
  for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value);
  server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket('sweeps');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

let folders = 0;
const newFolder = (): string => join(root, `store-${folders++}`);
const patience = { connect: 300, request: 300, total: 20_000, attempts: 2, bytes: 1_000_000 };
/**
 * Limits with long timeouts, for tests in which the service answers. A slow test machine must not cause a
 * timeout.
 */
const unhurried = { ...patience, connect: 10_000, request: 10_000 };
const environment = (): Record<string, string> => ({
  ...keys,
  AWS_ENDPOINT_URL: `http://127.0.0.1:${server.port}`,
});

describe.each<[string, () => Promise<ContentStore>]>([
  ['a folder', () => openStore(newFolder(), {})],
  ['a real S3 server', () => openStore(`s3://sweeps/tests/${folders++}`, environment())],
])('a store in %s', (_, open) => {
  it('returns stored content by its hash', async () => {
    const store = await open();
    const bytes = Buffer.from('bars');
    const hash = await store.put(bytes);
    expect(hash).toBe(contentHash(bytes));
    expect(await store.put(bytes)).toBe(hash);
    expect(await store.get(hash)).toEqual(bytes);
    const large = Buffer.alloc(3_000_000, 'x');
    expect((await store.get(await store.put(large))).equals(large)).toBe(true);
    store.close();
  });

  it('reports a missing object', async () => {
    const hash = contentHash('never put');
    await expect((await open()).get(hash)).rejects.toMatchObject({
      code: 'store_missing',
      message: expect.stringContaining(hash),
    });
  });

  it('accepts the same object from concurrent writers', async () => {
    const store = await open();
    const bytes = Buffer.from('a strategy');
    const hashes = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes)));
    expect(new Set(hashes)).toEqual(new Set([contentHash(bytes)]));
    expect(await store.get(hashes[0]!)).toEqual(bytes);
  });
});

describe('a damaged object', () => {
  it('is reported and refused in a folder, when fetched and when stored again', async () => {
    const folder = newFolder();
    const store = folderStore(folder);
    const bytes = Buffer.from('bars of a share');
    const hash = await store.put(bytes);
    const place = join(folder, objectPath(hash));
    truncateSync(place, 4);
    const damaged = { code: 'store_damaged', message: expect.stringContaining(place) };
    await expect(store.get(hash)).rejects.toMatchObject(damaged);
    await expect(store.put(bytes)).rejects.toMatchObject(damaged);
  });

  it('is reported and refused in S3', async () => {
    const store = await s3Store('s3://sweeps/damaged', environment());
    const hash = await store.put(Buffer.from('bars'));
    const { PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
    const client = new S3Client({
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${server.port}`,
      forcePathStyle: true,
    });
    const Key = `damaged/${objectPath(hash)}`;
    await client.send(new PutObjectCommand({ Bucket: 'sweeps', Key, Body: 'other' }));
    await expect(store.get(hash)).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining(`s3://sweeps/${Key}`),
    });
  });

  it('is fetched again if it is in the cache of a worker', async () => {
    const store = folderStore(newFolder());
    const hash = await store.put(Buffer.from('bars'));
    const cache = await objectCache(store, newFolder());
    const file = await cache.file(hash, '.parquet');
    writeFileSync(file, 'other');
    expect(await cache.file(hash, '.parquet')).toBe(file);
    expect(contentHash(await cache.bytes(hash))).toBe(hash);
  });
});

it('a worker fetches an object once', async () => {
  const store = folderStore(newFolder());
  const hash = await store.put(Buffer.from('bars'));
  const get = vi.spyOn(store, 'get');
  const folder = newFolder();
  for (let time = 0; time < 3; time++) {
    const cache = await objectCache(store, folder);
    await cache.file(hash, '.parquet');
    await cache.file(hash, '.parquet');
  }
  expect(get).toHaveBeenCalledTimes(1);
});

it('a name that is not a hash is never used as a path', async () => {
  const store = folderStore(newFolder());
  await expect(store.get('../../etc/passwd')).rejects.toMatchObject({ code: 'bad_object_name' });
});

it('a folder below a file is refused', async () => {
  const file = newFolder();
  writeFileSync(file, '');
  await expect(folderStore(file).put(Buffer.from('x'))).rejects.toMatchObject({ code: 'store_unreachable' });
  expect(readdirSync(root).filter((name) => name.startsWith('.tmp'))).toEqual([]);
});

it('a step that does not respond times out', async () => {
  await expect(withinTime(new Promise(() => undefined), 'slow', 20)).rejects.toMatchObject({
    code: 'store_unreachable',
    message: expect.stringContaining('slow'),
  });
});

describe('an S3 service with faults', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const one of servers.splice(0)) {
      one.closeAllConnections();
      one.close();
    }
  });
  const answerWith = async (answer: (response: ServerResponse) => void): Promise<Record<string, string>> => {
    const one = createServer((_, response) => answer(response));
    servers.push(one);
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    return { ...keys, AWS_ENDPOINT_URL: `http://127.0.0.1:${(one.address() as AddressInfo).port}` };
  };
  const serve = (answer: (request: number) => 'hang' | number): Promise<Record<string, string>> => {
    let requests = 0;
    return answerWith((response) => {
      const status = answer(requests++);
      if (status === 'hang') return;
      response.writeHead(status, { 'content-type': 'text/plain' });
      response.end(status === 200 ? 'bars' : '');
    });
  };
  const hash = contentHash('bars');

  it('is retried after an error', async () => {
    const store = await s3Store(
      's3://sweeps',
      await serve((request) => (request === 0 ? 503 : 200)),
      patience,
    );
    expect(String(await store.get(hash))).toBe('bars');
  });

  it('is retried after a timeout', async () => {
    const store = await s3Store(
      's3://sweeps',
      await serve((request) => (request === 0 ? 'hang' : 200)),
      patience,
    );
    expect(String(await store.get(hash))).toBe('bars');
  });

  it('that never responds is reported by name', async () => {
    const store = await s3Store('s3://sweeps/p', await serve(() => 'hang'), patience);
    await expect(store.get(hash)).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringMatching(/s3:\/\/sweeps\/p cannot be used: no answer in time/),
    });
  });

  const sendWithoutEnd = (response: ServerResponse): void => {
    const send = (): void => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', send);
    send();
  };

  it('that sends an endless object is refused', async () => {
    const endless = await answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      sendWithoutEnd(response);
    });
    const store = await s3Store('s3://sweeps', endless, unhurried);
    await expect(store.get(hash)).rejects.toThrow(/more than 1000000 bytes/);
  });

  it.each([
    ['an error', 403],
    ['a redirect', 307],
    ['a missing object', 404],
  ])('that sends %s without end is refused', async (_, status) => {
    const endless = await answerWith((response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:9/', 'content-type': 'application/xml' });
      sendWithoutEnd(response);
    });
    const store = await s3Store('s3://sweeps', endless, unhurried);
    await expect(store.get(hash)).rejects.toMatchObject({
      code: 'store_damaged',
      message: 'An answer of s3://sweeps has more than 1048576 bytes.',
    });
  });

  it('that sends an endless answer to a new object is refused', async () => {
    let sent = 0;
    const endless = await answerWith((response) => {
      response.writeHead(sent++ === 0 ? 404 : 200);
      if (sent === 1) response.end();
      else sendWithoutEnd(response);
    });
    const store = await s3Store('s3://sweeps', endless, unhurried);
    await expect(store.put(Buffer.from('bars'))).rejects.toMatchObject({
      code: 'store_damaged',
      message: 'An answer of s3://sweeps has more than 1048576 bytes.',
    });
  });

  it.each([200, 503])('that sends HTTP %s slowly times out at the longest time', async (status) => {
    const slow = await answerWith((response) => {
      response.writeHead(status);
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const store = await s3Store('s3://sweeps', slow, { ...patience, total: 500 });
    await expect(store.get(hash)).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringMatching(/no (complete )?answer in time/),
    });
  });

  it('that stops in the middle of an object times out', async () => {
    const stuck = await answerWith((response) => {
      response.writeHead(200, { 'content-length': '4' });
      response.write('ba');
    });
    const store = await s3Store('s3://sweeps', stuck, { ...patience, attempts: 1 });
    await expect(store.get(hash)).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('no answer in time'),
    });
  });

  it('that does not exist is reported, and so is a missing bucket', async () => {
    const nobody = { ...keys, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
    await expect((await s3Store('s3://sweeps', nobody, patience)).get(hash)).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await expect(
      (await s3Store('s3://nothing', environment(), patience)).put(Buffer.from('x')),
    ).rejects.toMatchObject({
      message: expect.stringContaining('the bucket does not exist'),
    });
  });
});

it.each(['', 's3://', 's3://UPPER/x', 's3:/bucket', 'http://host/bucket', 's3://bucket?versionId=1'])(
  'refuses --store "%s"',
  async (address) => {
    await expect(openStore(address, keys)).rejects.toMatchObject({ code: 'bad_store', kind: 'input' });
  },
);
