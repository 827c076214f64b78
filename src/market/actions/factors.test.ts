import { describe, expect, it } from 'vitest';
import { inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { errorOf, rejectionOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { barSeries } from '../bars/bar-columns.ts';
import type { CorporateAction } from './corporate-action.ts';
import { adjustmentsOf, backAdjust, loadFactors } from './factors.ts';

inOwnFolders();

const at = (date: string): number => Date.parse(`${date}T00:00Z`);
/** Bars of the days 1 to 5, with closes of 10, 20, 30, 40 and 50. */
const series = barSeries(
  'A',
  [1, 2, 3, 4, 5].map((day) => ({
    time: day * DAY,
    open: 9 * day,
    high: 12 * day,
    low: 8 * day,
    close: 10 * day,
    volume: 100 * day,
  })),
);
const dividend = (day: number, amount: string, symbol = 'A'): CorporateAction => ({
  symbol,
  time: day * DAY,
  kind: 'dividend',
  amount,
});
const split = (day: number, to: string, from: string): CorporateAction => ({
  symbol: 'A',
  time: day * DAY,
  kind: 'split',
  to,
  from,
});

describe('the factors of corporate actions', () => {
  it('divide prices by a split, and reduce them by a dividend relative to the last close before it', () => {
    const actions: CorporateAction[] = [
      split(2, '4', '1'),
      dividend(3, '5'),
      dividend(3, '9', 'B'),
      split(4, '1', '5'),
      { symbol: 'A', time: 5 * DAY, kind: 'delisting' },
    ];
    const splits = [
      { time: 2 * DAY, price: 0.25, volume: 4 },
      { time: 4 * DAY, price: 5, volume: 0.2 },
    ];
    const paid = { time: 3 * DAY, price: 0.75, volume: 1 };
    expect(adjustmentsOf(series, actions)).toEqual([splits[0], paid, splits[1]]);
    expect(adjustmentsOf(series, actions, 'all')).toEqual([splits[0], paid, splits[1]]);
    expect(adjustmentsOf(series, actions, 'splits')).toEqual(splits);
    expect(adjustmentsOf(series, actions, 'dividends')).toEqual([paid]);
  });

  it('use the close divided by the split of the same day', () => {
    // The close of day 2 is 20, which is 5 after the split.
    expect(adjustmentsOf(series, [split(3, '4', '1'), dividend(3, '1')], 'dividends')).toEqual([
      { time: 3 * DAY, price: 0.8, volume: 1 },
    ]);
    expect(adjustmentsOf(series, [split(2, '4', '1'), dividend(3, '10')], 'dividends')[0]!.price).toBe(0.5);
  });

  it('omit a dividend without a bar before it', () => {
    expect(adjustmentsOf(series, [dividend(1, '1'), dividend(0, '1')])).toEqual([]);
    expect(adjustmentsOf(series, [dividend(1.5, '1')])).toEqual([{ time: 1.5 * DAY, price: 0.9, volume: 1 }]);
    expect(adjustmentsOf(series, [dividend(99, '10')])[0]!.price).toBe(0.8);
  });

  it('are refused for every dividend that is not smaller than the close before it', () => {
    expect(adjustmentsOf(series, [dividend(3, '19.5')])).toHaveLength(1);
    const { code, message } = errorOf(() => adjustmentsOf(series, [dividend(3, '20'), dividend(4, '31')]));
    expect([code, ...message.split('\n')]).toEqual([
      'bad_actions',
      'The prices cannot be adjusted: 2 faults',
      '  A, dividend of 1970-01-04: pays 20, and the close before it is 20',
      '  A, dividend of 1970-01-05: pays 31, and the close before it is 30',
    ]);
  });
});

describe('prices adjusted backwards', () => {
  it('are multiplied by the factors of all later adjustments, in any order', () => {
    const adjustments = [
      { time: 3 * DAY, price: 0.5, volume: 2 },
      { time: 5 * DAY, price: 0.1, volume: 1 },
    ];
    const adjusted = backAdjust({ ...series, interval: '1d' }, adjustments);
    const of = (...values: number[]): Float64Array => Float64Array.from(values);
    expect(adjusted).toEqual({
      symbol: 'A',
      interval: '1d',
      time: series.time,
      open: of(0.45, 0.9, 2.7, 3.6, 45),
      high: of(0.6, 1.2, 3.6, 4.8, 60),
      low: of(0.4, 0.8, 2.4, 3.2, 40),
      close: of(0.5, 1, 3, 4, 50),
      volume: of(200, 400, 300, 400, 500),
    });
    expect(backAdjust({ ...series, interval: '1d' }, adjustments.toReversed())).toEqual(adjusted);
    expect(series.close[0]).toBe(10);
  });

  it('do not change without a later adjustment', () => {
    expect(backAdjust(series, [])).toEqual(series);
    expect(backAdjust(series, [{ time: DAY, price: 0.5, volume: 2 }])).toEqual(series);
    expect(backAdjust(series, [{ time: 9 * DAY, price: 0.5, volume: 2 }]).close).toEqual(
      Float64Array.of(5, 10, 15, 20, 25),
    );
  });
});

describe('a factor file', () => {
  const load = (...lines: string[]) => loadFactors(write('msft.csv', lines));

  it('contains cumulative factors, from which the adjustment of each date is calculated', async () => {
    const found = await load(
      'Symbol,Date,Price Factor,Split Factor',
      'a,2020-01-20,0.95,0.5',
      'b,2020-02-01,1e-1,2',
      'A,2020-01-10,0.9,0.25',
    );
    expect([...found.keys()]).toEqual(['A', 'B']);
    expect(found.get('A')).toEqual([
      { time: at('2020-01-11'), price: 0.225 / 0.475, volume: 2 },
      { time: at('2020-01-21'), price: 0.475, volume: 2 },
    ]);
    expect(found.get('B')).toEqual([{ time: at('2020-02-02'), price: 0.2, volume: 0.5 }]);
  });

  it('without a symbol column applies to the symbol of its file name', async () => {
    expect(await load('date,factor', '2020-01-10,0.5')).toEqual(
      new Map([['MSFT', [{ time: at('2020-01-11'), price: 0.5, volume: 1 }]]]),
    );
  });

  it('is refused with every fault and its line', async () => {
    const { code, message } = await rejectionOf(
      load(
        'symbol,date,factor,split factor',
        'A,2020-01-10,0,1',
        ',2020-01-11,1,1',
        'A,2020-01-12,1,0',
        'A,2020-01-10,1,1',
        'A,soon,-1,x',
        'A,2020-01-13,.5,1',
        'B,2020-01-10,1.5,1',
      ),
    );
    expect([code, ...message.split('\n')]).toEqual([
      'bad_factors',
      'The factors cannot be used: 8 faults',
      '  msft.csv line 2: factor "0" is not a number above 0',
      '  msft.csv line 3: the symbol is empty',
      '  msft.csv line 4: split factor "0" is not a number above 0',
      '  msft.csv line 5: repeats the date of A',
      '  msft.csv line 6: date "soon" is not a date',
      '  msft.csv line 6: factor "-1" is not a number above 0',
      '  msft.csv line 6: split factor "x" is not a number above 0',
      '  msft.csv line 7: factor ".5" is not a number above 0',
    ]);
    expect((await rejectionOf(load('date', '2020-01-10'))).message).toContain('no column "factor"');
  });
});
