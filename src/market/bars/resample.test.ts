import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../../kernel/index.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { type Bar, barSeries } from './bar-columns.ts';
import { resample } from './resampled.ts';

const bar = (date: string, open: number, high: number, low: number, close: number, volume: number): Bar => ({
  time: Date.parse(`${date}Z`),
  open,
  high,
  low,
  close,
  volume,
});

describe('resample', () => {
  it('combines days into weeks that begin on Monday and have the date of their last bar', () => {
    const days = barSeries('A', [
      bar('2020-01-02T00:00', 1, 5, 1, 2, 10),
      bar('2020-01-03T00:00', 2, 3, 0.5, 3, 20),
      bar('2020-01-06T00:00', 3, 4, 2, 4, 30),
      bar('2020-01-09T00:00', 4, 9, 3, 6, 40),
      bar('2020-01-13T00:00', 6, 7, 5, 5, 50),
    ]);
    const weeks = resample(days, '1w');
    expect(Array.from(weeks.time, formatInstant)).toEqual(['2020-01-03', '2020-01-09', '2020-01-13']);
    expect(weeks.open).toEqual(Float64Array.of(1, 3, 6));
    expect(weeks.high).toEqual(Float64Array.of(5, 9, 7));
    expect(weeks.low).toEqual(Float64Array.of(0.5, 2, 5));
    expect(weeks.close).toEqual(Float64Array.of(3, 6, 5));
    expect(weeks.volume).toEqual(Float64Array.of(30, 70, 50));
  });

  it.each([
    ['5min', ['00:04', '00:09', '00:13']],
    ['1h', ['00:13']],
    ['1min', Array.from({ length: 14 }, (_, minute) => `00:${String(minute).padStart(2, '0')}`)],
    ['7min', ['00:06', '00:13']],
  ])('groups 14 minutes by %s at whole multiples', (rule, expected) => {
    const minutes = simulateMarket({ seed: 1, bars: 14, interval: '1min', start: '1970-01-01' }).series[0]!;
    expect(
      Array.from(resample(minutes, rule).time, (time) => new Date(time).toISOString().slice(11, 16)),
    ).toEqual(expected);
  });

  it('groups by one or several calendar months', () => {
    const days = simulateMarket({ seed: 1, bars: 130, start: '2020-01-01' }).series[0]!;
    expect(Array.from(resample(days, '1mo').time, formatInstant)).toEqual([
      '2020-01-31',
      '2020-02-28',
      '2020-03-31',
      '2020-04-30',
      '2020-05-29',
      '2020-06-30',
    ]);
    expect(Array.from(resample(days, '3mo').time, formatInstant)).toEqual(['2020-03-31', '2020-06-30']);
  });

  it('never shows a long bar before its last constituent, or any values of later bars in it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 200 }),
        fc.nat(),
        fc.constantFrom('2d', '1w', '1mo', '10d'),
        (bars, cut, rule) => {
          const whole = simulateMarket({ seed: 4, bars }).series[0]!;
          const known = 1 + (cut % bars);
          const now = whole.time[known - 1]!;
          const early = simulateMarket({ seed: 4, bars: known }).series[0]!;
          const seen = resample(whole, rule);
          const shown = Array.from(seen.time).filter((time) => time <= now).length;
          const possible = resample(early, rule);
          expect(Array.from(seen.close.slice(0, shown))).toEqual(Array.from(possible.close.slice(0, shown)));
          expect(Array.from(seen.high.slice(0, shown))).toEqual(Array.from(possible.high.slice(0, shown)));
          expect(Array.from(seen.volume).reduce((sum, value) => sum + value, 0)).toBe(
            Array.from(whole.volume).reduce((sum, value) => sum + value, 0),
          );
          expect(Array.from(seen.time).every((time) => whole.time.includes(time))).toBe(true);
        },
      ),
    );
  });

  it.each(['', '0d', '-1d', '1.5h', '1y', 'd', '1 day'])('refuses the rule %j', (rule) => {
    expect(() =>
      resample(barSeries('A', [{ time: DAY, open: 1, high: 1, low: 1, close: 1, volume: 1 }]), rule),
    ).toThrow('is not a bar length');
  });
});
