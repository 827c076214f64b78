import { afterAll, describe, expect, test } from 'vitest';
import { allowed } from '../../test/policy/allowed.ts';
import { attacks } from '../../test/policy/attacks.ts';
import { chained, chainedOtherwise } from '../../test/policy/chained.ts';
import { sessionAttacks } from '../../test/policy/session-attacks.ts';
import { sampled } from '../../test/support/depth.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import type { SessionHeader } from './protocol.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();

describe.skipIf(runtime === undefined)('the policy in a session', () => {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: 5_000, graceMs: 20_000, spares: 0 });
  const market = simulateMarket({ seed: 5, bars: 1_000, symbols: ['AAPL', 'SPY'], start: '2000-01-01' });
  const world = new World(market, runSettingsSchema.parse({ lookback: 60 }));
  const account = { cash: 100_000, equity: 110_000, positions: { AAPL: { size: 10, avg_price: 100 } } };
  const limits = { timeoutMs: 5_000, resultBytes: 32_768, stdoutCharacters: 4_000, codeCharacters: 20_000 };
  for (let bar = 0; bar < 60; bar++) world.reveal();
  afterAll(() => sandbox.close());

  let ids = 0;
  const call = (operation: string, source: string, session?: SessionHeader): Promise<SandboxReply> =>
    sandbox.call({
      operation,
      bar: world.bar,
      time: world.time,
      windows: market.symbols.map((symbol) => world.turn.windowOf(symbol)),
      request: { code: source, expr: source, symbol: 'AAPL', account, limits },
      ...(session === undefined ? {} : { session }),
    });

  /** Runs cells in a separate session. `last` is the operation of the last cell. */
  const inSession = async (cells: readonly string[], last = 'exec_code'): Promise<SandboxReply[]> => {
    ids += 1;
    const replies: SandboxReply[] = [];
    for (const [place, cell] of cells.entries()) {
      const session = { id: `policy-${ids}`, begin: place === 0, lasting: false };
      replies.push(await call(place === cells.length - 1 ? last : 'exec_code', cell, session));
    }
    return replies;
  };

  const withstood = (replies: readonly SandboxReply[]): void => {
    for (const reply of replies) {
      const result = reply.ok ? reply.result : undefined;
      const shown = typeof result === 'object' && result !== null && 'repr' in result ? result.repr : result;
      expect(["'PWNED'", 'PWNED']).not.toContain(shown);
      expect(shown).not.toMatchObject({ text: "'PWNED'" });
      expect(JSON.stringify(reply)).not.toMatch(/0x[0-9a-f]{4}|\/lib\/|sandtable_runtime|\$owned|\$call/);
    }
  };

  test.each(sampled(allowed, 16).map((snippet) => [snippet.name, snippet] as const))(
    'runs: %s',
    async (_, snippet) => {
      expect(await inSession([snippet.code])).toMatchObject([{ ok: true }]);
    },
  );

  test.each(chained.map(({ code, hint }) => [code, hint] as const))('refuses: %s', async (code, hint) => {
    // Splits code of two lines into two cells of a session. The second cell then uses names that the first
    // cell has defined.
    const lines = code.split('\n');
    const cells = lines.length === 2 && !code.startsWith('for') ? lines : [code];
    expect((await inSession(cells)).at(-1)).toMatchObject({
      ok: false,
      kind: 'ChainedAssignmentError',
      remediation: `write ${hint}`,
    });
  });

  test('refuses changes of a temporary copy in a function of an earlier cell', async () => {
    const cells = ['def mark(bars):\n    bars["close"].iloc[-1] = 1', 'x = 5\nmark(df)'];
    expect((await inSession(cells)).at(-1)).toMatchObject({
      ok: false,
      kind: 'ChainedAssignmentError',
      line: 2,
      remediation: "write bars.loc[bars.index[-1], 'close'] = 1",
    });
  });

  test.each(chainedOtherwise.map((code) => [code] as const))('refuses: %s', async (code) => {
    expect(await inSession([code])).toMatchObject([{ ok: false, kind: 'ChainedAssignmentError' }]);
  });

  test.each(sampled(attacks, 24).map((attack) => [attack.name, attack] as const))(
    'contains: %s',
    async (_, attack) => {
      // The setup remains in its session. A call of `compute` must not see it.
      if (attack.setup !== undefined) {
        const replies = await inSession([attack.setup]);
        withstood([...replies, await call('compute', attack.code)]);
        return;
      }
      withstood(await inSession([attack.code, 'result'], 'eval_expr'));
    },
  );

  test.each(sessionAttacks.map((attack) => [attack.name, attack] as const))(
    'contains: %s',
    async (_, attack) => {
      withstood(await inSession(attack.cells, attack.last));
      if (attack.compute !== undefined) withstood([await call('compute', attack.compute)]);
      if (attack.later === undefined) return;
      world.reveal();
      withstood(await inSession([attack.later]));
    },
  );

  test('an unknown session does not exist, and a session ends with its bar', async () => {
    const lost = { ok: false, kind: 'SessionLost' };
    expect(await call('exec_code', '1', { id: 'none', begin: false, lasting: false })).toMatchObject(lost);
    await call('exec_code', 'x = 1', { id: 'short', begin: true, lasting: false });
    await call('exec_code', 'x = 2', { id: 'long', begin: true, lasting: true });
    expect(await call('eval_expr', 'x', { id: 'short', begin: false, lasting: false })).toMatchObject({
      result: '1',
    });
    expect(await call('eval_expr', 'x', { id: 'long', begin: false, lasting: true })).toMatchObject({
      result: '2',
    });
    world.reveal();
    expect(await call('eval_expr', 'x', { id: 'short', begin: false, lasting: false })).toMatchObject(lost);
    expect(await call('eval_expr', 'x', { id: 'long', begin: false, lasting: true })).toMatchObject({
      result: '2',
    });
    expect(await call('exec_code', 'x', { id: 'long', begin: true, lasting: true })).toMatchObject({
      kind: 'NameError',
    });
  });

  test('stored sessions above the memory limit are dropped, the oldest first', async () => {
    const small = new Sandbox({
      runtime: runtime!,
      timeoutMs: 5_000,
      graceMs: 20_000,
      spares: 0,
      memoryMegabytes: 150,
    });
    try {
      const ask = (id: string, begin: boolean): Promise<SandboxReply> =>
        small.call({
          operation: 'exec_code',
          bar: world.bar,
          time: world.time,
          windows: [],
          request: { code: begin ? 'x = 1' : 'x', symbol: 'AAPL', account, limits },
          session: { id, begin, lasting: true },
        });
      for (const id of ['a', 'b', 'c', 'd']) await ask(id, true);
      expect(await ask('a', false)).toMatchObject({ kind: 'SessionLost' });
      expect(await ask('c', false)).toMatchObject({ result: '1' });
      expect(await ask('d', false)).toMatchObject({ result: '1' });
    } finally {
      await small.close();
    }
  });
});
