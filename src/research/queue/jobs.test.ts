import { describe, expect, it } from 'vitest';
import { fakeRedis } from '../../../test/support/fake-redis.ts';
import { addJobs, BatchSize, removeJob } from './jobs.ts';
import { signerOf, WRITER } from './messages.ts';

const signer = signerOf('secret');

it('jobs are signed, remain in the queue, and expire after seven days', async () => {
  const { connection, commands } = fakeRedis();
  const added: { name: string; data: unknown; opts: object }[] = [];
  const queue = { addBulk: async (jobs: typeof added) => void added.push(...jobs) };
  const plan = 'a'.repeat(64);
  const jobs = ['j1', 'j2'].map((id) => ({ id, trials: [{ id: `t${id}`, input: 1 }] }));
  await addJobs(queue as never, connection, signer, { sweep: 's', plan }, jobs);
  expect(added.map(({ name, opts }) => [name, opts])).toEqual(
    jobs.map(({ id }) => ['trials', { jobId: id, removeOnComplete: false, removeOnFail: false }]),
  );
  for (const [at, { data }] of added.entries())
    expect(signer.open('job', data)).toEqual({
      document: { ...WRITER, sweep: 's', plan, batch: jobs[at]!.id, trials: jobs[at]!.trials },
    });
  expect(commands).toEqual(['j1', 'j2'].map((id) => ['expire', `sandtable:{s}:trials:${id}`, 604_800]));
});

describe('the removal of a job', () => {
  const removed = async (job?: { remove(): Promise<void> }) => {
    const { connection, commands } = fakeRedis();
    await removeJob(connection, 's', 'j', job as never);
    return commands;
  };

  it('uses BullMQ, or deletes all keys of the job if BullMQ cannot remove it', async () => {
    expect(await removed({ remove: () => Promise.resolve() })).toEqual([]);
    const prefix = 'sandtable:{s}:trials';
    const keys = [
      ['lrem', `${prefix}:active`, 0, 'j'],
      ['srem', `${prefix}:stalled`, 'j'],
      ['zrem', `${prefix}:completed`, 'j'],
      ['zrem', `${prefix}:failed`, 'j'],
      ['del', `${prefix}:j`, `${prefix}:j:lock`],
    ];
    expect(await removed({ remove: () => Promise.reject(new Error('locked')) })).toEqual(keys);
    expect(await removed()).toEqual(keys);
  });
});

describe('the number of trials per job', () => {
  const sizeAfter = (trials: number, milliseconds: number, left: number): number => {
    const size = new BatchSize();
    size.learn(trials, milliseconds);
    return size.next(left);
  };

  it('is rounded down, at least one, and limited by the number of remaining trials', () => {
    expect(sizeAfter(1, 30, 100_000)).toBe(16);
    expect(sizeAfter(4, 120, 100_000)).toBe(16);
    expect(sizeAfter(1, 499, 100_000)).toBe(1);
    expect(sizeAfter(1, 501, 100_000)).toBe(1);
    expect(sizeAfter(1, 1, 640)).toBe(10);
    expect(sizeAfter(1, 1, 575)).toBe(8);
    expect(sizeAfter(1, 1, 576)).toBe(9);
    expect(sizeAfter(1, 1, 1)).toBe(8);
    expect([new BatchSize().next(1), new BatchSize().next(100_000)]).toEqual([8, 8]);
    expect(sizeAfter(1, 0, 100_000)).toBe(100);
  });
});
