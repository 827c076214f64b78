import { afterEach, expect, it, vi } from 'vitest';
import { type Command, fakeRedis } from '../../../test/support/fake-redis.ts';
import { announcementOf, refusalsOf } from './announced-sweeps.ts';
import { signerOf, WRITER } from './messages.ts';
import { serveQueue } from './serve-queue.ts';

afterEach(() => vi.useRealTimers());
const signer = signerOf('secret');
const signed = (sweep: string): string =>
  JSON.stringify(
    signer.sign('sweep', {
      ...WRITER,
      ...{ sweep, plan: 'a'.repeat(64), lockSeconds: 30, trialSeconds: null, rate: null, budget: null },
    }),
  );

/**
 * Runs a worker that cannot open any sweep. `waiting` has the number of waiting jobs of each sweep. Returns the
 * opened sweeps with their times in seconds, the notes and the commands.
 */
async function served(
  sweeps: Readonly<Record<string, string>>,
  waiting: Readonly<Record<string, number>>,
  seconds: number,
  list: 'wait' | 'active' = 'wait',
) {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const names = Object.keys(sweeps);
  const { connection, commands } = fakeRedis(([name, key]: Command) => {
    const sweep = /\{(.*)\}/.exec(String(key))?.[1] ?? '';
    if (name === 'zscan') return ['0', names.flatMap((one) => [one, '1'])];
    if (name === 'zscore') return '1';
    if (name === 'getrange') return key === announcementOf(sweep) ? (sweeps[sweep] ?? '') : '';
    if (name === 'llen') return String(key).endsWith(`:${list}`) ? (waiting[sweep] ?? 0) : 0;
    return null;
  });
  const stop = new AbortController();
  const opened: [sweep: string, second: number][] = [];
  const notes: string[] = [];
  const serving = serveQueue(connection, signer, {
    ...{ jobs: 1, note: (text: string) => notes.push(text), signal: stop.signal },
    open({ sweep }) {
      opened.push([sweep, Date.now() / 1_000]);
      return Promise.reject(new Error('no store'));
    },
  });
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  stop.abort();
  const trials = await serving;
  vi.restoreAllMocks();
  return { opened, notes, trials, refusals: commands.filter(([name]) => name === 'hset'), commands };
}

it('a worker opens the sweeps with waiting jobs, and tries a sweep again after a minute', async () => {
  const sweeps = { idle: signed('idle'), one: signed('one'), two: signed('two') };
  const { opened, notes, refusals, trials } = await served(sweeps, { one: 3, two: 1 }, 130);
  expect(opened).toEqual([
    ['one', 0],
    ['two', 0],
    ...[61, 122].flatMap((second): [string, number][] => [
      ['one', second],
      ['two', second],
    ]),
  ]);
  expect(notes.slice(0, 2)).toEqual([
    'Not taking part in the sweep one: no store',
    'Not taking part in the sweep two: no store',
  ]);
  expect(refusals.slice(0, 2).map(([, key, , text]) => [key, text])).toEqual([
    [refusalsOf('one'), 'no store'],
    [refusalsOf('two'), 'no store'],
  ]);
  expect(trials).toBe(0);
});

it('a worker opens a sweep with running jobs if no sweep has waiting jobs', async () => {
  const { opened } = await served({ one: signed('one') }, { one: 1 }, 5, 'active');
  expect(opened).toEqual([['one', 0]]);
  expect((await served({ one: signed('one') }, {}, 5)).opened).toEqual([]);
});

it('a worker reports a refused announcement with waiting jobs once a minute', async () => {
  const { opened, notes } = await served({ bad: 'x' }, { bad: 1 }, 59);
  expect(opened).toEqual([]);
  expect(notes).toEqual(['Not taking part in the sweep bad: it is not signed.']);
});

it('a worker looks for sweeps once a second', async () => {
  const { commands } = await served({}, {}, 10.5);
  expect(commands.filter(([name]) => name === 'zscan')).toHaveLength(11);
});
