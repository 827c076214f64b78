import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { computeMetrics } from '../figures/metrics.ts';
import { evaluationTerms } from './evaluation.ts';
import { recordBetween } from './part.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const dateOf = (bar: number): string => new Date(START + bar * DAY).toISOString().slice(0, 10);

describe('a part of a record', () => {
  it('begins with the equity of the previous bar, so that returns of parts compound to the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 500, max: 1500 }), { minLength: 4, maxLength: 40 }),
        fc.integer({ min: 1, max: 38 }),
        (equity, at) => {
          const record = runRecord({
            equity: [1000, ...equity],
            dates: [1000, ...equity].map((_, bar) => dateOf(bar)),
            cash: '1000',
          });
          const cut = START + Math.min(at, equity.length) * DAY;
          const parts = [recordBetween(record, START, cut), recordBetween(record, cut, START + 99 * DAY)];
          const growth = parts.map((part) => 1 + (computeMetrics(part!).totalReturn.value ?? 0));
          const whole = 1 + computeMetrics(record).totalReturn.value!;
          expect(growth[0]! * growth[1]!).toBeCloseTo(whole, 9);
          expect(parts[0]!.bars.length + parts[1]!.bars.length).toBe(equity.length + 1);
        },
      ),
    );
  });

  it.each([
    ['start', 2, '2020-01-03'],
    // If bar times are end times, a bar begins at the time of the previous bar.
    ['end', 2, '2020-01-02'],
    ['start', 0, undefined],
    ['end', 0, undefined],
  ] as const)(
    'of bars stamped with their %s is evaluated from the start of its first bar',
    (barTimes, first, expected) => {
      const equity = [100, 101, 102, 103, 104];
      const dates = equity.map((_, bar) => dateOf(bar));
      const record = runRecord({ equity, dates, cash: '100', settings: { barTimes } });
      const part = recordBetween(record, START + first * DAY, START + 4 * DAY)!;
      expect(evaluationTerms(part).evaluateFrom).toBe(expected);
      expect(part.bars.map(({ date }) => date)).toEqual(dates.slice(first, 4));
    },
  );

  it('is undefined without bars, and the record itself with all bars', () => {
    const record = runRecord({ equity: [100, 101, 102], dates: [0, 1, 2].map(dateOf), cash: '100' });
    expect(recordBetween(record, START + 5 * DAY, START + 9 * DAY)).toBeUndefined();
    expect(recordBetween(record, START + DAY, START + DAY)).toBeUndefined();
    expect(recordBetween(record, START, START + 3 * DAY)).toBe(record);
  });
});
