import { describe, expect, it } from 'vitest';
import { fakeRedis } from '../../../test/support/fake-redis.ts';
import { maskPassword, queueWarnings, readQueueAddress } from './redis.ts';

const read = (text: string, environment = {}) => readQueueAddress(text, environment);

describe('the address of a queue', () => {
  it('has the port 6379 and the database 0 by default', () => {
    expect(read('redis://own')).toEqual({
      shown: 'redis://own',
      options: { host: 'own', port: 6379, db: 0 },
      warnings: ['redis://own is not encrypted: anyone on the network can read the sweep. Use rediss://.'],
    });
    expect(read('redis://own:7000/15').options).toEqual({ host: 'own', port: 7000, db: 15 });
    expect(read('redis://own/').options.db).toBe(0);
    expect(read('redis://[::1]:7000').options.host).toBe('::1');
  });

  it('has the host as TLS server name, unless the host is an IP address', () => {
    expect(read('rediss://own')).toEqual({
      shown: 'rediss://own',
      options: { host: 'own', port: 6379, db: 0, tls: { servername: 'own' } },
      warnings: [],
    });
    expect(read('rediss://10.0.0.1').options.tls).toEqual({});
  });

  it('takes the user name and password from the address, else from the environment', () => {
    const environment = { SANDTABLE_REDIS_PASSWORD: 'env', SANDTABLE_REDIS_USERNAME: 'who' };
    expect(read('rediss://own', environment)).toMatchObject({
      options: { password: 'env', username: 'who' },
      warnings: [],
    });
    const both = read('rediss://me:p%40s@own', environment);
    expect(both.options).toMatchObject({ password: 'p@s', username: 'me' });
    expect(both.shown).toBe('rediss://me@own');
    expect(both.warnings).toHaveLength(1);
    expect(read('rediss://:%zz@own').options.password).toBe('%zz');
  });

  it.each([
    ['http://own', 'it does not begin with redis:// or rediss://'],
    ['redis://own:x', 'it cannot be read as an address'],
    ['redis://own?x=1', 'it has a part after ? or #'],
    ['redis://own#x', 'it has a part after ? or #'],
    ['redis://own/12345', '/12345 is not a database number'],
    ['redis://own/a', '/a is not a database number'],
  ])('is refused: %s', (text, problem) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'bad_queue', message: expect.stringContaining(problem) as string }),
    );
  });

  it('is shown without its password', () => {
    expect(maskPassword('x redis://me:secret@own y')).toBe('x redis://me:***@own y');
    expect(maskPassword('redis://me@own')).toBe('redis://me@own');
    expect(maskPassword('redis://:a:b@own')).toBe('redis://:***@own');
  });
});

describe('warnings about a queue', () => {
  const warnings = (info: string | Error) =>
    queueWarnings(
      fakeRedis(() => {
        if (info instanceof Error) throw info;
        return info;
      }).connection,
    );
  const lines = (own: Readonly<Record<string, string>>): string =>
    Object.entries({ redis_version: '7.2.1', aof_enabled: '1', maxmemory_policy: 'noeviction', ...own })
      .map(([name, value]) => `${name}:${value}\r\n`)
      .join('');

  it('are about its version, its append-only file and its memory policy', async () => {
    expect(await warnings(lines({}))).toEqual([]);
    expect(await warnings(lines({ redis_version: '6.2.0' }))).toEqual([]);
    for (const version of ['6.1.9', '5.9.0', '5.0.0'])
      expect(await warnings(lines({ redis_version: version }))).toEqual([
        `redis://own is Redis ${version}. Redis 6.2 or later is recommended.`,
      ]);
    expect(await warnings(lines({ redis_version: '7.0.0' }))).toEqual([]);
    expect((await warnings(lines({ aof_enabled: '0' })))[0]).toContain('has no append-only file');
    expect((await warnings(lines({ maxmemory_policy: 'allkeys-lru' })))[0]).toContain(
      '(maxmemory-policy allkeys-lru)',
    );
    await expect(warnings(lines({ redis_version: '4.9.9' }))).rejects.toMatchObject({
      code: 'queue_too_old',
      kind: 'run',
    });
  });

  it('are omitted if the server does not answer', async () => {
    expect(await warnings(new Error('NOPERM'))).toEqual([]);
  });
});
