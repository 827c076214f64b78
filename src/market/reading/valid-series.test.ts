import { describe, expect, it } from 'vitest';
import type { BarSeries } from '../bars/bar-columns.ts';
import { checkSeries } from './valid-series.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 6);

type Columns = Partial<Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', readonly number[]>>;

function series(columns: Columns = {}, rest: Partial<BarSeries> = {}): BarSeries {
  const { time = [START, START + DAY], open = [2, 2], high = [4, 4], low = [1, 1], close = [3, 3] } = columns;
  const { volume = [0, 5] } = columns;
  const of = (values: readonly number[]): Float64Array => Float64Array.from(values);
  return {
    symbol: 'AAA',
    time: of(time),
    open: of(open),
    high: of(high),
    low: of(low),
    close: of(close),
    volume: of(volume),
    ...rest,
  };
}

/** Returns the lines of the faults, without the indent and the colon after the place. */
function faultsIn(...given: BarSeries[]): string[] {
  try {
    checkSeries(given);
    return [];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => line.trim().replace(': ', ' '));
  }
}

describe('bars created in code', () => {
  it('are valid with equal prices, without volume, and in the years 0 to 9999', () => {
    expect(faultsIn(series())).toEqual([]);
    const flat = [2, 2];
    expect(faultsIn(series({ open: flat, high: flat, low: flat, close: flat, volume: [0, 0.5] }))).toEqual(
      [],
    );
    expect(faultsIn(series({ time: [-62_167_219_200_000, 253_402_300_799_999] }))).toEqual([]);
    expect(faultsIn(series({ open: [1, 4], close: [4, 1] }))).toEqual([]);
  });

  it.each<[string, Columns, string]>([
    ['open of 0', { open: [0, 2], low: [0, 1] }, 'open is 0, not a price above 0'],
    ['infinite high', { high: [Infinity, 4] }, 'high is Infinity, not a price above 0'],
    ['low of 0', { low: [0, 1] }, 'low is 0, not a price above 0'],
    ['close that is not a number', { close: [Number.NaN, 3] }, 'close is NaN, not a price above 0'],
    ['high below the open', { open: [4.5, 2] }, 'high 4 is below open 4.5'],
    ['high below the close', { close: [4.5, 2] }, 'high 4 is below close 4.5'],
    ['low above the open', { open: [0.5, 2] }, 'low 1 is above open 0.5'],
    ['low above the close', { close: [0.5, 2] }, 'low 1 is above close 0.5'],
    ['negative volume', { volume: [-1, 1] }, 'volume is -1, not a number of at least 0'],
    ['infinite volume', { volume: [Infinity, 1] }, 'volume is Infinity, not a number of at least 0'],
  ])('are refused for an %s, with only that fault', (_, columns, fault) => {
    expect(faultsIn(series({ ...columns }))).toContainEqual(`AAA bar 0 (2020-01-06) ${fault}`);
    expect(
      faultsIn(series({ volume: [0, 5], ...columns })).filter((text) => text.includes('volume')),
    ).toEqual(fault.startsWith('volume') ? [`AAA bar 0 (2020-01-06) ${fault}`] : []);
  });

  it.each([
    ['repeat', [START, START], 'AAA bar 1 (2020-01-06) repeats the time of the bar before'],
    ['fall', [START, START - DAY], 'AAA bar 1 (2020-01-05) comes after the later 2020-01-06'],
    [
      'are not whole milliseconds',
      [START, START + 0.5],
      `AAA bar 1 time ${START + 0.5} is not an instant: give whole milliseconds since 1970`,
    ],
    [
      'are after the year 9999',
      [START, 253_402_300_800_000],
      'AAA bar 1 time 253402300800000 is not an instant: give whole milliseconds since 1970',
    ],
    [
      'are before the year 0',
      [-62_167_219_200_001, START],
      'AAA bar 0 time -62167219200001 is not an instant: give whole milliseconds since 1970',
    ],
  ])('are refused if times %s', (_, time, fault) => {
    expect(faultsIn(series({ time }))).toEqual([fault]);
  });

  it('are refused with at most 20 faulty bars per series', () => {
    const many = Array.from({ length: 30 }, () => 0);
    const time = many.map((_, bar) => START + bar * DAY);
    const faulty = series({
      time,
      open: many.map(() => 2),
      high: many.map(() => 4),
      low: many.map(() => 1),
      close: many.map(() => 3),
      volume: many.map(() => -1),
    });
    expect(() => checkSeries([faulty])).toThrow('20 faults');
  });

  it('may have further columns of numbers of at least 0', () => {
    const extra = (values: number[]): BarSeries =>
      series({}, { extra: { spread: Float64Array.from(values) } });
    expect(faultsIn(extra([0, 0.5]))).toEqual([]);
    expect(faultsIn(extra([0, -0.5]))).toEqual([
      'AAA bar 1 (2020-01-07) spread is -0.5, not a number of at least 0',
    ]);
    expect(faultsIn(extra([0]))).toEqual(['AAA spread has 1 values and time has 2']);
  });

  it('require a symbol in capitals, columns of numbers and an interval as text', () => {
    expect(faultsIn(series({}, { symbol: ' ' }))).toEqual(['series 0 its symbol is empty']);
    expect(faultsIn(series(), series({}, { symbol: 'aa' }))).toEqual([
      'series 1 its symbol is "aa": write it as "AA"',
    ]);
    expect(faultsIn(series({}, { close: [1, 2] as unknown as Float64Array }))).toEqual([
      'AAA close is not a Float64Array',
    ]);
    expect(faultsIn(series({}, { interval: 5 as unknown as string }))[0]).toContain(
      'AAA its interval is 5, not a text',
    );
    expect(faultsIn(null as unknown as BarSeries)).toEqual(['series 0 is null, not a series of bars']);
  });
});
