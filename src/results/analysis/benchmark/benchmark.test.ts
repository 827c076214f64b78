import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { type BarValues, type RunEvent, runBacktest } from '../../../engine/index.ts';
import { type RunRecord, recordOf } from '../../../journal/index.ts';
import { formatInstant } from '../../../kernel/index.ts';
import { type Market, simulateMarket } from '../../../market/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { undefinedBecause } from '../series/ratios.ts';
import { recordBetween } from '../summary/part.ts';
import { benchmarkConvention, benchmarkName, buyAndHold, regression } from './benchmark.ts';

const series = { name: 'INDEX', times: [0], closes: [1] };
const engine = { ...series, name: 'all symbols', held: true };
const dates = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'];

/** Runs a strategy that never trades. Returns the record of the run. */
async function idleRecord(market: Market, settings: object, lightBars: boolean): Promise<RunRecord> {
  const events: RunEvent[] = [];
  await runBacktest({
    market,
    settings,
    decider: { decide: () => undefined },
    lightBars,
    onEvent: (event) => void events.push(event),
  });
  return recordOf(events);
}

describe('the explanation of the benchmark', () => {
  const terms = 'without costs; splits and delistings count, dividends and exchange rates do not';

  it('states the purchase and the valuation of the symbols of the run', () => {
    const all = 'buy and hold of the same data: the initial cash in equal parts, each bought at the';
    expect(benchmarkConvention(undefined)).toBe(`${all} first close of its symbol, ${terms}`);
    expect(benchmarkConvention(undefined, { mark: 'open' })).toBe(
      `${all} first open of its symbol, valued at opens, ${terms}`,
    );
    expect(benchmarkConvention('A')).toBe(`buy and hold of A, bought at its first close, ${terms}`);
    expect(benchmarkConvention('A', { mark: 'close', evaluateFrom: '2024' })).toBe(
      `buy and hold of A, bought at its first open of the bars that count, ${terms}`,
    );
  });

  it('states the purchase and the valuation of a series', () => {
    const text = (bought: string) =>
      `buy and hold of INDEX, a separate series: latest close, with each of its bars assigned to the session that contains it, ${bought}, without costs; splits and dividends count if its prices are adjusted for them`;
    expect(benchmarkConvention(series)).toBe(text('bought at the first'));
    expect(benchmarkConvention(series, { mark: 'open' })).toBe(
      text('bought at the first open, valued at opens'),
    );
    expect(benchmarkConvention(series, { mark: 'close', evaluateFrom: '2024' })).toBe(
      text('bought at the first open of the bars that count'),
    );
    const held = (bought: string) =>
      `buy and hold of all symbols by the engine: the initial cash in equal parts, each bought at its symbol’s ${bought}, without costs; splits, delistings, dividends (kept in cash) and exchange rates count`;
    expect(benchmarkConvention(engine)).toBe(held('first close'));
    expect(benchmarkConvention(engine, { mark: 'open', evaluateFrom: '2024' })).toBe(
      held('first open of the bars that count, valued at opens'),
    );
  });

  it('uses the name of a symbol or a series', () => {
    expect([undefined, 'A', series].map(benchmarkName)).toEqual([undefined, 'A', 'INDEX']);
  });
});

describe('the equity of buying and holding', () => {
  const bar = (open: number, close: number): BarValues => [open, 50, 1, close, 1];
  const prices = [
    [bar(8, 10), null],
    [bar(20, 25), bar(4, 5)],
    [bar(16, 20), bar(10, 8)],
    [null, bar(6, 12)],
  ];
  const split = { type: 'split', bar: 2, symbol: 'B', ratio: '2:1', quantityBefore: '0', quantityAfter: '0' };
  const delisted = (at: number) => ({ type: 'delisted', bar: at, symbol: 'A', price: '5' }) as const;
  const runOf = (settings: object, events: object[] = []) =>
    runRecord({
      cash: '100',
      equity: [100, 100, 100, 100],
      dates,
      symbols: ['A', 'B'],
      prices,
      settings: { ...settings },
      events: events as never,
    });
  const held = (settings: object, events: object[] = []) => {
    const record = runOf(settings, events);
    return [...(buyAndHold(record, equityColumns(record)) as Float64Array)];
  };
  const second = { evaluateFrom: '2024-01-02' };

  it.each<[string, object, readonly number[], readonly number[]]>([
    // Values of each half of the cash, as multiples of the purchase price.
    ['begins at the first close', {}, [1, 2.5, 2, 2], [1, 1, 1.6, 2.4]],
    ['begins and is valued at opens', { mark: 'open' }, [1, 2.5, 2, 2], [1, 1, 2.5, 1.5]],
    ['begins at the first evaluated open', second, [1, 1.25, 1, 1], [1, 1.25, 2, 3]],
    [
      'begins and is valued at evaluated opens',
      { ...second, mark: 'open' },
      [1, 1, 0.8, 0.8],
      [1, 1, 2.5, 1.5],
    ],
  ])('%s', (_, settings, first, other) => {
    expect(held(settings)).toEqual(first.map((value, at) => expect.closeTo(50 * (value + other[at]!), 9)));
  });

  it('multiplies units by splits after the purchase', () => {
    expect(held(second, [split])).toEqual([100, 125, 250, 350].map((value) => expect.closeTo(value, 9)));
    expect(held(second, [{ ...split, bar: 1 }])).toEqual(held(second));
  });

  it('pays out at the delisting of a symbol that was bought', () => {
    expect(held({}, [delisted(3)])).toEqual([100, 175, 180, 50 * (0.5 + 2.4)]);
    // After the delisting, A has more bars in these data. They value the position again.
    expect(held({}, [delisted(1)])[1]).toBeCloseTo(50 * (0.5 + 1), 9);
    expect(held(second, [delisted(0)])[0]).toBe(100);
  });

  it('of a part of a run starts at the equity before the part, and includes its splits', () => {
    const whole = runOf({}, [split, { ...split, bar: 3, ratio: '3:1' }]);
    const part = recordBetween(whole, Date.parse(dates[2]!), Date.parse('2024-01-05'))!;
    expect([...(buyAndHold(part, equityColumns(part)) as Float64Array)]).toEqual(
      [50 * (1.25 + 0.8), 50 * (1.25 + 3.6)].map((value) => expect.closeTo(value, 9)),
    );
  });

  it('is undefined without a bar', () => {
    const none = runRecord({ cash: '100', equity: [] });
    expect(buyAndHold(none, equityColumns(none))).toEqual({ reason: 'no bar was processed' });
  });

  it('is undefined if a bar has no prices', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 101],
      prices: [[[1, 1, 1, 1, 1]], [[2, 2, 2, 2, 1]]],
    });
    const { prices: _, ...unpriced } = record.bars[1]!;
    const part = { ...record, bars: [record.bars[0]!, unpriced] };
    expect(buyAndHold(part, equityColumns(part))).toEqual({
      reason: 'the journal has no prices in its bars',
    });
  });
});

describe('the equity of buying and holding for runs on the same market', () => {
  const market = simulateMarket({ seed: 4, bars: 30, symbols: ['A', 'B'] });
  it('depends on the cash, the symbols, the settings and the bars of each run', async () => {
    const later = { evaluateFrom: formatInstant(market.clock[4]!) };
    for (const [cash, settings] of [
      ['1000', {}],
      ['5000', {}],
      ['1000', { mark: 'open' }],
      ['1000', later],
      ['1000', { ...later, mark: 'open' }],
    ] as const) {
      const made = (lightBars: boolean) => idleRecord(market, { cash, ...settings }, lightBars);
      const [light, plain] = [await made(true), await made(false)];
      for (const choice of [undefined, 'A', 'B'])
        for (const [from, to] of [
          [0, 30],
          [5, 30],
          [5, 20],
          [6, 21],
        ] as const) {
          const part = (record: RunRecord): RunRecord => ({ ...record, bars: record.bars.slice(from, to) });
          const held = (record: RunRecord): Float64Array =>
            buyAndHold(record, equityColumns(record), choice) as Float64Array;
          const [found, expected] = [held(part(light)), held(part(plain))];
          expect([...found]).toEqual([...expected]);
          // A change of the returned array does not affect later results.
          found.fill(0);
          expect([...held(part(light))]).toEqual([...expected]);
        }
    }
  });
});

describe('the equity of buying and holding if a run has splits or delistings', () => {
  it('includes them, even if another run on the same market has a cached benchmark', async () => {
    const market = simulateMarket({ seed: 5, bars: 12, symbols: ['A', 'B'] });
    const made = (lightBars: boolean) => idleRecord(market, { cash: '1000' }, lightBars);
    const split = { type: 'split', bar: 6, symbol: 'A', ratio: '3:2' };
    const delisting = { type: 'delisted', bar: 9, symbol: 'B', price: '1' };
    const runs = [
      {},
      { splits: [split] },
      { delistings: [delisting] },
      { splits: [split], delistings: [delisting] },
    ];
    const [light, plain] = [await made(true), await made(false)].map((record) =>
      runs.map((events) => {
        const run = { ...record, ...events } as RunRecord;
        return [...(buyAndHold(run, equityColumns(run)) as Float64Array)];
      }),
    );
    expect(light).toEqual(plain);
    expect(new Set(plain!.map((equity) => equity[9])).size).toBe(4);
  });
});

describe('the regression on the benchmark', () => {
  it('equals a calculation by hand', () => {
    // Deviations of −0.02, 0, 0.02 and −0.01, 0.02, −0.01 from means of 0.03 and 0.01.
    const found = regression([0.01, 0.03, 0.05], [0, 0.03, 0]);
    expect(found).toEqual({
      alpha: expect.closeTo(0.03, 12),
      beta: expect.closeTo(0, 12),
      correlation: expect.closeTo(0, 12),
    });
    const other = regression([0.01, 0.03, 0.05], [0, 0, 0.03]);
    expect(other).toEqual({
      alpha: expect.closeTo(0.02, 12),
      beta: expect.closeTo(1, 12),
      correlation: expect.closeTo(0.0006 / Math.sqrt(0.0008 * 0.0006), 12),
    });
  });

  it('is undefined with fewer than two returns', () => {
    const few = undefinedBecause('fewer than two session returns');
    expect(regression([], [])).toEqual(few);
    expect(regression([0.1], [0.2])).toEqual(few);
    expect(regression([0.1, 0.2], [0.2, 0.4])).toMatchObject({ beta: expect.closeTo(0.5, 12) });
  });

  it('treats a variation of up to four machine epsilons as rounding', () => {
    const unit = Number.EPSILON;
    const [equal, larger] = [4, 5].map((units) => [-units * unit, units * unit]);
    expect(regression([1, 2], equal!)).toEqual(undefinedBecause('the benchmark does not move'));
    expect(regression([1, 2], larger!)).toHaveProperty('beta');
    const still = undefinedBecause('session returns do not vary');
    expect(regression(equal!, [1, 2])).toMatchObject({ correlation: still });
    expect(regression(larger!, [1, 2])).toMatchObject({ correlation: expect.closeTo(1, 12) });
  });
});
