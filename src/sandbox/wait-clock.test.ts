import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SandboxChild } from './child-process.ts';
import type { PythonRuntime } from './provision/index.ts';
import { Sandbox } from './sandbox.ts';
import { WaitClock } from './workers.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

const after = (ms: number, fails = false): Promise<void> =>
  new Promise((resolve, reject) => setTimeout(() => (fails ? reject(new Error('no')) : resolve()), ms));

test('a wait counts while it is in progress, and concurrent waits count once', async () => {
  const clock = new WaitClock();
  const both = [clock.during(after(100)), clock.during(after(300))];
  await vi.advanceTimersByTimeAsync(200);
  expect(clock.ms).toBe(200);
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(both);
  expect(clock.ms).toBe(300);
});

test('a failed wait counts, and time after it does not', async () => {
  const clock = new WaitClock();
  const failing = expect(clock.during(after(50, true))).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(500);
  await failing;
  expect(clock.ms).toBe(50);
});

test('a sandbox reports how long its calls waited for a child, without their duration', async () => {
  const child = {
    alive: true,
    call: async () => {
      await after(40);
      return { kind: 'reply', body: '{"ok":true,"result":1}' };
    },
    kill: () => undefined,
  };
  const start = vi.spyOn(SandboxChild, 'start').mockImplementation(async () => {
    await after(90_000);
    return child as Partial<SandboxChild> as SandboxChild;
  });
  const sandbox = new Sandbox({ runtime: {} as PythonRuntime, spares: 0 });
  const call = { operation: 'evaluate_python', request: {}, bar: 0, time: 0, windows: [] };
  const first = sandbox.call(call);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sandbox.waitedMs).toBe(30_000);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await first).toEqual({ ok: true, result: 1 });
  expect(sandbox.waitedMs).toBe(90_000);
  const second = sandbox.call(call);
  await vi.advanceTimersByTimeAsync(1_000);
  await second;
  expect(sandbox.waitedMs).toBe(90_000);
  expect(start).toHaveBeenCalledOnce();
  start.mockRestore();
  await sandbox.close();
});
