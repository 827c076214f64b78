/**
 * Holidays and half days of exchanges by their published rules, and closures outside these rules.
 *
 * Sources: NYSE Rule 7.2 and its yearly lists of holidays and early closings; London Stock Exchange business
 * days (bank holidays of England and Wales, gov.uk); Deutsche Börse trading calendars; JPX calendar (Act on
 * National Holidays, equinoxes by the formula of the National Astronomical Observatory for 1980 to 2099).
 *
 * Tests compare the calendar XNYS with 20 years of actual sessions. Tests compare the other calendars with
 * known years only.
 */
import { type Day, dayOf, daysOf, easter, last, nth, weekdayOf } from './holiday-dates.ts';

/** Hours, holidays and half days of an exchange. */
export interface Exchange {
  readonly zone: string;
  /** Opening and closing time, in minutes after midnight in the exchange's time zone. */
  readonly opens: number;
  readonly closes: number;
  /** Closing time of the sessions before a day, if the exchange changed its closing time on that day. */
  readonly before?: { readonly day: Day; readonly closes: number };
  /** Closing time of half days, in minutes after midnight. */
  readonly closesEarly: number;
  /** First year for which the rules are correct. */
  readonly since: number;
  closed(year: number): readonly Day[];
  half(year: number): readonly Day[];
}

const at = (hour: number, minute = 0): number => 60 * hour + minute;

/**
 * Shifts a holiday to the day on which US markets observe it: from Saturday to Friday, from Sunday to Monday.
 */
const american = (day: Day): Day => (weekdayOf(day) === 6 ? day - 1 : weekdayOf(day) === 0 ? day + 1 : day);
const nextMonday = (day: Day): Day => (weekdayOf(day) === 6 ? day + 2 : weekdayOf(day) === 0 ? day + 1 : day);
const weekdayBefore = (day: Day): Day =>
  weekdayOf(day) === 6 ? day - 1 : weekdayOf(day) === 0 ? day - 2 : day;

const MOURNING_AND_STORMS = daysOf(
  '2001-09-11',
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '2004-06-11',
  '2007-01-02',
  '2012-10-29',
  '2012-10-30',
  '2018-12-05',
  '2025-01-09',
);
const OTHER_HALF_DAYS = daysOf('1999-12-31', '2003-12-26');

const newYork: Exchange = {
  zone: 'America/New_York',
  opens: at(9, 30),
  closes: at(16),
  closesEarly: at(13),
  since: 1998,
  closed(year) {
    const newYear = dayOf(year, 1, 1);
    return [
      // New Year's Day on a Saturday is not observed on the Friday before: this Friday is a normal trading
      // day.
      weekdayOf(newYear) === 6 ? newYear : american(newYear),
      nth(year, 1, 1, 3),
      nth(year, 2, 1, 3),
      easter(year) - 2,
      last(year, 5, 1),
      ...(year >= 2022 ? [american(dayOf(year, 6, 19))] : []),
      american(dayOf(year, 7, 4)),
      nth(year, 9, 1, 1),
      nth(year, 11, 4, 4),
      american(dayOf(year, 12, 25)),
      ...MOURNING_AND_STORMS,
    ];
  },
  half(year) {
    const third = dayOf(year, 7, 3);
    // Until 2012, if 3 July was a Wednesday, it was a full session, and the following Friday was a half day.
    const independence = weekdayOf(third) === 3 && year < 2013 ? third + 2 : third;
    return [independence, nth(year, 11, 4, 4) + 1, dayOf(year, 12, 24), ...OTHER_HALF_DAYS];
  },
};

const SPRING_MOVED: Readonly<Record<number, Day>> = {
  2002: dayOf(2002, 6, 4),
  2012: dayOf(2012, 6, 4),
  2022: dayOf(2022, 6, 2),
};
const EARLY_MAY_MOVED: Readonly<Record<number, Day>> = { 2020: dayOf(2020, 5, 8) };
const ROYAL = daysOf(
  '1999-12-31',
  '2002-06-03',
  '2011-04-29',
  '2012-06-05',
  '2022-06-03',
  '2022-09-19',
  '2023-05-08',
);

const london: Exchange = {
  zone: 'Europe/London',
  opens: at(8),
  closes: at(16, 30),
  closesEarly: at(12, 30),
  since: 1998,
  closed(year) {
    const christmas = dayOf(year, 12, 25);
    // If Christmas or Boxing Day (26 December) is on a weekend, it is observed on the next weekday that is
    // not a holiday.
    const weekday = weekdayOf(christmas);
    const kept =
      weekday === 5
        ? [christmas, christmas + 3]
        : weekday === 6
          ? [christmas + 2, christmas + 3]
          : weekday === 0
            ? [christmas + 1, christmas + 2]
            : [christmas, christmas + 1];
    return [
      nextMonday(dayOf(year, 1, 1)),
      easter(year) - 2,
      easter(year) + 1,
      EARLY_MAY_MOVED[year] ?? nth(year, 5, 1, 1),
      SPRING_MOVED[year] ?? last(year, 5, 1),
      last(year, 8, 1),
      ...kept,
      ...ROYAL,
    ];
  },
  half: (year) => [weekdayBefore(dayOf(year, 12, 24)), weekdayBefore(dayOf(year, 12, 31))],
};

const xetra: Exchange = {
  zone: 'Europe/Berlin',
  opens: at(9),
  closes: at(17, 30),
  before: { day: dayOf(2003, 11, 3), closes: at(20) },
  closesEarly: at(14),
  since: 2002,
  closed: (year) => [
    dayOf(year, 1, 1),
    easter(year) - 2,
    easter(year) + 1,
    dayOf(year, 5, 1),
    ...(year === 2007 || (year >= 2015 && year <= 2021) ? [easter(year) + 50] : []),
    ...(year >= 2014 && year <= 2021 ? [dayOf(year, 10, 3)] : []),
    dayOf(year, 12, 24),
    dayOf(year, 12, 25),
    dayOf(year, 12, 26),
    dayOf(year, 12, 31),
    ...daysOf('2017-10-31'),
  ],
  half: (year) => (year >= 2010 ? [weekdayBefore(dayOf(year, 12, 30))] : []),
};

const TOKYO_ONCE = daysOf('2019-04-30', '2019-05-01', '2019-05-02', '2019-10-22', '2020-10-01');
/**
 * Dates of Marine Day, Sports Day and Mountain Day in 2020 and 2021, when Japan moved them for the Olympic
 * Games.
 */
const OLYMPIC: Readonly<Record<number, readonly Day[]>> = {
  2020: daysOf('2020-07-23', '2020-07-24', '2020-08-10'),
  2021: daysOf('2021-07-22', '2021-07-23', '2021-08-08'),
};

function japanese(year: number): Day[] {
  const equinox = (base: number): number =>
    Math.floor(base + 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4));
  const holidays = new Set([
    dayOf(year, 1, 1),
    nth(year, 1, 1, 2),
    dayOf(year, 2, 11),
    ...(year >= 2020 ? [dayOf(year, 2, 23)] : []),
    dayOf(year, 3, equinox(20.8431)),
    dayOf(year, 4, 29),
    dayOf(year, 5, 3),
    // Until 2006, 4 May is a holiday only as the day between two holidays, and never on a Sunday.
    ...(year >= 2007 ? [dayOf(year, 5, 4)] : []),
    dayOf(year, 5, 5),
    ...(OLYMPIC[year] ?? [
      nth(year, 7, 1, 3),
      nth(year, 10, 1, 2),
      ...(year >= 2016 ? [dayOf(year, 8, 11)] : []),
    ]),
    nth(year, 9, 1, 3),
    dayOf(year, 9, equinox(23.2488)),
    dayOf(year, 11, 3),
    dayOf(year, 11, 23),
    ...(year <= 2018 ? [dayOf(year, 12, 23)] : []),
  ]);
  const named = [...holidays];
  // A day between two holidays is also a holiday. A holiday on Sunday is observed on the next day without a
  // holiday.
  for (const day of named) {
    if (named.includes(day + 2) && !named.includes(day + 1) && weekdayOf(day + 1) !== 0)
      holidays.add(day + 1);
    if (weekdayOf(day) !== 0) continue;
    let kept = day + 1;
    while (named.includes(kept)) kept++;
    holidays.add(kept);
  }
  return [...holidays];
}

const tokyo: Exchange = {
  zone: 'Asia/Tokyo',
  opens: at(9),
  closes: at(15, 30),
  before: { day: dayOf(2024, 11, 5), closes: at(15) },
  closesEarly: at(15, 30),
  since: 2003,
  closed: (year) => [
    ...japanese(year),
    dayOf(year, 1, 2),
    dayOf(year, 1, 3),
    dayOf(year, 12, 31),
    ...TOKYO_ONCE,
  ],
  half: () => [],
};

export const EXCHANGES = {
  XNYS: newYork,
  XNAS: newYork,
  XLON: london,
  XETR: xetra,
  XTKS: tokyo,
} as const satisfies Record<string, Exchange>;

export type ExchangeName = keyof typeof EXCHANGES;
