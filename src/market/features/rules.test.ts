import { describe, expect, it } from 'vitest';
import { type FeatureTable, featureSchema, furtherColumns, nameFault, sameTypes } from './bar-columns.ts';
import {
  growingFeature,
  KnownRows,
  type NumberFeature,
  pushKnown,
  pushRow,
  sourcesOf,
  type ValueFeature,
} from './feature.ts';
import { cutFeatures, FeatureFeed } from './feed.ts';
import { featureTable, lagOf } from './read.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const day = (number: number): number => Date.UTC(2024, 0, 1) + number * DAY;

describe('a feature', () => {
  const made = (type: 'number' | 'text' | 'boolean', lookback: number, names = ['x'], symbol?: string) => {
    const rows = new KnownRows(names, symbol);
    return { rows, feature: growingFeature('x', type, sourcesOf([rows], 'x', 'A'), lookback) };
  };

  it('of texts has one value per bar within the look-back', () => {
    const { rows, feature } = made('text', 3);
    const texts = feature as unknown as ValueFeature<string>;
    expect([texts.length, texts.last, texts.at(0), texts.tail(2)]).toEqual([0, null, null, []]);
    expect([texts.date, texts.availableAt]).toEqual([Number.NaN, Number.NaN]);
    pushKnown(feature);
    expect([texts.length, texts.last, texts.at(-1)]).toEqual([1, null, null]);
    for (let bar = 1; bar <= 60; bar++) {
      pushRow(rows, bar, bar + 0.5, [`t${bar}`]);
      pushKnown(feature);
      const expected = [bar - 2, bar - 1, bar]
        .filter((one) => one >= 0)
        .map((one) => (one === 0 ? null : `t${one}`));
      expect([texts.length, texts.last, texts.date, texts.availableAt]).toEqual([
        ...[expected.length, `t${bar}`, bar, bar + 0.5],
      ]);
      expect(texts.tail(9)).toEqual(expected);
      expect(texts.tail(2)).toEqual(expected.slice(-2));
      expect([0, 1, 2, 3].map((at) => texts.at(at))).toEqual([0, 1, 2, 3].map((at) => expected[at] ?? null));
      expect([-1, -2, -3, -4].map((at) => texts.at(at))).toEqual(
        [-1, -2, -3, -4].map((at) => expected.at(at) ?? null),
      );
    }
    expect([texts.tail(0), texts.tail(Number.NaN)]).toEqual([[], []]);
  });

  it('of numbers is NaN without a value, and has the newest value of the newest date', () => {
    const { rows, feature } = made('number', Infinity);
    const numbers = feature as unknown as NumberFeature;
    pushKnown(feature);
    expect([numbers.length, numbers.last, numbers.date]).toEqual([1, Number.NaN, Number.NaN]);
    for (const [date, at, value] of [
      [5, 6, 50],
      [4, 7, 40],
      [5, 8, 51],
      [6, 9, null],
    ] as const) {
      pushRow(rows, date, at, [value]);
      pushKnown(feature);
    }
    expect([...numbers.tail(5)]).toEqual([Number.NaN, 50, 50, 51, Number.NaN]);
    expect([numbers.date, numbers.availableAt]).toEqual([6, 9]);
    expect(numbers.rows()).toEqual([
      { date: 4, availableAt: 7, value: 40 },
      { date: 5, availableAt: 8, value: 51 },
      { date: 6, availableAt: 9, value: null },
    ]);
    expect(numbers.rows({ vintages: true }).map(({ value }) => value)).toEqual([40, 50, 51, null]);
    expect([rows.length, rows.newest, rows.dateOf(1), rows.dateOf(9), rows.availableAt(9)]).toEqual([
      ...[4, 3, 4, Number.NaN, Number.NaN],
    ]);
    expect([rows.valueOf(0, 0), rows.valueOf(0, 1), rows.valueOf(9, 0)]).toEqual([50, null, null]);
  });

  it('of several tables has the newest date, and of equal dates the one published last', () => {
    const [all, own, other] = [
      new KnownRows(['x'], undefined),
      new KnownRows(['y', 'x'], 'A'),
      new KnownRows(['x'], 'B'),
    ];
    const sources = sourcesOf([all, own, other, new KnownRows(['y'], 'A')], 'x', 'A');
    expect(sources).toEqual([
      { rows: all, column: 0 },
      { rows: own, column: 1 },
    ]);
    const feature = growingFeature('x', 'number', sources, 9);
    const shown = (): number => {
      pushKnown(feature);
      return (feature as unknown as NumberFeature).last;
    };
    pushRow(own, 3, 5, [0, 1]);
    expect(shown()).toBe(1);
    pushRow(all, 3, 4, [2]);
    expect(shown()).toBe(1);
    pushRow(all, 3, 5, [3]);
    // Equal dates and equal publication times: the first table is used.
    expect(shown()).toBe(3);
    pushRow(own, 3, 6, [0, 4]);
    expect(shown()).toBe(4);
    pushRow(all, 4, 5.5, [5]);
    expect(shown()).toBe(5);
    pushRow(other, 9, 9, [6]);
    expect(shown()).toBe(5);
  });
});

const market = (length = 5, gap = DAY, symbols = ['A', 'B']) => ({
  ...{
    clock: Float64Array.from({ length }, (_, bar) => day(0) + bar * gap),
    interval: { milliseconds: gap },
    symbols,
  },
});

describe('rows of features', () => {
  const visible = (table: FeatureTable, on: ReturnType<typeof market>, times: 'start' | 'end' = 'start') => {
    const feed = new FeatureFeed([table], on, times);
    return Array.from(on.clock, (_, bar) =>
      feed.endOf(bar, () => true).map(({ rows, row }) => rows.valueOf(row, 0)),
    );
  };

  it('without a publication time are visible at the end of the bar of their date', () => {
    const rows = featureTable([
      { date: '2024-01-02', x: 1 },
      { date: '2024-01-02T10:00', x: 2 },
      { date: '2024-01-04', x: 3 },
      { date: '2023-12-01', x: 0 },
    ]);
    expect(visible(rows, market())).toEqual([[0], [1, 2], [], [3], []]);
    // If a bar has the time of its end, the date 2 January is the bar that has this date.
    expect(visible(rows, market(), 'end')).toEqual([[0], [1], [2], [3], []]);
    // Hourly bars: a day has ended at midnight, with the last bar of the day.
    const hourly = visible(rows, market(72, HOUR));
    expect(hourly.flatMap((found, bar) => found.map((value) => [bar, value]))).toEqual([
      [0, 0],
      [34, 2],
      [47, 1],
    ]);
  });

  it('with a delay are visible later', () => {
    expect(visible(featureTable([{ date: '2024-01-02', x: 1 }], '1d'), market())).toEqual([
      [],
      [],
      [1],
      [],
      [],
    ]);
    expect(visible(featureTable([{ date: '2024-01-02', x: 1 }], '25h'), market())).toEqual([
      [],
      [],
      [],
      [1],
      [],
    ]);
    expect(['0', '0d', ' 00min ', undefined].map(lagOf)).toEqual(Array(4).fill(undefined));
    expect(lagOf('1d')?.milliseconds).toBe(DAY);
  });

  it('with a publication time are visible at the end of the first bar that ends at or after it', () => {
    const at = (available_at: string, x: number) => ({ date: '2023-12-31', available_at, x });
    const table = featureTable([
      at('2024-01-02T00:00', 1),
      at('2024-01-02T00:01', 2),
      at('2024-01-04', 3),
      { date: '2023-12-30', available_at: '2024-01-02T01:00', x: 4 },
      { date: '2024-01-03', available_at: null, x: 5 },
    ]);
    expect(visible(table, market())).toEqual([[1], [2, 4].sort(), [5], [3], []]);
  });

  it('are returned once per table and symbol, and features grow only with bars of their symbol', () => {
    const table = featureTable([
      { date: '2024-01-01', symbol: 'b', x: 1 },
      { date: '2024-01-01', symbol: 'A', x: 2 },
      { date: '2024-01-01', symbol: 'Z', x: 3 },
      { date: '2024-01-01', x: 4 },
    ]);
    const feed = new FeatureFeed([table], market(), 'start');
    const found = feed.endOf(0, (symbol) => symbol === 0);
    // Rows for all symbols first, then by symbol. Z is not a symbol of the market.
    expect(found.map(({ rows, row }) => [rows.symbol, rows.valueOf(row, 0)])).toEqual([
      [undefined, 4],
      ['A', 2],
      ['B', 1],
    ]);
    expect([feed.of(0).get('x')!.length, feed.of(1).get('x')!.length]).toEqual([1, 0]);
    expect(feed.endOf(1, () => true)).toEqual([]);
    expect([feed.of(0).get('x')!.length, feed.of(1).get('x')!.length]).toEqual([2, 1]);
    const ofBars = new FeatureFeed([{ ...table, isOfBars: true }], market(), 'start');
    expect(ofBars.endOf(0, () => true)).toEqual([]);
    expect((ofBars.of(0).get('x') as unknown as NumberFeature).last).toBe(4);
  });

  it('are cut to those that are visible at the end of a bar', () => {
    const table = featureTable([
      { date: '2024-01-02', symbol: 'A', available_at: '2024-01-03T12:00', x: 1 },
      { date: '2024-01-03', symbol: 'B', available_at: null, x: 2 },
      { date: '2024-01-01', symbol: 'A', available_at: null, x: 3 },
    ]);
    const cut = (bar: number) => cutFeatures(table, market(), 'start', bar);
    expect(cut(2)).toBe(table);
    expect(cut(0)).toEqual({
      ...table,
      ...{
        columns: [{ name: 'x', type: 'number', values: [3] }],
        dates: [table.dates[2]],
        known: [undefined],
      },
      symbols: ['A'],
    });
    expect(cut(1).columns[0]!.values).toEqual([3]);
    const { symbols: _, ...shared } = table;
    expect(cutFeatures({ ...shared, symbols: undefined }, market(), 'start', 0).symbols).toBeUndefined();
  });
});

describe('values of a feature table', () => {
  const columnOf = (...values: (string | number | boolean | null)[]) => {
    const { columns } = featureTable(values.map((x, at) => ({ date: day(at), x })));
    return [columns[0]!.type, columns[0]!.values];
  };
  const faultsOf = (...values: (string | number | boolean | null)[]): string[] => {
    try {
      columnOf(...values);
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    }
    return [];
  };

  it('are numbers, booleans or texts', () => {
    expect(columnOf('1', '-.5', '+2.', '1e3', 'n/a', '')).toEqual(['number', [1, -0.5, 2, 1000, null, null]]);
    expect(columnOf('true', 'FALSE', 'nan', true)).toEqual(['boolean', [true, false, null, true]]);
    expect(columnOf('up', ' down ', '1', '', 'NaN')).toEqual(['text', ['up', ' down ', '1', null, 'NaN']]);
    expect(columnOf('', null, '-')).toEqual(['number', [null, null, null]]);
    // Exactly half of the cells are numbers or booleans, so the column is text.
    expect(columnOf('1', 'x')[0]).toBe('text');
    expect(columnOf('true', 'x')[0]).toBe('text');
  });

  it('of the wrong type are faults', () => {
    expect(faultsOf('1', '2', 'x', '1,000', 'inf', '1e999', '4', '5', '6')).toEqual([
      'row 3: x: "x" is not a number, as most of its column are',
      'row 4: x: "1,000" has thousands separators; write it without',
      'row 5: x: "inf" is not a finite number',
      'row 6: x: "1e999" is not a finite number',
    ]);
    expect(faultsOf('true', 'false', '1')).toEqual(['row 3: x: "1" is neither true nor false']);
    expect(faultsOf('1', '2', 'y'.repeat(50))).toEqual([
      `row 3: x: "${'y'.repeat(40)}" is not a number, as most of its column are`,
    ]);
    expect(faultsOf('true', 'true', 'z'.repeat(50))).toEqual([
      `row 3: x: "${'z'.repeat(40)}" is neither true nor false`,
    ]);
  });

  const tableFaults = (...rows: object[]): string[] => {
    try {
      featureTable(rows as never);
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    }
    return [];
  };

  it('repeat a date only with another publication time or symbol', () => {
    const row = { date: '2024-01-01', x: 1 };
    expect(tableFaults(row, row)).toEqual([
      'row 2: repeats the date 2024-01-01 of row 1 (a revision needs its own, different available_at)',
    ]);
    const known = { ...row, available_at: '2024-01-05' };
    expect(tableFaults(known, { ...known, available_at: '2024-01-06' }, known)).toEqual([
      'row 3: repeats the date 2024-01-01 and the available_at 2024-01-05 of row 1 (a revision needs its own, different available_at)',
    ]);
    expect(tableFaults({ ...row, symbol: 'A' }, { ...row, symbol: 'B' }, row)).toEqual([]);
  });

  it('need columns with distinct and valid names', () => {
    expect(tableFaults({ date: '2024-01-01' })).toEqual([
      '(features in memory): no feature column: only date, available_at and symbol',
    ]);
    expect(tableFaults()).toHaveLength(1);
    expect(tableFaults({ date: '2024-01-01', x: 1, X: 2 })).toEqual([
      '(features in memory): two columns are called "X" (rename one of them)',
    ]);
    expect(tableFaults({ date: '2024-01-01', availabel_at: 1 })).toEqual([
      '(features in memory): unknown column "availabel_at" (did you mean "available_at"? Otherwise rename the feature)',
    ]);
    expect(tableFaults({ date: '2024-01-01', available_at: null, availabel_at: 1 })).toEqual([]);
    for (const date of ['soon', Infinity]) expect(tableFaults({ date, x: 1 })).toHaveLength(1);
    const { dates, known } = featureTable([{ date: day(2), available_at: day(1) + HOUR, x: 4 }]);
    expect([dates[0]!.instant, known[0]]).toMatchObject([
      day(2),
      { instant: day(1) + HOUR, wholeDay: false },
    ]);
  });

  it('have names that code can use', () => {
    expect(nameFault('mood_2')).toBeUndefined();
    expect(nameFault('Adj Rate')).toEqual({
      ...{ message: 'the column "Adj Rate" is not a name that code can use', hint: 'call it adj_rate' },
    });
    expect(nameFault('5 %')?.hint).toBe('use letters, digits and _ for its name');
    expect(nameFault('Close')).toMatchObject({ hint: 'call it Close_2' });
    expect(nameFault('lambda')).toMatchObject({ hint: 'call it lambda_' });
    expect(nameFault('mean')).toMatchObject({ hint: 'call it mean_value' });
  });
});

describe('columns of several files', () => {
  const table = (type: 'number' | 'text', values: readonly (number | string | null)[]): FeatureTable => ({
    ...{ source: 'f', columns: [{ name: 'x', type, values }], dates: [], known: [], symbols: undefined },
  });

  it('are texts in all files if they are texts in one', () => {
    const [one, other] = sameTypes([table('number', [1, null]), table('text', ['a'])]);
    expect(one!.columns).toEqual([{ name: 'x', type: 'text', values: ['1', null] }]);
    expect(other!.columns[0]!.values).toEqual(['a']);
    const numbers = [table('number', [1]), table('number', [2])];
    expect(sameTypes(numbers)).toEqual(numbers);
    expect(featureSchema([table('number', [1]), table('text', ['a'])])).toEqual([
      { name: 'x', type: 'number' },
    ]);
  });

  it('become features unless they are times, adjusted prices, doubles or invalid names', () => {
    const plan = {
      time: 0,
      clock: -1,
      prices: [1, 2, 3, 4],
      volume: 5,
      symbol: -1,
      extra: [{ position: 6 }],
    };
    const header = [
      't',
      'o',
      'h',
      'l',
      'c',
      'v',
      'spread',
      'Datetime',
      'Mood',
      'mood ',
      'Adj Close',
      '5',
      'mean',
      'Rate %',
    ];
    expect(furtherColumns('f.csv', header, plan as never)).toEqual({
      named: [
        { name: 'mood', position: 8 },
        { name: 'rate', position: 13 },
      ],
      adjustments: [
        'f.csv: omitted the column "mood": another is called mood too',
        'f.csv: the column "Adj Close" is not a feature, because adjusted prices contain later splits and dividends',
        'f.csv: omitted the column "mean": the column "mean" is the name of a DataFrame attribute or method',
      ],
    });
  });
});
