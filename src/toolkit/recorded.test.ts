import { describe, expect, it } from 'vitest';
import { fakeSandbox, worldAt } from '../../test/support/toolkit-world.ts';
import type { Json } from '../engine/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import { createToolkit } from './toolkit.ts';

const TIMED_OUT = { error: 'TimeoutError: computation timed out after 500 ms.', remediation: 'Do less.' };

/**
 * Creates a toolkit that repeats a recorded run, and a function that calls `compute`.
 *
 * @param now replies that Python gives now, one per call. The last one is repeated
 * @param recorded recorded result of the first call
 */
function again(now: readonly ('late' | number)[], recorded: Json, budget = 1) {
  const { world, events } = worldAt(30);
  let asked = 0;
  const { sandbox } = fakeSandbox((): SandboxReply => {
    const reply = now[Math.min(asked, now.length - 1)]!;
    asked += 1;
    return reply === 'late' ? { ok: false, kind: 'TimeoutError', ...TIMED_OUT } : { ok: true, result: reply };
  });
  const toolkit = createToolkit({
    sandbox,
    budgets: { compute: budget },
    recorded: (sequence) => (sequence === 1 ? { name: 'compute', result: recorded } : undefined),
  });
  const call = () => toolkit.call('compute', { code: '1' }, world.turn);
  return { call, events, asked: () => asked };
}

describe('a repeated call of a recorded run', () => {
  it('times out if it timed out in the recording', async () => {
    const { call, events, asked } = again([7], TIMED_OUT);
    expect(await call()).toEqual(TIMED_OUT);
    expect(asked()).toBe(1);
    expect(events).toMatchObject([{ type: 'tool_called', sequence: 1, result: TIMED_OUT }]);
  });

  it('is retried if it times out now and did not in the recording, and counts once', async () => {
    const { call, events, asked } = again(['late', 'late', 7], { result: 7 });
    expect(await call()).toEqual({ result: 7 });
    expect(asked()).toBe(3);
    expect(events).toMatchObject([{ type: 'tool_called', sequence: 1 }]);
  });

  it('is abandoned if it always times out', async () => {
    const { call, asked } = again(['late'], { result: 7 });
    expect(await call()).toMatchObject({ error: expect.stringContaining('timed out') });
    expect(asked()).toBe(4);
  });

  it('is answered normally if it is not in the recording', async () => {
    const { call, asked } = again([7, 'late'], { result: 7 }, 2);
    await call();
    expect(await call()).toMatchObject({ error: expect.stringContaining('timed out') });
    expect(asked()).toBe(2);
  });
});
