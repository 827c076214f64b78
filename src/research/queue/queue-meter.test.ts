import { afterEach, expect, it, vi } from 'vitest';
import { type Command, fakeRedis } from '../../../test/support/fake-redis.ts';
import { QueueMeter } from './queue-meter.ts';

afterEach(() => vi.useRealTimers());
const KEYS = [2, 'sandtable:{s}:spent', 'sandtable:{s}:requests'];

it('a request is registered with its limits, and removed when its usage is known', async () => {
  vi.useFakeTimers({ now: 5_999, toFake: ['Date'] });
  const { connection, commands } = fakeRedis(() => 'go');
  const meter = new QueueMeter(connection, 's', { calls: 3, usd: 1.5 });
  await meter.ask();
  await meter.ask();
  await meter.paid(10, 0.5);
  await meter.paid(20, 0.25);
  await meter.paid(30, 0);
  const values = commands.map(([name, , ...given]) => [name, ...given]);
  const ids = [commands[0]![8], commands[1]![8]];
  expect(values[0]).toEqual(['eval', ...KEYS, 3, '', 1.5, ids[0], 5, 905]);
  expect(new Set(ids).size).toBe(2);
  expect(values.slice(2)).toEqual([
    ['eval', ...KEYS, ids[0], 10, 0.5],
    ['eval', ...KEYS, ids[1], 20, 0.25],
    ['eval', ...KEYS, '', 30, 0],
  ]);
});

it('a request waits for earlier requests, and is refused with the exhausted limit', async () => {
  const answers = ['wait', 'go', 'tokens'];
  const { connection, commands } = fakeRedis(() => answers.shift());
  const meter = new QueueMeter(connection, 's', { tokens: 100 });
  await meter.ask();
  expect(commands).toHaveLength(2);
  await expect(meter.ask()).rejects.toThrow('100 tokens');
});

it('the usage of all machines is read from Redis', async () => {
  const stored: (command: Command) => unknown = ([name]) =>
    name === 'hgetall' ? { calls: '2', tokens: '30', usd: '0.5' } : 'done';
  const { connection, commands } = fakeRedis(stored);
  const meter = new QueueMeter(connection, 's', { tokens: 30 });
  expect(await meter.spent()).toEqual({ calls: 2, tokens: 30, usd: 0.5 });
  expect(await meter.reached()).toBe('tokens');
  expect(await new QueueMeter(connection, 's', { tokens: 31 }).reached()).toBeUndefined();
  await meter.raise({ calls: 1, tokens: 2, usd: 3 });
  expect(commands.at(-1)!.slice(2)).toEqual([...KEYS, 1, 2, 3]);
  const empty = new QueueMeter(fakeRedis(() => ({})).connection, 's', {});
  expect(await empty.spent()).toEqual({ calls: 0, tokens: 0, usd: 0 });
});
