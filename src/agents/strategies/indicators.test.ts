import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BarContext, type RunEvent, type RunSettingsInput, runBacktest } from '../../engine/index.ts';
import {
  type BarSeries,
  createMarket,
  declareIndicators,
  IndicatorMemo,
  type Market,
  mapColumns,
  simulateMarket,
} from '../../market/index.ts';
import type { RunServices } from '../run-services.ts';
import { loadStrategy, strategyFromCode } from './load-strategy.ts';
import { ruleDecider } from './rules.ts';
import { defineStrategy, type LoadedStrategy, type Strategy } from './strategy.ts';

const TEXT = `
  name: 'every',
  summary: 'Writes all indicators of all symbols at each bar.',
  parameters: z.object({ n: z.coerce.number().default(4) }),
  indicators: ({ p, sma, ema, rsi, macd, atr, bollinger, donchian, adx, stdev, zscore, highest, lowest }) => ({
    sma: sma(p.n), twin: sma(p.n), ema: ema(p.n, 'open'), rsi: rsi(p.n), macd: macd(2, p.n, 3), atr: atr(p.n),
    bands: bollinger(p.n), channel: donchian(p.n, 2), adx: adx(p.n), stdev: stdev(p.n, 'volume'), zscore: zscore(p.n),
    highest: highest(p.n), lowest: lowest(p.n),
  }),
  onBar({ bar, symbols, record }, { indicators }) {
    const text = symbols.map((symbol) =>
      Object.entries(indicators).map(([name, it]) => {
        const own = it.of(symbol);
        const parts = 'last' in own ? { '': own } : own;
        return Object.entries(parts).flatMap(([part, one]) =>
          part === 'of' ? [] : [name + part, one.last, one.previous, one.at(-3), one.at(-4), one.tail(2).join()]);
      }).join(' ')).join('; ');
    record({ type: 'note', bar, text });
  },
`;
const every = new Function('defineStrategy', 'z', `return defineStrategy({ ${TEXT} });`)(
  defineStrategy,
  z,
) as Strategy;

const folder = mkdtempSync(join(tmpdir(), 'sandtable-indicators-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'every.ts');
writeFileSync(
  file,
  `// @ts-nocheck\nimport { defineStrategy, z } from 'sandtable';\nexport default defineStrategy({ ${TEXT} });\n`,
);

interface Asked extends RunSettingsInput {
  readonly services?: Partial<RunServices>;
}

async function notes(
  strategy: LoadedStrategy | Strategy,
  market: Market,
  { services = {}, ...settings }: Asked = {},
): Promise<string[]> {
  const loaded = 'createDecider' in strategy ? strategy : strategyFromCode(strategy);
  const bars = market.clock.length;
  const decider = loaded.createDecider(undefined, bars, market.symbols, { environment: {}, ...services });
  const events: RunEvent[] = [];
  const { error } = await runBacktest({ market, decider, settings, onEvent: (event) => events.push(event) });
  expect(error).toBeUndefined();
  return events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
}

/** Three symbols: one begins later, one has holidays. */
function market(seed = 5, bars = 60): Market {
  const series = simulateMarket({ seed, bars, symbols: ['AAA', 'BBB', 'CCC'] }).series;
  const rows = (one: BarSeries, keep: (index: number) => boolean): BarSeries =>
    mapColumns(one, (column) => column.filter((_, index) => keep(index)));
  return createMarket([
    series[0]!,
    rows(series[1]!, (index) => index >= 20),
    rows(series[2]!, (index) => index % 7 !== 3),
  ]);
}

describe('indicators of a strategy', () => {
  it('do not depend on later bars', async () => {
    const { series } = market();
    const whole = await notes(every, market());
    const cut = series[0]!.time[40]!;
    const first = createMarket(
      series.map((one) => mapColumns(one, (column) => column.filter((_, index) => one.time[index]! <= cut))),
    );
    expect(whole).toHaveLength(60);
    expect(await notes(every, first)).toEqual(whole.slice(0, 41));
  });

  it('have the same values with a look-back, with a late start, and with both', async () => {
    const whole = await notes(every, market());
    expect(await notes(every, market(), { lookback: 4 })).toEqual(whole);
    const evaluateFrom = new Date(market().clock[30]!).toISOString().slice(0, 10);
    expect(await notes(every, market(), { evaluateFrom })).toEqual(whole.slice(29));
    expect(await notes(every, market(), { evaluateFrom, lookback: 4 })).toEqual(whole.slice(29));
  });

  it('have the same values in a sealed strategy', async () => {
    const sealed = (): Promise<LoadedStrategy> => loadStrategy(file, {}, { seal: true });
    const whole = await notes(every, market());
    expect(await notes(await sealed(), market())).toEqual(whole);
    const evaluateFrom = new Date(market().clock[30]!).toISOString().slice(0, 10);
    const late = { evaluateFrom, lookback: 4, services: { lookback: 4 } };
    expect(await notes(await sealed(), market(), late)).toEqual(whole.slice(29));
  });

  it('read only bars within the look-back', async () => {
    const counting = { ...every };
    const lengths: number[][] = [];
    counting.onBar = ({ window }: BarContext, context) => {
      const { sma } = context.indicators as unknown as Record<
        string,
        { length: number; at(index: number): number }
      >;
      lengths.push([sma!.length, window.length]);
      if (window.revealed > 9) expect([sma!.at(-4), sma!.at(-5)].map(Number.isNaN)).toEqual([false, true]);
    };
    await notes(counting, market(), { lookback: 4 });
    expect(lengths).toHaveLength(60);
    for (const [own, shown] of lengths) expect(own).toBe(shown);
  });

  it('are recomputed after earlier prices are adjusted', async () => {
    const series = simulateMarket({ seed: 2, bars: 40, symbols: ['AAA'] }).series[0]!;
    const found: number[][] = [];
    const strategy = defineStrategy({
      name: 'adjusted',
      summary: 'Compares with a new computation.',
      indicators: ({ ema }) => ({ ema: ema(5) }),
      onBar({ window }, { indicators }) {
        found.push([
          indicators.ema.last,
          emaOf(window.close.tail(window.length), 5),
          indicators.ema.previous,
        ]);
      },
    });
    const { error } = await runBacktest({
      market: createMarket([series]),
      decider: ruleDecider(strategy, {}, undefined),
      settings: { adjust: 'point-in-time' },
      actions: [{ kind: 'split', symbol: 'AAA', time: series.time[20]!, from: '1', to: '2' }],
    });
    expect(error).toBeUndefined();
    for (const [own, again] of found) expect(own).toBe(again);
    expect(found[20]![2]! / found[19]![0]!).toBeCloseTo(0.5);
  });
});

function emaOf(closes: Float64Array, length: number): number {
  if (closes.length < length) return Number.NaN;
  let mean = closes.slice(0, length).reduce((sum, value) => sum + value, 0) / length;
  const share = 1 / (1 + (1 / (2 / (length + 1)) - 1));
  for (const close of closes.slice(length)) mean = ((1 - share) * mean + share * close) / (1 - share + share);
  return mean;
}

describe('shared indicators', () => {
  const shared = (memo: IndicatorMemo, on: Market): Asked => ({
    services: { indicators: memo.shareOf(on.series) },
  });

  it('have the same values in any order of runs', async () => {
    const memo = new IndicatorMemo();
    const own = await notes(every, market());
    const cut = createMarket(market().series.map((one) => mapColumns(one, (column) => column.slice(0, 30))));
    await notes(every, cut, shared(memo, cut));
    expect(await notes(every, market(), shared(memo, market()))).toEqual(own);
    expect(await notes(every, market(), shared(memo, market()))).toEqual(own);
    expect(await notes(every, market(), { ...shared(memo, market()), lookback: 4 })).toEqual(own);
  });

  it('continue from the values of a run that ended early', async () => {
    const memo = new IndicatorMemo();
    const own = await notes(every, market());
    let calls = 0;
    const stopping = {
      ...every,
      onBar: (...given: Parameters<Strategy['onBar']>) => {
        if (++calls > 25) throw new Error('enough');
        return every.onBar(...given);
      },
    };
    const loaded = strategyFromCode(stopping);
    const on = market();
    await runBacktest({
      market: on,
      decider: loaded.createDecider(undefined, 60, on.symbols, {
        environment: {},
        indicators: memo.shareOf(on.series),
      }),
    });
    expect(calls).toBe(26);
    expect(await notes(every, market(), shared(memo, market()))).toEqual(own);
  });

  it('are cached by bars, not by symbol and length', async () => {
    const memo = new IndicatorMemo();
    await notes(every, market(5), shared(memo, market(5)));
    expect(await notes(every, market(6), shared(memo, market(6)))).toEqual(await notes(every, market(6)));
  });

  it('are computed once', () => {
    const memo = new IndicatorMemo();
    const { it: declared } = declareIndicators((kit) => ({ it: kit.sma(3) }), {}, 'test');
    const [one, other] = [market(), market()].map(({ series }) => memo.shareOf(series)('AAA')!(declared!));
    expect(one).toBe(other);
    const { it: longer } = declareIndicators((kit) => ({ it: kit.sma(4) }), {}, 'test');
    expect(memo.shareOf(market().series)('AAA')!(longer!)).not.toBe(one);
    expect(memo.shareOf(market(6).series)('AAA')!(declared!)).not.toBe(one);
  });

  it('are removed from the cache when it is too large, and computed again', async () => {
    const memo = new IndicatorMemo(200);
    const own = await notes(every, market());
    expect(await notes(every, market(), shared(memo, market()))).toEqual(own);
    expect(await notes(every, market(), shared(memo, market()))).toEqual(own);
  });

  it('cannot be modified by a strategy', async () => {
    const memo = new IndicatorMemo();
    const own = await notes(every, market());
    const vandal = {
      ...every,
      onBar(...[turn, context]: Parameters<Strategy['onBar']>) {
        const all = context.indicators as unknown as Record<string, { tail?(n: number): Float64Array }>;
        for (const one of Object.values(all)) one.tail?.(100).fill(-1);
        expect(() => Object.assign(all, { sma: undefined })).toThrow(TypeError);
        expect(() => Object.assign(all.sma!, { last: 3 })).toThrow(TypeError);
        expect(() => Object.assign(all.macd!, { line: 3 })).toThrow(TypeError);
        return every.onBar(turn, context);
      },
    };
    expect(await notes(vandal, market(), shared(memo, market()))).toEqual(own);
    expect(await notes(every, market(), shared(memo, market()))).toEqual(own);
  });

  it('pass no array to a function that a strategy could replace', async () => {
    const memo = new IndicatorMemo();
    await notes(every, market(), shared(memo, market()));
    // The arrays of the engine can contain values of later bars. A strategy that replaces a built-in function
    // must therefore receive no such array.
    const prototype = Object.getPrototypeOf(Float64Array.prototype) as Record<string, unknown>;
    const replaced = ['slice', 'subarray', 'set', 'fill', 'copyWithin', 'at'] as const;
    const received: string[] = [];
    let tails = 0;
    const thief = {
      ...every,
      onBar(...[{ window }, context]: Parameters<Strategy['onBar']>) {
        const all = context.indicators as unknown as Record<string, { tail?(n: number): Float64Array }>;
        const before = replaced.map((name) => [name, prototype[name]] as const);
        for (const name of replaced)
          prototype[name] = () => {
            received.push(name);
          };
        try {
          for (const one of [...Object.values(all), window.close]) {
            const tail = one.tail?.(1);
            if (tail !== undefined) tails += tail.length;
          }
        } finally {
          for (const [name, method] of before) prototype[name] = method;
        }
      },
    };
    await notes(thief, market(), shared(memo, market()));
    expect(tails).toBeGreaterThan(100);
    expect(received).toEqual([]);
  });
});

describe('faults of declared indicators', () => {
  const faulty = (declare: (kit: never) => unknown): unknown => {
    try {
      strategyFromCode({ ...every, indicators: declare as never });
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it('are all reported before the run with the name of the indicator', () => {
    expect(
      faulty(({ sma, macd, bollinger, highest }: never) => ({
        zero: (sma as (n: number) => unknown)(0),
        part: (sma as (n: number) => unknown)(2.5),
        text: (sma as (n: string) => unknown)('5'),
        unknown: (sma as (n: number) => unknown)(Number.NaN),
        macd: (macd as (...given: number[]) => unknown)(12, -1, Number.POSITIVE_INFINITY),
        bands: (bollinger as (...given: number[]) => unknown)(20, 0),
        high: (highest as (...given: unknown[]) => unknown)(5, 'hihg'),
        other: 3,
      })),
    ).toMatchObject({
      code: 'bad_indicators',
      message: `The strategy every: 9 faults
  indicators.zero: length of sma is 0. Expected a whole number of bars, 1 to 1000000
  indicators.part: length of sma is 2.5. Expected a whole number of bars, 1 to 1000000
  indicators.text: length of sma is "5". Expected a whole number of bars, 1 to 1000000
  indicators.unknown: length of sma is NaN. Expected a whole number of bars, 1 to 1000000
  indicators.macd: slow of macd is -1. Expected a whole number of bars, 1 to 1000000
  indicators.macd: signal of macd is Infinity. Expected a whole number of bars, 1 to 1000000
  indicators.bands: deviations of bollinger is 0. Expected a number above 0
  indicators.high: source of highest is "hihg". Expected one of open, high, low, close, volume
  indicators.other: is 3. Expected an indicator`,
    });
  });

  it('include a function that throws or returns a wrong type', () => {
    expect(faulty(() => undefined)).toMatchObject({ code: 'bad_indicators' });
    expect(faulty(() => [])).toMatchObject({ code: 'bad_indicators' });
    expect(
      faulty(() => {
        throw new Error('no');
      }),
    ).toMatchObject({ code: 'strategy_failed', message: 'indicators of the strategy every failed: no' });
  });

  it('include an unknown symbol', async () => {
    const strategy = defineStrategy({
      name: 'unknown',
      summary: '',
      indicators: ({ sma }) => ({ sma: sma(2) }),
      onBar: (_, { indicators }) => void indicators.sma.of('XXX'),
    });
    const { error } = await runBacktest({
      market: market(),
      decider: ruleDecider(strategy, {}, undefined),
    });
    expect(error).toMatchObject({ code: 'unknown_symbol' });
  });
});
