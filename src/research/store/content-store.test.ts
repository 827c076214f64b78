import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type ContentStore,
  checkObject,
  contentHash,
  isContentHash,
  objectCache,
  objectPath,
  unreachable,
  withinTime,
} from './content-store.ts';
import { folderStore, openStore } from './open-store.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-content-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = (): string => join(root, String(++folders));
const DAY = 86_400_000;

describe('the name of an object', () => {
  const hash = contentHash('bars');

  it('is the SHA-256 of its bytes, and its path begins with the first two digits', () => {
    expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(objectPath(hash)).toBe(`sha256/${hash.slice(0, 2)}/${hash}`);
    expect([hash, hash.toUpperCase(), hash.slice(1), `${hash}0`, ''].map(isContentHash)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(() => objectPath('x'.repeat(90))).toThrow(`"${'x'.repeat(80)}" is not a SHA-256 hash.`);
  });

  it('must match its bytes', () => {
    const bytes = Buffer.from('bars');
    expect(checkObject(hash, bytes, 'place')).toBe(bytes);
    expect(() => checkObject(hash, Buffer.from('bar'), 'place')).toThrow(
      expect.objectContaining({
        code: 'store_damaged',
        kind: 'run',
        message: expect.stringContaining('its 3 bytes') as string,
      }),
    );
  });
});

it('an operation ends with its result, its error or its timeout', async () => {
  expect(await withinTime(Promise.resolve(5), 's', 1_000)).toBe(5);
  await expect(withinTime(Promise.reject(new Error('x')), 's', 1_000)).rejects.toThrow('x');
  await expect(withinTime(new Promise(() => undefined), 's', 1)).rejects.toThrow('no answer within 0.001 s');
  const cause = new Error('cause');
  expect(unreachable('s', 'p', cause)).toMatchObject({ code: 'store_unreachable', kind: 'run', cause });
});

describe('the cache of a worker', () => {
  const store = (get: () => Promise<Buffer>): ContentStore => ({ get }) as unknown as ContentStore;
  const bytes = Buffer.from('bars');
  const hash = contentHash(bytes);

  it('fetches an object once for each file name, and updates its modification time at each use', async () => {
    let gets = 0;
    const folder = newFolder();
    const cache = await objectCache(
      store(async () => (gets++, bytes)),
      folder,
    );
    const file = await cache.file(hash, '.parquet');
    expect([file, readFileSync(file, 'utf8')]).toEqual([join(folder, `${hash}.parquet`), 'bars']);
    const old = new Date(Date.now() - 5 * DAY);
    utimesSync(file, old, old);
    expect(await cache.file(hash, '.parquet')).toBe(file);
    expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(DAY);
    expect([(await cache.bytes(hash)).toString(), (await cache.bytes(hash)).toString(), gets]).toEqual([
      'bars',
      'bars',
      2,
    ]);
    expect(readdirSync(folder).sort()).toEqual([hash, `${hash}.parquet`].sort());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await expect(cache.bytes('../x')).rejects.toThrow('a cache accepts hashes only');
  });

  it('removes objects that were not used for fourteen days', async () => {
    const folder = newFolder();
    await objectCache(
      store(async () => bytes),
      folder,
    );
    for (const [name, days] of [
      ['old', 14.1],
      ['new', 13.9],
    ] as const) {
      writeFileSync(join(folder, name), '');
      const time = new Date(Date.now() - days * DAY);
      utimesSync(join(folder, name), time, time);
    }
    await objectCache(
      store(async () => bytes),
      folder,
    );
    expect(readdirSync(folder)).toEqual(['new']);
  });

  it('throws an error if it cannot be created or written', async () => {
    const file = newFolder();
    writeFileSync(file, '');
    await expect(
      objectCache(
        store(async () => bytes),
        join(file, 'below'),
      ),
    ).rejects.toMatchObject({
      ...{ code: 'cache_unwritable', kind: 'run' },
    });
    const folder = newFolder();
    const cache = await objectCache(
      store(async () => bytes),
      folder,
    );
    rmSync(folder, { recursive: true });
    await expect(cache.bytes(hash)).rejects.toMatchObject({ code: 'cache_unwritable' });
  });
});

describe('a store in a folder', () => {
  it('is opened by its path, and other addresses are refused', async () => {
    const folder = newFolder();
    const store = await openStore(folder, {});
    expect(store.name).toBe(folder);
    expect(existsSync(folder)).toBe(false);
    const hash = await store.put(Buffer.from('x'));
    expect(existsSync(join(folder, objectPath(hash)))).toBe(true);
    for (const [address, text] of [
      ['  ', '--store is empty.'],
      ['ftp://host/x', '--store does not support ftp://…'],
    ] as const)
      await expect(openStore(address, {})).rejects.toMatchObject({ code: 'bad_store', message: text });
  });

  it('reports a missing object, and is unreachable if the object is not a file', async () => {
    const folder = newFolder();
    const store = folderStore(folder);
    const hash = await store.put(Buffer.from('x'));
    rmSync(join(folder, objectPath(hash)));
    await expect(store.get(hash)).rejects.toMatchObject({ code: 'store_missing', kind: 'run' });
    await folderStore(join(folder, objectPath(hash))).put(Buffer.from('y'));
    await expect(store.get(hash)).rejects.toMatchObject({ code: 'store_unreachable', kind: 'run' });
  });
});
