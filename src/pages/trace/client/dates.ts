/**
 * Format of a run's times. Includes the year if the run spans several years, and the time of day if bars are
 * shorter than a day.
 */
export interface Dates {
  readonly isDaily: boolean;
  text(seconds: number): string;
}

/**
 * Returns the format for the times of a run.
 *
 * @param timezone time zone for times of day; not used for daily bars
 */
export function datesOf(seconds: readonly number[], timezone: string): Dates {
  const isDaily = seconds.every((time) => time % 86_400 === 0);
  const years = new Set(
    [seconds[0], seconds.at(-1)].map((time) => new Date((time ?? 0) * 1000).getUTCFullYear()),
  );
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: isDaily ? 'UTC' : timezone,
    day: 'numeric',
    month: 'long',
    ...(years.size > 1 ? { year: 'numeric' } : {}),
    ...(isDaily ? {} : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  });
  return { isDaily, text: (time) => format.format(new Date(time * 1000)).replace(' at ', ', ') };
}
