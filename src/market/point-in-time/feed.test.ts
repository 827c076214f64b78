import { describe, expect, it } from 'vitest';
import { DAY, parseInstant } from '../../kernel/index.ts';
import { barSeries } from '../bars/bar-columns.ts';
import { createMarket } from '../market.ts';
import { PointInTimeFeed } from './feed.ts';
import type { PointInTimeData } from './read-tables.ts';

const instant = (text: string): number => parseInstant(text)!;
const price = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
const HOUR = DAY / 24;

/** Feed of symbols A and B with five bars from 1 January 2024. */
function feedOf(data: Partial<PointInTimeData>, gap = DAY): PointInTimeFeed {
  const bars = Array.from({ length: 5 }, (_, bar) => ({ time: instant('2024-01-01') + bar * gap, ...price }));
  const market = createMarket(['A', 'B'].map((symbol) => barSeries(symbol, bars)));
  return new PointInTimeFeed(
    { documents: [], fundamentals: [], ...data } as PointInTimeData,
    market,
    'start',
  );
}

const known = (text: string) => ({ instant: instant(text), wholeDay: !text.includes('T') });
const fundamental = (at: string, periodEnd: string, value: number, symbol = 'A', field = 'revenue') => ({
  ...{ symbol, field, value, periodEnd: instant(periodEnd), known: known(at) },
});
const document = (at: string, id: string) => ({
  ...{ id, symbols: ['A'], title: id, text: '' },
  known: known(at),
  where: 'row',
});

describe('rows with publication times', () => {
  it('become visible at the end of the bar in which they were published, once', () => {
    const rows = [
      '2024-01-03T12:00:00',
      '2024-01-01T23:59:59',
      '2024-01-03',
      '2024-01-02T00:00:00',
      '2024-02-01',
    ];
    const feed = feedOf({
      documents: rows.map((at) => document(at, at)) as unknown as PointInTimeData['documents'],
    });
    const visible = [0, 1, 2, 3, 4].map((bar) => feed.endOf(bar)?.documents.map(({ id }) => id));
    expect(visible).toEqual([
      ['2024-01-01T23:59:59', '2024-01-02T00:00:00'],
      undefined,
      ['2024-01-03T12:00:00', '2024-01-03'],
      undefined,
      undefined,
    ]);
    expect(feed.documents.length).toBe(4);
  });

  it('state which kinds of data exist', () => {
    expect(feedOf({}).given).toEqual({ documents: false, fundamentals: false, universe: false });
    const all = {
      documents: [document('2024-01-01', 'x')],
      fundamentals: [fundamental('2024-01-01', '2023-12-31', 1)],
    };
    expect(feedOf({ ...all, universe: [] } as unknown as PointInTimeData).given).toEqual({
      documents: true,
      fundamentals: true,
      universe: true,
    });
  });
});

describe('fundamentals', () => {
  const rows = [
    fundamental('2024-01-01', '2023-06-30', 1),
    fundamental('2024-01-01', '2023-03-31', 2),
    fundamental('2024-01-02', '2023-03-31', 3),
    fundamental('2024-01-02', '2023-09-30', 4, 'A', 'assets'),
    fundamental('2024-01-02', '2023-09-30', 5, 'C'),
    fundamental('2024-01-04', '2023-09-30', 6),
  ];
  const until = (bar: number) => {
    const feed = feedOf({ fundamentals: rows as unknown as PointInTimeData['fundamentals'] });
    for (let at = 0; at <= bar; at++) feed.endOf(at);
    return feed.fundamentals;
  };
  const values = (book: ReturnType<typeof until>, ...args: [periods?: number, options?: object]) =>
    book.read('A', 'revenue', ...args).map(({ value }) => value);

  it('have the newest vintage of the newest periods', () => {
    expect(values(until(0), 9)).toEqual([2, 1]);
    const book = until(1);
    expect(values(book)).toEqual([1]);
    expect(values(book, 2)).toEqual([3, 1]);
    expect(values(book, 1.9)).toEqual([1]);
    expect(values(book, 0)).toEqual([]);
    expect(values(book, 2, { vintages: true })).toEqual([2, 3, 1]);
    expect(values(until(3), 2)).toEqual([1, 6]);
  });

  it('are listed in the order in which they became visible, without symbols of other markets', () => {
    const book = until(4);
    expect(book.length).toBe(5);
    expect([0, 1, 2, 3, 4].map((row) => book.rowAt(row).value)).toEqual([1, 2, 3, 4, 6]);
    expect(book.rowAt(2)).toEqual({
      ...{ symbol: 'A', field: 'revenue', value: 3 },
      ...{ periodEnd: instant('2023-03-31'), availableAt: instant('2024-01-03') },
    });
    expect(book.fieldsOf('A')).toEqual(['assets', 'revenue']);
    expect([book.fieldsOf('B'), book.read('B', 'revenue'), book.read('A', 'x')]).toEqual([[], [], []]);
  });
});

describe('the universe', () => {
  const member = (symbol: string, from: string | null, until: string | null) => ({
    ...{ symbol, from: from && instant(from), until: until && instant(until) },
  });
  const changes = (universe: readonly object[] | undefined, gap?: number) => {
    const feed = feedOf({ universe } as unknown as PointInTimeData, gap);
    return [0, 1, 2, 3, 4].map((bar) => {
      const change = feed.startOf(bar);
      const text = change === undefined ? '' : `+${change.entered.join()} -${change.left.join()} `;
      expect(feed.universe()).toEqual(['A', 'B'].filter((_, symbol) => feed.isMember(symbol)));
      return text + feed.universe().join('');
    });
  };

  it('contains all symbols without a file', () => {
    expect(changes(undefined)).toEqual(['AB', 'AB', 'AB', 'AB', 'AB']);
    expect(changes([])).toEqual(['', '', '', '', '']);
  });

  it('contains a symbol from its first day until the day before its end, also several times', () => {
    const universe = [
      member('A', null, '2024-01-02'),
      member('B', '2024-01-02', null),
      member('A', '2024-01-04', '2024-01-05'),
      member('C', null, null),
    ];
    expect(changes(universe)).toEqual(['+A - A', '+B -A B', 'B', '+A - AB', '+ -A B']);
  });

  it('is checked at the start of bars shorter than a day', () => {
    const universe = [member('A', '2024-01-01T02:00:00', '2024-01-01T04:00:00')];
    expect(changes(universe, HOUR)).toEqual(['', '', '+A - A', 'A', '+ -A ']);
  });
});
