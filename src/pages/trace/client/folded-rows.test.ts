import { describe, expect, it } from 'vitest';
import type { StepSummary } from '../step.ts';
import { counted, datesOf, isFolded, shortAmount, shortNumbers, storyRows } from './folding.ts';

const step = (bar: number, kind: StepSummary['kind'], own: Partial<StepSummary> = {}) =>
  ({ bar, kind, acts: '', errors: 0, fills: 0, ...own }) as StepSummary;
const rows = (steps: readonly StepSummary[], everyBar = false, isDaily = false) =>
  storyRows(steps, { everyBar, isDaily }).map((row) =>
    isFolded(row) ? `${row.from}-${row.to}: ${row.label}` : row.bar,
  );

describe('folded rows', () => {
  it('combine bars without an action, and count their decisions and fills', () => {
    expect(rows([step(1, 'hold'), step(2, 'hold')])).toEqual(['1-2: 2 bars held']);
    expect(rows([step(1, 'hold'), step(2, 'hold')], false, true)).toEqual(['1-2: 2 days held']);
    expect(rows([step(1, 'hold'), step(3, 'hold')])).toEqual(['1-3: 2 decisions held']);
    expect(rows([step(1, 'hold'), step(3, 'market', { fills: 2 })])).toEqual([
      '1-3: 1 decision held, 2 fills',
    ]);
    expect(rows([step(1, 'market'), step(2, 'market')])).toEqual(['1-2: 2 bars']);
    expect(rows([step(1, 'market', { fills: 1 }), step(5, 'market')])).toEqual(['1-5: 1 fill']);
    expect(rows([step(1, 'market'), step(5, 'market')])).toEqual(['1-5: 2 decisions']);
    expect(rows([step(1, 'hold', { fills: 7 }), step(2, 'hold')])).toEqual(['1-2: 2 bars held']);
  });

  it('exclude actions, errors and a single step', () => {
    expect(rows([step(1, 'hold'), step(2, 'buy'), step(3, 'hold')])).toEqual([1, 2, 3]);
    expect(rows([step(1, 'hold', { errors: 1 }), step(2, 'hold')])).toEqual([1, 2]);
    expect(rows([step(1, 'market', { acts: 's' }), step(2, 'market')])).toEqual([1, 2]);
  });

  it('include bars without a step if the strategy decides on every bar', () => {
    expect(rows([step(1, 'buy'), step(2, 'sell')], true)).toEqual([1, 2]);
    expect(rows([step(1, 'buy'), step(3, 'sell')], true)).toEqual([1, '2-2: 1 bar held', 3]);
    expect(rows([step(4, 'buy'), step(6, 'hold')], true)).toEqual([4, '5-6: 2 bars held']);
    expect(rows([step(4, 'buy')], true)).toEqual([4]);
    expect(rows([step(4, 'hold'), step(9, 'buy')], true)).toEqual([4, 9]);
    expect(rows([step(4, 'hold'), step(5, 'hold'), step(9, 'buy')], true)).toEqual(['4-8: 5 bars held', 9]);
  });
});

describe('numbers and dates of a trace', () => {
  it('have thousands separators and few decimal places', () => {
    expect([counted(1, 'fill'), counted(0, 'fill'), counted(1200, 'fill')]).toEqual([
      '1 fill',
      '0 fills',
      '1,200 fills',
    ]);
    expect(['100000', '-1234', '−1234', '12', '1234.5678'].map(shortAmount)).toEqual([
      ...['100,000', '-1,234', '−1,234', '12', '1,234.57'],
    ]);
    expect(shortNumbers('1234.56789, 123.456789, 0.123456789 and 0.0000001')).toBe(
      '1,234.57, 123.4568, 0.123457 and 0.0000001',
    );
    expect(shortNumbers('12.50000001 1234.001')).toBe('12.50 1,234.00');
    expect(shortNumbers('1234567890123.678 12345678901234.789')).toBe(
      '1,234,567,890,123.68 12345678901234.789',
    );
    expect(shortNumbers('v1.2345678 1.2.3 at 1.23456789:30')).toBe('v1.2345678 1.2.3 at 1.23456789:30');
  });

  it('have a time of day if bars are shorter than a day', () => {
    const day = Date.UTC(2024, 0, 1) / 1000;
    const daily = datesOf([day, day + 86_400], 'America/New_York');
    expect([daily.isDaily, daily.text(day)]).toEqual([true, '1 January']);
    const hourly = datesOf([day, day + 3_600], 'Europe/Paris');
    expect([hourly.isDaily, hourly.text(day + 3_600)]).toEqual([false, '1 January, 02:00']);
    expect(datesOf([day, day + 366 * 86_400], 'UTC').text(day)).toBe('1 January 2024');
  });
});
