import { afterEach, describe, expect, test } from 'vitest';
import { inDepth } from '../../test/support/depth.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import type { SandboxChild } from './child-process.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';
import { SpareChildren } from './workers.ts';

const runtime = await findTestRuntime();
const SYMBOL = 'SPY';
const DIRTY = 'class Unused: pass\nresult = df.close.iloc[-1]';

describe.skipIf(runtime === undefined)(
  'while a child restores its heap, the spare takes the next call',
  () => {
    const market = simulateMarket({ seed: 5, bars: 2_000, symbols: [SYMBOL], start: '2010-01-01' });
    let sandbox: Sandbox;
    const open = (): { world: World; call: (code: string, session?: string) => Promise<SandboxReply> } => {
      sandbox = new Sandbox({ runtime: runtime!, timeoutMs: 5_000, graceMs: 20_000, spares: 1 });
      const world = new World(market, runSettingsSchema.parse({}));
      const begun = new Set<string>();
      const limits = {
        timeoutMs: 5_000,
        resultBytes: 32_768,
        stdoutCharacters: 4_000,
        codeCharacters: 20_000,
      };
      const call = (code: string, session?: string): Promise<SandboxReply> => {
        world.reveal();
        const begin = session !== undefined && !begun.has(session);
        if (session !== undefined) begun.add(session);
        return sandbox.call({
          operation: session === undefined ? 'compute' : 'exec_code',
          bar: world.bar,
          time: world.time,
          windows: [world.turn.windowOf(SYMBOL)],
          request: { code, symbol: SYMBOL, account: { cash: 1, equity: 1, positions: {} }, limits },
          ...(session === undefined ? {} : { session: { id: session, begin, lasting: true } }),
        });
      };
      return { world, call };
    };
    afterEach(() => sandbox.close());

    /** Returns the id of the process that answered last. */
    const pid = async (): Promise<number | undefined> => (await sandbox.describe()).pid;

    /** Makes calls until the spare, which needs time to start, has answered. */
    async function untilTwo(call: (code: string) => Promise<SandboxReply>): Promise<Set<number | undefined>> {
      const seen = new Set<number | undefined>();
      for (let round = 0; round < 2_000 && seen.size < 2; round++) {
        expect(await call(DIRTY)).toMatchObject({ ok: true });
        seen.add(await pid());
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return seen;
    }

    test.runIf(inDepth(2))(
      'two processes alternate, each with every bar, and give the same answers',
      async () => {
        const { world, call } = open();
        expect((await untilTwo(call)).size).toBe(2);
        for (let round = 0; round < 10; round++) {
          const reply = await call(
            'class Unused: pass\nresult = [len(df), df.close.sum(), ta.ema(df.close, 5).iloc[-1]]',
          );
          const again = await call(
            'result = [len(df), df.close.iloc[:-1].sum(), ta.ema(df.close, 5).iloc[-2]]',
          );
          if (!reply.ok || !again.ok) throw new Error('no answer');
          const [length, sum, ema] = reply.result as number[];
          const [lengthAgain, sumAgain, emaAgain] = again.result as number[];
          expect([length, lengthAgain]).toEqual([world.bar, world.bar + 1]);
          expect(sumAgain).toBeCloseTo(sum!, 6);
          expect(emaAgain).toBeCloseTo(ema!, 9);
        }
      },
      300_000,
    );

    test('bars that arrive while another heap is active are complete later', async () => {
      const { world, call } = open();
      // The first call reserves memory for 1,024 bars. The second call exceeds it, so memory is reserved again.
      for (let bar = 0; bar < 1_000; bar++) world.reveal();
      const code =
        'class Unused: pass\nresult = [len(df), float(df.close.iloc[0]), int(df.close.isna().sum())]';
      for (let round = 0; round < 4; round++) {
        expect(await call(code)).toMatchObject({ ok: true, result: [world.bar + 1, expect.any(Number), 0] });
        for (let bar = 0; bar < 100; bar++) world.reveal();
      }
    }, 300_000);

    test('sessions remain in their process', async () => {
      const { call } = open();
      await untilTwo(call);
      expect(await call('kept = 41', 'a')).toMatchObject({ ok: true });
      const home = await pid();
      for (let round = 0; round < 5; round++) {
        expect(await call(DIRTY)).toMatchObject({ ok: true });
        expect(await pid()).toBe(home);
      }
      expect(await call('print(kept + 1)', 'a')).toMatchObject({ ok: true, stdout: '42\n' });
    }, 300_000);
  },
);

/**
 * Mocks the start of children. `begin` starts a child, `end` completes the oldest start, and `count` returns
 * the number of starts.
 */
function starts(): {
  readonly begin: () => Promise<SandboxChild>;
  readonly end: () => Promise<void>;
  readonly count: () => number;
} {
  const waiting: (() => void)[] = [];
  let count = 0;
  return {
    begin() {
      count += 1;
      return new Promise((resolve) => waiting.push(() => resolve({} as SandboxChild)));
    },
    async end() {
      waiting.shift()?.();
      for (let tick = 0; tick < 4; tick++) await Promise.resolve();
    },
    count: () => count,
  };
}

test('there is one spare at rest, and up to two more while children are lost', async () => {
  const { begin, end, count } = starts();
  const spares = new SpareChildren(1, begin, new AbortController().signal);
  spares.fill();
  expect(count()).toBe(1);
  spares.noteLoss();
  spares.noteLoss();
  spares.noteLoss();
  // At most two children start at the same time, because each start uses more than one core.
  expect(count()).toBe(2);
  await end();
  expect(count()).toBe(3);
  await end();
  await end();
  expect(count()).toBe(3);
  expect(spares.take()).toBeDefined();
  spares.fill();
  expect(count()).toBe(4);
});

test('there are no spares if none are configured, or after the sandbox closes', () => {
  const { begin, count } = starts();
  const none = new SpareChildren(0, begin, new AbortController().signal);
  none.noteLoss();
  const ending = new AbortController();
  ending.abort();
  new SpareChildren(2, begin, ending.signal).fill();
  expect(count()).toBe(0);
});
