import { describe, expect, it } from 'vitest';
import {
  growingFeature,
  KnownRows,
  type NumberFeature,
  pushKnown,
  pushRow,
  sourcesOf,
  type ValueFeature,
} from './feature.ts';

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

  it('from several tables has the newest date, and of equal dates the last published value', () => {
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
