import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inDepth } from '../../test/support/depth.ts';
import { findPython } from '../../test/support/toolkit-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { type StartIndex, withoutStart } from './provision/start-python.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

const runtime = await findPython();
const SYMBOL = 'SPY';

/** Code whose answers depend on most of what Python does while it starts. */
const CODES = [
  'result = [len(df), df.close.rolling(3).mean().iloc[-1], latest(ta.rsi(df.close, 14))]',
  'import random\nresult = [random.random(), np.random.rand(), np.random.default_rng().random()]',
  'import uuid\nresult = str(uuid.uuid4())',
  'result = [hash("text"), hash((1.5, "a")), list({"b", "a", "c"})]',
  'import sys\nresult = [sys.getrecursionlimit(), sys.version, len(sys.modules), sys.executable]',
  'def deep(n): return 1 + deep(n + 1)\nresult = deep(0)',
  'import time, datetime\nresult = [time.time(), str(datetime.datetime.now()), time.tzname, str(datetime.datetime.fromtimestamp(0))]',
  'result = np.empty(100_000).any()',
  'result = str(pd.Timestamp("2020-07-01", tz="America/New_York")) + str(pd.date_range("2020-01-01", periods=3, freq="ME"))',
  'import json, decimal, statistics, collections\nresult = [json.dumps({"a": 1.5}), str(decimal.Decimal(1) / 3), statistics.mean([1, 2])]',
  'result = np.linalg.inv(np.array([[2.0, 1.0], [1.0, 3.0]])).tolist() + np.fft.fft([1.0, 2.0, 3.0]).real.tolist()',
  'import os\nresult = open("/etc/passwd").read()',
  'import js\nresult = 1',
  'df["s"] = 0; df["s"][df.close > 0] = 1',
];

describe.skipIf(runtime === undefined)('a Python that starts from a memory image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-start-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function answers(changed: typeof runtime): Promise<SandboxReply[]> {
    const market = simulateMarket({ seed: 5, bars: 300, symbols: [SYMBOL], start: '2010-01-01' });
    const world = new World(market, runSettingsSchema.parse({}));
    for (let bar = 0; bar < 300; bar++) world.reveal();
    const sandbox = new Sandbox({ runtime: changed!, timeoutMs: 5_000, graceMs: 20_000, spares: 0 });
    const limits = {
      timeoutMs: 5_000,
      resultBytes: 32_768,
      stdoutCharacters: 4_000,
      codeCharacters: 20_000,
    };
    try {
      const replies: SandboxReply[] = [];
      for (const code of CODES)
        replies.push(
          await sandbox.call({
            operation: 'compute',
            bar: 299,
            time: world.time,
            windows: [world.turn.windowOf(SYMBOL)],
            request: { code, symbol: SYMBOL, account: { cash: 1, equity: 1, positions: {} }, limits },
          }),
        );
      return replies;
    } finally {
      await sandbox.close();
    }
  }

  const withStart = (change: (files: { memory: Buffer; index: StartIndex }) => void): typeof runtime => {
    const { start } = runtime!;
    const files = {
      memory: readFileSync(start!.memory),
      index: JSON.parse(readFileSync(start!.index, 'utf8')) as StartIndex,
    };
    change(files);
    const [memory, index] = [join(folder, 'memory.bin'), join(folder, 'index.json')];
    writeFileSync(memory, files.memory);
    writeFileSync(index, JSON.stringify(files.index));
    const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
    const sha256 = { memory: hashOf(memory), index: hashOf(index) };
    return { ...runtime!, start: { memory, index, sha256 } };
  };

  test.runIf(inDepth(9))('answers like one that starts from its files', async () => {
    expect(runtime!.start).toBeDefined();
    const stored = await answers(runtime);
    expect(stored).toEqual(await answers(withoutStart(runtime!) as typeof runtime));
    expect(stored.filter(({ ok }) => ok).length).toBeGreaterThan(5);
  });

  test.runIf(inDepth(9))('starts from its files if its libraries have other addresses here', async () => {
    const other = withStart(({ index }) => {
      Object.assign(index, { libraries: index.libraries.toReversed() });
    });
    const [first] = await answers(other);
    expect(first!.ok).toBe(true);
  });

  test('is refused if a byte of its memory has changed', async () => {
    const { start } = runtime!;
    const damaged = withStart(({ memory }) => {
      memory[30_000_000] = memory[30_000_000]! ^ 1;
    });
    const sha256 = { ...damaged!.start!.sha256, memory: start!.sha256.memory };
    const sandbox = new Sandbox({
      runtime: { ...damaged!, start: { ...damaged!.start!, sha256 } },
      spares: 0,
    });
    await expect(sandbox.start()).rejects.toThrow(/is not what was built/);
    await sandbox.close();
  });
});
