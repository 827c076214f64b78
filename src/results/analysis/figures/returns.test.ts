import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { decimal } from '../../../kernel/index.ts';
import { regression } from '../benchmark/benchmark.ts';
import { equityColumns } from './equity.ts';
import { mean, standardDeviation } from './figures.ts';
import {
  calendarDays,
  calendarReturns,
  calmarRatio,
  compoundAnnualGrowth,
  returnDates,
  rollingFigures,
  rollingWindow,
  sessionReturns,
  totalReturn,
} from './returns.ts';
import type { Sessions } from './sessions.ts';

const columns = (equity: readonly number[], dates: readonly string[]) =>
  equityColumns(runRecord({ cash: '100', equity, dates }));

describe('annualised growth', () => {
  it('is the total return over the days from the first bar to the last', () => {
    const two = columns([100, 121], ['2021-01-01', '2023-01-01']);
    expect(calendarDays(two.times)).toBe(730);
    expect(totalReturn(two)).toBeCloseTo(0.21, 12);
    expect(compoundAnnualGrowth(two)).toBeCloseTo(1.21 ** (365.25 / 730) - 1, 12);
  });

  it.each([
    ['a single bar', [110], ['2021-01-01'], 'the run covers a single instant'],
    ['equity of exactly 0', [100, 0], ['2021-01-01', '2022-01-01'], 'the final equity is not positive'],
    ['negative equity', [100, -5], ['2021-01-01', '2022-01-01'], 'the final equity is not positive'],
    ['no bar', [], [], 'no bar was processed'],
  ])('is undefined with %s', (_, equity, dates, reason) => {
    expect(compoundAnnualGrowth(columns(equity, dates))).toEqual({ reason });
  });
});

describe('session returns', () => {
  const sessions = (start: number | undefined, ...equity: number[]): Sessions => ({
    ...{ unit: 'bar', start, equity, lastBars: [], periodsPerYear: 252, periodsInWords: '' },
    dates: equity.map((_, at) => `day ${at}`),
  });
  const returnsOf = (...of: Parameters<typeof sessions>) => sessionReturns(sessions(...of));

  it('are changes from one session to the next, the first only if the equity before it is known', () => {
    expect(returnsOf(undefined, 100, 150, 75)).toEqual(Float64Array.of(0.5, -0.5));
    expect(returnsOf(200, 100, 150, 75)).toEqual(Float64Array.of(-0.5, 0.5, -0.5));
    expect(returnsOf(undefined, 100)).toEqual(new Float64Array(0));
    expect(returnsOf(undefined)).toEqual(new Float64Array(0));
    expect(returnsOf(100)).toEqual(new Float64Array(0));
    expect(returnDates(sessions(undefined, 1, 2, 3))).toEqual(['day 1', 'day 2']);
    expect(returnDates(sessions(1, 1, 2, 3))).toEqual(['day 0', 'day 1', 'day 2']);
  });

  it('are undefined from the first session without equity, also for the last session', () => {
    expect(returnsOf(undefined, 0, 100)).toEqual({ reason: 'equity was not positive on day 0' });
    expect(returnsOf(1, 100, 50, 0)).toEqual({ reason: 'equity was not positive on day 2' });
    expect(returnsOf(1, 100, -1, -2)).toEqual({ reason: 'equity was not positive on day 1' });
    expect(returnsOf(1, 1e-9)).toBeInstanceOf(Float64Array);
  });
});

it('the Calmar ratio is the growth over the deepest drawdown', () => {
  expect(calmarRatio(0.3, -0.2)).toBeCloseTo(1.5, 12);
  expect(calmarRatio(-0.3, -0.2)).toBeCloseTo(-1.5, 12);
  expect(calmarRatio({ reason: 'a' }, { reason: 'b' })).toEqual({ reason: 'a' });
  expect(calmarRatio(0.3, { reason: 'b' })).toEqual({ reason: 'b' });
  expect(calmarRatio(0.3, 0)).toEqual({ reason: 'there was no drawdown' });
});

it('a bar that ends exactly when a month begins belongs to the previous month', () => {
  const february = Date.UTC(2024, 1, 1);
  const months = (time: number, barTimes?: 'start' | 'end') =>
    calendarReturns({
      ...{ initialCash: decimal('100'), startsBefore: false, barTimes },
      times: Float64Array.of(time - 5, time),
      equity: Float64Array.of(110, 132),
    })[0]!.months.slice(0, 2);
  const both = [expect.closeTo(0.1, 12), expect.closeTo(0.2, 12)];
  const january = [expect.closeTo(0.32, 12), null];
  expect(months(february, 'end')).toEqual(january);
  expect(months(february + 1, 'end')).toEqual(both);
  expect(months(february, 'start')).toEqual(both);
  expect(months(february)).toEqual(both);
  expect(months(february - 1)).toEqual(january);
});

describe('rolling figures', () => {
  it('cover half a year of sessions, and at least 20', () => {
    expect([252, 365.25, 52, 42, 41, 40, 12].map(rollingWindow)).toEqual([126, 183, 26, 21, 21, 20, 20]);
  });

  it('equal the figures of each window', () => {
    const returns = Float64Array.from({ length: 50 }, (_, at) => Math.sin(at * at) / 50);
    const benchmark = returns.map((value, at) => value / 2 + Math.cos(at) / 100);
    const found = rollingFigures(returns, benchmark, 44, 0.001);
    expect(found.window).toBe(22);
    for (let session = 0; session < 50; session++) {
      const [own, other] = [returns, benchmark].map((of) => of.slice(Math.max(0, session - 21), session + 1));
      const at = [found.sharpe, found.volatility, found.beta].map((of) => of[session]);
      if (session < 21) expect(at).toEqual([Number.NaN, Number.NaN, Number.NaN]);
      else {
        const deviation = standardDeviation(own!);
        const fit = regression(own!, other!) as { readonly beta: number };
        expect(at[0]).toBeCloseTo(((mean(own!) - 0.001) / deviation) * Math.sqrt(44), 10);
        expect(at[1]).toBeCloseTo(deviation * Math.sqrt(44), 10);
        expect(at[2]).toBeCloseTo(fit.beta, 10);
      }
    }
    const alone = rollingFigures(returns, undefined, 44);
    expect(alone.volatility).toEqual(found.volatility);
    expect([...alone.beta].every(Number.isNaN)).toBe(true);
    const last = returns.slice(28);
    expect(alone.sharpe[49]).toBeCloseTo((mean(last) / standardDeviation(last)) * Math.sqrt(44), 10);
  });

  it('have no Sharpe ratio and no beta without variation', () => {
    const { sharpe, volatility, beta } = rollingFigures(new Float64Array(20), new Float64Array(20), 40);
    expect([sharpe[19], volatility[19], beta[19]]).toEqual([Number.NaN, 0, Number.NaN]);
  });
});
