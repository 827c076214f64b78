import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { equityColumns } from './equity.ts';
import { calendarDays, compoundAnnualGrowth, totalReturn } from './returns.ts';

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
