import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { proveText } from './proof/prove.ts';
import { Sandbox } from './sandbox.ts';

const runtime = await findTestRuntime();
const limits = {
  timeoutMs: PATIENT_MS,
  resultBytes: 32_768,
  stdoutCharacters: 4_000,
  codeCharacters: 20_000,
};

describe.skipIf(runtime === undefined)('the order of a set', () => {
  let sandbox: Sandbox;
  const world = new World(
    simulateMarket({ seed: 5, bars: 300, symbols: ['A'] }),
    runSettingsSchema.parse({}),
  );
  for (let bar = 0; bar < 300; bar++) world.reveal();

  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, graceMs: 20_000, spares: 0 });
    await sandbox.start();
  });
  afterAll(() => sandbox.close());

  async function compute(code: string): Promise<unknown> {
    const reply = await sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: [world.turn.windowOf('A')],
      request: { code, symbol: 'A', account: { cash: 1, equity: 1, positions: {} }, limits },
    });
    return reply.ok ? reply.result : reply.error;
  }

  /**
   * Code that uses memory but changes no state that a later call could see. The heap is therefore not
   * restored after these calls.
   */
  const CLEAN = [
    'x = [f"{i}" for i in range(5000)]',
    'x = df.close.sum()',
    'x = [(i, i) for i in range(3000)][::7]',
  ];

  it.each([
    'list(set(df.close.rolling(5).mean().round(0).tolist()))',
    'list({float("nan"), 1.5, np.float64("nan"), np.float32("nan"), complex(0, float("nan")), 2})',
    'list(set(df.close.reindex([1, 999, 1000, 1001]).tolist()))',
    '[str(each) for each in {np.datetime64("NaT"), np.timedelta64("NaT"), np.datetime64("2020-01-01")}]',
    'import random; random.seed(float("nan")); result = random.random()',
    'hash(("a", float("nan"), frozenset([complex("nan")])))',
  ])('does not depend on earlier calls: %s', async (code) => {
    const first = JSON.stringify(await compute(code));
    for (const earlier of CLEAN) {
      expect(proveText(`${earlier}\nresult = 1`).clean).toBe(true);
      expect(await compute(`${earlier}\nresult = 1`)).toBe(1);
      expect(JSON.stringify(await compute(code))).toBe(first);
    }
  });

  it.each([
    '{latest, prev}',
    '{each for each in (lambda: 1, 2)}',
    'set(map(object, []) for each in range(2))',
    'class Own: pass\nresult = len({Own(), Own()})',
    'class Own: pass\nresult = len(frozenset([(1, Own())]))',
    'class Own: pass\nresult = len({Own})',
    'seen = set()\nseen.add(latest)',
    'set().union([latest])',
    'seen = {1}\nseen.update([2], [latest])',
    'seen = {1}\nseen |= {each: 1 for each in [latest]}.keys() | set()',
    'from decimal import Decimal\nresult = len({Decimal("nan")})',
  ])('is refused if it depends on memory addresses: %s', async (code) => {
    expect(await compute(code)).toContain('no fixed order: their hash is their memory address');
  });

  it('is allowed for values, Python classes, and custom classes with a hash', async () => {
    const changed =
      'def changed():\n    s, d = {1}, {"a": 2}\n    s.update([2, 3], (4,))\n    s |= {5}\n    d.update({"a": 3})\n    return [len(s), d]\n';
    const own = 'class Own:\n    def __eq__(self, other): return True\n    def __hash__(self): return 7\n';
    const values =
      '[len({1, "a", None, (2, 3)}), changed(), type(1) in {int, float}, len({pd.Timestamp}), len({Own(), Own()}), len(set("aab"))]';
    expect(await compute(`${own}${changed}result = ${values}`)).toEqual([4, [5, { a: 3 }], true, 1, 1, 2]);
  });
});
