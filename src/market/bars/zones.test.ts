import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantsAt, isZone, localTime } from './zones.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

describe('time zones', () => {
  it.each([
    ['America/New_York', '2020-01-15T09:30', ['2020-01-15T14:30']],
    ['America/New_York', '2020-07-15T09:30', ['2020-07-15T13:30']],
    ['America/New_York', '2020-03-08T02:30', []],
    ['America/New_York', '2020-11-01T01:30', ['2020-11-01T05:30', '2020-11-01T06:30']],
    ['Asia/Tokyo', '2020-07-15T09:00', ['2020-07-15T00:00']],
    ['Asia/Kolkata', '2020-07-15T09:15', ['2020-07-15T03:45']],
    ['Australia/Lord_Howe', '2020-04-05T01:45', ['2020-04-04T14:45', '2020-04-04T15:15']],
  ])('%s shows %s at %j', (zone, local, instants) =>
    expect(instantsAt(zone, at(local))).toEqual(instants.map(at)),
  );

  it('convert local times back to every instant', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'Europe/London',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    );
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: at('1980-01-01T00:00'), max: at('2030-01-01T00:00') }),
        (zone, instant) => {
          expect(instantsAt(zone, localTime(zone, instant))).toContain(instant);
        },
      ),
    );
  });

  it('recognise valid names', () => {
    expect([isZone('Europe/Berlin'), isZone('UTC'), isZone('Mars/Olympus')]).toEqual([true, true, false]);
  });
});
