import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Agent } from '../../test/support/sandbox-agent.ts';
import { findPython } from '../../test/support/toolkit-python.ts';
import type { World } from '../engine/index.ts';
import { ATTRIBUTES } from './proof/allowed-names.ts';
import { Sandbox } from './sandbox.ts';

const runtime = await findPython();

const ALL_BARS =
  '[df.close.tolist(), df.volume.tolist(), df.date.astype(str).tolist(), df_brk_b.high.tolist()]';
const UNINTERRUPTIBLE = 'np.convolve(np.ones(10**6), np.ones(10**5))[0]';

/** Returns the expected result of ALL_BARS for the windows of a world. */
function barsSeen({ turn }: World): unknown {
  const { window } = turn;
  const dates = [...window.time.tail(1e6)].map((time) => new Date(time).toISOString().slice(0, 10));
  return [
    [...window.close.tail(1e6)],
    [...window.volume.tail(1e6)],
    dates,
    [...turn.windowOf('BRK.B').high.tail(1e6)],
  ];
}

describe.skipIf(runtime === undefined)('Sandbox', () => {
  let sandbox: Sandbox;
  let agent: Agent;
  const pid = async (): Promise<number> => (await sandbox.describe()).pid!;

  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, seed: 7 });
    agent = new Agent(sandbox, 60);
    await sandbox.start();
  });
  afterAll(() => sandbox?.close());

  it.each(['x = 1 if a', 'x = 1 if', 'x = (1 if a', 'x = 1\ny = (1 if a'])(
    'answers a truncated text with the Python error and its line: %j',
    async (code) => {
      expect(await agent.failure(code)).toMatchObject({
        kind: 'SyntaxError',
        line: code.split('\n').length,
      });
    },
  );

  it.each([
    'import random\nrandom.seed()\nresult = random.random()',
    'import random\nrandom.seed(None)\nresult = random.random()',
    'import random\nr = random.Random(3)\nr.seed()\nresult = r.random()',
    'import random\nresult = random.Random().random()',
    'np.random.seed()\nresult = np.random.rand()',
    'np.random.seed(None)\nresult = np.random.rand()',
    'r = np.random.RandomState(3)\nr.seed()\nresult = r.rand()',
    'r = np.random.RandomState(3)\nr.seed(None)\nresult = r.rand()',
    'result = np.random.default_rng(None).random()',
  ])('draws only seeded random numbers: %j', async (code) => {
    const first = await agent.get(code);
    expect(first).toBeTypeOf('number');
    expect(await agent.get(code)).toBe(first);
  });

  it('seeds generators without a seed differently, and seeded ones like numpy and Python', async () => {
    const several =
      'import random\nx = []\nfor _ in range(3):\n    random.seed()\n    x.append(random.random())\n';
    expect(await agent.get(`${several}result = len(set(x))`)).toBe(3);
    expect(
      await agent.get('import random\nrandom.seed(3)\nresult = random.random() == random.Random(3).random()'),
    ).toBe(true);
    expect(
      await agent.get(
        'np.random.seed(3)\nresult = bool(np.random.rand() == np.random.RandomState(3).rand())',
      ),
    ).toBe(true);
  });

  it('allows every attribute that the proof considers as a read', async () => {
    const names = JSON.stringify([...ATTRIBUTES]);
    const code = `refused = []
for name in ${names}:
    try:
        getattr(latest, name)
    except AttributeError:
        pass
    except Exception:
        refused.append(name)
result = refused`;
    // The only refused name is the column `open`, which can be read only on DataFrames and similar objects.
    expect(await agent.get(code)).toEqual(['open']);
  });

  it('refuses code above its limit, of any length, without parsing it', async () => {
    const long = await agent.ask('x = 1\n'.repeat(200_000), 'compute', 10_000);
    expect(long).toMatchObject({ ok: false, error: expect.stringContaining('over the cap of 20,000') });
    expect((await agent.failure(`df.query("close ${'*'.repeat(70)}$")`)).kind).not.toBe('TimeoutError');
    expect((await agent.failure(`\`\`\`\n${' '.repeat(19_000)}x y`)).kind).toBe('SyntaxError');
  });

  it('computes on the bars so far, and receives each new bar', async () => {
    expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
    for (let bar = 0; bar < 5; bar++) {
      agent.advance(1);
      expect(await agent.get('[len(df), df.close.iloc[-1]]')).toEqual([
        agent.world.bar + 1,
        agent.world.turn.window.close.last,
      ]);
    }
    agent.advance(100);
    expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
  });

  it('runs concurrent calls one after the other', async () => {
    const codes = Array.from({ length: 8 }, (_, index) => `len(df) + ${index}`);
    const length = agent.world.turn.window.length;
    expect(await Promise.all(codes.map((code) => agent.get(code)))).toEqual(
      codes.map((_, index) => length + index),
    );
  });

  it('refuses an unknown operation', async () => {
    expect(await agent.ask('1', 'launch')).toMatchObject({
      ok: false,
      error: expect.stringContaining('launch'),
    });
    expect(await agent.get('1 + 1')).toBe(2);
  });

  it('reports its versions for the manifest', () => {
    expect(sandbox.versions).toMatchObject({
      pythonRuntime: expect.stringMatching(/^[0-9a-f]{64}$/),
      numpy: expect.any(String),
      pandas: expect.any(String),
      pyodide: expect.any(String),
    });
  });

  describe('stores nothing between calls', () => {
    it.each([
      ['names', 'kept = 5\nresult = kept', "'kept' in dir() if False else kept", 'NameError'],
      ['classes', 'class Kept:\n    pass\nresult = 1', 'Kept', 'NameError'],
    ])('no %s', async (_, first, second, kind) => {
      await agent.get(first);
      expect((await agent.failure(second)).kind).toBe(kind);
    });

    it.each([
      ['a value set in df', "df.loc[0, 'close'] = -1.0\nresult = 1", 'df.close.iloc[0] > 0'],
      ['a new column', "df['extra'] = 1\nresult = 1", "'extra' not in df.columns"],
      ['a renamed column', "df.columns = list('abcdef')\nresult = 1", "list(df.columns)[0] == 'date'"],
      [
        'a sorted copy',
        "df.sort_values('close', inplace=True)\nresult = 1",
        'bool(df.date.is_monotonic_increasing)',
      ],
      [
        'a class that overrides a method',
        'class Mine(pd.DataFrame):\n    def sum(self):\n        return 5\nresult = 1',
        'float(df[["close"]].sum().iloc[0]) != 5',
      ],
      [
        'the random seed',
        'np.random.seed(1)\nresult = float(np.random.rand())',
        'bool(np.random.rand() != np.random.RandomState(1).rand())',
      ],
      [
        'an indicator that was overwritten',
        's = ta.sma(df.close, 3)\ns[:] = 0.0\nresult = 1',
        'bool(ta.sma(df.close, 3).iloc[-1] > 1)',
      ],
      [
        'an indicator’s numbers that were overwritten',
        'x = ta.ema(df.close, 3).to_numpy(copy=True)\nx.fill(0)\nresult = 1',
        'bool(ta.ema(df.close, 3).iloc[-1] > 1)',
      ],
      [
        'the account',
        "account['cash'] = 99\npositions['X'] = 1\nresult = 1",
        "[account['cash'], len(positions)] == [1, 0]",
      ],
    ])('not %s', async (_, change, check) => {
      const changed = await agent.ask(change);
      // Both a refusal and an undone change are correct.
      if (!changed.ok) expect(changed.kind).toMatch(/PolicyError|NameError|ValueError|AttributeError/);
      expect(await agent.get(check)).toBe(true);
      expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
    });

    it('not even after many dirty calls: the heap is restored, the bars remain', async () => {
      const before = await agent.get('float(np.random.rand())');
      for (let time = 0; time < 5; time++) {
        await agent.ask(
          `class C${time}:\n    data = list(range(100000))\ntry:\n    1 / 0\nexcept Exception:\n    pass\nresult = 1`,
        );
        agent.advance(1);
      }
      expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
      expect(await agent.get('float(np.random.rand())')).not.toBe(before);
    });
  });

  it('draws the same random numbers at the same bar, and others at the next', async () => {
    const draw = '[float(np.random.rand()), float(np.random.default_rng().random())]';
    const first = await agent.get(draw);
    expect(await agent.get(draw)).toEqual(first);
    agent.advance(1);
    expect(await agent.get(draw)).not.toEqual(first);
  });

  it('interrupts endless code, and continues in the same process', async () => {
    const process_ = await pid();
    const reply = await agent.failure('while True: pass');
    expect(reply).toMatchObject({
      kind: 'TimeoutError',
      error: expect.stringContaining('timed out (500 ms)'),
    });
    expect(reply.remediation).not.toBe('');
    expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
    expect(await pid()).toBe(process_);
  });

  it('returns an error for a memory bomb, and continues', async () => {
    for (const bomb of [
      'x = [bytearray(10**8) for _ in range(100)]\nresult = 1',
      'len(np.ones(10**8))',
      "'a' * (10**9)",
    ]) {
      // A long timeout, because this test is about the memory limit.
      const reply = await agent.ask(bomb, 'compute', 20_000);
      expect([bomb, reply.ok]).toEqual([bomb, false]);
      expect((reply as { error: string }).error).toMatch(/Memory/);
      expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
    }
  });

  it('returns one error when its process is killed, and a spare continues with the same bars', async () => {
    const before = await pid();
    const random = await agent.get('float(np.random.rand())');
    process.kill(before, 'SIGKILL');
    const reply = await agent.failure('len(df)');
    expect(reply).toMatchObject({
      kind: 'SandboxCrash',
      remediation: expect.stringContaining('less memory'),
    });
    expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
    expect(await agent.get('float(np.random.rand())')).toBe(random);
    expect(await pid()).not.toBe(before);
  });

  it('does not count the time to receive a long history against the time limit of the code', async () => {
    const patient = new Sandbox({ runtime: runtime!, graceMs: 0, spares: 0 });
    const symbols = Array.from({ length: 1_000 }, (_, index) => `S${index}`);
    const crowd = new Agent(patient, 400, { symbols });
    try {
      await patient.start();
      // The code takes about a millisecond, so that it ends in time on a busy machine too.
      const reply = await crowd.ask('len(df_s999)', 'compute', 500);
      expect(reply).toMatchObject({ ok: true, result: 400 });
      // A call that leaves changes restores the heap with all bars.
      await crowd.failure('import os');
      expect(await crowd.get('float(df_s999.close.iloc[-1])')).toBe(
        crowd.world.turn.windowOf('S999').close.last,
      );
    } finally {
      await patient.close();
    }
  });

  it('replaces a process that dies between two calls, without losing a call', async () => {
    const before = await pid();
    process.kill(before, 'SIGKILL');
    // The sandbox learns of the end of the process through an event. Until then, it reports the old process
    // id.
    await vi.waitFor(async () => expect(await pid()).not.toBe(before), { timeout: 60_000 });
    expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
  });

  it('stops code that cannot be interrupted, and leaves no state of it in the same process', async () => {
    const own = new Sandbox({ runtime: runtime!, seed: 7, spares: 0 });
    try {
      const alone = new Agent(own, 3, { seed: 3 });
      const { pid: before } = await own.describe();
      const rows = await alone.get('pd.options.display.max_rows');
      for (const hung of [
        'sum(range(10**12))',
        UNINTERRUPTIBLE,
        // A slow argument could reach the time limit before the call that cannot be interrupted.
        'np.linalg.svd(np.eye(2500))',
        'sorted(range(10), key=lambda x: sum(range(10**11)))',
      ]) {
        const random = await alone.get('float(np.random.rand())');
        const reply = await alone.failure(`pd.options.display.max_rows = 7\n${hung}`);
        expect(reply).toMatchObject({
          kind: 'TimeoutError',
          remediation: expect.stringContaining('Python was reset'),
        });
        expect(await alone.get('float(np.random.rand())')).toBe(random);
        expect(await alone.get('pd.options.display.max_rows')).toBe(rows);
        alone.advance(3);
        expect(await alone.get('df.close.tolist()')).toEqual([...alone.world.turn.window.close.tail(500)]);
      }
      expect((await own.describe()).pid).toBe(before);
    } finally {
      await own.close();
    }
  });

  it('replaces a process whose memory grew in stopped code', async () => {
    // Waits until a spare process is ready, because without one the same process would answer the next call.
    await vi.waitFor(async () => expect((await sandbox.describe()).spares.ready).toBeGreaterThan(0), {
      timeout: 60_000,
    });
    const before = await pid();
    const reply = await agent.failure(`x = np.ones(5 * 10**6)\n${UNINTERRUPTIBLE}`);
    expect(reply).toMatchObject({
      kind: 'TimeoutError',
      remediation: expect.stringContaining('Python was reset'),
    });
    expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
    expect(await pid()).not.toBe(before);
    await expect.poll(() => isAlive(before)).toBe(false);
  });

  it('has the look-back of the windows, also after gaps between calls and replacements', async () => {
    const near = new Agent(sandbox, 3, { lookback: 5, symbols: ['NEAR', 'BRK.B NEAR'], seed: 3 });
    const closes = (): number[] => [...near.world.turn.window.close.tail(100)];
    expect(await near.get('df.close.tolist()')).toEqual(closes());
    for (const step of [1, 1, 1, 2, 5, 6, 40, 1]) {
      near.advance(step);
      expect(await near.get('df.close.tolist()')).toEqual(closes());
      expect(closes().length).toBeLessThanOrEqual(5);
    }
    process.kill(await pid(), 'SIGKILL');
    await near.failure('1');
    near.advance(2);
    expect(await near.get('df.close.tolist()')).toEqual(closes());
  });

  it('gives the child no file, no socket, and only the path and a fixed time zone as environment', async () => {
    if (process.platform !== 'linux') return;
    const { pid: child, descriptorsClosed } = await sandbox.describe();
    const environment = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(environment).toEqual([`PATH=${process.env.PATH}`, 'TZ=UTC']);
    const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
    expect(descriptorsClosed).toBe(hasLimits);
    if (!hasLimits) return;
    const limits = readFileSync(`/proc/${child}/limits`, 'utf8');
    expect(limits).toMatch(/^Max open files +0 +0 +files/m);
    expect(limits).toMatch(/^Max file size +0 +0 +bytes/m);
  });

  it('shares nothing with another sandbox', async () => {
    const other = new Sandbox({ runtime: runtime!, seed: 7, spares: 0 });
    try {
      const stranger = new Agent(other, 10, { seed: 99, symbols: ['AAA'] });
      await agent.get('shared = 5\nresult = shared');
      expect((await stranger.failure('shared')).kind).toBe('NameError');
      expect((await stranger.failure('df_brk_b')).kind).toBe('NameError');
      expect(await stranger.get('df.close.tolist()')).toEqual([...stranger.world.turn.window.close.tail(10)]);
      expect(await agent.get(ALL_BARS)).toEqual(barsSeen(agent.world));
      const { pid: strangerPid } = await other.describe();
      expect(strangerPid).not.toBe(await pid());
      await other.close();
      await expect.poll(() => isAlive(strangerPid!)).toBe(false);
      expect(await agent.get('1 + 1')).toBe(2);
    } finally {
      await other.close();
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
