import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../test/missing.ts';
import { createRandom, DAY } from '../../kernel/index.ts';
import { createMarket } from '../market.ts';
import { loadSeries } from '../reading/load.ts';
import { type Bar, barSeries } from './bar-columns.ts';
import { addInterval, inferInterval, intervalText, intervalWords, parseInterval } from './interval.ts';

const HOUR = DAY / 24;
const MINUTE = HOUR / 60;
const at = (text: string): number => Date.parse(`${text}Z`);
const dates = (...texts: string[]): number[] => texts.map((text) => at(`${text}T00:00:00`));

function series(symbol: string, times: readonly number[], interval?: string) {
  const bars = times.map((time): Bar => ({ time, open: 10, high: 11, low: 9, close: 10, volume: 1000 }));
  return { ...barSeries(symbol, bars), ...(interval === undefined ? {} : { interval }) };
}

function inferredText(times: readonly number[]): string | undefined {
  const found = inferInterval(Float64Array.from(times));
  return found === undefined ? undefined : intervalText(found.interval);
}

/** Weekdays from 2024-01-01, a Monday. */
const weekdays = (count: number): number[] =>
  Array.from(
    { length: count },
    (_, bar) => at('2024-01-01T00:00:00') + (Math.floor(bar / 5) * 7 + (bar % 5)) * DAY,
  );
const draw = createRandom(1, 'thin');
const THIN_MINUTES = Array.from({ length: 4_000 }, (_, minute) => minute * MINUTE).filter(
  () => draw.next() < 0.1,
);
/** Times of seven hourly bars on each weekday, from 14:30 UTC. */
const sessions = (days: number): number[] =>
  weekdays(days).flatMap((day) => Array.from({ length: 7 }, (_, hour) => day + 14.5 * HOUR + hour * HOUR));

describe('the interval of a series', () => {
  const MONTH_ENDS = dates(
    '2024-01-31',
    '2024-02-29',
    '2024-03-29',
    '2024-04-30',
    '2024-05-31',
    '2024-06-28',
  );
  it.each([
    ['none', [], undefined],
    ['one bar', dates('2024-01-02'), undefined],
    ['two bars', dates('2024-01-02', '2024-01-03'), '1d'],
    ['a Friday and a Monday', dates('2024-01-05', '2024-01-08'), '1d'],
    ['weekdays', weekdays(30), '1d'],
    [
      'weekdays with half of them missing',
      weekdays(60).filter((_, bar) => bar % 5 < 2 || bar % 7 === 0),
      '1d',
    ],
    ['weeks', weekdays(40).filter((_, bar) => bar % 5 === 0), '1w'],
    [
      'weeks that begin on a Tuesday now and then',
      weekdays(40).filter((_, bar) => bar % 5 === (bar === 15 ? 1 : 0)),
      '1w',
    ],
    ['last trading days of months', MONTH_ENDS, '1mo'],
    ['first days of months', dates('2023-01-01', '2023-02-01', '2023-03-01', '2023-04-01'), '1mo'],
    ['quarters', dates('2023-01-01', '2023-04-01', '2023-07-01', '2023-10-01', '2024-01-01'), '3mo'],
    ['years', dates('2020-01-01', '2021-01-01', '2022-01-01'), '12mo'],
    ['hours of sessions', sessions(10), '1h'],
    ['four hours, two a day', weekdays(10).flatMap((day) => [day + 14 * HOUR, day + 18 * HOUR]), '4h'],
    [
      'hours with a first half hour',
      weekdays(10).flatMap((day) => [14.5, 15, 16, 17, 18, 19, 20].map((hour) => day + hour * HOUR)),
      '1h',
    ],
    ['days by a clock that changes', weekdays(60).map((day, bar) => day + (bar < 30 ? 5 : 4) * HOUR), '1d'],
    [
      'days stamped at closes that wander',
      weekdays(60).map((day, bar) => day + 20 * HOUR + ((bar * 37) % 50) * MINUTE),
      '1d',
    ],
    ['days with one stray row', [...weekdays(30), weekdays(30)[29]! + 16 * HOUR], '1d'],
    ['minutes, nearly all of them missing', THIN_MINUTES, '1min'],
  ])('of %s', (_, times, expected) => {
    expect(inferredText(times)).toBe(expected);
  });

  it('is formatted as it is parsed', () => {
    for (const text of ['250ms', '30s', '5min', '90min', '4h', '1d', '3d', '2w', '1mo', '12mo'])
      expect(intervalText(parseInterval(text))).toBe(text);
    expect(intervalWords(parseInterval('1h'))).toBe('1 hour');
    expect(intervalWords(parseInterval('3mo'))).toBe('3 months');
    expect(() => parseInterval('1 fortnight')).toThrow(/is not a bar length/);
  });

  it('is added from the last day of a month to the last day of the next month', () => {
    const month = parseInterval('1mo');
    expect(addInterval(at('2023-01-31T00:00:00'), month)).toBe(at('2023-02-28T00:00:00'));
    expect(addInterval(at('2023-02-28T00:00:00'), month)).toBe(at('2023-03-31T00:00:00'));
    expect(addInterval(at('2023-03-31T12:00:00'), month, -1)).toBe(at('2023-02-28T12:00:00'));
    expect(addInterval(at('2023-12-15T00:00:00'), month)).toBe(at('2024-01-15T00:00:00'));
  });
});

describe('the symbols of a run', () => {
  const hours = series('H', sessions(10));

  it.each([
    ['days beside hours', series('D', weekdays(10))],
    ['two days beside hours', series('D', weekdays(2))],
    [
      'days at closes that wander beside hours',
      series(
        'D',
        weekdays(40).map((day, bar) => day + ((bar * 37) % 50) * MINUTE),
      ),
    ],
    [
      'weeks beside hours',
      series(
        'W',
        weekdays(40).filter((_, bar) => bar % 5 === 0),
      ),
    ],
  ])('are refused: %s', (_, other) => {
    expect(() => createMarket([other, hours])).toThrow(/mixed|must share one interval/);
    expect(() => createMarket([hours, other])).toThrow(/last 1 (day|week), and those of H last 1 hour/);
  });

  it('are refused if a single bar among hourly bars could be a daily bar', () => {
    expect(() => createMarket([hours, series('D', weekdays(1))])).toThrow(/D: its one bar does not show/);
    expect(createMarket([hours, series('T', [sessions(1)[0]!], '1h')]).interval).toEqual({
      milliseconds: HOUR,
    });
  });

  it('are refused if a declared interval differs from that of the bars', () => {
    expect(() => createMarket([hours, series('D', weekdays(10), '1h')])).toThrow(
      /D: its bars are 1 day apart: they do not last 1 hour, as declared/,
    );
    expect(() => createMarket([series('H', sessions(10), '1d')])).toThrow(/they do not last 1 day/);
  });

  it('are refused if a bar begins inside a bar of another symbol', () => {
    const late = series(
      'LATE',
      weekdays(10).map((day) => day + 16 * HOUR),
    );
    expect(() => createMarket([series('DATED', weekdays(10)), late])).toThrow(
      /DATED: its bar 2024-01-01 lasts 1 day, and a bar of LATE begins in it, 2024-01-01T16:00:00/,
    );
  });

  it('are refused with each conflicting pair, in chronological order', () => {
    const [early, later] = [weekdays(5), weekdays(10).slice(5)];
    const shifted = (days: readonly number[]) => days.map((day) => day + 16 * HOUR);
    const given = [
      series('A', later),
      series('B', shifted(later)),
      series('Y', early),
      series('Z', shifted(early)),
    ];
    let message = '';
    try {
      createMarket(given);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}Y: its bar 2024-01-01 lasts 1 day, and a bar of Z begins in it/),
      expect.stringMatching(/^ {2}A: its bar 2024-01-08 lasts 1 day, and a bar of B begins in it/),
    ]);
  });

  it('may begin and end at any time, miss bars, and have only one or two bars', () => {
    const days = weekdays(30);
    const market = createMarket([
      series('ALL', days),
      series('NEW', days.slice(29)),
      series('FRIDAY', [days[4]!, days[5]!]),
      series('OLD', days.slice(0, 7)),
      series(
        'THIN',
        days.filter((_, bar) => bar % 4 === 0 || bar % 7 === 3),
      ),
    ]);
    expect(market.interval).toEqual({ milliseconds: DAY });
    expect(
      createMarket([
        hours,
        series(
          'THIN',
          sessions(10).filter((_, bar) => bar % 3 !== 0),
        ),
      ]).symbols,
    ).toEqual(['H', 'THIN']);
  });

  it('may be thinly traded hours if declared', () => {
    const thin = sessions(10).filter((_, bar) => [3, 12, 29, 48, 61].includes(bar));
    expect(() => createMarket([hours, series('THIN', thin)])).toThrow(/THIN: its bars last/);
    expect(createMarket([hours, series('THIN', thin, '1h')]).symbols).toEqual(['H', 'THIN']);
  });

  it('may be a few days with gaps of one length if declared', () => {
    const days = weekdays(40);
    const few = [1, 4, 5, 6, 8, 9, 10].map((bar) => days[bar]!);
    expect(createMarket([series('ALL', days), series('NEW', few, '1d')]).symbols).toEqual(['ALL', 'NEW']);
  });

  it('may share a short bar at the start of sessions, even if a symbol lacks a bar there', () => {
    const stubs = weekdays(10).flatMap((day) =>
      [14.5, 15, 16, 17, 18, 19, 20].map((hour) => day + hour * HOUR),
    );
    expect(
      createMarket([
        series('A', stubs),
        series(
          'B',
          stubs.filter((_, bar) => bar !== 8),
        ),
      ]).symbols,
    ).toHaveLength(2);
  });
});

describe('bars created in code', () => {
  const good = (): Bar => ({ time: 0, open: 10, high: 11, low: 9, close: 10, volume: 1 });
  it.each([
    ['a high below the close', { close: 12 }, /A bar 1 \(1970-01-02\): high 11 is below close 12/],
    ['a low above the open', { open: 8 }, /low 9 is above open 8/],
    ['a price of 0', { low: 0 }, /low is 0, not a price above 0/],
    ['no number', { open: Number.NaN }, /open is NaN, not a price above 0/],
    ['a price without end', { high: Number.POSITIVE_INFINITY }, /high is Infinity/],
    ['a negative volume', { volume: -1 }, /volume is -1/],
    ['a time again', { time: 0 }, /repeats the time of the bar before/],
    ['a time before', { time: -5 * DAY }, /comes after the later 1970-01-01/],
    ['a time that is none', { time: Number.NaN }, /time NaN is not an instant/],
    [
      'a part of a millisecond',
      { time: DAY + 0.5 },
      /time 86400000.5 is not an instant: give whole milliseconds/,
    ],
  ])('are refused for %s', (_, change, message) => {
    const bars = [good(), { ...good(), time: DAY, ...change }, { ...good(), time: 2 * DAY }];
    expect(() => createMarket([barSeries('A', bars)])).toThrow(message);
  });

  it('are refused for columns of different lengths, an empty symbol, and a negative further column', () => {
    const one = barSeries('A', [good(), { ...good(), time: DAY }]);
    expect(() => createMarket([{ ...one, close: new Float64Array(1) }])).toThrow(
      /close has 1 values and time has 2/,
    );
    expect(() => createMarket([{ ...one, symbol: ' ' }])).toThrow(/its symbol is empty/);
    expect(() => createMarket([{ ...one, extra: { spread: Float64Array.of(0, -1) } }])).toThrow(
      /A bar 1 .*spread is -1/,
    );
  });

  it.each(['aaa', ' AAA', 'Brk.b'])(
    'are refused for a symbol in another form than loaders return: %j',
    (symbol) => {
      expect(() => createMarket([barSeries(symbol, [good()])])).toThrow(
        `its symbol is "${symbol}": write it as "${symbol.trim().toUpperCase()}"`,
      );
    },
  );

  it('are copied: later changes of the input do not change the market', () => {
    const one = {
      ...barSeries('A', [good(), { ...good(), time: DAY }]),
      extra: { spread: Float64Array.of(1, 2) },
    };
    const { series: found, clock } = createMarket([one]);
    for (const column of [one.time, one.open, one.high, one.low, one.close, one.volume, one.extra.spread])
      column.fill(-7);
    expect(found[0]).toMatchObject({ time: Float64Array.of(0, DAY), close: Float64Array.of(10, 10) });
    expect(found[0]!.extra).toEqual({ spread: Float64Array.of(1, 2) });
    expect([...clock]).toEqual([0, DAY]);
  });

  it('are refused with all faults of all series together', () => {
    const bad = [good(), { ...good(), time: DAY, close: 12, volume: -1 }];
    expect(() => createMarket([barSeries('A', bad), barSeries('B', bad)])).toThrow(/4 faults/);
  });
});

describe('a random series of equal bars', () => {
  it('is detected with any missing bars', () => {
    const intervals = [MINUTE, 5 * MINUTE, HOUR, 4 * HOUR, DAY, 7 * DAY];
    fc.assert(
      fc.property(
        fc.constantFrom(...intervals),
        fc.array(fc.boolean(), { minLength: 60, maxLength: 200 }),
        (length, kept) => {
          const times = kept.flatMap((keep, bar) => (keep || bar % 4 < 2 ? [bar * length] : []));
          expect(inferInterval(Float64Array.from(times))?.interval).toEqual({ milliseconds: length });
        },
      ),
    );
  });
});

const shared = path.join(import.meta.dirname, '../../../../shared/data');
describe.skipIf(!sharedIsHere(shared))('the shared bars (skipped where ../shared is absent)', () => {
  it('have the intervals of their names', async () => {
    const { series: found } = await loadSeries({
      paths: [path.join(shared, '*.csv'), path.join(shared, 'djia')],
    });
    const texts = found.map(({ symbol, time }) => `${symbol} ${inferredText([...time])}`);
    expect(texts.slice(0, 4)).toEqual([
      'BTCUSD-MONTHLY 1mo',
      'EURUSD-HOURLY 1h',
      'GOOG-DAILY 1d',
      'SPY-DAILY 1d',
    ]);
    expect(new Set(texts.slice(4).map((text) => text.split(' ')[1]))).toEqual(new Set(['1d']));
  });
});
