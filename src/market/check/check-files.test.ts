import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../../kernel/index.ts';
import type { CorporateAction } from '../actions/corporate-action.ts';
import { tradingCalendar } from '../calendar/calendar.ts';
import { checkData } from './check.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes bars at these numbers of days after 2024-01-01, which may be fractions. Returns the path. */
function fileOf(symbol: string, days: readonly number[]): string {
  const file = join(folder, `${symbol}.csv`);
  const rows = days.map((day) => {
    const time = formatInstant(Date.UTC(2024, 0, 1) + day * DAY);
    return `${time},10,11,9,${10 + (Math.round(day * 25) % 2) / 10},100`;
  });
  writeFileSync(file, `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  return file;
}
const workdays = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11];
const without = (...days: number[]) => workdays.filter((day) => !days.includes(day));

describe('a check of several files', () => {
  it('reports symbols in alphabetical order, and days that only some symbols lack', async () => {
    const paths = [fileOf('BBB', without(2, 8)), fileOf('AAA', workdays)];
    const report = await checkData({ paths });
    expect(report.symbols.map(({ symbol, bars }) => [symbol, bars])).toEqual([
      ['AAA', 10],
      ['BBB', 8],
    ]);
    const days = ['2024-01-03', '2024-01-09'];
    expect(report.missing).toEqual([{ symbols: ['BBB'], others: 1, days }]);
    expect(report.symbols.map(({ warnings }) => warnings)).toEqual([
      [],
      [`2 × no bar on a day on which another symbol has one: ${days.join(', ')}`],
    ]);
    expect([report.mixed, report.omitted, report.notes, report.sources.length]).toEqual([null, [], [], 2]);
    expect('calendar' in report.symbols[0]!).toBe(false);
    const part = await checkData({ paths, symbols: ['AAA'] });
    expect([part.symbols.length, part.omitted, part.missing]).toEqual([1, ['BBB'], []]);
  });

  it('does not compare the days of symbols whose bars have different lengths', async () => {
    const hours = [0, 1, 2].flatMap((day) => [10, 11, 12, 13].map((hour) => day + hour / 24));
    const report = await checkData({ paths: [fileOf('AAA', workdays), fileOf('HHH', hours)] });
    expect(report.missing).toEqual([]);
    expect(report.mixed).toMatch(/^The symbols of a run must share one interval: 1 fault\n[\s\S]*\n {2}\S/);
  });

  it('warns of prices that look adjusted for a split', async () => {
    const split = (day: number, symbol = 'AAA') =>
      ({
        kind: 'split',
        symbol,
        time: Date.UTC(2024, 0, 1) + day * DAY,
        from: '1',
        to: '2',
      }) as CorporateAction;
    const paths = [fileOf('AAA', workdays)];
    const { symbols } = await checkData({ paths }, { actions: [split(2), split(8), split(3, 'BBB')] });
    expect(symbols[0]!.warnings).toEqual([
      'prices do not jump at the 2:1 split of 2024-01-03, the 2:1 split of 2024-01-09: they look adjusted for it already',
    ]);
  });

  it('compares the days of bars with a calendar', async () => {
    const paths = [fileOf('AAA', without(8))];
    const { symbols } = await checkData({ paths }, { calendar: tradingCalendar('XNYS') });
    expect(symbols[0]!.calendar).toMatchObject({ missing: ['2024-01-09'], closed: ['2024-01-01'] });
  });
});
