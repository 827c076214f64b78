import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { barSeries } from './bar-columns.ts';

const bar = { time: 0, open: 1, high: 2, low: 1, close: 2, volume: 3 };
const faultsOf = (...given: readonly unknown[]): string => {
  const { code, message } = errorOf(() => (barSeries as (...given: readonly unknown[]) => unknown)(...given));
  expect(code).toBe('bad_data');
  return message;
};

describe('barSeries', () => {
  it('accepts bars, and ignores other fields', () => {
    const { symbol, close, volume } = barSeries('A', [
      { ...bar, spread: 1 } as typeof bar,
      { ...bar, time: 1 },
    ]);
    expect([symbol, [...close], [...volume]]).toEqual(['A', [2, 2], [3, 3]]);
    expect(barSeries('A', []).time).toHaveLength(0);
  });

  it('reports all wrong arguments and fields together', () => {
    const { volume: _, ...short } = bar;
    expect(
      faultsOf(7, [
        { ...bar, close: '2' },
        { ...short, time: '2020-01-31', Volume: 3 },
        null,
        { ...bar, open: undefined, opens: 1 },
      ]),
    ).toBe(`The arguments of barSeries: 6 faults
  symbol: is 7. Expected a text such as "AAPL"
  bars[0].close: is "2". Expected a number
  bars[1].time: is "2020-01-31". Expected milliseconds since 1970 (use Date.parse('2020-01-31'))
  bars[1].volume: is missing. Expected a number (the bar has Volume)
  bars[2]: is null. Expected a bar
  bars[3].open: is missing. Expected a number (the bar has opens)`);
  });

  it('reports arguments in the wrong place', () => {
    expect(faultsOf([bar], 'A')).toContain('bars: is "A". Expected an array of bars');
    expect(faultsOf('A', bar)).toContain('(put the bar into an array)');
    expect(faultsOf()).toMatch(/symbol: is undefined[\s\S]*bars: is undefined/);
  });

  it('lists the faults of at most twenty bars', () => {
    const many = Array.from({ length: 100_000 }, () => ({}));
    expect(faultsOf('A', many)).toContain('120 faults');
  });
});
