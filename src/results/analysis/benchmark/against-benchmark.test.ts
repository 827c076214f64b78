import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import type { BarValues } from '../../../engine/index.ts';
import { formatInstant } from '../../../kernel/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { sessionReturns } from '../figures/returns.ts';
import { sessionsOf } from '../figures/sessions.ts';
import { TOO_FEW } from '../series/ratios.ts';
import { againstBenchmark } from './against-benchmark.ts';
import type { BenchmarkChoice } from './benchmark.ts';

const TERMS = { periodsPerYear: 252, riskFree: 0.0002 };
const DATES = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'];
const bar = (close: number): readonly [BarValues] => [[close, close, close, close, 1]];

function compare(sketch: RecordSketch, choice?: BenchmarkChoice, terms = TERMS) {
  const record = runRecord({ cash: '100', dates: DATES.slice(0, sketch.equity.length), ...sketch });
  const columns = equityColumns(record);
  return againstBenchmark(record, columns, sessionReturns(sessionsOf(columns)), choice, terms);
}

const changes = (values: readonly number[]): number[] =>
  values.slice(1).map((value, at) => value / values[at]! - 1);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
const geometric = (values: readonly number[]): number =>
  values.reduce((worth, value) => worth * (1 + value), 1) ** (1 / values.length) - 1;

const EQUITY = [100, 102, 101, 104, 103, 106];
const CLOSES = [10, 10.5, 10.25, 10.25, 10, 11];

describe('the figures of a run against its benchmark', () => {
  const found = compare({ equity: EQUITY, prices: CLOSES.map(bar) });
  const [own, held] = [changes(EQUITY), changes(CLOSES)];

  it('are computed from the returns of the same sessions', () => {
    const active = own.map((value, at) => value - held[at]!);
    const covariance = mean(own.map((value, at) => (value - mean(own)) * (held[at]! - mean(held))));
    const beta = covariance / mean(held.map((value) => (value - mean(held)) ** 2));
    const scale = deviation(own) / deviation(held);
    const [up, down] = [1, -1].map((sign) => {
      const at = held.flatMap((value, index) => (Math.sign(value) === sign ? [index] : []));
      return geometric(at.map((index) => own[index]!)) / geometric(at.map((index) => held[index]!));
    });
    const name = 'the same data bought and held';
    const expected = (value: number, convention: string) => ({
      value: expect.closeTo(value, 10),
      convention,
    });
    expect(found.figures).toEqual({
      benchmarkReturn: { value: expect.closeTo(0.1, 12), convention: expect.stringContaining('first close') },
      alpha: expected(
        mean(own) - beta * mean(held),
        `intercept of session returns on those of ${name}, ordinary least squares; a session, not a year`,
      ),
      beta: expected(beta, `slope of session returns on those of ${name}, ordinary least squares`),
      correlation: expected(
        (covariance / (deviation(own) * deviation(held))) * (5 / 4),
        `of session returns with those of ${name}`,
      ),
      trackingError: expected(
        deviation(active) * Math.sqrt(252),
        `sd(returns − those of ${name}, ddof 1) · √P`,
      ),
      informationRatio: expected(
        (mean(active) / deviation(active)) * Math.sqrt(252),
        `mean(returns − those of ${name}) / sd(the same, ddof 1) · √P`,
      ),
      upCapture: expected(
        up!,
        `geometric mean of returns over sessions on which ${name} rose / that of ${name}`,
      ),
      downCapture: expected(
        down!,
        `geometric mean of returns over sessions on which ${name} fell / that of ${name}`,
      ),
      treynor: expected(((mean(own) - 0.0002) * 252) / beta, 'mean(returns − rf) · P / beta'),
      benchmarkScale: expected(scale, `volatility / that of ${name}`),
      benchmarkAtEqualVolatility: expected(
        held.reduce((worth, value) => worth * (1 + 0.0002 + scale * (value - 0.0002)), 1) - 1,
        `total return of ${name} scaled to the run’s volatility, the rest lent or borrowed at rf`,
      ),
      commonPeriod: null,
    });
  });

  it('include the equity and the returns of the benchmark', () => {
    expect([...found.equity!]).toEqual(CLOSES.map((close) => expect.closeTo(10 * close, 10)));
    expect([...found.returns!]).toEqual(held.map((value) => expect.closeTo(value, 12)));
    expect(found.pair).toEqual({ own: expect.any(Float64Array), benchmark: found.returns });
    expect(found.covered).toEqual({ from: 0, to: 5 });
  });

  it('depend on the benchmark and on the rates', () => {
    const record = runRecord({ cash: '100', equity: EQUITY, dates: DATES, prices: CLOSES.map(bar) });
    const columns = equityColumns(record);
    const returns = sessionReturns(sessionsOf(columns));
    const series = { name: 'X', times: DATES.map(Date.parse), closes: [1, 2, 3, 4, 3, 5] };
    const figures = (choice: BenchmarkChoice, periodsPerYear: number, riskFree: number) => {
      const one = againstBenchmark(record, columns, returns, choice, { periodsPerYear, riskFree });
      return [one.figures.benchmarkReturn, one.figures.trackingError, one.figures.treynor].map(
        ({ value }) => value,
      );
    };
    const first = figures(undefined, 252, 0);
    const sooner = figures(undefined, 63, 0);
    expect(sooner[1]).toBeCloseTo(first[1]! / 2, 12);
    expect(figures(undefined, 63, 0.01)[2]).toBeLessThan(sooner[2]!);
    expect(figures(undefined, 63, 0)).toEqual(sooner);
    expect(figures(series, 63, 0)[0]).toBe(4);
    expect(figures(undefined, 63, 0)).toEqual(sooner);
  });
});

describe('a benchmark that covers part of the run', () => {
  const series = (from: number, to: number, holidays = 0) => ({
    name: 'X',
    times: DATES.slice(from, to + 1).map((date) => Date.parse(date) - holidays),
    closes: CLOSES.slice(from, to + 1),
  });
  const returnsOf = ({ pair }: ReturnType<typeof compare>) =>
    'reason' in pair ? pair : [[...pair.own], [...pair.benchmark]];
  const from = (first: number) => [changes(EQUITY.slice(first)), changes(CLOSES.slice(first))].map(close);
  const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 10));

  it('is compared in the sessions after its first close', () => {
    const found = compare({ equity: EQUITY }, series(2, 5));
    expect(returnsOf(found)).toEqual(from(2));
    expect(found.figures.commonPeriod).toEqual({
      firstBar: '2024-01-03',
      lastBar: '2024-01-08',
      bars: 4,
      ownReturn: expect.closeTo(106 / 101 - 1, 12),
    });
    expect(found.figures.beta.convention).toBe(
      'slope of session returns on those of X, ordinary least squares; from 2024-01-03 to 2024-01-08 alone',
    );
    expect(found.figures.treynor.convention).toContain('; from 2024-01-03 to 2024-01-08 alone');
  });

  it('is compared in the same sessions of a run with an evaluation date', () => {
    const settings = { evaluateFrom: DATES[0]! };
    expect(returnsOf(compare({ equity: EQUITY, settings }, series(2, 5)))).toEqual(from(2));
    // The first session begins with the purchase at its open, which equals its close.
    const opens = [9, ...CLOSES.slice(1)];
    const whole = compare({ equity: [101, ...EQUITY.slice(1)], settings }, { ...series(0, 5), opens });
    expect(returnsOf(whole)).toEqual([
      close(changes([100, 101, ...EQUITY.slice(1)])),
      close(changes([9, ...CLOSES])),
    ]);
    expect(whole.figures.commonPeriod).toBeNull();
  });

  it('is compared without the first session if it begins within this session', () => {
    const hours = ['2024-01-01', '2024-01-02', '2024-01-03'].flatMap((day) =>
      [14, 15, 16].map((hour) => Date.parse(`${day}T${hour}:00:00Z`)),
    );
    const equity = [101, 102, 103, 104, 105, 106, 107, 108, 109];
    const closes = [10, 11, 12, 13, 14, 15, 16, 17, 18];
    const hourly = { name: 'X', times: hours.slice(1), closes: closes.slice(1), opens: closes.slice(1) };
    const found = compare(
      {
        equity,
        dates: hours.map((hour) => formatInstant(hour)),
        settings: { evaluateFrom: '2024-01-01T14:00:00' },
      },
      hourly,
    );
    expect(found.covered).toEqual({ from: 1, to: 8 });
    expect(returnsOf(found)).toEqual([close(changes([103, 106, 109])), close(changes([12, 15, 18]))]);
  });

  it('ends with the last session that it covers', () => {
    const days = Array.from({ length: 12 }, (_, at) => Date.UTC(2024, 0, 1 + at));
    const equity = days.map((_, at) => 100 + at * at);
    const sketch = { equity, dates: days.map((day) => formatInstant(day)) };
    const early = { name: 'X', times: days.slice(0, 4), closes: [10, 11, 12, 11] };
    for (const settings of [{}, { evaluateFrom: '2024-01-01' }]) {
      const found = compare({ ...sketch, settings }, early);
      expect(found.covered).toEqual({ from: 0, to: 8 });
      const pair = returnsOf(found) as number[][];
      expect(pair[0]!.at(-1)).toBeCloseTo(164 / 149 - 1, 12);
      expect(pair.map((one) => one.length)).toEqual(Array(2).fill('evaluateFrom' in settings ? 9 : 8));
    }
  });

  it('has no return of the run if the equity at its first close is not positive', () => {
    const { commonPeriod } = compare({ equity: [100, 0, 101, 104, 103, 106] }, series(1, 5)).figures;
    expect(commonPeriod).toEqual({
      firstBar: '2024-01-02',
      lastBar: '2024-01-08',
      bars: 5,
      ownReturn: null,
    });
  });
});

describe('figures against a benchmark that are undefined', () => {
  const reasons = (sketch: RecordSketch, choice?: BenchmarkChoice) => {
    const { commonPeriod: _, ...figures } = compare(sketch, choice).figures;
    return Object.fromEntries(Object.entries(figures).map(([name, { reason }]) => [name, reason]));
  };
  const all = (reason: string | undefined) =>
    Object.fromEntries(
      [
        ...['alpha', 'beta', 'correlation', 'trackingError', 'informationRatio', 'upCapture', 'downCapture'],
        ...['treynor', 'benchmarkScale', 'benchmarkAtEqualVolatility'],
      ].map((name) => [name, reason]),
    );

  it('have the reason of the run, of the benchmark, or of its returns', () => {
    const prices = [10, 11, 12].map(bar);
    expect(reasons({ equity: [100, 0, 5], prices })).toEqual({
      ...all('equity was not positive on 2024-01-02'),
      benchmarkReturn: undefined,
    });
    const none = 'the journal has no prices in its bars';
    expect(reasons({ equity: [100, 101, 103] })).toEqual({ ...all(none), benchmarkReturn: none });
    expect(reasons({ equity: [100, 101, 103], prices: [10, 0, 12].map(bar) })).toEqual({
      ...all('equity was not positive on 2024-01-02'),
      benchmarkReturn: undefined,
    });
    expect(compare({ equity: [100, 101, 103], prices: [10, 0, 12].map(bar) }).returns).toBeUndefined();
    const absent = compare({ equity: [100, 101, 103] });
    expect([absent.equity, absent.returns, absent.covered]).toEqual([undefined, undefined, undefined]);
    expect(absent.pair).toEqual({ reason: none });
  });

  it('need two sessions', () => {
    expect(reasons({ equity: [100, 101], prices: [10, 11].map(bar) })).toEqual({
      ...all(TOO_FEW.reason),
      benchmarkReturn: undefined,
    });
    const two = reasons({ equity: [100, 101, 100], prices: [10, 11, 10].map(bar) });
    expect(two).toEqual({ ...all(undefined), benchmarkReturn: undefined });
  });

  it('have a reason without a rise or fall of the benchmark, and without a difference', () => {
    const rising = reasons({ equity: [100, 110, 121], prices: [10, 11, 12.1].map(bar) });
    expect(rising).toMatchObject({
      upCapture: undefined,
      downCapture: 'the benchmark fell on no session',
      informationRatio: 'the run and the benchmark differ by the same each session',
    });
    const falling = reasons({ equity: [100, 100, 100], prices: [10, 9, 8].map(bar) });
    expect(falling).toMatchObject({
      upCapture: 'the benchmark rose on no session',
      downCapture: undefined,
      treynor: 'beta is 0',
      trackingError: undefined,
    });
  });

  it('have no capture after a loss of everything on one session', () => {
    const lost = 'everything was lost on one of the sessions';
    const own = reasons({ equity: ['100', '1e-20', '2e-20'], prices: [10, 11, 10].map(bar) });
    expect(own).toMatchObject({ upCapture: lost, downCapture: undefined });
    const held = reasons({ equity: [100, 101, 102], prices: [10, 1e-20, 2e-20].map(bar) });
    expect(held).toMatchObject({ upCapture: undefined, downCapture: lost });
  });
});
