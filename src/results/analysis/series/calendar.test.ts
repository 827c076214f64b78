import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnsByMonth } from './calendar.ts';

const HALF_DAY = 43_200_000;

/** Computes returns by month in a simple way: searches the last equity of each month separately. */
function plain(times: readonly number[], equity: readonly number[], start: number) {
  const monthOf = (bar: number): string => new Date(times[bar]!).toISOString().slice(0, 7);
  const change = (from: number, to: number): number | null => (from > 0 ? to / from - 1 : null);
  const lastOf = (isWanted: (month: string) => boolean): number => {
    const bar = times.findLastIndex((_, at) => isWanted(monthOf(at)));
    return bar < 0 ? start : equity[bar]!;
  };
  const months = [...new Set(times.map((_, bar) => monthOf(bar)))];
  return [...new Set(months.map((month) => month.slice(0, 4)))].map((year) => ({
    year: Number(year),
    months: Array.from({ length: 12 }, (_, index) => {
      const month = `${year}-${String(index + 1).padStart(2, '0')}`;
      return months.includes(month)
        ? change(
            lastOf((one) => one < month),
            lastOf((one) => one === month),
          )
        : null;
    }),
    total: change(
      lastOf((one) => one < year),
      lastOf((one) => one.slice(0, 4) === year),
    ),
  }));
}

describe('returns by calendar month', () => {
  it('are the changes from the last equity of a month to that of the next month', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40 }), (gaps, amounts) => {
        let time = Date.UTC(2022, 10, 1);
        const times = gaps.map((gap) => {
          time += gap * HALF_DAY;
          return time;
        });
        const equity = times.map((_, bar) => 100 * amounts[bar]!);
        expect(returnsByMonth(times, equity, 250)).toEqual(plain(times, equity, 250));
      }),
    );
  });

  it('assign a bar at the first instant of a month to this month', () => {
    const [january, february, march] = [0, 1, 2].map((month) => Date.UTC(2024, month, 1));
    const found = returnsByMonth([january!, february! - 1, february!, march!], [110, 121, 133.1, 66.55], 100);
    expect(found).toEqual([
      {
        year: 2024,
        months: [
          expect.closeTo(0.21, 12),
          expect.closeTo(0.1, 12),
          expect.closeTo(-0.5, 12),
          ...Array(9).fill(null),
        ],
        total: expect.closeTo(-0.3345, 12),
      },
    ]);
  });

  it('are absent without a bar, and undefined without initial equity', () => {
    expect(returnsByMonth([], [], 100)).toEqual([]);
    const [only] = returnsByMonth([Date.UTC(2024, 11, 31)], [50], 0);
    expect(only).toEqual({ year: 2024, months: Array(12).fill(null), total: null });
  });
});
