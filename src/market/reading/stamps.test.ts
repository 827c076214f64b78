import { describe, expect, it } from 'vitest';
import { stampsOf } from './stamps.ts';

const read = (...cells: string[]) => {
  const faults: string[] = [];
  const stamps = stampsOf(cells, 'available_at', true, (_, text) => faults.push(text), 'America/New_York');
  return { faults, at: stamps.map((stamp) => stamp && new Date(stamp.instant).toISOString().slice(0, 16)) };
};

describe('timestamps in a time zone', () => {
  it('are local if they have no offset, and otherwise use their offset', () => {
    expect(read('2024-01-02 13:00', '2024-07-02 13:00').at).toEqual(['2024-01-02T18:00', '2024-07-02T17:00']);
    expect(read('2024-01-02T13:00Z', '2024-01-04', '2024-01-02T13:00+01:00').faults).toEqual([]);
    expect(read('2024-01-02T13:00Z', '2024-01-02T13:00+01:00').at).toEqual([
      '2024-01-02T13:00',
      '2024-01-02T12:00',
    ]);
  });

  it('are refused if only some have an offset', () => {
    expect(read('2024-01-02 13:00', '2024-01-03', '2024-01-04T13:00Z', '2024-01-05T13:00Z').faults).toEqual([
      'available_at "2024-01-04T13:00Z" and "2024-01-02 13:00" above it: one has a UTC offset and the other does not; write every time with its offset, or none',
    ]);
  });

  it('remain dates if they are dates', () => {
    expect(read('2024-01-02', '2024-01-03 00:00:00').at).toEqual(['2024-01-02T00:00', '2024-01-03T00:00']);
  });

  it('of days end with the local day, also if clocks skip its midnight', () => {
    const over = (zone: string, text: string) => {
      const [stamp] = stampsOf([text], 'date', true, () => {}, zone);
      return new Date(stamp?.over ?? Number.NaN).toISOString().slice(0, 16);
    };
    expect(over('America/New_York', '2024-01-05')).toBe('2024-01-06T05:00');
    expect(over('America/New_York', '2024-07-05')).toBe('2024-07-06T04:00');
    expect(over('Asia/Tokyo', '2024-01-05')).toBe('2024-01-05T15:00');
    // Clocks in Cairo changed from 2024-04-25 24:00 to 2024-04-26 01:00.
    expect(over('Africa/Cairo', '2024-04-25')).toBe('2024-04-25T22:00');
  });

  it('use the second occurrence of a repeated hour, and are refused in a skipped hour', () => {
    expect(read('2024-11-03 01:30').at).toEqual(['2024-11-03T06:30']);
    expect(read('2024-03-10 02:30').faults).toEqual([
      'available_at "2024-03-10 02:30" does not exist in America/New_York: the clocks were put forward at this time',
    ]);
  });
});
