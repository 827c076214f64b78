import { afterAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../test/support/depth.ts';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { runSettingsSchema, World } from '../engine/index.ts';
import { DAY } from '../kernel/index.ts';
import { type FeatureRow, featureTable, simulateMarket } from '../market/index.ts';
import { proveText } from './proof/prove.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxOptions, SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();
const market = simulateMarket({ seed: 5, bars: 2_000, symbols: ['AAPL', 'SPY'], start: '2020-01-01' });
const clock = market.clock;

/**
 * Feature rows of each symbol: `mood` and `calm` change at every bar, and the label `regime` at every seventh
 * bar.
 */
const own: FeatureRow[] = market.symbols.flatMap((symbol, number) =>
  Array.from(clock, (date, bar) => ({
    date,
    symbol,
    mood: bar % 5 === 0 ? null : bar / 10 - number,
    regime: `${symbol} ${Math.floor(bar / 7)}`,
    calm: bar % 3 === 0,
  })),
);
const macro: FeatureRow[] = Array.from({ length: 190 }, (_, index): FeatureRow[] => {
  const date = clock[index * 10]!;
  return [
    { date, available_at: date + 2 * DAY, rate: index },
    { date, available_at: date + 6 * DAY, rate: index + 0.5 },
  ];
}).flat();

interface Bench {
  readonly sandbox: Sandbox;
  readonly world: World;
  readonly compute: (code: string, bar: number) => Promise<SandboxReply>;
}

function bench(
  options: Partial<SandboxOptions> = {},
  lookback: number | null = null,
  tables: readonly (readonly FeatureRow[])[] = [own, macro],
): Bench {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0, ...options });
  const features = tables.map((rows) => featureTable(rows));
  const world = new World(market, runSettingsSchema.parse({ lookback }), undefined, { features });
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 65_536,
    stdoutCharacters: 4_000,
    codeCharacters: 20_000,
  };
  const account = { cash: 1, equity: 1, positions: {} };
  const compute = (code: string, bar: number): Promise<SandboxReply> => {
    while (world.bar < bar) {
      world.reveal();
      world.markToMarket();
    }
    return sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: market.symbols.map((symbol) => world.turn.windowOf(symbol)),
      request: { code, symbol: 'SPY', account, limits },
    });
  };
  return { sandbox, world, compute };
}

async function value({ compute }: Bench, code: string, bar: number): Promise<unknown> {
  const reply = await compute(code, bar);
  if (!reply.ok) throw new Error(`${code}: ${JSON.stringify(reply)}`);
  return reply.result;
}

/** Returns the values that a window shows, in JSON form. */
function shown({ world }: Bench, symbol: string, name: string): unknown[] {
  const window = world.turn.windowOf(symbol);
  return Array.from(window.feature(name).tail(window.length), (one: unknown) =>
    Number.isNaN(one) ? null : one,
  );
}

describe.skipIf(runtime === undefined)('features in Python', () => {
  const one = bench();
  afterAll(() => one.sandbox.close());

  it('are columns of df next to the bars, for every symbol, with the values of its window', async () => {
    for (const bar of [0, 1, 40, 41, 1_500]) {
      for (const name of ['mood', 'rate', 'regime', 'calm']) {
        const listed = `[None if pd.isna(x) else x for x in df_aapl["${name}"].tail(300)]`;
        expect(await value(one, listed, bar), `${name} at ${bar}`).toEqual(
          shown(one, 'AAPL', name).slice(-300),
        );
      }
      expect(await value(one, 'df.regime.iloc[-1]', bar)).toBe(`SPY ${Math.floor(bar / 7)}`);
    }
    expect(await value(one, 'list(df.columns)', 1_500)).toEqual([
      'date',
      'open',
      'high',
      'low',
      'close',
      'volume',
      'mood',
      'rate',
      'regime',
      'calm',
    ]);
  });

  it('work like any column: masks, groups, rolling windows', async () => {
    expect(await value(one, 'int((df.regime == df.regime.iloc[-1]).sum())', 1_500)).toBeGreaterThan(0);
    expect(await value(one, 'len(df[df.calm == True])', 1_500)).toBe(501);
    expect(await value(one, 'df.groupby("regime").close.mean().iloc[0] > 0', 1_500)).toBe(true);
    expect(await value(one, 'df.mood.rolling(20, min_periods=1).mean().iloc[-1]', 1_500)).toBeTypeOf(
      'number',
    );
    expect(await value(one, 'df.mood.corr(df.close)', 1_500)).toBeTypeOf('number');
  });

  it('are read as rows with their availability, as newest revisions or all vintages', async () => {
    const rows = 'features("rate")[["value"]].value.tolist()[-3:]';
    const vintages = 'len(features("rate", vintages=True)), len(features("rate"))';
    // Rates are dated at every tenth bar. Each has a first value after 2 days and a revision after 6 days. At
    // bar 1500, its own rate is not available yet, and the rate of bar 1490 is already revised.
    expect(await value(one, rows, 1_500)).toEqual([147.5, 148.5, 149.5]);
    expect(await value(one, vintages, 1_500)).toEqual([300, 150]);
    const when = '(features("rate").available_at <= df.date.iloc[-1] + pd.Timedelta(days=1)).all()';
    expect(await value(one, when, 1_500)).toBe(true);
    expect(await value(one, 'features("mood", symbol="AAPL").value.iloc[-1]', 1_501)).toBe(150.1);
    expect(proveText('features("rate", vintages=True).value.iloc[-1]').clean).toBe(true);
  });

  it('are listed in the error for an unknown name', async () => {
    expect(await one.compute('features("mod")', 1_502)).toMatchObject({
      ok: false,
      error: expect.stringContaining("no feature 'mod'"),
      remediation: 'there is mood, rate, regime, calm',
    });
  });

  it('cannot be changed for a later call, with or without a proof', async () => {
    const before = await value(
      one,
      '[df.mood.sum(), df.regime.iloc[-1], features("rate").value.sum()]',
      1_503,
    );
    const tries = [
      'df["mood"] = 7\nresult = df.mood.iloc[-1]',
      'df.loc[:, "regime"] = "x"\nresult = df.regime.iloc[-1]',
      'df.iloc[0, 6] = 5.0\nresult = 1',
      'v = df.regime.values\nv[0] = "x"\nresult = 1',
      'v = df.mood.to_numpy()\nv[0] = 1\nresult = 1',
      'f = features("rate")\nf.loc[:, "value"] = 0\nresult = 1',
    ];
    for (const code of tries) await one.compute(code, 1_503);
    expect(
      await value(one, '[df.mood.sum(), df.regime.iloc[-1], features("rate").value.sum()]', 1_503),
    ).toEqual(before);
  });

  it('are available after every unclean call and with a look-back, up to the same row', async () => {
    const short = bench({}, 25);
    try {
      for (const bar of [3, 30, 31, 400, 900, 1_700]) {
        // This code is not proved clean, so the heap is restored after it.
        await short.compute('class X: pass\nresult = 1', bar);
        expect(await value(short, 'len(df)', bar)).toBe(Math.min(bar + 1, 25));
        expect(await value(short, 'df.regime.tolist()', bar)).toEqual(shown(short, 'SPY', 'regime'));
        expect(await value(short, '[None if pd.isna(x) else x for x in df.mood]', bar)).toEqual(
          shown(short, 'SPY', 'mood'),
        );
        expect(await value(short, 'len(features("mood", vintages=True))', bar)).toBe(bar + 1);
      }
    } finally {
      await short.sandbox.close();
    }
  });

  it('do not change until rows that were changed, added or removed become known', async () => {
    const cut = 50;
    const end = clock[cut]! + DAY;
    const isLater = ({ date, available_at: known = Number(date) + DAY }: FeatureRow): boolean =>
      Number(known) > end;
    const changedRow = (row: FeatureRow): FeatureRow => ({
      ...row,
      ...('rate' in row ? { rate: -7 } : { mood: -7, regime: 'changed' }),
    });
    const changed = (rows: readonly FeatureRow[]): FeatureRow[] =>
      rows.flatMap((row, index) => (!isLater(row) ? [row] : index % 3 === 0 ? [] : [changedRow(row)]));
    const other = bench({}, null, [changed(own), changed(macro)]);
    const code =
      'result = [df.mood.sum(), df.regime.tolist()[-3:], df.rate.tolist()[-1], ' +
      '[features(n, vintages=True).astype(str).values.tolist() for n in ("mood", "regime", "rate")]]';
    const first = bench();
    try {
      for (const bar of [1, 20, cut])
        expect(await other.compute(code, bar)).toEqual(await first.compute(code, bar));
      expect(await other.compute(code, cut + 20)).not.toEqual(await first.compute(code, cut + 20));
    } finally {
      await Promise.all([first, other].map(({ sandbox }) => sandbox.close()));
    }
  });

  it.runIf(inDepth(0))('leave no state for a fingerprint to detect', async () => {
    const paranoid = bench({ paranoid: true });
    try {
      for (const bar of [5, 6, 60])
        expect(
          await paranoid.compute('[df.mood.iloc[-1], df.regime.iloc[-1], features("rate").shape[0]]', bar),
        ).toMatchObject({ ok: true });
    } finally {
      await paranoid.sandbox.close();
    }
  });
});
