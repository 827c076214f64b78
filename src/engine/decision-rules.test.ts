import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline, neverSettles, ordersOf, placeIn, strategyUncaught } from './decision.ts';

describe('the orders of a decision', () => {
  it('may be up to 100,000, and are returned unchanged', () => {
    const orders = new Array(100_000).fill({ action: 'buy', quantity: 1 });
    expect(ordersOf({ orders }, 0)).toBe(orders);
    expect(() => ordersOf({ orders: [...orders, orders[0]] }, 7)).toThrow(
      'The decision at bar 7 has 100001 orders. At most 100000 are allowed.',
    );
    expect(ordersOf({}, 0)).toEqual([]);
    expect(ordersOf(null, 0)).toEqual([]);
  });
});

describe('the timeout of a decision', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const endless = new Promise<void>(() => undefined);
  /** Waits for a decision that never ends. The returned object receives the error of the deadline. */
  function watched(deadline: Deadline, bar = 3): { error?: unknown } {
    const seen: { error?: unknown } = {};
    deadline.wait(endless, bar).catch((error: unknown) => {
      seen.error = error;
    });
    return seen;
  }

  it('expires after exactly its length', async () => {
    for (const seconds of [0.05, 0.1, 1, 10]) {
      const deadline = new Deadline(seconds);
      const seen = watched(deadline);
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(seen.error).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(String(seen.error)).toContain(`The decision at bar 3 exceeded the timeout of ${seconds} s.`);
      deadline.release();
    }
  });

  it('is checked every second if it is long, and every 10 ms if it is short', async () => {
    for (const [seconds, end] of [
      [12.5, 13_000],
      [0.055, 60],
    ] as const) {
      const deadline = new Deadline(seconds);
      const seen = watched(deadline);
      await vi.advanceTimersByTimeAsync(end - 1);
      expect(seen.error).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(seen.error).toMatchObject({ code: 'decision_timeout' });
      deadline.release();
    }
  });

  it('excludes the time that the decision waits outside the decider', async () => {
    let waited = 700;
    const deadline = new Deadline(1, () => waited);
    const seen = watched(deadline);
    waited += 500;
    await vi.advanceTimersByTimeAsync(1_499);
    expect(seen.error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.error).toMatchObject({ code: 'decision_timeout' });
    deadline.release();
  });

  it('starts again with each decision', async () => {
    const deadline = new Deadline(1);
    expect(await deadline.wait(Promise.resolve(5), 0)).toBe(5);
    await expect(deadline.wait(Promise.reject(new Error('no')), 1)).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(900);
    const seen = watched(deadline, 2);
    await vi.advanceTimersByTimeAsync(900);
    expect(seen.error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(String(seen.error)).toContain('The decision at bar 2');
    deadline.release();
  });

  it('has one timer and one listener, which are removed at the end', async () => {
    const listeners = process.listenerCount('beforeExit');
    const deadline = new Deadline(1);
    deadline.release();
    expect(vi.getTimerCount()).toBe(0);
    await deadline.wait(Promise.resolve(), 0);
    const seen = watched(deadline, 4);
    expect(vi.getTimerCount()).toBe(1);
    expect(process.listenerCount('beforeExit')).toBe(listeners + 1);
    process.emit('beforeExit', 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.error).toEqual(neverSettles(4));
    deadline.release();
    expect(vi.getTimerCount()).toBe(0);
    expect(process.listenerCount('beforeExit')).toBe(listeners);
  });
});

describe('the place of an error in a strategy', () => {
  const errorWith = (...frames: readonly string[]): Error =>
    Object.assign(new Error('no'), { stack: ['Error: no', ...frames].join('\n') });

  it('is the first stack frame with a line in its file', () => {
    const frames = ['    at mine.ts without a line', '    at onBar (/x/mine.ts:12:5)', '    at mine.ts:9:1'];
    expect(placeIn(errorWith(...frames), '/home/mine.ts')).toBe(' (/home/mine.ts:12)');
    expect(placeIn(errorWith('    at file:///x/mine.ts:7:1  '), 'C:\\work\\mine.ts')).toBe(
      ' (C:\\work\\mine.ts:7)',
    );
  });

  it('is empty without a stack', () => {
    expect(placeIn(Object.assign(new Error('no'), { stack: 5 }), 'mine.ts')).toBe('');
    expect(placeIn({ stack: 'at mine.ts:1:1' }, 'mine.ts')).toBe('');
  });

  it('is part of the message for an uncaught error, with the bar after the first decision', () => {
    const error = errorWith('    at onBar (/x/mine.ts:12:5)');
    expect(strategyUncaught('mine.ts', error, undefined).message).toBe(
      'Uncaught error in mine.ts: no (mine.ts:12)',
    );
    expect(strategyUncaught('mine.ts', error, 0).message).toBe(
      'Uncaught error in mine.ts: no (mine.ts:12), noticed at bar 0',
    );
  });
});
