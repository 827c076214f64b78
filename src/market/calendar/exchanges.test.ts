/**
 * Second implementation of the exchange holidays. It decides for each date separately, as the published rules
 * do. Easter Sundays and equinoxes are tables.
 */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { tradingCalendar } from './calendar.ts';

/** Easter Sundays from 1998: month and day. */
const EASTERS = (
  '4-12 4-4 4-23 4-15 3-31 4-20 4-11 3-27 4-16 4-8 3-23 4-12 4-4 4-24 4-8 3-31 4-20 4-5 3-27 4-16 4-1 4-21 ' +
  '4-12 4-4 4-17 4-9 3-31 4-20 4-5 3-28 4-16 4-1 4-21 4-13 3-28 4-17 4-9 3-25'
).split(' ');

/** A date with the parts that the rules of holidays use. */
interface Dated {
  readonly date: string;
  readonly year: number;
  /** Month and day, such as `7-4`. */
  readonly md: string;
  readonly month: number;
  readonly day: number;
  /** From 0 (Sunday) to 6. */
  readonly weekday: number;
  /** Number of days since Easter Sunday. */
  readonly sinceEaster: number;
}

function dated(time: number): Dated {
  const at = new Date(time);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  const [easterMonth, easterDay] = EASTERS[year - 1998]!.split('-').map(Number) as [number, number];
  return {
    date: at.toISOString().slice(0, 10),
    year,
    md: `${month}-${day}`,
    month,
    day,
    weekday: at.getUTCDay(),
    sinceEaster: (time - Date.UTC(year, easterMonth - 1, easterDay)) / DAY,
  };
}

/** Returns true for the nth occurrence of a weekday in a month. */
const isNth = (at: Dated, month: number, weekday: number, count: number): boolean =>
  at.month === month && at.weekday === weekday && Math.ceil(at.day / 7) === count;

/** Returns true for the last Monday of May or August. Both months have 31 days. */
const isLastMonday = (at: Dated, month: number): boolean =>
  at.month === month && at.weekday === 1 && at.day > 24;

/** US observance: true on the day, on Friday before a Saturday, or on Monday after a Sunday. */
const isObserved = (at: Dated, month: number, day: number): boolean =>
  at.month === month &&
  (at.day === day || (at.day === day - 1 && at.weekday === 5) || (at.day === day + 1 && at.weekday === 1));

const NEW_YORK_ONCE =
  '2001-09-11 2001-09-12 2001-09-13 2001-09-14 2004-06-11 2007-01-02 2012-10-29 2012-10-30 2018-12-05 2025-01-09';
const LONDON_ONCE =
  '1999-12-31 2002-06-03 2002-06-04 2011-04-29 2012-06-04 2012-06-05 2020-05-08 2022-06-02 2022-06-03 2022-09-19 2023-05-08';

const isClosedInNewYork = (at: Dated): boolean =>
  NEW_YORK_ONCE.includes(at.date) ||
  at.md === '1-1' ||
  (at.md === '1-2' && at.weekday === 1) ||
  isNth(at, 1, 1, 3) ||
  isNth(at, 2, 1, 3) ||
  at.sinceEaster === -2 ||
  isLastMonday(at, 5) ||
  (at.year > 2021 && isObserved(at, 6, 19)) ||
  isObserved(at, 7, 4) ||
  isNth(at, 9, 1, 1) ||
  isNth(at, 11, 4, 4) ||
  isObserved(at, 12, 25);

const isHalfInNewYork = (at: Dated): boolean =>
  ['1999-12-31', '2003-12-26'].includes(at.date) ||
  at.md === '12-24' ||
  (at.month === 11 && at.weekday === 5 && at.day >= 23 && at.day <= 29) ||
  (at.md === '7-3' && (at.weekday !== 3 || at.year > 2012)) ||
  (at.md === '7-5' && at.weekday === 5 && at.year <= 2012);

const isClosedInLondon = (at: Dated): boolean => {
  const isMay2020 = at.year === 2020 && isNth(at, 5, 1, 1);
  const isMovedSpring = [2002, 2012, 2022].includes(at.year) && isLastMonday(at, 5);
  return (
    LONDON_ONCE.includes(at.date) ||
    at.md === '1-1' ||
    (['1-2', '1-3'].includes(at.md) && at.weekday === 1) ||
    [-2, 1].includes(at.sinceEaster) ||
    (isNth(at, 5, 1, 1) && !isMay2020) ||
    (isLastMonday(at, 5) && !isMovedSpring) ||
    isLastMonday(at, 8) ||
    ['12-25', '12-26'].includes(at.md) ||
    (['12-27', '12-28'].includes(at.md) && at.weekday >= 1 && at.weekday <= 2)
  );
};

/** Returns true for the last weekday on or before a day of December. */
const isLastWeekdayTo = (at: Dated, day: number): boolean =>
  at.month === 12 && (at.day === day || (at.weekday === 5 && [day - 1, day - 2].includes(at.day)));

const isClosedInFrankfurt = (at: Dated): boolean =>
  ['1-1', '5-1', '12-24', '12-25', '12-26', '12-31'].includes(at.md) ||
  [-2, 1].includes(at.sinceEaster) ||
  (at.sinceEaster === 50 && [2007, 2015, 2016, 2017, 2018, 2019, 2020, 2021].includes(at.year)) ||
  (at.md === '10-3' && [2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021].includes(at.year)) ||
  at.date === '2017-10-31';

/** Years from 2003 to 2035 with the spring equinox on 20 March in Japan. It is on the 21st in other years. */
const SPRING_20 = [2004, 2005, 2008, 2009, 2012, 2013, 2016, 2017, 2020, 2021, 2024, 2025, 2026, 2028].concat(
  [2029, 2030, 2032, 2033, 2034],
);
/** Years with the autumn equinox on 22 September. It is on the 23rd in other years. */
const AUTUMN_22 = [2012, 2016, 2020, 2024, 2028, 2032];
const OLYMPIC = '2020-07-23 2020-07-24 2020-08-10 2021-07-22 2021-07-23 2021-08-08';
const IMPERIAL = '2019-04-30 2019-05-01 2019-05-02 2019-10-22';

/** Returns true for the national holidays of Japan, without their substitutes. */
function isNamedInJapan(at: Dated): boolean {
  if (OLYMPIC.includes(at.date) || IMPERIAL.includes(at.date)) return true;
  const isMoved = at.year === 2020 || at.year === 2021;
  return (
    ['1-1', '2-11', '4-29', '5-3', '5-5', '11-3', '11-23'].includes(at.md) ||
    // 4 May is a national holiday since 2007.
    (at.md === '5-4' && at.year >= 2007) ||
    (at.md === '2-23' && at.year >= 2020) ||
    (at.md === '12-23' && at.year <= 2018) ||
    at.md === (SPRING_20.includes(at.year) ? '3-20' : '3-21') ||
    at.md === (AUTUMN_22.includes(at.year) ? '9-22' : '9-23') ||
    isNth(at, 1, 1, 2) ||
    isNth(at, 9, 1, 3) ||
    (!isMoved && (isNth(at, 7, 1, 3) || isNth(at, 10, 1, 2) || (at.md === '8-11' && at.year >= 2016)))
  );
}

/** Holidays of a year in Tokyo, with substitutes for Sundays and days between two holidays. */
function closedInTokyo(year: number): Set<string> {
  const all = datesOf(year);
  const closed = new Set<string>(year === 2020 ? ['2020-10-01'] : []);
  let isPending = false;
  all.forEach((at, index) => {
    const isNamed = isNamedInJapan(at);
    const isBetween =
      [index - 1, index + 1].every((near) => all[near] !== undefined && isNamedInJapan(all[near]!)) &&
      at.weekday !== 0;
    if (isNamed || isPending || isBetween || ['1-2', '1-3', '12-31'].includes(at.md)) closed.add(at.date);
    isPending = isNamed ? isPending || at.weekday === 0 : false;
  });
  return closed;
}

function datesOf(year: number): Dated[] {
  const first = Date.UTC(year, 0, 1);
  return Array.from({ length: (Date.UTC(year + 1, 0, 1) - first) / DAY }, (_, day) =>
    dated(first + day * DAY),
  );
}

const isWeekday = ({ weekday }: Dated): boolean => weekday > 0 && weekday < 6;

interface Rules {
  readonly since: number;
  readonly isClosed: (at: Dated) => boolean;
  readonly isHalf: (at: Dated) => boolean;
  readonly zone: string;
  /** Opening, closing and early closing time, in minutes after midnight. */
  readonly hours: readonly [opens: number, closes: number, early: number];
}

const newYork: Rules = {
  since: 1998,
  isClosed: isClosedInNewYork,
  isHalf: isHalfInNewYork,
  zone: 'America/New_York',
  hours: [570, 960, 780],
};

const RULES: Readonly<Record<string, Rules>> = {
  XNYS: newYork,
  XNAS: newYork,
  XLON: {
    since: 1998,
    isClosed: isClosedInLondon,
    isHalf: (at) => isLastWeekdayTo(at, 24) || isLastWeekdayTo(at, 31),
    zone: 'Europe/London',
    hours: [480, 990, 750],
  },
  XETR: {
    since: 2002,
    isClosed: isClosedInFrankfurt,
    isHalf: (at) => at.year >= 2010 && isLastWeekdayTo(at, 30),
    zone: 'Europe/Berlin',
    hours: [540, 1050, 840],
  },
};

describe('the sessions of an exchange', () => {
  it.each(Object.entries(RULES))('of %s follow its published rules until 2035', (name, rules) => {
    const calendar = tradingCalendar(name);
    const [opens, closes, early] = rules.hours;
    expect(calendar).toMatchObject({
      name,
      zone: rules.zone,
      hours: { opens, closes },
      since: rules.since,
      until: 2035,
      gaps: [],
    });
    for (let year = rules.since; year <= 2035; year++) {
      const days = datesOf(year).map((at) => ({ at, day: Date.parse(at.date) / DAY }));
      const found = days.filter(({ day }) => calendar.isSession(day)).map(({ at }) => at.date);
      const open = days.filter(({ at }) => isWeekday(at) && !rules.isClosed(at));
      expect(found).toEqual(open.map(({ at }) => at.date));
      const short = days.filter(({ day }) => calendar.closesEarly(day) !== undefined);
      expect(short.map(({ at }) => at.date)).toEqual(
        open.filter(({ at }) => rules.isHalf(at)).map(({ at }) => at.date),
      );
      expect(short.every(({ day }) => calendar.closesEarly(day) === early)).toBe(true);
    }
  });

  it('of XTKS follow the national holidays of Japan until 2035, without half days', () => {
    const calendar = tradingCalendar('XTKS');
    expect(calendar).toMatchObject({
      zone: 'Asia/Tokyo',
      hours: { opens: 540, closes: 930 },
      since: 2003,
      until: 2035,
    });
    for (let year = 2003; year <= 2035; year++) {
      const closed = closedInTokyo(year);
      const days = datesOf(year);
      const dayOf = ({ date }: Dated): number => Date.parse(date) / DAY;
      expect(days.filter((at) => calendar.isSession(dayOf(at))).map(({ date }) => date)).toEqual(
        days.filter((at) => isWeekday(at) && !closed.has(at.date)).map(({ date }) => date),
      );
      expect(days.some((at) => calendar.closesEarly(dayOf(at)) !== undefined)).toBe(false);
    }
  });

  it('of XTKS include 2003-05-06, because 4 May is a national holiday only since 2007', () => {
    const isSession = (date: string): boolean => tradingCalendar('XTKS').isSession(Date.parse(date) / DAY);
    expect(['2003-05-05', '2003-05-06', '2008-05-05', '2008-05-06', '2008-05-07'].map(isSession)).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(['2004-05-04', '2005-05-04', '2006-05-04'].map(isSession)).toEqual([false, false, false]);
  });
});
