import { afterAll, describe, expect, test } from 'vitest';
import { runSettingsSchema, World } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxReply } from '../../src/sandbox/sandbox-call.ts';
import { isDeep, sampled } from '../support/depth.ts';
import { findTestRuntime } from '../support/ta-python.ts';
import { HANGS, hungPairs } from './hung-pairs.ts';

const BARS = 300;
const SYMBOL = 'AAPL';
const runtime = await findTestRuntime();

// The deep tests run all pairs, and in sessions every fifth. `npm test` runs samples. The pairs use the ways to
// hang in turn, so a step must not share a divisor with the number of ways. Otherwise the sample omits ways.
const everyFifth = hungPairs.filter((_, place) => place % 5 === 0);
const tried = sampled(hungPairs, 13);
const triedInSessions = sampled(isDeep ? everyFifth : hungPairs, 17, 3);

test.each([
  ['outside sessions', sampled(hungPairs, 13, 0, 'sample')],
  ['in sessions', sampled(hungPairs, 17, 3, 'sample')],
  ['in sessions, in the deep tests', everyFifth],
])('the pairs contain every way to hang: %s', (_, pairs) => {
  const ways = new Set(pairs.flatMap(({ hang }) => hang ?? []));
  expect([...ways].toSorted()).toEqual(HANGS.map((_code, place) => place));
});

describe.skipIf(runtime === undefined)('traces of stopped calls are not visible', () => {
  // One child with the time limits of a real run. After a call was ended, the same process runs the code that
  // looks for its effects.
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: 500, graceMs: 400, spares: 0 });
  const market = simulateMarket({ seed: 5, bars: BARS, symbols: [SYMBOL], start: '2020-01-01' });
  const world = new World(market, runSettingsSchema.parse({}));
  for (let bar = 0; bar < BARS; bar++) world.reveal();
  const account = { cash: 100_000, equity: 110_000, positions: {} };
  const call = (code: string, timeoutMs: number, session?: string): Promise<SandboxReply> =>
    sandbox.call({
      operation: session === undefined ? 'compute' : 'exec_code',
      bar: world.bar,
      time: world.time,
      windows: [world.turn.windowOf(SYMBOL)],
      timeoutMs,
      request: {
        code,
        symbol: SYMBOL,
        account,
        limits: { timeoutMs, resultBytes: 32_768, stdoutCharacters: 4_000, codeCharacters: 20_000 },
      },
      ...(session === undefined ? {} : { session: { id: session, begin: true, lasting: false } }),
    });
  const answer = (reply: SandboxReply): unknown =>
    reply.ok ? { result: reply.result } : { error: reply.error };
  const fresh = new Map<string, unknown>();
  let ended = 0;
  let sessions = 0;
  afterAll(() => sandbox.close());

  test('the answers before any call are recorded', async () => {
    for (const { see } of [...tried, ...triedInSessions]) {
      await call('class Other: pass\nresult = 1', 10_000);
      fresh.set(see, answer(await call(see, 10_000)));
    }
  });

  test.each(tried.map((pair) => [pair.name, pair] as const))('%s', async (_, { hung, see }) => {
    const reply = await call(hung, 500);
    if (!reply.ok && reply.kind === 'TimeoutError') ended += 1;
    expect(reply.ok).toBe(false);
    expect(answer(await call(see, 10_000))).toEqual(fresh.get(see));
  });

  test.each(triedInSessions.map((pair) => [pair.name, pair] as const))(
    'from a session: %s',
    async (_, { hung, see }) => {
      sessions += 1;
      expect((await call(hung, 500, `hung-${sessions}`)).ok).toBe(false);
      expect(answer(await call(see, 10_000))).toEqual(fresh.get(see));
    },
  );

  test('most of the first calls were stopped by their timeout', () => {
    expect(ended).toBeGreaterThan(0.8 * tried.length);
  });
});
