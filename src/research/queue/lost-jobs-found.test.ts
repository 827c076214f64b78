import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Command, fakeRedis } from '../../../test/support/fake-redis.ts';
import { LostJobs } from './lost-jobs.ts';

afterEach(() => vi.useRealTimers());
const PREFIX = 'sandtable:{s}:trials';
const NOW = Date.UTC(2026, 0, 5);

interface Server {
  active: string[];
  waiting: string[];
  listed: string[];
  /** Milliseconds until the lock of a job expires. */
  locks: Record<string, number>;
  fields: Record<string, (string | null)[]>;
  types: Record<string, string>;
  paused: boolean;
}

function opened(own: Partial<Server> = {}) {
  const server: Server = {
    ...{ active: [], waiting: [], listed: [], locks: {}, fields: {}, types: {}, paused: false },
    ...own,
  };
  const idOf = (key: unknown): string =>
    String(key)
      .replace(`${PREFIX}:`, '')
      .replace(/:lock$/, '');
  const { connection, commands } = fakeRedis(([name, key]: Command) => {
    if (name === 'lrange') return key === `${PREFIX}:active` ? server.active : server.waiting;
    if (name === 'hmget') return server.fields[idOf(key)] ?? ['{}', '{}'];
    if (name === 'pttl') return server.locks[idOf(key)] ?? -2;
    if (name === 'type') return server.types[idOf(key)] ?? 'hash';
    return null;
  });
  const told: string[] = [];
  const queue = {
    isPaused: async () => server.paused,
    resume: async () => {
      server.paused = false;
    },
    getRanges: async () => server.listed,
  };
  const lost = new LostJobs(connection, queue as never, { sweep: 's', lockSeconds: 10 }, (text) =>
    told.push(text),
  );
  return { server, lost, told, commands };
}

describe('the search for lost jobs', () => {
  it('finds jobs without a hash, and jobs in no list of the queue', async () => {
    const { lost, commands } = opened({ listed: ['a', 'b', 'x'], types: { b: 'none', d: 'string' } });
    expect(await lost.find(['a', 'b', 'c', 'd'])).toEqual(['b', 'c', 'd']);
    expect(commands.at(-1)).toEqual(['del', ...['b', 'c', 'd'].map((id) => `${PREFIX}:${id}`)]);
    const none = opened({ listed: ['a'] });
    expect(await none.lost.find(['a'])).toEqual([]);
    expect(none.commands.map(([name]) => name)).not.toContain('del');
  });

  it('removes jobs whose fields are not JSON', async () => {
    const fields = { a: ['{', '{}'], b: ['{}', 'x'], c: [null, null], d: ['{}', '{}'] };
    const { lost, told, commands } = opened({
      active: ['a', 'c'],
      waiting: ['b', 'd'],
      fields,
      locks: { a: 5, c: 5 },
    });
    await lost.find([]);
    expect(told).toEqual(['a', 'b'].map((id) => `Job ${id} in the queue cannot be read and is removed.`));
    expect(commands.filter(([name]) => name === 'lrem')).toEqual([
      ['lrem', `${PREFIX}:wait`, 0, 'a'],
      ['lrem', `${PREFIX}:active`, 0, 'a'],
      ['lrem', `${PREFIX}:wait`, 0, 'b'],
      ['lrem', `${PREFIX}:active`, 0, 'b'],
    ]);
    expect(commands).toContainEqual(['lrange', `${PREFIX}:wait`, -100, -1]);
    expect(commands).toContainEqual(['lrange', `${PREFIX}:active`, 0, -1]);
  });

  it('removes jobs that have no lock for three times the lock duration', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { server, lost, told } = opened({
      active: ['free', 'held', 'long', 'most'],
      locks: { held: 0, long: 10_001, most: 10_000 },
    });
    const at = async (seconds: number) => {
      vi.setSystemTime(NOW + seconds * 1_000);
      told.length = 0;
      await lost.find([]);
      return told.map((text) => text.split(' ')[1]);
    };
    expect(await at(0)).toEqual([]);
    expect(await at(29.999)).toEqual([]);
    expect(await at(30)).toEqual(['free', 'long']);
    // A removed job that appears again begins a new period.
    expect(await at(31)).toEqual([]);
    expect(await at(60)).toEqual([]);
    // A lock in between begins a new period, too.
    server.locks.free = 5_000;
    expect(await at(60.5)).toEqual([]);
    server.locks = { held: 0, most: 10_000 };
    expect(await at(61)).toEqual(['long']);
    expect(await at(90)).toEqual([]);
    expect(await at(91)).toEqual(['free']);
  });

  it('resumes a queue that another client paused', async () => {
    const { server, lost, told } = opened({ paused: true });
    await lost.find([]);
    expect([server.paused, told]).toEqual([
      false,
      ['The queue was paused by another client of the Redis. It continues.'],
    ]);
    told.length = 0;
    await lost.find([]);
    expect(told).toEqual([]);
  });
});
