import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../test/support/depth.ts';
import { findPython, SessionAgent } from '../../test/support/toolkit-python.ts';
import { Sandbox } from '../sandbox/index.ts';

const runtime = await findPython();
const UNINTERRUPTIBLE = 'np.convolve(np.ones(10**6), np.ones(10**5))[0]';

describe.skipIf(runtime === undefined)('a Python session with the lifetime of the run', () => {
  let sandbox: Sandbox;
  let agent: SessionAgent;
  const pid = async (): Promise<number> => (await sandbox.describe()).pid!;

  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, spares: 1, timeoutMs: 3_000, graceMs: 20_000, seed: 7 });
    await sandbox.start();
  });
  afterAll(() => sandbox?.close());
  const fresh = (options: ConstructorParameters<typeof SessionAgent>[1] = {}): SessionAgent => {
    agent = new SessionAgent(sandbox, options);
    return agent;
  };

  it('continues from bar to bar, and predefined names follow the bar unless they were assigned', async () => {
    fresh({ lifetime: 'run' });
    await agent.exec('kept = 1\nold = df\ndf_brk_b = 5\ndef bars(): return len(df)\naccount["x"] = 1');
    for (let bars = 31; bars < 34; bars++) {
      expect(await agent.value('[kept, len(df), bars(), len(old), df_brk_b]')).toBe(
        `[1, ${bars}, ${bars}, 31, 5]`,
      );
      expect((await agent.call('compute', { code: 'len(df)' })).result).toBe(bars);
      agent.advance();
    }
    expect(await agent.value('[bars(), "x" in account]')).toBe('[34, False]');
  });

  it('is rebuilt from its earlier calls at their bars after the process was replaced', async () => {
    fresh({ lifetime: 'run', bar: 30 });
    await agent.exec('first = len(df)\ndraw = np.random.rand()\nitems = []');
    await agent.call('eval_expr', { expr: 'items.append(cash)' });
    await agent.exec('1 / 0');
    agent.advance(2);
    await agent.exec('second = len(df)\nlast = df.date.iloc[-1]');
    const before = await agent.value('[first, second, draw, items, last]');
    agent.advance();
    process.kill(await pid(), 'SIGKILL');
    await agent.call('compute', { code: '1' });
    const answer = await agent.call('eval_expr', { expr: '[first, second, draw, items, last]' });
    expect(answer).toEqual({
      ok: true,
      result: { value_repr: before, stdout: '', stderr: '' },
      note: 'Python was reset, and this session was rebuilt: its 5 earlier calls were run again.',
    });
    expect(await agent.value('len(df)')).toBe('34');
  });

  it('is rebuilt without the call that ended the process', async () => {
    const own = new Sandbox({ runtime: runtime!, spares: 1, timeoutMs: 1_000 });
    try {
      const one = new SessionAgent(own, { lifetime: 'run' });
      await one.exec('kept = 1');
      expect(await one.exec(UNINTERRUPTIBLE)).toMatchObject({ replaced: true });
      expect(await one.exec('kept')).toEqual({
        value_repr: '1',
        stdout: '',
        stderr: '',
        note: 'Python was reset, and this session was rebuilt: its earlier call was run again.',
      });
    } finally {
      await own.close();
    }
  });

  it.runIf(inDepth(6))('reports that bars of its earlier calls are beyond the look-back', async () => {
    const own = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: 3_000 });
    try {
      const near = new SessionAgent(own, { lifetime: 'run', lookback: 5 });
      await near.exec('first = df.close.tolist()');
      near.advance(3);
      process.kill((await own.describe()).pid!, 'SIGKILL');
      await near.call('compute', { code: '1' });
      expect(await near.exec('len(first)')).toMatchObject({
        value_repr: '2',
        note: expect.stringMatching(/rebuilt: .* Bars beyond the look-back were not available to them\.$/),
      });
    } finally {
      await own.close();
    }
  });

  it('is rebuilt from the calls of a journal when a run is resumed', async () => {
    fresh({ lifetime: 'run' });
    const { toolkit, world } = agent;
    toolkit.recall('exec_code', { source: 'a = len(df)' }, { stdout: '', stderr: '' }, world.turn);
    toolkit.recall('exec_code', { source: 'a = 0' }, { error: 'gone', replaced: true }, world.turn);
    agent.advance();
    toolkit.recall('eval_expr', { expr: '(b := a + 1)' }, { ok: true, result: {} }, world.turn);
    agent.advance();
    expect(await agent.exec('[a, b, len(df)]')).toMatchObject({
      value_repr: '[31, 32, 33]',
      note: expect.stringContaining('its 2 earlier calls were run again'),
    });
  });
});
