import { afterAll, describe, expect, test } from 'vitest';
import { allowed } from '../../test/policy/allowed.ts';
import { attacks } from '../../test/policy/attacks.ts';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

// Runs the same lists of code as python-runtime.test.ts, but in a real child process. Only a real child has
// the restricted clock, memory limit and heap restore.
const runtime = await findTestRuntime();

describe.skipIf(runtime === undefined)('the policy in a real child', () => {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0 });
  const market = simulateMarket({ seed: 5, bars: 60, symbols: ['AAPL', 'SPY'], start: '2020-01-01' });
  const world = new World(market, runSettingsSchema.parse({}));
  for (let bar = 0; bar < market.clock.length; bar++) world.reveal();
  const account = { cash: 100_000, equity: 110_000, positions: { AAPL: { size: 10, avg_price: 100 } } };
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 32_768,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };
  const compute = (code: string): Promise<SandboxReply> =>
    sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: market.symbols.map((symbol) => world.turn.windowOf(symbol)),
      request: { code, symbol: 'AAPL', account, limits },
    });

  afterAll(() => sandbox.close());

  test.each(allowed.map((snippet) => [snippet.name, snippet] as const))('runs: %s', async (_, snippet) => {
    const reply = await compute(snippet.code);
    expect(reply).toMatchObject({ ok: true });
    if (reply.ok && 'expect' in snippet) expect(reply.result).toEqual(snippet.expect);
  });

  test.each(attacks.map((attack) => [attack.name, attack] as const))('contains: %s', async (_, attack) => {
    if (attack.setup !== undefined) await compute(attack.setup);
    const reply = await compute(attack.code);
    expect(reply.ok && reply.result).not.toBe('PWNED');
    expect(JSON.stringify(reply)).not.toMatch(/0x[0-9a-f]{4}|\/lib\/|sandtable_runtime|Traceback/);
  });
});
