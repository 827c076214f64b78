import { afterEach, describe, expect, test } from 'vitest';
import { inDepth } from '../../test/support/depth.ts';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { type Market, simulateMarket } from '../market/index.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();
const SYMBOL = 'SPY';

describe.skipIf(runtime === undefined)('a reset sandbox', () => {
  const market = simulateMarket({ seed: 5, bars: 1_250, symbols: [SYMBOL], start: '2010-01-01' });
  const other = simulateMarket({ seed: 6, bars: 1_500, symbols: ['QQQ', SYMBOL], start: '2012-01-01' });
  const open = (): Sandbox =>
    new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, graceMs: 20_000, spares: 0, reusable: true });
  let sandboxes: Sandbox[] = [];
  afterEach(async () => {
    for (const sandbox of sandboxes) await sandbox.close();
    sandboxes = [];
  });

  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 32_768,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };

  /** Returns the answers of a run that calls each code at every 300th bar. */
  async function answers(sandbox: Sandbox, of: Market, codes: readonly string[]): Promise<SandboxReply[]> {
    const world = new World(of, runSettingsSchema.parse({}));
    const replies: SandboxReply[] = [];
    const begun = new Set<string>();
    for (let bar = 0; bar < of.clock.length; bar++) {
      world.reveal();
      if (bar % 300 !== 299) continue;
      for (const code of codes) {
        const inSession = code.startsWith('#session');
        const session = { id: 'one', begin: !begun.has('one'), lasting: true };
        if (inSession) begun.add('one');
        replies.push(
          await sandbox.call({
            operation: inSession ? 'exec_code' : 'compute',
            bar,
            time: world.time,
            windows: [world.turn.windowOf(SYMBOL)],
            request: { code, symbol: SYMBOL, account: { cash: 1, equity: 1, positions: {} }, limits },
            ...(inSession ? { session } : {}),
          }),
        );
      }
    }
    return replies;
  }

  const CODES = [
    'result = [len(df), df.close.iloc[-1]]',
    'result = latest(ta.ema(df.close, 20))',
    'import random\nresult = [random.random(), np.random.rand()]',
    'class Unused: pass\nresult = float(df.close.sum())',
  ];
  const SESSION = '#session\ntry:\n    kept += 1\nexcept NameError:\n    kept = 1\nprint(kept)';

  test.runIf(inDepth(1))('answers like a new one after any earlier calls', async () => {
    const [used, fresh] = [open(), open()];
    sandboxes = [used, fresh];
    await answers(used, other, [...CODES, SESSION, 'junk = list(range(3_000_000))\nresult = len(junk)']);
    await used.reset();
    const again = await answers(used, market, [...CODES, SESSION]);
    expect(again).toEqual(await answers(fresh, market, [...CODES, SESSION]));
    // In the first two runs, the session began after other calls. Here it is the first call after the
    // reset, and its answers must be the same.
    await used.reset();
    expect(await answers(used, market, [SESSION])).toEqual(again.filter((_, place) => place % 5 === 4));
  });

  test('contains no earlier bar: a frame of a longer history is refused', async () => {
    const sandbox = open();
    sandboxes = [sandbox];
    await answers(sandbox, market, CODES.slice(0, 1));
    const { pid } = await sandbox.describe();
    await sandbox.reset();
    const world = new World(market, runSettingsSchema.parse({}));
    world.reveal();
    const reply = await sandbox.call({
      operation: 'compute',
      bar: 0,
      time: world.time,
      windows: [world.turn.windowOf(SYMBOL)],
      // Requests 2,000 visible bars, although only one bar was revealed after the reset.
      sight: new Map([[SYMBOL, { revealed: 1, length: 2_000 }]]),
      request: {
        code: CODES[0]!,
        symbol: SYMBOL,
        account: { cash: 1, equity: 1, positions: {} },
        limits,
      },
    });
    expect(reply).toMatchObject({ ok: true, result: [1, market.series[0]!.close[0]] });
    expect((await sandbox.describe()).pid).toBe(pid);
  });

  test('must have been opened as reusable', async () => {
    const sandbox = new Sandbox({ runtime: runtime!, spares: 0 });
    sandboxes = [sandbox];
    await expect(sandbox.reset()).rejects.toThrow('reusable');
  });
});
