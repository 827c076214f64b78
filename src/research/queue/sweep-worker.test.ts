import type { Job } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Command, fakeRedis } from '../../../test/support/fake-redis.ts';
import { readJobs } from './jobs.ts';
import { recoverJobs } from './lost-jobs.ts';
import { signerOf, WRITER } from './messages.ts';
import { SweepWorker, type TrialRun, WORKER_NAME } from './sweep-worker.ts';

interface Made {
  readonly name: string;
  readonly work: (job: Job) => Promise<unknown>;
  readonly options: Record<string, unknown>;
  readonly closed: unknown[];
}
const made = vi.hoisted((): Made[] => []);
/** Jobs of the simulated queue by id: a job, an error, or nothing. */
const stored = vi.hoisted(() => new Map<string, unknown>());
vi.mock('bullmq', () => ({
  Worker: class {
    readonly #made: Made;
    constructor(name: string, work: Made['work'], options: Made['options']) {
      this.#made = { name, work, options, closed: [] };
      made.push(this.#made);
    }
    on(): void {}
    async close(now: unknown): Promise<void> {
      this.#made.closed.push(now);
    }
  },
  Job: {
    async fromId(_: unknown, id: string): Promise<unknown> {
      const found = stored.get(id);
      if (found instanceof Error) throw found;
      return found;
    },
  },
}));
beforeEach(() => {
  made.length = 0;
  stored.clear();
});
afterEach(() => vi.useRealTimers());

const signer = signerOf('secret');
const PLAN = 'a'.repeat(64);
const trials = (...ids: string[]) => ids.map((id) => ({ id, input: `input ${id}` }));
const jobOf = (id: string, own: readonly object[], sweep = 's'): Job =>
  ({ id, data: signer.sign('job', { ...WRITER, sweep, plan: PLAN, batch: id, trials: own }) }) as never;

interface Given {
  readonly run?: (id: string) => Promise<TrialRun> | TrialRun;
  readonly announcement?: object;
  readonly answer?: (command: Command) => unknown;
  readonly status?: string;
}
async function started({ run, announcement, answer, status = 'ready' }: Given = {}) {
  const { connection, commands } = fakeRedis(answer);
  const notes: string[] = [];
  const stop = new AbortController();
  let closes = 0;
  const { redis } = connection as { redis: object };
  const withStatus = new Proxy(redis, {
    get: (target, name) => (name === 'status' ? status : Reflect.get(target, name)),
  });
  const worker = await SweepWorker.start(
    {
      ...{ ...WRITER, sweep: 's', plan: PLAN, lockSeconds: 30, trialSeconds: null, rate: null, budget: null },
      ...announcement,
    },
    { redis: withStatus, shown: 'own' } as never,
    signer,
    {
      run: async ({ id }) => run?.(id) ?? { result: `result ${id}`, isDoubtful: false },
      close: async () => void closes++,
    },
    { jobs: 3, note: (text) => notes.push(text), signal: stop.signal },
  );
  const work = async (job: Job) => {
    const opened = signer.open('result', await made[0]!.work(job));
    return 'document' in opened ? opened.document : opened;
  };
  return { worker, work, notes, stop, commands, closes: () => closes };
}
const result = (id: string, own: object = {}) => ({ id, result: `result ${id}`, isDoubtful: false, ...own });

describe('the worker of a sweep', () => {
  it('uses the lock, the rate and the number of parallel trials of the sweep', async () => {
    await started({ announcement: { lockSeconds: 12, rate: { trials: 5, seconds: 60 } } });
    expect(made[0]).toMatchObject({
      name: 'trials',
      options: {
        ...{ prefix: 'sandtable:{s}', concurrency: 3, lockDuration: 12_000, stalledInterval: 12_000 },
        ...{ maxStalledCount: 0, drainDelay: 1, runRetryDelay: 1_000, skipVersionCheck: true },
        limiter: { max: 5, duration: 60_000 },
      },
    });
    await started();
    expect(made[1]!.options).not.toHaveProperty('limiter');
  });

  it('returns a signed outcome of each trial', async () => {
    const { work, worker } = await started({
      run: (id) => {
        if (id === 'b') throw new Error('gone');
        return { result: `result ${id}`, isDoubtful: id === 'c' };
      },
    });
    expect(await work(jobOf('j', trials('a', 'b', 'c')))).toEqual({
      ...{ ...WRITER, sweep: 's', batch: 'j', worker: WORKER_NAME },
      outcomes: [result('a'), { id: 'b', lost: 'gone' }, result('c', { isDoubtful: true })],
    });
    expect(worker.trials).toBe(3);
  });

  it('refuses the job of another sweep', async () => {
    const { work, notes, worker } = await started();
    await expect(work(jobOf('j', trials('a'), 'other'))).rejects.toThrow(
      'refused: it belongs to another sweep or job',
    );
    expect(notes).toEqual(['Refused the job j of the sweep s: it belongs to another sweep or job.']);
    expect(worker.trials).toBe(0);
  });

  it('reports a trial that exceeds its timeout as lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { work } = await started({
      announcement: { trialSeconds: 2 },
      run: () => new Promise(() => undefined),
    });
    const working = work(jobOf('j', trials('a')));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await working).toMatchObject({ outcomes: [{ id: 'a', lost: 'it took longer than 2 s' }] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts no further trial when it is stopped', async () => {
    const { work, stop, worker } = await started({
      run: (id) => {
        stop.abort();
        return { result: `result ${id}`, isDoubtful: false };
      },
    });
    expect(await work(jobOf('j', trials('a', 'b')))).toMatchObject({ outcomes: [result('a')] });
    expect(worker.trials).toBe(1);
  });

  it('stops at the end of the shared budget, and reports the usage', async () => {
    const spent = { calls: '2', tokens: '0', usd: '0' };
    const answer = ([name]: Command) => (name === 'hgetall' ? spent : null);
    const budget = { announcement: { budget: { calls: 3 } }, answer };
    const { work } = await started(budget);
    const usage = { calls: 2, tokens: 0, usd: 0 };
    expect(await work(jobOf('j', trials('a')))).toMatchObject({
      outcomes: [result('a')],
      isOutOfBudget: false,
      spent: usage,
    });
    spent.calls = '3';
    expect(await work(jobOf('j', trials('a')))).toMatchObject({
      outcomes: [],
      isOutOfBudget: true,
      spent: { calls: 3 },
    });
    spent.calls = '2';
    const out = await started({
      ...budget,
      run: () => ({ result: 1, isDoubtful: false, isOutOfBudget: true }),
    });
    const last = signer.open('result', await made[1]!.work(jobOf('j', trials('a', 'b'))));
    expect(last).toMatchObject({ document: { outcomes: [], isOutOfBudget: true } });
    expect(out.worker.trials).toBe(0);
  });

  it('counts its idle time from the end of its last job', async () => {
    vi.useFakeTimers({ now: 1_000, toFake: ['Date'] });
    const seen: number[] = [];
    const { work, worker } = await started({
      run: () => {
        vi.setSystemTime(9_000);
        seen.push(worker.idle);
        return { result: 1, isDoubtful: false };
      },
    });
    vi.setSystemTime(4_000);
    expect(worker.idle).toBe(3_000);
    await work(jobOf('j', trials('a')));
    vi.setSystemTime(9_500);
    expect([seen, worker.idle]).toEqual([[0], 500]);
  });

  it('closes its sweep, and removes the settings of an ended sweep only if Redis is reachable', async () => {
    const here = await started({ answer: () => 0 });
    await here.worker.close();
    expect([made[0]!.closed, here.closes()]).toEqual([[false], 1]);
    expect(here.commands.map(([name]) => name)).toEqual(['exists', 'del']);
    const away = await started({ status: 'reconnecting' });
    await away.worker.close();
    expect([made[1]!.closed, away.closes(), away.commands]).toEqual([[true], 1, []]);
  });
});

describe('the jobs of a queue', () => {
  /** Simulates a queue whose first list of ids is `ids`, and whose later lists are `still`. */
  const queueOf = (ids: readonly string[], still: readonly string[] = ids) => {
    const lists = [ids];
    return { getRanges: async () => [...(lists.shift() ?? still)] } as never;
  };

  it('are read in order, and invalid entries are listed with their problem', async () => {
    for (const id of ['c', 'a', 'b']) stored.set(id, jobOf(id, trials(id)));
    stored.set('other', jobOf('x', trials('x')));
    stored.set('broken', new Error('not JSON'));
    const ids = ['b', 'other', 'gone', 'c', 'broken', 'removed', 'a'];
    const { jobs, damaged } = await readJobs(queueOf(ids, ['gone']), ['wait'], -1);
    expect(jobs.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect([...damaged].sort((one, two) => (one.id < two.id ? -1 : 1))).toEqual([
      { id: 'broken', problem: 'not JSON' },
      { id: 'gone', problem: 'its job is missing' },
      { id: 'other', problem: 'it has the name of another job' },
    ]);
  });

  it('of an earlier coordinator contain each remaining trial once', async () => {
    stored.set('j1', jobOf('j1', trials('a', 'b')));
    stored.set('j2', jobOf('j2', [...trials('b', 'c', 'done'), { id: 'd', input: 'changed' }]));
    stored.set('j3', jobOf('j3', trials('e'), 'other'));
    const left = new Map(trials('a', 'b', 'c', 'd', 'e').map((one) => [one.id, one]));
    const found = await recoverJobs(queueOf(['j1', 'j2', 'j3']), signer, { sweep: 's', plan: PLAN }, left);
    expect([...found].map(([id, own]) => [id, [...own.values()]])).toEqual([
      ['j1', trials('a', 'b')],
      ['j2', trials('c')],
    ]);
  });
});
