import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../kernel/index.ts';
import { readLocalStamps } from './stamps.ts';

const read = (zone: string, isZoned: boolean, ...texts: string[]) => {
  const { times, faults } = readLocalStamps(
    Float64Array.from(texts, (text) => Date.parse(`${text}Z`)),
    zone,
    isZoned,
  );
  return [
    Array.from(times, (time) => (Number.isNaN(time) ? 'none' : formatInstant(time))),
    faults.map(({ row }) => row),
  ];
};

describe('readLocalStamps', () => {
  it.each([
    [
      'winter and summer',
      ['2020-01-15T09:30', '2020-07-15T09:30'],
      ['2020-01-15T14:30:00', '2020-07-15T13:30:00'],
      [],
    ],
    ['dates alone', ['2020-01-15T00:00', '2020-07-15T00:00'], ['2020-01-15', '2020-07-15'], []],
    [
      'midnight among hours',
      ['2020-01-15T00:00', '2020-01-15T01:00'],
      ['2020-01-15T05:00:00', '2020-01-15T06:00:00'],
      [],
    ],
    [
      'the hour that occurs twice',
      ['2020-11-01T01:30', '2020-11-01T01:00', '2020-11-01T01:30'],
      ['2020-11-01T05:30:00', '2020-11-01T06:00:00', '2020-11-01T06:30:00'],
      [],
    ],
    [
      'the same time of this hour three times',
      ['2020-11-01T01:30', '2020-11-01T01:30', '2020-11-01T01:30'],
      ['2020-11-01T05:30:00', '2020-11-01T06:30:00', '2020-11-01T06:30:00'],
      [],
    ],
    [
      'the hour that clocks skip',
      ['2020-03-08T01:30', '2020-03-08T02:30'],
      ['2020-03-08T06:30:00', 'none'],
      [1],
    ],
  ])('%s in New York', (_, texts, instants, faults) => {
    expect(read('America/New_York', false, ...texts)).toEqual([instants, faults]);
  });

  it('uses the first instant of a repeated hour for each symbol separately', () => {
    const texts = ['2020-11-01T01:00', '2020-11-01T01:00', '2020-11-01T01:30', '2020-11-01T01:30'];
    const times = Float64Array.from(texts, (text) => Date.parse(`${text}Z`));
    const hours = (symbols: string): string[] =>
      Array.from(readLocalStamps(times, 'America/New_York', false, (row) => symbols[row]).times, (time) =>
        formatInstant(time).slice(11, 16),
      );
    expect(hours('ABAB')).toEqual(['05:00', '05:00', '05:30', '05:30']);
    expect(hours('AAAA')).toEqual(['05:00', '06:00', '06:30', '06:30']);
  });

  it('converts timestamps with an offset to dates only if all are midnights in the zone', () => {
    expect(read('America/New_York', true, '2020-01-15T05:00', '2020-07-15T04:00')[0]).toEqual([
      '2020-01-15',
      '2020-07-15',
    ]);
    expect(read('America/New_York', true, '2020-01-15T05:00', '2020-01-15T06:00')[0]).toEqual([
      '2020-01-15T05:00:00',
      '2020-01-15T06:00:00',
    ]);
  });

  it('leaves rows without a time unchanged', () => {
    const day = 86_400_000;
    const none = Number.NaN;
    const read = (isZoned: boolean, ...times: number[]): number[] => [
      ...readLocalStamps(Float64Array.from(times), 'Asia/Tokyo', isZoned).times,
    ];
    const hour = day / 24;
    expect(read(false, none, day, none)).toEqual([none, day, none]);
    expect(read(false, none, day + hour, 2 * day)).toEqual([none, day - 8 * hour, 2 * day - 9 * hour]);
    expect(read(true, none, day + hour)).toEqual([none, day + hour]);
    // 15:00 UTC is midnight in Tokyo.
    expect(read(true, none, day + 15 * hour, 3 * day + 15 * hour)).toEqual([none, 2 * day, 4 * day]);
    expect(read(true)).toEqual([]);
  });
});
