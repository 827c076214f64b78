import { readFileSync } from 'node:fs';
import type { PyDict } from 'pyodide/ffi';
import { afterAll, describe, expect, test } from 'vitest';
import { runSettingsSchema, World } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { proveText } from '../../src/sandbox/proof/prove.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxReply } from '../../src/sandbox/sandbox-call.ts';
import { sampled } from '../support/depth.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { findTestRuntime, loadTestPython } from '../support/ta-python.ts';
import { contamination, equalArguments, type Pair } from './pairs.ts';

const BARS = 300;
const SYMBOL = 'AAPL';
const runtime = await findTestRuntime();
const tried = sampled(contamination, 12);
const named = tried.map((pair) => [pair.name, pair] as const);

test('the list has at least 400 pairs with unique names', () => {
  expect(contamination.length).toBeGreaterThanOrEqual(400);
  expect(new Set(contamination.map((pair) => pair.name)).size).toBe(contamination.length);
});

test('pairs with equal arguments are not prevented by a restored Python after the first call', () => {
  expect(equalArguments.filter(({ leave }) => !proveText(leave).clean)).toEqual([]);
});

/**
 * Python in this process with the same libraries as the sandbox but without its restrictions. `restore`
 * resets the memory. It is called between the pairs.
 */
class OpenPython {
  readonly #heap: { HEAPU8: Uint8Array };
  readonly #run: (code: string, length: number) => string;
  readonly #saved: Uint8Array;

  private constructor(heap: { HEAPU8: Uint8Array }, run: (code: string, length: number) => string) {
    this.#heap = heap;
    this.#run = run;
    for (let round = 0; round < 3; round += 1) this.answer('df.close.mean() + latest(ta.ema(df.close, 5))');
    this.#saved = heap.HEAPU8.slice();
  }

  static async load(): Promise<OpenPython> {
    const python = (await loadTestPython())!;
    const heap = (python as typeof python & { _module: { HEAPU8: Uint8Array } })._module;
    const scope = python.toPy({}) as PyDict;
    python.runPython(readFileSync(new URL('open.py', import.meta.url), 'utf8'), { globals: scope });
    python.runPython(
      `import math
held = (bars.reserve("${SYMBOL}", ${BARS}), bars._store["${SYMBOL}"])[1]
for bar in range(${BARS}):
    close = 100 + 10 * math.sin(bar / 7) + bar / 100
    held.prices[:, bar] = (close - 0.5, close + 1, close - 1, close, 1000 + bar)
    held.times[bar] = bar * 86_400_000_000_000`,
      { globals: scope },
    );
    return new OpenPython(heap, scope.get('run') as (code: string, length: number) => string);
  }

  answer(code: string): string {
    return this.#run(code, BARS);
  }

  restore(): void {
    this.#heap.HEAPU8.set(this.#saved);
    this.#heap.HEAPU8.fill(0, this.#saved.length);
  }
}

describe.skipIf(runtime === undefined)(
  'without the policy and a restored heap, traces of earlier calls are visible',
  async () => {
    const open = runtime === undefined ? undefined : await OpenPython.load();
    test.each(named)('%s', (_, pair) => {
      const fresh = open!.answer(pair.see);
      open!.restore();
      open!.answer(pair.leave);
      const after = open!.answer(pair.see);
      open!.restore();
      expect(after).not.toBe(fresh);
    });
  },
);

describe.skipIf(runtime === undefined)('in the product, traces of earlier calls are not visible', () => {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, graceMs: 20_000, spares: 0 });
  const market = simulateMarket({ seed: 5, bars: BARS, symbols: [SYMBOL], start: '2020-01-01' });
  const world = new World(market, runSettingsSchema.parse({}));
  for (let bar = 0; bar < BARS; bar++) world.reveal();
  const account = { cash: 100_000, equity: 110_000, positions: {} };
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 32_768,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };
  let sessions = 0;
  const call = (code: string, session?: string): Promise<SandboxReply> =>
    sandbox.call({
      operation: session === undefined ? 'compute' : 'exec_code',
      bar: world.bar,
      time: world.time,
      windows: [world.turn.windowOf(SYMBOL)],
      request: { code, symbol: SYMBOL, account, limits },
      ...(session === undefined ? {} : { session: { id: session, begin: true, lasting: false } }),
    });
  const answer = (reply: SandboxReply): unknown =>
    reply.ok ? { result: reply.result } : { error: reply.error };
  const fresh = new Map<Pair, unknown>();
  afterAll(() => sandbox.close());

  test('the answers before any call are recorded', async () => {
    for (const pair of tried) {
      // This code is not proved clean, so the heap is restored after it. The next call then sees no effects
      // of earlier pairs.
      await call('class Other: pass\nresult = 1');
      const reply = await call(pair.see);
      if (pair.refused === undefined) expect({ name: pair.name, ...reply }).toMatchObject({ ok: true });
      fresh.set(pair, answer(reply));
    }
  });

  test.each(named)('%s', async (_, pair) => {
    await call(pair.leave);
    expect(answer(await call(pair.see))).toEqual(fresh.get(pair));
  });

  test.each(named)('from a session: %s', async (_, pair) => {
    sessions += 1;
    await call(pair.leave, `contamination-${sessions}`);
    expect(answer(await call(pair.see))).toEqual(fresh.get(pair));
  });
});
