import { afterAll, describe, expect, test } from 'vitest';
import { allowed } from '../../../test/policy/allowed.ts';
import { inDepth, sampled } from '../../../test/support/depth.ts';
import { exampleCode } from '../../../test/support/example-code.ts';
import { PATIENT_MS } from '../../../test/support/patience.ts';
import { findTestRuntime } from '../../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { Sandbox } from '../sandbox.ts';
import type { SandboxOptions, SandboxReply } from '../sandbox-call.ts';
import { MODULES } from './allowed-names.ts';
import { proveText } from './prove.ts';

const runtime = await findTestRuntime();

/** Creates a sandbox over 320 bars of two symbols. Calls run at the given bars. */
function bench(options: Partial<SandboxOptions>): {
  readonly sandbox: Sandbox;
  readonly compute: (code: string, bar?: number) => Promise<SandboxReply>;
} {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0, ...options });
  const market = simulateMarket({ seed: 5, bars: 320, symbols: ['AAPL', 'SPY'], start: '2020-01-01' });
  const world = new World(market, runSettingsSchema.parse({}));
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 32_768,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };
  const account = { cash: 100_000, equity: 110_000, positions: { SPY: { size: 10, avg_price: 100 } } };
  const compute = (code: string, bar = 300): Promise<SandboxReply> => {
    while (world.bar < bar) world.reveal();
    return sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: market.symbols.map((symbol) => world.turn.windowOf(symbol)),
      request: { code, symbol: 'SPY', account, limits },
    });
  };
  return { sandbox, compute };
}

/** Adds a name that is not safe to the list of allowed pandas functions while `work` runs. */
async function withWrongName(name: string, work: () => Promise<void>): Promise<void> {
  const names = MODULES.pd as Set<string>;
  names.add(name);
  try {
    await work();
  } finally {
    names.delete(name);
  }
}

describe.skipIf(runtime === undefined)('a call that is proved clean leaves no state', () => {
  const paranoid = bench({ paranoid: true });
  afterAll(() => paranoid.sandbox.close());

  const clean = allowed.filter(({ code }) => proveText(code).clean);
  test.each(sampled(clean, 90).map(({ name, code }) => [name, code] as const))('%s', async (_, code) => {
    expect(await paranoid.compute(code)).toMatchObject({ ok: true });
  });

  test.each(exampleCode())('the example strategy %s, on several bars', async (_, code) => {
    for (const bar of [301, 302, 303]) expect(await paranoid.compute(code, bar)).toMatchObject({ ok: true });
  });

  test('the run ends with the code and its remaining state, when a proof was wrong', async () => {
    await withWrongName('set_option', async () => {
      const call = paranoid.compute('pd.set_option("display.precision", 3)\nresult = 1');
      await expect(call).rejects.toMatchObject({ code: 'sandbox_contaminated' });
      await expect(call).rejects.toThrow(/pandas.*pd\.set_option\("display\.precision", 3\)/s);
    });
  });
});

describe.skipIf(runtime === undefined)('an ordinary run repeats random calls on the first heap', () => {
  test('and detects state of an earlier call', async () => {
    const { sandbox, compute } = bench({ sampled: 2, seed: 0 });
    try {
      await withWrongName('get_option', () =>
        withWrongName('set_option', async () => {
          const leave = 'pd.set_option("display.max_rows", 7)\nresult = 1';
          const see = 'result = pd.get_option("display.max_rows")';
          const work = async (): Promise<void> => {
            for (let round = 0; round < 12; round++) {
              await compute(leave);
              await compute(see);
            }
          };
          await expect(work()).rejects.toMatchObject({ code: 'sandbox_contaminated' });
        }),
      );
    } finally {
      await sandbox.close();
    }
  });

  test.runIf(inDepth(6))('but ignores answers that differ only by an address of an object', async () => {
    const { sandbox, compute } = bench({ sampled: 1, seed: 0 });
    try {
      for (const code of [
        'print(df.groupby("close"))',
        'result = str(map(str, [1]))',
        'held = [(lambda: n) for n in range(1000)]\nresult = [str(held[-1]), f"{held[0]}"]',
      ]) {
        expect(proveText(code)).toMatchObject({ clean: true });
        for (let round = 0; round < 4; round++) expect(await compute(code)).toMatchObject({ ok: true });
      }
    } finally {
      await sandbox.close();
    }
  });
});
