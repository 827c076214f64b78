import { afterAll, describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { proveText } from './proof/prove.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();
const market = simulateMarket({ seed: 5, bars: 10, symbols: ['ACME'], start: '2020-01-01' });

describe.skipIf(runtime === undefined)('documents and fundamentals published to Python', () => {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0, reusable: true });
  afterAll(() => sandbox.close());
  const world = new World(market, runSettingsSchema.parse({}));
  world.reveal();
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 65_536,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };
  let asked: string[] = [];
  /**
   * @param known number of rows that existed at the call
   * @param length number of rows in the tables. Rows from `known` on must not be visible
   */
  const compute = (code: string, known: number, length = known): Promise<SandboxReply> =>
    sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: [world.turn.window],
      published: [
        {
          name: 'documents',
          length,
          rowAt: (row) => {
            asked.push(`d${row}`);
            return [`d${row}`, row * 1000, ['ACME'], 'Wire', 'news', `Title ${row}`, 'x'.repeat(2_000)];
          },
        },
        {
          name: 'fundamentals',
          length,
          rowAt: (row) => ['ACME', 'revenue', Math.floor(row / 2) * 1000, row * 1000, row],
        },
      ],
      request: {
        code,
        symbol: 'ACME',
        published: { documents: known, fundamentals: known },
        account: { cash: 1, equity: 1, positions: {} },
        limits,
      },
    });
  const ids = 'documents(limit=None).id.tolist()';
  const named = (count: number): string[] => Array.from({ length: count }, (_, row) => `d${row}`);

  it('are sent once, for consecutive calls that leave any state', async () => {
    const dirty = `class Kept:\n    pass\nKept.x = 1\nresult = ${ids}`;
    expect(proveText(dirty).clean).toBe(false);
    for (const [count, code] of [
      [2, ids],
      [2, dirty],
      [50, ids],
      [50, dirty],
      [51, ids],
    ] as const)
      expect(await compute(code, count)).toMatchObject({ ok: true, result: named(count) });
    expect(asked).toEqual(named(51));
    expect(
      await compute("fundamentals('ACME', 'revenue', 2, vintages=True).value.tolist()", 51),
    ).toMatchObject({ ok: true, result: [48, 49, 50] });
  });

  it('are visible up to the time of a call, and are sent again to a new process', async () => {
    expect(await compute(ids, 3, 51)).toMatchObject({ ok: true, result: named(3) });
    expect(await compute("len(fundamentals('ACME', 'revenue', 99, vintages=True))", 3, 51)).toMatchObject({
      result: 3,
    });
    await sandbox.reset();
    asked = [];
    expect(await compute(ids, 4)).toMatchObject({ ok: true, result: named(4) });
    expect(asked).toEqual(named(4));
  });

  it('cannot be changed by code, and their functions are proved to leave no state', async () => {
    const code = `
frame = documents()
frame['id'] = 'changed'
result = [type(frame.symbols[0]).__name__, documents().id[0]]`;
    expect(await compute(code, 4)).toMatchObject({ ok: true, result: ['tuple', 'd0'] });
    expect(proveText("documents(limit=5)['id'].tolist()").clean).toBe(true);
  });
});
