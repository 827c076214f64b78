import { expect, it } from 'vitest';
import { sessionShape } from './suspicions.ts';

const HOUR = 3_600_000;

it('counts days with fewer than half of the usual bars, by weekday', () => {
  // Sunday 2024-01-07 and Sunday 2024-01-14 have two hourly bars each, the weekdays between have six.
  // Wednesday 2024-01-10 has a gap.
  const hours = [7, 8, 9, 10, 11, 12, 14].flatMap((date) =>
    Array.from({ length: date % 7 === 0 ? 2 : 6 }, (_, hour) =>
      Date.UTC(2024, 0, date, hour + (date === 10 && hour > 2 ? 2 : 0)),
    ),
  );
  expect(sessionShape(Float64Array.from(hours), { milliseconds: HOUR })).toEqual({
    gapsInDays: 1,
    shortSteps: 0,
    stubSessions: [{ weekday: 'Sundays', sessions: 2 }],
    onLastDays: false,
  });
});
