/** Decimal number that is not part of a word, a version or a time. */
const FRACTION = /(?<![\w.,:/])(\d+)\.(\d+)(?!\.?[\w/:])/g;
const WHOLE = /^[-−]?\d+$/;

/** Groups and rounds the decimal numbers in a text so that they are easy to read. */
export function shortNumbers(text: string): string {
  return text.replaceAll(FRACTION, (number, units: string, fraction: string) => {
    const places = units.length > 3 ? 2 : units === '0' ? 6 : 4;
    // Long numbers exceed the precision of float64, so they remain unchanged.
    if (units.length > 15) return number;
    const rounded = fraction.length > places ? shortest(Number(number).toFixed(places)) : number;
    // A small number that would round to zero remains unrounded.
    if (Number(rounded) === 0 && Number(number) !== 0) return number;
    const [whole, rest] = rounded.split('.') as [string, string];
    return `${grouped(whole)}.${rest}`;
  });
}

/** Removes trailing zeros after rounding. At least two decimal places remain. */
function shortest(text: string): string {
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Formats an amount, including amounts without a fraction: `100,000`. */
export function shortAmount(text: string): string {
  return WHOLE.test(text) ? grouped(text) : shortNumbers(text);
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

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
