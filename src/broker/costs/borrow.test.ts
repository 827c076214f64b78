import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../kernel/index.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { BorrowDates } from './cost-models.ts';

const settings = brokerSettingsSchema.parse({
  financing: { borrowRate: 0.02 },
  instruments: {
    A: {
      borrow: [
        { from: '2020-03-02', rate: 0.3 },
        { from: '2020-03-04', available: false },
        { from: '2020-03-06' },
      ],
    },
    B: { borrowRate: 0.1 },
  },
});

const seen = (barTimes: 'start' | 'end', date: string, symbol: number): [boolean, number] => {
  const dates = BorrowDates.of(['A', 'B', 'C'], settings, barTimes)!;
  const time = parseInstant(date)!;
  dates.startBar(time);
  return [dates.isAvailable(symbol), dates.rateAt(symbol, time)];
};

describe('borrow availability and rate', () => {
  it('apply from the date of a row to the date of the next row', () => {
    expect(seen('start', '2020-03-01', 0)).toEqual([true, 0.02]);
    expect(seen('start', '2020-03-02', 0)).toEqual([true, 0.3]);
    expect(seen('start', '2020-03-03', 0)).toEqual([true, 0.3]);
    expect(seen('start', '2020-03-05', 0)).toEqual([false, 0.02]);
    expect(seen('start', '2020-03-06', 0)).toEqual([true, 0.02]);
  });

  it('assign a bar that ends at midnight to the previous day', () => {
    expect(seen('end', '2020-03-04', 0)).toEqual([true, 0.3]);
    expect(seen('end', '2020-03-04T00:01', 0)).toEqual([false, 0.02]);
  });

  it('use the rate of each symbol, or that of the run', () => {
    expect(seen('start', '2020-03-05', 1)).toEqual([true, 0.1]);
    expect(seen('start', '2020-03-05', 2)).toEqual([true, 0.02]);
  });

  it('are skipped if no instrument has dates', () => {
    expect(BorrowDates.of(['B'], settings, 'start')).toBeUndefined();
  });

  it('are refused with invalid dates and with dates that are not ascending', () => {
    const parse = (borrow: object[]) =>
      brokerSettingsSchema
        .safeParse({ instruments: { A: { borrow } } })
        .error?.issues.map(({ message }) => message);
    expect(parse([{ from: 'March' }])).toContain('"March" is not a date such as 2020-03-01');
    expect(parse([{ from: '2020-03-02' }, { from: '2020-03-02' }])).toEqual([
      'dates must rise from row to row',
    ]);
    expect(parse([{ from: '2020-03-02', avaliable: false }])?.[0]).toContain('avaliable');
  });
});
