import { describe, expect, it } from 'vitest';
import { type Command, fakeRedis } from '../../../test/support/fake-redis.ts';
import { SWEEPS, typesOfKeys } from './announced-sweeps.ts';
import {
  checkKeys,
  explained,
  isRefusedCommand,
  JobOutcomes,
  pause,
  readRefusals,
  reportRefusal,
} from './job-outcomes.ts';
import { Backlog, type QueueTrial } from './jobs.ts';
import { signerOf, WRITER } from './messages.ts';

const signer = signerOf('secret');
const PLAN = 'a'.repeat(64);
const trial = (id: string): QueueTrial => ({ id, input: `input of ${id}` });
const byId = (...ids: string[]) => new Map(ids.map((id) => [id, trial(id)]));
const RESULT = { result: 5, isDoubtful: false };

interface Finished {
  readonly outcomes?: readonly object[];
  readonly failedReason?: string;
  readonly id?: string;
  readonly value?: unknown;
}
function jobOf({ outcomes = [], failedReason, id = 'j1', value }: Finished) {
  const document = { ...WRITER, sweep: 's', batch: 'j1', worker: 'w', outcomes };
  return {
    ...{ id, finishedOn: 7, data: {}, returnvalue: value ?? signer.sign('result', document) },
    ...(failedReason === undefined ? {} : { failedReason }),
  } as never;
}
/** Returns a function that reads finished jobs: it returns final outcomes and the trials that run again. */
function reader(retries = 1) {
  const told: string[] = [];
  const outcomes = new JobOutcomes(signer, { sweep: 's', plan: PLAN }, retries, (text) => told.push(text));
  return {
    told,
    read(finished: Finished, open: ReturnType<typeof byId> | undefined, left = byId('a', 'b', 'c')) {
      const backlog = new Backlog([]);
      const { final, result } = outcomes.read(jobOf(finished), open, backlog, left);
      const again: string[][] = [];
      while (!backlog.isEmpty) again.push(backlog.take(9).map(({ id }) => id));
      return { final, again, hasResult: result !== undefined };
    },
  };
}

describe('a finished job', () => {
  it('has a final outcome for each trial with a result, and its other trials run again', () => {
    const outcomes = [
      { id: 'a', ...RESULT },
      { id: 'x', ...RESULT },
    ];
    expect(reader().read({ outcomes }, byId('a', 'b', 'c'))).toEqual({
      ...{ final: [{ id: 'a', result: 5 }], again: [['b', 'c']], hasResult: true },
    });
    expect(reader().read({ outcomes }, byId('a', 'b'), byId('b'))).toEqual({
      ...{ final: [], again: [['b']], hasResult: true },
    });
    const twice = [
      { id: 'a', ...RESULT },
      { id: 'a', ...RESULT, result: 6 },
    ];
    expect(reader().read({ outcomes: twice }, byId('a')).final).toEqual([{ id: 'a', result: 5 }]);
  });

  it('runs a lost or doubtful trial again in a separate job, up to the number of retries', () => {
    for (const [outcome, final] of [
      [
        { id: 'a', lost: 'gone' },
        { id: 'a', lost: 'gone' },
      ],
      [
        { id: 'a', result: 9, isDoubtful: true },
        { id: 'a', result: 9 },
      ],
    ] as const) {
      const { read } = reader(2);
      for (const _ of [1, 2])
        expect(read({ outcomes: [outcome] }, byId('a'))).toMatchObject({ final: [], again: [['a']] });
      expect(read({ outcomes: [outcome] }, byId('a'))).toMatchObject({ final: [final], again: [] });
    }
    const lost = [{ id: 'a', lost: 'gone' }];
    expect(reader(0).read({ outcomes: lost }, byId('a')).final).toEqual([{ id: 'a', lost: 'gone' }]);
  });

  it('that was lost runs each of its trials again in a separate job', () => {
    const { read } = reader(1);
    const stalled = { failedReason: 'job stalled more than allowable limit' };
    expect(read(stalled, byId('a', 'b'))).toEqual({ final: [], again: [['a'], ['b']], hasResult: false });
    expect(read(stalled, byId('a'))).toMatchObject({ final: [], again: [['a']] });
    expect(read(stalled, byId('a')).final).toEqual([{ id: 'a', lost: 'the strategy ended its thread' }]);
    expect(reader(0).read({ failedReason: 'no memory' }, byId('a')).final).toEqual([
      { id: 'a', lost: 'its worker failed: no memory' },
    ]);
  });

  it('with an invalid result is reported, and its trial is lost if no retries remain', () => {
    const { read, told } = reader(0);
    const outcome = read({ value: 'unsigned', failedReason: '' }, byId('a'));
    expect(outcome.final).toEqual([{ id: 'a', lost: 'its result was refused: it is not signed' }]);
    expect(told).toEqual(['The result of job j1 (finished 7) is refused: it is not signed.']);
  });

  it('that another client queued is reported and ignored', () => {
    const { read, told } = reader();
    expect(read({ id: 'x' }, undefined)).toEqual({ final: [], again: [], hasResult: false });
    expect(told).toEqual(['Job x was not queued by this sweep and is ignored.']);
    const late = reader();
    const data = signer.sign('job', { ...WRITER, sweep: 's', plan: PLAN, batch: 'j1', trials: [trial('a')] });
    const outcomes = new JobOutcomes(signer, { sweep: 's', plan: PLAN }, 1, (text) => late.told.push(text));
    expect(outcomes.read({ id: 'j1', data } as never, undefined, new Backlog([]), byId('a'))).toEqual({
      final: [],
    });
    expect(late.told).toEqual([]);
  });
});

describe('the keys of a sweep', () => {
  const typed = (wrong: Readonly<Record<string, string>>) => ({
    answer: ([name, key]: Command) => (name === 'type' ? (wrong[String(key)] ?? 'none') : null),
  });

  it('must have the expected Redis types', async () => {
    const right = Object.fromEntries([[SWEEPS, 'zset'], ...typesOfKeys('s')]);
    await checkKeys(fakeRedis(typed(right).answer).connection, 's');
    await checkKeys(fakeRedis(typed({}).answer).connection, 's');
    const { connection } = fakeRedis(typed({ ...right, [SWEEPS]: 'string' }).answer);
    await expect(checkKeys(connection, 's')).rejects.toMatchObject({
      ...{ code: 'queue_damaged', kind: 'run' },
      message: `The queue redis://own cannot be used: the key ${SWEEPS} has the Redis type string. Sandtable expects zset.`,
    });
  });

  it('are checked to explain a refused command', async () => {
    const refused = Object.assign(new Error(`WRONG ${'x'.repeat(400)}`), { name: 'ReplyError' });
    const other = new Error('other');
    expect([isRefusedCommand(refused), isRefusedCommand(other), isRefusedCommand('ReplyError')]).toEqual([
      true,
      false,
      false,
    ]);
    const { connection } = fakeRedis(typed({}).answer);
    expect(await explained(connection, 's', other)).toBe(other);
    const error = await explained(connection, 's', refused);
    expect(error).toMatchObject({ code: 'queue_refused', kind: 'run' });
    expect((error as Error).message).toContain(`refused a command: WRONG ${'x'.repeat(294)}`);
    expect((error as Error).message).not.toContain('x'.repeat(295));
    const damaged = fakeRedis(typed({ [SWEEPS]: 'hash' }).answer);
    expect(await explained(damaged.connection, 's', refused)).toMatchObject({ code: 'queue_damaged' });
  });
});

describe('refusals of workers', () => {
  it('are stored for seven days, with at most 500 characters', async () => {
    const { connection, commands } = fakeRedis();
    await reportRefusal(connection, 'w', 's', 'x'.repeat(501));
    expect(commands).toEqual([
      ['hset', 'sandtable:{s}:refusals', 'w', 'x'.repeat(500)],
      ['expire', 'sandtable:{s}:refusals', 604_800],
    ]);
  });

  it('are shown for at most twenty workers', async () => {
    const refusals = Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [
        `${String(at).padStart(2, '0')}${'n'.repeat(99)}`,
        'y'.repeat(501),
      ]),
    );
    const shown = await readRefusals(fakeRedis(() => refusals).connection, 's');
    expect(shown).toHaveLength(20);
    expect(shown[0]).toBe(`The worker 00${'n'.repeat(98)} does not take part: ${'y'.repeat(500)}`);
  });
});

it('a pause ends after its time, or when it is aborted', async () => {
  const stop = new AbortController();
  await expect(pause(1, undefined)).resolves.toBeUndefined();
  await expect(pause(1, stop.signal)).resolves.toBeUndefined();
  const paused = pause(60_000, stop.signal);
  stop.abort();
  await expect(paused).resolves.toBeUndefined();
});
