import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { inDepth, randomCases } from '../../test/support/depth.ts';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { type RunSettings, runSettingsSchema, World } from '../engine/index.ts';
import { createMarket, mapColumns, resample, simulateMarket, type Window } from '../market/index.ts';
import { proveText } from './proof/prove.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Returns a world whose bars have gaps, like nights and holidays. */
function worldOf(
  seed: number,
  interval: '1h' | '4h' | '1d' | '1mo',
  lookback: number | null,
  more: Partial<Pick<RunSettings, 'session' | 'barTimes'>> = {},
): World {
  const [bars, short] = interval === '1mo' ? [6_000, '1d' as const] : [400, interval];
  const whole = simulateMarket({ seed, bars, symbols: ['AAPL'], start: '2004-01-01', interval: short });
  const gapped = whole.series.map((one) => {
    const series = interval === '1mo' ? resample(one, interval) : one;
    const kept = Array.from(series.time.keys()).filter((index) => (index * 7 + seed) % 5 !== 0);
    return {
      ...mapColumns(series, (column) => Float64Array.from(kept, (index) => column[index]!)),
      interval,
    };
  });
  return new World(createMarket(gapped), runSettingsSchema.parse({ lookback, ...more }));
}

function listed(window: Window, rule: string, partial: boolean): number[][] {
  const bars = window.resample(rule, { partial });
  return COLUMNS.map((name) => Array.from(bars[name].tail(bars.length)));
}

/** Returns code that gives the result as lists of numbers, with dates in milliseconds. */
const asLists = (call: string): string =>
  `w = ${call}\nresult = [[int(x) for x in w.date.astype("int64") // 1000000], *[w[c].tolist() for c in ("open", "high", "low", "close", "volume")]]`;

describe.skipIf(runtime === undefined)('df.resample_bars', () => {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0, reusable: true });
  afterAll(() => sandbox.close());
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 262_144,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };
  const account = { cash: 1, equity: 1, positions: {} };
  const call = (world: World, source: string, operation = 'compute'): Promise<SandboxReply> =>
    sandbox.call({
      operation,
      bar: world.bar,
      time: world.time,
      windows: [world.turn.window],
      ...(operation === 'compute' ? {} : { session: { id: 'a', begin: true, lasting: false } }),
      request: { [operation === 'compute' ? 'code' : 'expr']: source, symbol: 'AAPL', account, limits },
    });

  it.runIf(inDepth(1))('equals window.resample bit for bit, for any rule, look-back and bar', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('1h', '4h', '1d', '1mo'),
        fc.constantFrom('7h', '1D', '3d', '1W', '1mo', '3mo'),
        fc.constantFrom(null, 30),
        fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 4 }),
        async (seed, interval, rule, lookback, stops) => {
          await sandbox.reset();
          const world = worldOf(seed, interval, lookback);
          for (const stop of stops.sort((a, b) => a - b)) {
            while (world.bar < stop) world.reveal();
            for (const partial of [false, true]) {
              const python = `df.resample_bars("${rule}", partial=${partial ? 'True' : 'False'})`;
              const reply = await call(world, asLists(python));
              expect(reply).toMatchObject({ ok: true });
              expect(reply.ok && reply.result).toEqual(listed(world.turn.window, rule, partial));
            }
          }
        },
      ),
      randomCases(5, 60),
    );
  });

  it('follows sessions like window.resample, bit for bit, and daily bars a calendar', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('1h', '4h', '1d'),
        fc.constantFrom('90min', '6h', '1D', '3d', '1W', '1mo'),
        fc.constantFrom('start' as const, 'end' as const),
        fc.constantFrom({}, { calendar: 'XNYS' }, { timezone: 'Asia/Tokyo', hours: '18:00-17:00' }),
        fc.constantFrom(null, 30),
        fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 4 }),
        async (seed, interval, rule, barTimes, session, lookback, stops) => {
          await sandbox.reset();
          const own = { hours: '09:30-16:00', timezone: 'America/New_York', ...session };
          const world = worldOf(seed, interval, lookback, { session: own, barTimes });
          for (const stop of stops.sort((a, b) => a - b)) {
            while (world.bar < stop) world.reveal();
            for (const partial of [false, true]) {
              const python = `df.resample_bars("${rule}", partial=${partial ? 'True' : 'False'})`;
              const reply = await call(world, asLists(python));
              expect(reply).toMatchObject({ ok: true });
              expect(reply.ok && reply.result).toEqual(listed(world.turn.window, rule, partial));
            }
          }
        },
      ),
      randomCases(8, 120),
    );
    const hourly = worldOf(3, '1h', null, {
      session: { hours: '09:30-16:00', timezone: 'America/New_York' },
    });
    const plain = worldOf(3, '1h', null);
    for (const world of [hourly, plain]) while (world.bar < 200) world.reveal();
    expect(listed(hourly.turn.window, '4h', true)).not.toEqual(listed(plain.turn.window, '4h', true));
  });

  it('works on rows of df and on copies, in compute and in the REPL, and is proved clean', async () => {
    await sandbox.reset();
    const world = worldOf(3, '1h', null);
    while (world.bar < 200) world.reveal();
    const days = world.turn.window.resample('1d').length;
    for (const code of ['len(df.resample_bars("1d"))', 'len(df[df.close > 0].resample_bars("1d"))'])
      expect(await call(world, code)).toMatchObject({ ok: true, result: days });
    expect(await call(world, 'df.resample_bars("1d").close.rolling(2).mean().iloc[-1]')).toMatchObject({
      ok: true,
    });
    expect(await call(world, 'len(df.head(0).resample_bars("1d"))')).toMatchObject({ ok: true, result: 0 });
    expect(await call(world, 'len(df.resample_bars("1d"))', 'eval_expr')).toMatchObject({
      ok: true,
      result: String(days),
    });
    expect(proveText('df.resample_bars("1W").close.iloc[-1]').clean).toBe(true);
  });

  it('reports a refused rule with a suggestion', async () => {
    const world = worldOf(3, '1h', null);
    while (world.bar < 300) world.reveal();
    for (const [rule, meant] of [
      ["'W-FRI'", "write '1w'"],
      ["'2M'", "write '2mo'"],
      ["'15T'", "write '15min'"],
      ["'fortnight'", 'write a count and a unit'],
      ['7', 'write a count and a unit'],
    ])
      expect(await call(world, `df.resample_bars(${rule})`)).toMatchObject({
        ok: false,
        error: expect.stringContaining('is not a bar length'),
        remediation: expect.stringContaining(meant!),
      });
    for (const code of ['df[["close"]].resample_bars("1d")', 'df[::-1].resample_bars("1d")'])
      expect(await call(world, code)).toMatchObject({
        ok: false,
        error: expect.stringContaining('resample_bars'),
      });
  });
});
