import { describe, expect, it } from 'vitest';
import { type Clock, Limiter } from './limiter.ts';

/** Simulated clock. Time advances only when `sleep` is called, by the requested milliseconds. */
function clock(): Clock & { time: number } {
  const fake = {
    time: 0,
    now: () => fake.time,
    sleep: (milliseconds: number) => {
      fake.time += milliseconds;
      return Promise.resolve();
    },
  };
  return fake;
}

async function startTimes(limiter: Limiter, time: Clock, tokens: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  for (const one of tokens) {
    await limiter.run(one, async () => {
      times.push(time.now());
      return { result: undefined, tokens: undefined };
    });
  }
  return times;
}

describe('Limiter', () => {
  it('limits requests per minute', async () => {
    const time = clock();
    const limiter = new Limiter({ requestsPerMinute: 2 }, time);
    expect(await startTimes(limiter, time, [1, 1, 1, 1, 1])).toEqual([0, 0, 60_000, 60_000, 120_000]);
  });

  it('limits tokens per minute, and sends a single request that exceeds the limit', async () => {
    const time = clock();
    const limiter = new Limiter({ tokensPerMinute: 100 }, time);
    expect(await startTimes(limiter, time, [60, 40, 10, 500])).toEqual([0, 0, 60_000, 120_000]);
  });

  it('delays all requests when a server requests a pause', async () => {
    const time = clock();
    const limiter = new Limiter({}, time);
    limiter.pause(500);
    expect(await startTimes(limiter, time, [1, 1])).toEqual([500, 500]);
  });

  it('limits concurrent requests', async () => {
    const limiter = new Limiter({ concurrency: 2 });
    let active = 0;
    let most = 0;
    const work = async () => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setTimeout(resolve, 2));
      active -= 1;
      return { result: undefined, tokens: undefined };
    };
    await Promise.all(Array.from({ length: 8 }, () => limiter.run(1, work)));
    expect(most).toBe(2);
  });

  it('uses the stricter of two limits', async () => {
    const time = clock();
    const limiter = new Limiter({ requestsPerMinute: 10 }, time);
    limiter.tighten({ requestsPerMinute: 1 });
    expect(await startTimes(limiter, time, [1, 1])).toEqual([0, 60_000]);
  });
});
