import { describe, expect, it } from 'vitest';
import { groupingBy, monthOf, readRule, unknownContext, unknownFeature } from './interval.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const shown = (time: number): string => new Date(time).toISOString().slice(0, 16);

describe('a rule for longer bars', () => {
  it('has a unit, a length, and weeks that begin on Monday, 5 January 1970', () => {
    expect(readRule(' 4H ')).toEqual({ milliseconds: 14_400_000, unit: 'h', firstDay: 0 });
    expect(readRule('2w')).toEqual({ milliseconds: 14 * 86_400_000, unit: 'w', firstDay: 4 });
    expect(readRule('12mo')).toMatchObject({ months: 12, unit: 'mo', firstDay: 0 });
    expect(() => readRule('4x')).toThrow('is not a bar length');
  });

  it('counts months from the year 0', () => {
    expect([monthOf(0), monthOf(-1), monthOf(at('2024-12-31T23:59'))]).toEqual([23_640, 23_639, 24_299]);
  });

  it.each([
    ['4h', '2024-03-05T03:59', '2024-03-05T04:00'],
    ['4h', '2024-03-05T04:00', '2024-03-05T08:00'],
    ['90min', '1969-12-31T22:29', '1969-12-31T22:30'],
    ['1d', '2024-03-05T23:59', '2024-03-06T00:00'],
    ['3d', '1970-01-03T23:59', '1970-01-04T00:00'],
    ['3d', '1970-01-04T00:00', '1970-01-07T00:00'],
    // 2024-03-04 was a Monday.
    ['1w', '2024-03-03T23:59', '2024-03-04T00:00'],
    ['1w', '2024-03-04T00:00', '2024-03-11T00:00'],
    ['2w', '1970-01-05T00:00', '1970-01-19T00:00'],
    ['1w', '1969-12-28T12:00', '1969-12-29T00:00'],
    ['1mo', '2024-02-29T23:59', '2024-03-01T00:00'],
    ['1mo', '2024-12-15T00:00', '2025-01-01T00:00'],
    ['3mo', '2024-04-01T00:00', '2024-07-01T00:00'],
    ['12mo', '2024-04-01T00:00', '2025-01-01T00:00'],
    ['5mo', '2020-01-01T00:00', '2020-06-01T00:00'],
  ])('%s ends the group of %s at %s', (rule, time, end) => {
    const { groupOf, endOf } = groupingBy(rule);
    expect(shown(endOf(at(time)))).toBe(end);
    // The group ends exactly where the next one begins.
    expect(groupOf(at(end))).toBe(groupOf(at(time)) + 1);
    expect(groupOf(at(end) - 1)).toBe(groupOf(at(time)));
  });

  it('numbers the groups from 1970, and months from the year 0', () => {
    expect(groupingBy('1h').groupOf(3_600_000)).toBe(1);
    expect(groupingBy('1w').groupOf(4 * 86_400_000)).toBe(0);
    expect(groupingBy('1w').groupOf(0)).toBe(-1);
    expect(groupingBy('3mo').groupOf(0)).toBe(7_880);
  });
});

describe('an unknown name', () => {
  it('of a context series or a feature is an error that lists or suggests the known names', () => {
    const context = unknownContext('SPX', []);
    expect([context.code, context.message]).toEqual([
      'unknown_context',
      'Unknown context series SPX in this run.',
    ]);
    expect(context.hint).toBe(
      'Give the run files of series that are not traded with --context, or `context` in code.',
    );
    expect(unknownContext('SPY', ['SPX']).hint).toBe('There is SPX; did you mean SPX?');
    expect(unknownContext('GOLD', ['SPX', 'VIX']).hint).toBe('There are SPX, VIX');
    const feature = unknownFeature('cpi', []);
    expect([feature.code, feature.message]).toEqual(['unknown_feature', 'Unknown feature cpi in this run.']);
    expect(feature.hint).toBe('Give the run a file of features with --features, or `features` in code.');
    expect(unknownFeature('gdq', ['gdp', 'rate']).hint).toBe('There are gdp, rate; did you mean gdp?');
  });
});
