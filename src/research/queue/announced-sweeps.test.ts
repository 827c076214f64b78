import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Command, fakeRedis } from '../../../test/support/fake-redis.ts';
import {
  AnnouncedSweeps,
  announce,
  announcementOf,
  jobKey,
  KEPT_SECONDS,
  lastingNames,
  openRequestsOf,
  refusalsOf,
  removeLeftSettings,
  SWEEPS,
  spentOf,
} from './announced-sweeps.ts';
import { signerOf, WRITER } from './messages.ts';

const signer = signerOf('secret');
const announcement = (sweep: string) => ({
  ...{ sweep, plan: 'a'.repeat(64), lockSeconds: 30, trialSeconds: null, rate: null, budget: null },
});
const signed = (sweep: string, other = sweep): [string, string] => [
  sweep,
  JSON.stringify(signer.sign('sweep', { ...WRITER, ...announcement(other) })),
];
const NOW = Date.UTC(2026, 0, 5);
afterEach(() => vi.useRealTimers());

/** Simulates a Redis with announcements by the name of the sweep. Each scan returns one page of names. */
function server(announced: Map<string, string>, page = 1_000) {
  return fakeRedis(([name, key, value, end]: Command) => {
    if (name === 'zscan') {
      const from = Number(value);
      const names = [...announced.keys()].slice(from, from + page);
      const next = from + page >= announced.size ? '0' : String(from + page);
      return [next, names.flatMap((one) => [one, '1'])];
    }
    if (name === 'zscore') return announced.has(String(value)) ? '1' : null;
    if (name !== 'getrange') return null;
    const sweep = /\{(.*)\}/.exec(String(key))?.[1] ?? '';
    return announced.get(sweep)?.slice(0, Number(end) + 1) ?? '';
  });
}
const namesOf = (found: readonly { readonly sweep: string }[]) => found.map(({ sweep }) => sweep);

describe('announced sweeps', () => {
  it('are listed with valid announcements first, then refused entries', async () => {
    const text = (length: number) => 'x'.repeat(length);
    const announced = new Map([
      ['bad', 'x'],
      signed('one'),
      signed('two', 'other'),
      ['empty', ''],
      signed('three'),
    ]);
    announced.set(text(201), 'x');
    const { connection, commands } = server(announced);
    vi.useFakeTimers({ now: NOW + 999, toFake: ['Date'] });
    const found = await new AnnouncedSweeps(connection, signer).look();
    expect(commands[0]).toEqual(['zremrangebyscore', SWEEPS, '-inf', NOW / 1_000]);
    expect(namesOf(found)).toEqual(['one', 'three', 'bad', 'two']);
    expect(found[0]).toEqual({
      ...{ sweep: 'one', signed: announced.get('one'), announcement: { ...WRITER, ...announcement('one') } },
    });
    expect(found[2]).toMatchObject({ sweep: 'bad', refused: 'it is not signed.' });
    expect(found[3]).toMatchObject({ sweep: 'two', refused: 'it was announced under another name.' });
  });

  it('are listed with twenty refused entries at a time, in rotation', async () => {
    const names = Array.from({ length: 45 }, (_, at) => `bad${at}`);
    const sweeps = new AnnouncedSweeps(server(new Map(names.map((name) => [name, 'x']))).connection, signer);
    const looks = [];
    for (let look = 0; look < 4; look++) looks.push(namesOf(await sweeps.look()));
    expect(looks).toEqual([names.slice(0, 20), names.slice(20, 40), names.slice(40), names.slice(0, 20)]);
  });

  it('are listed with all refused entries each time if there are exactly twenty', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `bad${at}`);
    const sweeps = new AnnouncedSweeps(server(new Map(names.map((name) => [name, 'x']))).connection, signer);
    for (let look = 0; look < 3; look++) expect(namesOf(await sweeps.look())).toEqual(names);
  });

  it('are read 2,000 at a time, and known sweeps are read each time', async () => {
    const many = Array.from({ length: 5_000 }, (_, at): [string, string] => [`n${at}`, '']);
    const announced = new Map([signed('first'), ...many, signed('last')]);
    const { connection, commands } = server(announced, 500);
    const sweeps = new AnnouncedSweeps(connection, signer);
    const scans: number[] = [];
    const found: string[][] = [];
    for (let look = 0; look < 3; look++) {
      const before = commands.filter(([name]) => name === 'zscan').length;
      found.push(namesOf(await sweeps.look()));
      scans.push(commands.filter(([name]) => name === 'zscan').length - before);
    }
    expect(found).toEqual([['first'], ['first'], ['first', 'last']]);
    expect(scans).toEqual([4, 4, 3]);
  });

  it('are listed as refused if a known announcement becomes invalid', async () => {
    const announced = new Map([signed('one'), signed('two')]);
    const sweeps = new AnnouncedSweeps(server(announced).connection, signer);
    expect(namesOf(await sweeps.look())).toEqual(['one', 'two']);
    announced.set('two', 'x');
    announced.delete('one');
    const [found] = await sweeps.look();
    expect(found).toMatchObject({ sweep: 'two', refused: 'it is not signed.' });
  });

  it('are refused if their announcement is longer than 65,537 bytes', async () => {
    const [, text] = signed('one');
    const padded = (length: number) =>
      new Map([['one', `${text.slice(0, -1)}${' '.repeat(length - text.length)}}`]]);
    const found = async (length: number) =>
      (await new AnnouncedSweeps(server(padded(length)).connection, signer).look())[0];
    // GETRANGE includes its end position, so it returns one byte more than 65,536.
    expect(await found(65_537)).toHaveProperty('announcement');
    expect(await found(65_538)).toHaveProperty('refused');
  });
});

it('an announcement is signed, expires after seven days and renews the keys of the sweep', async () => {
  const { connection, commands } = fakeRedis();
  vi.useFakeTimers({ now: NOW + 999, toFake: ['Date'] });
  await announce(connection, signer, announcement('s'));
  const week = 604_800;
  expect(KEPT_SECONDS).toBe(week);
  const [set, ...others] = commands;
  expect(set!.slice(0, 2)).toEqual(['set', 'sandtable:{s}:sweep']);
  expect(signer.open('sweep', JSON.parse(String(set![2])))).toEqual({
    document: { ...WRITER, ...announcement('s') },
  });
  expect(set!.slice(3)).toEqual(['EX', week]);
  expect(others.slice(0, 3)).toEqual([
    ['zadd', SWEEPS, NOW / 1_000 + week, 's'],
    ['expire', SWEEPS, week],
    ['hset', 'sandtable:{s}:trials:meta', 'opts.maxLenEvents', 10],
  ]);
  expect(others.slice(3)).toEqual(lastingNames('s').map((name) => ['expire', name, week]));
});

it('the settings of a queue are removed if its sweep has ended', async () => {
  const ended = fakeRedis(([name]) => (name === 'exists' ? 0 : null));
  await removeLeftSettings(ended.connection, 's');
  expect(ended.commands).toEqual([
    ['exists', announcementOf('s')],
    ['del', 'sandtable:{s}:trials:meta'],
  ]);
  const running = fakeRedis(() => 1);
  await removeLeftSettings(running.connection, 's');
  expect(running.commands).toHaveLength(1);
});

it('the Redis keys of a sweep contain its name in braces', () => {
  expect([refusalsOf('s'), spentOf('s'), openRequestsOf('s'), jobKey('s', 'j')]).toEqual([
    ...['sandtable:{s}:refusals', 'sandtable:{s}:spent', 'sandtable:{s}:requests', 'sandtable:{s}:trials:j'],
  ]);
});
