import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { inDepth, randomCases } from '../../test/support/depth.ts';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { SessionAgent } from '../../test/support/toolkit-python.ts';
import { readRunSettings, World } from '../engine/index.ts';
import {
  type BarSeries,
  createMarket,
  type FeatureRow,
  featureTable,
  loadMarket,
  type Market,
  simulateMarket,
  type Window,
} from '../market/index.ts';
import { frameColumns } from './pending-bars.ts';
import { proveText } from './proof/prove.ts';
import type { SessionHeader } from './protocol.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxOptions, SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();
const DAY = 86_400_000;
const SHOWN = "result = [(f.index.astype('int64') // 10**6).tolist(), *[f[s].tolist() for s in f.columns]]";

/** A sandbox and a world that moves through a market. */
class Bench {
  readonly world: World;
  readonly sandbox: Sandbox;

  constructor(
    sandbox: Sandbox,
    market: Market,
    settings: Parameters<typeof readRunSettings>[0] = {},
    given: ConstructorParameters<typeof World>[3] = {},
  ) {
    this.sandbox = sandbox;
    this.world = new World(market, readRunSettings(settings), undefined, given);
  }

  advanceTo(bar: number): void {
    while (this.world.bar < bar) {
      this.world.reveal();
      this.world.open();
      this.world.markToMarket();
    }
  }

  /** Returns the windows of all symbols. Subclasses may add windows of another market. */
  windows(): Window[] {
    return this.world.symbols.map((symbol) => this.world.turn.windowOf(symbol));
  }

  ask(code: string, session?: SessionHeader): Promise<SandboxReply> {
    const { world } = this;
    const limits = {
      timeoutMs: PATIENT_MS,
      resultBytes: 1_000_000,
      stdoutCharacters: 100,
      codeCharacters: 5_000,
    };
    return this.sandbox.call({
      operation: session === undefined ? 'compute' : 'exec_code',
      bar: world.bar,
      time: world.time,
      windows: this.windows(),
      ...(session === undefined ? {} : { session }),
      request: { code, symbol: world.symbols[0], account: { cash: 1, equity: 1, positions: {} }, limits },
    });
  }

  async get(code: string): Promise<unknown> {
    const reply = await this.ask(code);
    if (!reply.ok) throw new Error(`${code}: ${reply.error} ${reply.remediation}`);
    return reply.result;
  }

  /**
   * Returns the expected result of `frame(column)`, calculated from the windows: dates in milliseconds, then
   * the values of each symbol. `null` where a symbol has no bar.
   */
  expected(column: 'close' | 'volume'): unknown {
    const bars = this.windows().map(
      (window) =>
        new Map(
          [...window.time.tail(1e6)].map((time, bar) => [time, window[column].tail(1e6)[bar]!] as const),
        ),
    );
    const dates = [...new Set(bars.flatMap((known) => [...known.keys()]))].sort((a, b) => a - b);
    return [dates, ...bars.map((known) => dates.map((date) => known.get(date) ?? null))];
  }
}

/**
 * A market with hourly bars of H, and a second market with daily bars of D. A daily bar is revealed when its
 * day has ended.
 */
class HoursAndDays extends Bench {
  readonly days = new Bench(
    this.sandbox,
    simulateMarket({ seed: 3, bars: 12, symbols: ['D'], start: '2020-01-01' }),
  );

  constructor(sandbox: Sandbox) {
    super(
      sandbox,
      simulateMarket({ seed: 2, bars: 200, symbols: ['H'], start: '2020-01-01', interval: '1h' }),
    );
  }

  override windows(): Window[] {
    while ((this.world.bar + 1) / 24 >= this.days.world.bar + 2) this.days.world.reveal();
    return [...super.windows(), ...this.days.windows()];
  }
}

/** Returns daily bars of a symbol on the given days, which are numbers of days after 2020-01-01. */
function seriesAt(symbol: string, days: readonly number[]): BarSeries {
  const [whole] = simulateMarket({
    seed: 7,
    bars: days.length,
    symbols: [symbol],
    start: '2020-01-01',
  }).series;
  return {
    ...whole!,
    interval: '1d',
    time: Float64Array.from(days, (day) => Date.UTC(2020, 0, 1) + day * DAY),
  };
}

function open(options: Partial<SandboxOptions> = {}): Sandbox {
  return new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0, ...options });
}

describe.skipIf(runtime === undefined)('frame', () => {
  const sandbox = open({ reusable: true });
  const paranoid = open({ paranoid: true });
  afterAll(() => Promise.all([sandbox.close(), paranoid.close()]));

  // Random days, always followed by the days 42 and 43. Series without two consecutive days would not be
  // recognised as daily bars.
  const days = fc
    .uniqueArray(fc.nat(40), { minLength: 1, maxLength: 25 })
    .map((all) => [...all.sort((a, b) => a - b), 42, 43]);

  it('has every date of every window, and NaN for a missing bar', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(days, { minLength: 2, maxLength: 4 }),
        fc.constantFrom(null, 1, 3, 10),
        fc.boolean(),
        async (all, lookback, isProved) => {
          await sandbox.reset();
          const market = createMarket(all.map((one, place) => seriesAt('ABCD'[place]!, one)));
          const bench = new Bench(sandbox, market, { lookback });
          // Changing an option of pandas prevents the proof that the code changes nothing. The sandbox then
          // restores the heap after the call.
          const rest = isProved ? '' : '\npd.set_option("display.precision", 3)';
          for (let bar = 0; bar < market.clock.length; bar += 1 + (bar % 3)) {
            bench.advanceTo(bar);
            for (const column of ['close', 'volume'] as const)
              expect(await bench.get(`f = frame('${column}')\n${SHOWN}${rest}`)).toEqual(
                bench.expected(column),
              );
          }
        },
      ),
      randomCases(6, 60),
    );
  }, 300_000);

  it.runIf(inDepth(5))(
    'aligns series of different bar lengths, which are revealed in another order than their dates',
    async () => {
      for (const one of [sandbox, paranoid]) {
        if (one === sandbox) await one.reset();
        const bench = new HoursAndDays(one);
        for (const bar of [0, 5, 23, 24, 25, 60, 61, 100, 199]) {
          bench.advanceTo(bar);
          expect(await bench.get(`f = frame('close')\n${SHOWN}`)).toEqual(bench.expected('close'));
        }
      }
    },
  );

  it('follows a history that is adjusted at a split', async () => {
    const { series } = simulateMarket({ seed: 5, bars: 60, symbols: ['A', 'B'], start: '2020-01-01' });
    const actions = [{ symbol: 'B', time: series[1]!.time[30]!, kind: 'split', to: '4', from: '1' } as const];
    for (const lookback of [null, 12]) {
      await sandbox.reset();
      const settings = { adjust: 'point-in-time', lookback } as const;
      const bench = new Bench(sandbox, createMarket(series), settings, { actions });
      for (const bar of [10, 29, 30, 31, 45]) {
        bench.advanceTo(bar);
        for (const column of ['close', 'volume'] as const)
          expect(await bench.get(`f = frame('${column}')\n${SHOWN}`)).toEqual(bench.expected(column));
      }
    }
  });

  it.runIf(inDepth(5))('includes features of numbers and texts', async () => {
    const market = simulateMarket({ seed: 5, bars: 40, symbols: ['A', 'B'], start: '2020-01-01' });
    const rows: FeatureRow[] = Array.from(market.clock, (date, bar) => ({
      date,
      symbol: 'B',
      mood: bar / 10,
      regime: `r${bar % 3}`,
    }));
    const bench = new Bench(paranoid, market, {}, { features: [featureTable(rows)] });
    for (const bar of [20, 21, 30]) {
      bench.advanceTo(bar);
      const { turn } = bench.world;
      for (const name of ['mood', 'regime']) {
        const newest = turn.windowOf('B').feature(name).tail(5);
        expect(await bench.get(`frame('${name}').B.tail(5).tolist()`)).toEqual([...newest]);
      }
      expect(await bench.get("[frame('mood').A.isna().all(), frame('regime').A.isna().all()]")).toEqual([
        true,
        true,
      ]);
    }
    expect(await bench.ask("frame('modo')")).toMatchObject({
      ok: false,
      error: "ResultError: unknown column 'modo' in frame() (line 1)",
      remediation: 'use one of open, high, low, close, volume, mood, regime',
    });
    const inPlace = "v = frame('regime').values\nv.flags.writeable = True\nv[0, 0] = 'PWNED'";
    expect(await bench.ask(inPlace)).toMatchObject({ ok: false });
    expect(await bench.get("frame('regime').B.iloc[0] != 'PWNED'")).toBe(true);
  });

  it('refuses an unknown column, the date, and names that are not text', async () => {
    const market = simulateMarket({ seed: 5, bars: 5, symbols: ['A'] });
    const bench = new Bench(paranoid, market);
    bench.advanceTo(2);
    expect(await bench.ask("frame('date')")).toMatchObject({
      remediation: "the dates are the index: frame('close').index",
    });
    for (const code of ["frame('Close')", 'frame(1)', 'frame(None)', "frame(np.str_('close'))"])
      expect(await bench.ask(code)).toMatchObject({ ok: false, kind: 'ResultError' });
  });

  it('does not change in a session when later bars arrive', async () => {
    await sandbox.reset();
    const bench = new HoursAndDays(sandbox);
    const exec = async (code: string, begin = false): Promise<unknown> => {
      const reply = await bench.ask(code, { id: 'one', begin, lasting: true });
      return reply.ok ? reply.result : reply.error;
    };
    bench.advanceTo(20);
    await exec("kept = [frame('close')]\ntexts = [kept[0].to_csv()]", true);
    for (let bar = 21; bar < 60; bar++) {
      bench.advanceTo(bar);
      expect(await exec("frame('close').shape == (len(set(df_h.date) | set(df_d.date)), 2)")).toBe('True');
      await exec("kept.append(frame('close'))\ntexts.append(kept[-1].to_csv())");
    }
    expect(await exec('[k.to_csv() for k in kept] == texts and len(set(texts)) == 40')).toBe('True');
  });
});

describe.skipIf(runtime === undefined)('the note about different dates', () => {
  const sandbox = open({ reusable: true });
  afterAll(() => sandbox.close());
  const noteOf = async (bench: Bench, code: string): Promise<string | undefined> => {
    const reply = await bench.ask(code);
    if (!reply.ok) throw new Error(reply.error);
    return reply.note;
  };

  const BOTH = 'df_a.close.corr(df_b.close)';

  it('is included for the data of two symbols with different dates, and suggests frame', async () => {
    const market = createMarket([
      seriesAt('A', [0, 1, 2, 3, 5, 6, 7, 8, 9]),
      seriesAt('B', [0, 1, 2, 4, 5, 6, 7, 8, 9]),
    ]);
    await sandbox.reset();
    const bench = new Bench(sandbox, market, { lookback: 4 });
    const seen: boolean[] = [];
    for (let bar = 0; bar < market.clock.length; bar++) {
      bench.advanceTo(bar);
      seen.push((await noteOf(bench, BOTH)) !== undefined);
    }
    // A has no bar on day 4, and B has no bar on day 3. The note ends when both days are outside the
    // look-back of 4 bars.
    expect(seen).toEqual([false, false, false, true, true, true, true, true, false, false]);
    expect(await noteOf(bench, BOTH)).toBeUndefined();
    const whole = new Bench(sandbox, market);
    await sandbox.reset();
    whole.advanceTo(9);
    const note =
      "has other dates than df_b: rows with the same number are not of the same date. Use frame('close') to align the symbols by date.";
    expect(await noteOf(whole, BOTH)).toBe(`df_a ${note}`);
    expect(await noteOf(whole, 'df.close.corr(df_b.close)')).toMatch(`df ${note}`);
    expect(await noteOf(whole, 'df.close.corr(df_a.close)')).toBeUndefined();
    expect(await noteOf(whole, 'latest(df_b.close)')).toBeUndefined();
    expect(await noteOf(whole, "frame('close').corr().iloc[0, 1]")).toBeUndefined();
    expect(await noteOf(whole, `x = ${BOTH}`)).toMatch(/add `result = x`\. df_a has other dates than df_b/);
  });

  it('is included in a session too', async () => {
    const market = createMarket([seriesAt('A', [0, 1, 2, 3]), seriesAt('B', [0, 1, 3])]);
    await sandbox.reset();
    const agent = new SessionAgent(sandbox, { bar: 2, market });
    const note = expect.stringContaining("Use frame('close')");
    expect(await agent.exec(BOTH)).toMatchObject({ note });
    expect(await agent.call('eval_expr', { expr: BOTH })).toMatchObject({ ok: true, note });
    expect(await agent.exec('df_a.close.iloc[-1]')).not.toHaveProperty('note');
    await agent.exec('df_a = 1');
    expect(await agent.exec('df_b.close.iloc[-1] + df_a')).not.toHaveProperty('note');
  });
});

describe('static analysis of frame before a call runs', () => {
  it.each([
    ["frame('close')", ['close']],
    ['frame ( "open" ).corr() + frame(column=\'high\')', ['open', 'high']],
    ['f = frame()', ['close']],
    ['frame(name)', []],
    ['frames.append(1)', undefined],
    ['df.close', undefined],
  ])('%s', (code, columns) => {
    expect(frameColumns({ code }, ['A'])).toEqual(columns && { symbols: ['A'], columns });
  });

  it.each([
    "frame('close').pct_change().corr().iloc[0, 1]",
    "p = frame('close')\np['x'] = p.GS / p.JPM\np.iloc[0, 0] = 1\nresult = p.x.iloc[-1]",
    "frame('volume').tail(5).sum().to_dict()",
  ])('proves clean: %s', (code) => {
    expect(proveText(code)).toMatchObject({ clean: true });
  });

  it.each([
    'frame.kept = 1',
    "frame('close').values.flags.writeable = True",
    "frame('close').index.name = 'x'",
    "frame('close').columns.name = 'x'",
  ])('does not prove: %s', (code) => {
    expect(proveText(code)).toMatchObject({ clean: false });
  });
});

const djia = fileURLToPath(new URL('../../../shared/data/djia', import.meta.url));
if (!existsSync(djia)) skipBecause('frame: no ../shared/data/djia');

describe.skipIf(runtime === undefined || !existsSync(djia))('correlation of GS and JPM', () => {
  it('is 0.805 by row number, with a note, and 0.965 by date', async () => {
    const { market } = await loadMarket({ paths: [`${djia}/GS.csv`, `${djia}/JPM.csv`] });
    const sandbox = open();
    try {
      const bench = new Bench(sandbox, market);
      bench.advanceTo(market.clock.length - 1);
      const byRow = await bench.ask('round(df_gs.close.corr(df_jpm.close), 3)');
      expect(byRow).toMatchObject({ result: 0.805, note: expect.stringContaining('frame(') });
      expect(await bench.get("round(frame('close').corr().loc['GS', 'JPM'], 3)")).toBe(0.965);
      expect(await bench.get("frame('close').isna().sum().sum()")).toBeGreaterThan(0);
    } finally {
      await sandbox.close();
    }
  });
});
