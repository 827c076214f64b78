import { describe, expect, it } from 'vitest';
import { inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { type CalendarTerms, isCalendarFile, readCalendar, tradingCalendar } from './calendar.ts';
import { checkCalendarText } from './session.ts';

inOwnFolders();

const read = (...lines: readonly string[]): Promise<CalendarTerms> => readCalendar(write('days.csv', lines));

describe('a calendar file', () => {
  it('lists closed days, sorted, and early closes', async () => {
    expect(
      await read('Date,Closes at', '2024-12-25,', '2024-11-29,13:00', '2024-01-01', '2024-12-24, 9:05 '),
    ).toEqual({
      name: 'days.csv',
      closed: ['2024-01-01', '2024-12-25'],
      early: { '2024-11-29': '13:00', '2024-12-24': '09:05' },
    });
    expect(await read('day', '2024-12-25')).toEqual({ name: 'days.csv', closed: ['2024-12-25'], early: {} });
    expect(await read('date,closes', '2024-12-25,24:00')).toEqual({
      name: 'days.csv',
      closed: [],
      early: { '2024-12-25': '24:00' },
    });
  });

  it('may be in any folder, and its name is shown without the folder', async () => {
    expect(await readCalendar(`./${write('own/holidays.tsv', ['date', '2024-12-25'])}`)).toMatchObject({
      name: 'holidays.tsv',
    });
  });

  it('is refused with every fault and its line', async () => {
    const { code, message, hint } = await rejectionOf(
      read(
        'date,closes',
        '2024-12-25,soon',
        '2024-12-26,00:00',
        '2024-12-27 10:00,',
        ',13:00',
        '2024-12-31,13:00',
        '2024-12-31,',
        '2024-13-01,',
      ),
    );
    expect(code).toBe('bad_calendar');
    expect(message.split('\n')).toEqual([
      'The calendar cannot be used: 6 faults',
      '  days.csv line 2: "soon" is not a time of day such as 13:00; leave closes empty for a closed day',
      '  days.csv line 3: "00:00" is not a time of day such as 13:00; leave closes empty for a closed day',
      '  days.csv line 4: "2024-12-27 10:00" has a time of day: give the date only',
      '  days.csv line 5: the date is empty',
      '  days.csv line 7: repeats 2024-12-31 of days.csv line 6',
      '  days.csv line 8: date "2024-13-01" is not a date',
    ]);
    expect(hint).toContain('A line looks like 2024-12-25');
  });

  it('needs a date column, and has no unknown columns', async () => {
    expect((await rejectionOf(read('when', '2024-12-25'))).message).toContain('no column "date"');
    expect((await rejectionOf(read('date,close,why', '2024-12-25,,x'))).message).toContain('why');
  });

  it('is recognised by a dot or a slash in its name', () => {
    expect(['days.csv', 'a/days', 'a\\days', 'XNYS', 'xnys ', 'days'].map(isCalendarFile)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(() => checkCalendarText('absent/days.csv')).not.toThrow();
    expect(() => checkCalendarText(' xlon ')).not.toThrow();
    expect(() => checkCalendarText('XLOM')).toThrow(
      'Unknown calendar "XLOM". Known calendars: XNYS, XNAS, XLON, XETR, XTKS.',
    );
  });

  it('is not needed for a known exchange, whose code may be in lower case', async () => {
    expect(await readCalendar(' xtks')).toBe('XTKS');
    expect((await rejectionOf(readCalendar('XNYE'))).hint).toBe(
      'Did you mean XNYS? For a calendar file, write its name with the ending, such as days.csv.',
    );
    expect((await rejectionOf(readCalendar('Mars'))).hint).toBe(
      'For a calendar file, write its name with the ending, such as days.csv.',
    );
  });
});

describe('the calendar of a file', () => {
  const dayOf = (date: string): number => Date.parse(date) / DAY;

  it('closes on weekends and listed days, but not on weekend days with a closing time', () => {
    const calendar = tradingCalendar({
      name: 'days.csv',
      closed: ['2021-12-24', '2024-03-01'],
      early: { '2024-03-02': '13:00', '2024-03-04': '24:00' },
    });
    expect({ ...calendar, isSession: undefined, closesOn: undefined, closesEarly: undefined }).toEqual({
      name: 'days.csv',
      zone: undefined,
      hours: undefined,
      since: 2021,
      until: 2024,
      gaps: [2022, 2023],
      isSession: undefined,
      closesOn: undefined,
      closesEarly: undefined,
    });
    const dates = ['2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03', '2024-03-04', '2024-03-05'];
    expect(dates.map((date) => calendar.isSession(dayOf(date)))).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(dates.map((date) => calendar.closesEarly(dayOf(date)))).toEqual([
      undefined,
      undefined,
      780,
      undefined,
      1440,
      undefined,
    ]);
  });

  it('covers all years if it lists no day', () => {
    const empty = tradingCalendar({ name: 'days.csv', closed: [], early: {} });
    expect(empty).toMatchObject({ since: 1, until: undefined, gaps: [] });
    expect(['2024-03-01', '2024-03-02'].map((date) => empty.isSession(dayOf(date)))).toEqual([true, false]);
  });
});
