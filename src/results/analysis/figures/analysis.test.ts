import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { formatInstant } from '../../../kernel/index.ts';
import { benchmarkConvention, buyAndHold, regression } from '../benchmark/benchmark.ts';
import { breakdownsOf } from './breakdown.ts';
import { equityColumns } from './equity.ts';
import { computeMetrics } from './metrics.ts';
import { calendarReturns, rollingFigures } from './returns.ts';
import { excursionsOf } from './trade-statistics.ts';

describe('returns by month', () => {
  it('are measured from the last equity of a month to the last of the next, the first from the initial cash', () => {
    const record = runRecord({
      cash: '100',
      equity: [101, 110, 99, 99, 198],
      dates: ['2023-11-29', '2023-11-30', '2023-12-29', '2024-01-02', '2024-03-01'],
    });
    const [before, after] = calendarReturns(equityColumns(record));
    expect(before).toMatchObject({ year: 2023 });
    expect(before?.months[10]).toBeCloseTo(0.1, 12);
    expect(before?.months[11]).toBeCloseTo(-0.1, 12);
    expect(before?.total).toBeCloseTo(-0.01, 12);
    expect(after?.months.map((month) => month !== null)).toEqual([
      true,
      false,
      true,
      ...Array(9).fill(false),
    ]);
    expect(after?.months[2]).toBe(1);
    expect(after?.total).toBe(1);
  });

  it('are undefined after zero or negative equity', () => {
    const record = runRecord({ cash: '10', equity: [0, 5], dates: ['2024-01-31', '2024-02-01'] });
    expect(calendarReturns(equityColumns(record))[0]?.months.slice(0, 2)).toEqual([-1, null]);
  });
});

describe('the benchmark', () => {
  const bar = (close: number) => [close, close, close, close, 1] as const;

  it('buys equal parts, each at the first close of its symbol, and is in cash until then', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 100, 100],
      symbols: ['A', 'B'],
      prices: [
        [bar(10), null],
        [bar(20), bar(5)],
        [null, bar(10)],
      ],
    });
    // Half of the cash buys each symbol. Value of A: 50, 100, 100. Value of B: 50, 50, 100.
    expect([...(buyAndHold(record, equityColumns(record)) as Float64Array)]).toEqual([100, 150, 200]);
  });

  it('includes splits and the payment of a delisting', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 100, 100],
      symbols: ['A', 'B'],
      prices: [
        [bar(30), bar(5)],
        [bar(11), bar(6)],
        [bar(12), null],
      ],
      events: [
        { type: 'split', bar: 1, symbol: 'A', ratio: '3:1', quantityBefore: '0', quantityAfter: '0' },
        { type: 'delisted', bar: 2, symbol: 'B', price: '1' },
      ],
    });
    // Half of the cash buys each symbol. Value of A: 50, 50 × 3 × 11 / 30, 50 × 3 × 12 / 30. Value of B: 50,
    // 60, 10.
    expect([...(buyAndHold(record, equityColumns(record)) as Float64Array)]).toEqual([100, 115, 70]);
  });

  it('leaves cash for a symbol that was delisted before its first bar', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 100],
      symbols: ['A', 'B'],
      prices: [
        [bar(10), null],
        [bar(20), null],
      ],
      events: [{ type: 'delisted', bar: 1, symbol: 'B', price: '1' }],
    });
    expect([...(buyAndHold(record, equityColumns(record)) as Float64Array)]).toEqual([100, 150]);
  });

  it('can be one of the symbols', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 100],
      symbols: ['A', 'B'],
      prices: [
        [bar(10), bar(4)],
        [bar(20), bar(5)],
      ],
      events: [{ type: 'delisted', bar: 1, symbol: 'A', price: '1' }],
    });
    expect([...(buyAndHold(record, equityColumns(record), 'B') as Float64Array)]).toEqual([100, 125]);
    const { benchmarkReturn } = computeMetrics(record, { benchmark: 'B' });
    expect(benchmarkReturn).toMatchObject({ value: 0.25, convention: expect.stringContaining('hold of B') });
  });

  it('can be a separate series, with the last value at or before the time of each bar', () => {
    const record = runRecord({ cash: '100', equity: [100, 100, 110, 99] });
    const days = [2, 3, 4, 9].map((day) => Date.UTC(2024, 0, day));
    const series = { name: 'INDEX', times: days, closes: [10, 11, 12, 99] };
    // The run's bars are dated 1 to 4 January. The first one is before the index starts.
    expect([...(buyAndHold(record, equityColumns(record), series) as Float64Array)]).toEqual([
      Number.NaN,
      100,
      expect.closeTo(110, 10),
      expect.closeTo(120, 10),
    ]);
    const metrics = computeMetrics(record, { benchmark: series });
    expect(metrics.beta.convention).toContain('INDEX');
    expect(metrics.benchmarkReturn).toMatchObject({
      value: expect.closeTo(0.2, 12),
      convention: expect.stringContaining('from 2024-01-02 to 2024-01-04 alone'),
    });
    expect(metrics.commonPeriod).toEqual({
      firstBar: '2024-01-02',
      lastBar: '2024-01-04',
      bars: 3,
      ownReturn: expect.closeTo(-0.01, 12),
    });
  });

  it('with longer bars has no close before its bar ends, and with shorter bars no delay', () => {
    const hours = Array.from({ length: 48 }, (_, hour) => Date.UTC(2024, 0, 1) + hour * 3_600_000);
    const record = runRecord({
      cash: '100',
      equity: hours.map(() => 100),
      dates: hours.map((hour) => formatInstant(hour)),
    });
    const days = [0, 1, 2].map((day) => Date.UTC(2024, 0, 1 + day));
    const daily = { name: 'DAILY', times: days, opens: [10, 20, 30], closes: [11, 22, 33] };
    const held = buyAndHold(record, equityColumns(record), daily) as Float64Array;
    // Expected values: the open of the first day, the close of the first day from its last hour, then the
    // open and close of the second day.
    expect([held[0], held[22], held[23], held[24], held[46], held[47]].map(Math.round as never)).toEqual([
      100, 100, 110, 200, 200, 220,
    ]);
    const coarse = runRecord({ cash: '100', equity: [100, 100], dates: ['2024-01-01', '2024-01-02'] });
    const hourly = { name: 'HOURLY', times: hours, closes: hours.map((_, hour) => 10 + hour) };
    const atEnds = buyAndHold(coarse, equityColumns(coarse), hourly) as Float64Array;
    // Bought at the close of the first day, hour 23, and valued at the close of hour 47.
    expect(atEnds[1]).toBeCloseTo((100 * 57) / 33, 9);
  });

  it('reports the purchase price', () => {
    const from = { evaluateFrom: '2024-01-02', mark: 'close' } as const;
    const series = { name: 'INDEX', times: [0], closes: [1] };
    for (const choice of [undefined, 'A', series, { ...series, held: true }]) {
      expect(benchmarkConvention(choice)).not.toContain('open');
      expect(benchmarkConvention(choice, from)).toContain('first open of the bars that count');
      expect(benchmarkConvention(choice, from)).not.toContain('first close');
    }
    expect(benchmarkConvention('A', { mark: 'open' })).toContain('bought at its first open, valued at opens');
  });

  it('is absent if it covers fewer than two bars of the run, before or after it', () => {
    const record = runRecord({ cash: '100', equity: [100, 101, 102, 103] });
    const figures = (name: string, days: readonly string[]) => {
      const times = days.map((day) => Date.parse(day));
      return computeMetrics(record, { benchmark: { name, times, closes: days.map((_, day) => 10 + day) } });
    };
    const late = figures('LATE', ['2025-01-01', '2025-01-02']);
    expect(late.benchmarkReturn).toMatchObject({
      value: null,
      reason: 'LATE has closes from 2025-01-01 to 2025-01-02, the run is from 2024-01-01 to 2024-01-04',
    });
    const early = figures('EARLY', ['2023-12-01', '2023-12-04', '2023-12-05']);
    expect(early.benchmarkReturn.value).toBeNull();
    expect(early.benchmarkReturn.reason).toContain('EARLY has closes from 2023-12-01 to 2023-12-05');
    expect(early.beta.value).toBeNull();
    expect(early.commonPeriod).toBeNull();
    // A Friday's close stays valid on the following Monday, and longer over a holiday.
    expect(figures('FRIDAY', ['2023-12-28', '2023-12-29', '2024-01-02']).commonPeriod).toBeNull();
    expect(
      figures('HOLED', ['2023-12-15', '2023-12-18', '2023-12-19', '2024-01-03']).benchmarkReturn.reason,
    ).toBe('HOLED has no close between 2023-12-19 and 2024-01-03');
  });

  it('is limited to the bars of a symbol that was listed late or delisted early', () => {
    const dates = Array.from({ length: 20 }, (_, day) => `2024-01-${String(day + 1).padStart(2, '0')}`);
    const sketch = {
      cash: '100',
      equity: dates.map((_, day) => 100 + day),
      dates,
      symbols: ['A', 'B'],
      prices: dates.map((_, day) => [bar(10), day >= 3 && day <= 8 ? bar(2 + day) : null]),
    };
    const { commonPeriod, benchmarkReturn } = computeMetrics(runRecord(sketch), { benchmark: 'B' });
    // The last close, of 9 January, is valid for five days.
    expect(commonPeriod).toMatchObject({ firstBar: '2024-01-04', lastBar: '2024-01-14', bars: 11 });
    expect(benchmarkReturn.value).toBeCloseTo(10 / 5 - 1, 12);
    const delisted = runRecord({
      ...sketch,
      events: [{ type: 'delisted', bar: 9, symbol: 'B', price: '1' }],
    });
    const gone = computeMetrics(delisted, { benchmark: 'B' });
    expect(gone.commonPeriod).toMatchObject({ firstBar: '2024-01-04', lastBar: '2024-01-20' });
    expect(gone.benchmarkReturn.value).toBeCloseTo(1 / 5 - 1, 12);
  });

  it('of a symbol has no value before its first bar', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 100, 100, 100],
      symbols: ['A', 'B'],
      prices: [
        [bar(10), null],
        [bar(20), null],
        [bar(20), bar(5)],
        [bar(20), bar(6)],
      ],
    });
    const held = [...(buyAndHold(record, equityColumns(record), 'B') as Float64Array)];
    expect(held.slice(0, 2)).toEqual([Number.NaN, Number.NaN]);
    expect(held[3]! / held[2]!).toBeCloseTo(1.2, 12);
  });

  it('ignores the delisting of a symbol that is not part of it', () => {
    const record = runRecord({
      cash: '100',
      equity: [100, 100, 100],
      symbols: ['A', 'B'],
      prices: [
        [bar(10), bar(4)],
        [bar(20), bar(5)],
        [null, bar(6)],
      ],
      events: [{ type: 'delisted', bar: 2, symbol: 'A', price: '1' }],
    });
    expect([...(buyAndHold(record, equityColumns(record), 'B') as Float64Array)]).toEqual([100, 125, 150]);
    // The journal contains the delisting of a symbol that is not part of the run.
    const other = runRecord({
      cash: '100',
      equity: [100, 100],
      symbols: ['A'],
      prices: [[bar(10)], [bar(20)]],
      events: [{ type: 'delisted', bar: 1, symbol: 'Z', price: '1' }],
    });
    expect([...(buyAndHold(other, equityColumns(other)) as Float64Array)]).toEqual([100, 200]);
  });

  it('reports why it is absent', () => {
    const record = runRecord({ equity: [1, 2] });
    const columns = equityColumns(record);
    expect(buyAndHold(record, columns)).toEqual({ reason: 'the journal has no prices in its bars' });
    const priced = runRecord({ equity: [1], prices: [[bar(1)]] });
    expect(buyAndHold(priced, equityColumns(priced), 'ZZZ')).toEqual({
      reason: 'ZZZ is not a symbol of the run',
    });
  });

  it('has undefined alpha, beta and correlation without variation', () => {
    const figures = (equity: readonly number[], closes: readonly number[]) => {
      const { alpha, beta, correlation } = computeMetrics(
        runRecord({ equity, prices: closes.map((close) => [bar(close)]) }),
      );
      return { alpha, beta, correlation };
    };
    const still = figures([100, 101, 103], [5, 5, 5]);
    expect([still.alpha.reason, still.beta.reason, still.correlation.reason]).toEqual(
      Array(3).fill('the benchmark does not move'),
    );
    const idle = figures([100, 100, 100], [5, 6, 5]);
    expect([idle.alpha.value, idle.beta.value]).toEqual([0, 0]);
    expect(idle.correlation.reason).toBe('session returns do not vary');
    expect(figures([100, 101], [5, 6]).beta.reason).toBe('fewer than two session returns');
    expect(figures([100, 0, 5], [5, 6, 7]).beta.reason).toBe('equity was not positive on 2024-01-02');
  });

  it('explains returns that are a linear function of it', () => {
    const market = [0.01, -0.02, 0.03, 0.005];
    const fit = regression(
      market.map((value) => 0.001 + 2 * value),
      market,
    );
    expect(fit).toMatchObject({ beta: expect.closeTo(2, 12), alpha: expect.closeTo(0.001, 12) });
    expect(regression([0.1, 0.2], [0, 0])).toEqual({ reason: 'the benchmark does not move' });
  });

  it('ignores rounding of constant interest, but not a movement of a millionth', () => {
    // Account with a constant return of 0.01 % per session. The returns differ only in their last digits.
    const worth = Array.from({ length: 200 }, (_, session) => 1000 * 1.0001 ** session);
    const steady = worth.slice(1).map((value, at) => value / worth[at]! - 1);
    expect(new Set(steady).size).toBeGreaterThan(1);
    const own = steady.map((_, at) => (at % 3) / 100);
    expect(regression(own, steady)).toEqual({ reason: 'the benchmark does not move' });
    expect(regression(steady, own)).toMatchObject({ correlation: { reason: 'session returns do not vary' } });
    const small = own.map((value) => value * 1e-6);
    expect(regression(own, small)).toMatchObject({
      beta: expect.closeTo(1e6, 3),
      correlation: expect.closeTo(1, 9),
    });
    expect(regression(small, own)).toMatchObject({ correlation: expect.closeTo(1, 9) });
  });
});

describe('excursions', () => {
  const prices = [[[10, 11, 9, 10, 1]], [[10, 14, 8, 12, 1]], [[12, 30, 1, 11, 1]]] as const;

  it('include the bars from the entry to the bar before the exit, and the exit price', () => {
    const trade = { netPnl: '1', symbol: 'AAA', entryBar: 0, entryPrice: '10', bar: 2, exitPrice: '15' };
    const record = runRecord({ equity: [1, 1, 1], prices, trades: [trade, { ...trade, side: 'short' }] });
    expect(excursionsOf(record)).toEqual([
      { adverse: expect.closeTo(-0.2, 12), favourable: expect.closeTo(0.5, 12) },
      { adverse: expect.closeTo(-0.5, 12), favourable: expect.closeTo(0.2, 12) },
    ]);
  });

  it('convert prices before a split to the basis after it', () => {
    const bars = [[[300, 330, 270, 300, 1]], [[300, 310, 300, 300, 1]], [[100, 101, 99, 100, 1]]] as const;
    const trade = { netPnl: '1', symbol: 'AAA', entryBar: 0, entryPrice: '100', bar: 3, exitPrice: '100' };
    const record = runRecord({
      equity: [1, 1, 1, 1],
      prices: [...bars, [[100, 100, 100, 100, 1]]],
      trades: [trade],
      events: [
        { type: 'split', bar: 2, symbol: 'AAA', ratio: '3:1', quantityBefore: '1', quantityAfter: '3' },
      ],
    });
    expect(excursionsOf(record)).toEqual([
      { adverse: expect.closeTo(-0.1, 12), favourable: expect.closeTo(0.1, 12) },
    ]);
  });

  it('are unknown without prices', () => {
    const record = runRecord({ equity: [1, 1], trades: [{ netPnl: '1', bar: 1 }] });
    expect(excursionsOf(record)).toEqual([undefined]);
  });
});

describe('groups of trades', () => {
  it('sum net P&L by group, in the order of weekdays and durations', () => {
    const record = runRecord({
      equity: [1, 1],
      trades: [
        { netPnl: '3', entryTime: '2024-01-03', exitTime: '2024-01-04' },
        { netPnl: '-1', entryTime: '2024-01-01', exitTime: '2024-03-01' },
        { netPnl: '0.5', entryTime: '2024-01-03', exitTime: '2024-01-03T15:00' },
      ],
    });
    const [, , , weekday, holding] = breakdownsOf(record);
    expect(weekday?.groups).toEqual([
      { name: 'Monday', trades: 1, winRate: 0, netPnl: '-1', meanNetPnl: '-1' },
      { name: 'Wednesday', trades: 2, winRate: 1, netPnl: '3.5', meanNetPnl: '1.75' },
    ]);
    expect(holding?.groups.map(({ name }) => name)).toEqual(['under a day', '1 day', '1–3 months']);
  });
});

describe('rolling figures', () => {
  it('begin when their window is full', () => {
    const returns = Float64Array.from({ length: 25 }, (_, index) => (index % 2 === 0 ? 0.01 : -0.01));
    const { window, sharpe, beta } = rollingFigures(returns, returns, 40);
    expect(window).toBe(20);
    expect(sharpe.findIndex(Number.isFinite)).toBe(19);
    expect(sharpe[19]).toBeCloseTo(0, 12);
    expect(beta[24]).toBeCloseTo(1, 12);
  });
});
