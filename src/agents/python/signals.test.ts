import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { sampled } from '../../../test/support/depth.ts';
import { type BacktestResult, type RunEvent, runBacktest } from '../../engine/index.ts';
import { createMarket, type Market, mapColumns, simulateMarket } from '../../market/index.ts';
import { loadStrategy } from '../strategies/load-strategy.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-signals-'));
afterAll(() => rmSync(folder, { recursive: true }));
const one = simulateMarket({ seed: 3, bars: 120, symbols: ['AAA'] });
const whole = simulateMarket({ seed: 4, bars: 90, symbols: ['AAA', 'BBB', 'CCC'] });
/** Three symbols, of which the second one has no bar on some days. */
const three = createMarket(
  whole.series.map((series, place) =>
    place === 1 ? mapColumns(series, (column) => column.filter((_, bar) => bar % 7 !== 3)) : series,
  ),
);

interface Ran {
  readonly result: BacktestResult;
  readonly events: RunEvent[];
  readonly notes: string[];
}

/**
 * Runs a strategy with `signals`. With `isTrial`, only a few bars are checked for look-ahead, as in a sweep.
 */
async function ran(
  text: string,
  given: Record<string, string> = {},
  market: Market = one,
  isTrial = false,
): Promise<Ran> {
  const file = join(folder, 'signals.py');
  writeFileSync(file, text);
  const strategy = await loadStrategy(file, given);
  const decider = strategy.createDecider(undefined, market.clock.length, market.symbols, {
    environment: {},
    series: market.series,
    clock: market.clock,
    ...(isTrial ? {} : { runId: () => 'run' }),
  });
  const events: RunEvent[] = [];
  const result = await runBacktest({ market, decider, onEvent: (event) => events.push(event) });
  return {
    result,
    events,
    notes: events.flatMap((event) => (event.type === 'note' ? [event.text] : [])),
  };
}

const messageOf = ({ result }: Ran): string =>
  result.error instanceof Error ? result.error.message : String(result.error);
const fillsOf = ({ events }: Ran): string[] =>
  events.flatMap((event) =>
    event.type === 'order_filled' ? [`${event.bar} ${event.symbol} ${event.side} ${event.quantity}`] : [],
  );

const ABOVE_MEAN =
  'parameters = {"n": 10}\ndef signals(df, p):\n    above = df.close > df.close.rolling(p.n).mean()\n    return above.astype(float)';
const AHEAD =
  /^look-ahead: at bar \d+ \(.*\) signals( of \w+)? is \S+ computed on all bars, and \S+ computed on the bars up to (this one|bar \d+)\.$/;

describe.skipIf(!buildIsHere())('signals of a Python strategy', () => {
  it('are traded at the next open', async () => {
    const run = await ran(`${ABOVE_MEAN}.where(df.index > 20)\n`, { n: '5' });
    expect(run.result.error).toBeUndefined();
    const fills = run.events.filter((event) => event.type === 'order_filled');
    expect(fills.length).toBeGreaterThan(4);
    const { close } = one.series[0]!;
    const wanted: number[] = [];
    let target = 0;
    for (let bar = 21; bar < 119; bar++) {
      const mean = close.slice(bar - 4, bar + 1).reduce((sum, each) => sum + each) / 5;
      const next = close[bar]! > mean ? 1 : 0;
      if (next !== target) wanted.push(bar + 1);
      target = next;
    }
    expect(fills.map(({ bar }) => bar)).toEqual(wanted);
    expect(run.notes.at(-1)).toBe('signals checked for look-ahead at 120 of 120 bars');
  });

  it.each(
    sampled(
      [
        ['the next bar', 'return (df.close.shift(-1) > df.close).astype(float)'],
        ['the mean of all bars', 'return (df.close > df.close.mean()).astype(float)'],
        [
          'a variable with the longest history',
          'cache.append(df) if not cache else None\n    return (cache[0].close.shift(-1) > cache[0].close).astype(float)[: len(df)]',
        ],
        [
          'an option of pandas with the longest history',
          `bits = (df.close.shift(-1) > df.close).astype(int)
    if len(df) == 120: pd.set_option("display.max_rows", int("1" + "".join(map(str, bits)), 2))
    known = bin(pd.get_option("display.max_rows"))[3:].ljust(len(df), "0")
    return [float(each) for each in known[: len(df)]]`,
        ],
        [
          'an earlier signal that a later bar changes',
          'first = df.close.iloc[-1] > df.close.iloc[0]\n    return (df.index == 3) * float(first)',
        ],
      ],
      3,
      1,
    ),
  )('are refused for look-ahead by %s', async (_, body) => {
    const run = await ran(`cache = []\ndef signals(df):\n    ${body}\n`);
    expect(run.result.outcome).toBe('failed');
    expect(messageOf(run)).toMatch(AHEAD);
  });

  it.each(
    sampled(
      [
        ['the array below', 'x = df.close.to_numpy().base'],
        ['strides', 'x = np.lib.stride_tricks.as_strided(df.close.to_numpy(), shape=(120,), strides=(8,))'],
        ['a buffer', 'x = memoryview(df.close.to_numpy()).obj'],
        ['the manager', 'x = df._mgr.blocks[0].values'],
        ['an address', 'x = df.close.to_numpy().ctypes.data'],
        ['an interface', 'x = df.close.to_numpy().__array_interface__'],
        ['the row behind', 'x = df.close.to_numpy()[len(df)]'],
        ['a reference', 'import gc\n    x = gc.get_referents(df)'],
        ['a resized array', 'x = df.close.to_numpy().resize(120)'],
      ],
      3,
    ),
  )('cannot read a later bar through %s', async (_, body) => {
    const text = `def signals(df):\n    ${body}\n    return [float(len(str(x)) % 2 == 1)] * len(df)\n`;
    // The code is rejected when it is loaded, when it runs, or by the look-ahead check.
    expect(await ran(text).then(messageOf, String)).toMatch(
      /not available here|is not defined|no module named|has no attribute|IndexError|look-ahead|own its data/,
    );
  });

  it.each(
    sampled(
      [
        ['a wrong length', 'return df.close.dropna().iloc[1:]', 'signals returned 119 values for 120 bars'],
        ['leverage', 'return df.close * 0 + 2', 'signals is 2.0 at bar 0, outside of -1 to 1'],
        ['removed rows', 'return (df.close * 0)[df.index != 7]', 'the first missing row is 7'],
        ['another index', 'return (df.close * 0).rename(lambda each: each + 1)', 'df has no row 120'],
        [
          'a row twice',
          'return (df.close * 0).rename(lambda each: max(each, 1))',
          'signals has the row 1 twice',
        ],
        ['texts', 'return ["0.5"] * len(df)', "signals is '0.5' at bar 0, which is a str and not a number"],
        ['two columns', 'return np.zeros((len(df), 2))', 'an array of shape (120, 2)'],
      ],
      3,
    ),
  )('are refused with %s', async (_, body, part) => {
    expect(messageOf(await ran(`def signals(df):\n    ${body}\n`))).toContain(part);
  });

  it.each(
    sampled(
      [
        ['in another order', 'above.astype(float).sort_values()'],
        ['by date', 'above.astype(float).set_axis(df.date)'],
        ['by date in another order', 'above.astype(float).set_axis(df.date).sort_values()'],
        ['as truth values that may be missing', 'above.astype("boolean").where(df.index >= 0)'],
        ['as an array', 'above.to_numpy()'],
      ],
      3,
      1,
    ),
  )('are aligned with the index of df: %s', async (_, body) => {
    const text = ABOVE_MEAN.replace('return above.astype(float)', 'return ');
    const run = await ran(`${text}${body}\n`);
    expect(run.result.error).toBeUndefined();
    expect(fillsOf(run)).toEqual(fillsOf(await ran(ABOVE_MEAN)));
  });

  const MOMENTUM = `parameters = {"n": 20}
def signals(df, p):
    best = df.close.pct_change(p.n, fill_method=None).rank(axis=1, ascending=False)
    return (best == 1).astype(float)
`;

  it('of several symbols are a DataFrame with one column per symbol', async () => {
    const run = await ran(MOMENTUM, {}, three);
    expect(run.result.error).toBeUndefined();
    expect(run.notes.at(-1)).toBe('signals checked for look-ahead at 90 of 90 bars');
    const fills = run.events.filter((event) => event.type === 'order_filled');
    // At the next open, the symbol with the highest gain is bought and the previously best symbol is sold.
    const closes = three.series.map(
      ({ time, close }) => new Map(Array.from(time, (each, bar) => [each, close[bar]!])),
    );
    const best = (bar: number): number => {
      const gains = closes.map(
        (close) => close.get(three.clock[bar]!)! / close.get(three.clock[bar - 20]!)! - 1,
      );
      return gains.reduce(
        (top, gain, place) => (gain > (gains[top] ?? Number.NaN) || Number.isNaN(gains[top]) ? place : top),
        0,
      );
    };
    for (const { bar, symbol, side } of fills) {
      const isBest = symbol === three.symbols[best(bar - 1)];
      if (bar > 21 && symbol !== 'BBB')
        expect([bar, symbol, side]).toEqual([bar, symbol, isBest ? 'buy' : 'sell']);
    }
    expect(new Set(fills.map(({ symbol }) => symbol))).toEqual(new Set(['AAA', 'BBB', 'CCC']));
  });

  it('of one symbol and of several symbols come from the same code', async () => {
    const share = `${ABOVE_MEAN} / 3\n`;
    const [alone, all] = [
      await ran(share, {}, createMarket([three.series[2]!])),
      await ran(share, {}, three),
    ];
    const of = (run: Ran): string[] =>
      fillsOf(run)
        .filter((each) => each.includes('CCC'))
        .map((each) => each.replace(/ \S+$/, ''));
    expect(of(alone).length).toBeGreaterThan(4);
    expect(of(all)).toEqual(of(alone));
  });

  it.each(
    sampled(
      [
        [
          'look-ahead in one of them',
          'return (df.close.shift(-1) > df.close).astype(float)[["BBB"]]',
          'signals of BBB',
        ],
        ['a reset index', 'return (df.close * 0).reset_index(drop=True)', 'is not the index of df'],
        ['texts', 'return (df.close * 0).astype(str)', "signals of AAA is '0.0' at bar 0"],
        ['a Series', 'return df.close.AAA * 0', 'signals returned a Series for 3 symbols'],
        [
          'another column',
          'return df.close.rename(columns={"AAA": "ZZZ"}) * 0',
          "signals returned the column 'ZZZ'",
        ],
        ['too much in sum', 'return df.close * 0 + 0.5', 'signals at bar 0 add up to 1.5'],
      ],
      3,
    ),
  )('of several symbols are refused for %s', async (_, body, part) => {
    expect(messageOf(await ran(`def signals(df):\n    ${body}\n`, {}, three))).toContain(part);
  });

  it.each([
    ['leave nothing behind', ABOVE_MEAN],
    ['are not proved to leave nothing', `class Other: pass\n${ABOVE_MEAN}`],
  ])('of trials that %s equal those of a separate run, on any bars', async (_, text) => {
    const other = simulateMarket({ seed: 9, bars: 70, symbols: ['AAA'] });
    const alone = [
      await ran(text, { n: '5' }),
      await ran(text, { n: '8' }),
      await ran(text, { n: '5' }, other),
    ];
    const trials = [];
    for (const [n, market] of [
      ['5', one],
      ['8', one],
      ['5', other],
      ['5', one],
    ] as const)
      trials.push(await ran(text, { n }, market, true));
    expect(trials.map(fillsOf)).toEqual([...alone, alone[0]!].map(fillsOf));
    expect(new Set(trials.map((trial) => JSON.stringify(fillsOf(trial)))).size).toBe(3);
  });

  it('of a trial are checked for look-ahead too', async () => {
    const text =
      'parameters = {"n": 1}\ndef signals(df, p):\n    return (df.close.shift(-p.n) > df.close).astype(float)';
    expect(messageOf(await ran(text, {}, one, true))).toMatch(AHEAD);
    expect(messageOf(await ran(text, { n: '2' }, one, true))).toMatch(AHEAD);
  });
});
