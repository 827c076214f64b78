import { describe, expect, it } from 'vitest';
import { pageSketch, secondsAt, tradeSketch } from '../../../../test/support/page-sketch.ts';
import {
  benchmarkTableOfRange,
  dateText,
  dayText,
  depthOf,
  equityBefore,
  fallOf,
  heldChanges,
  highOf,
  rangeBetween,
  returnsOf,
  secondsOf,
  sumOf,
  tradesIn,
  wholeRange,
} from './range.ts';

const EQUITY = [1000, 1100, 990, 1089, 1200, 1140];
const daily = pageSketch({ equity: EQUITY });
const rounded = (values: Float64Array | undefined) =>
  values && [...values].map((value) => Number(value.toFixed(9)));

describe('a range of sessions', () => {
  // Three sessions on consecutive days, from 10:00 to 16:00.
  const hours = (session: number, hour: number) => secondsAt(session) + hour * 3600;
  const intraday = pageSketch({
    ...{
      equity: [1, 2, 3],
      time: [0, 1, 2].map((at) => hours(at, 16)),
      first: [0, 1, 2].map((at) => hours(at, 10)),
    },
  });

  it('contains the sessions with a bar between two days', () => {
    expect(rangeBetween(daily, secondsAt(1), secondsAt(3))).toEqual({ from: 1, to: 3 });
    expect(rangeBetween(daily, secondsAt(1) + 1, secondsAt(2))).toEqual({ from: 2, to: 2 });
    expect(rangeBetween(daily, secondsAt(5) + 1, secondsAt(5))).toBeUndefined();
    expect(rangeBetween(daily, secondsAt(2), secondsAt(1))).toBeUndefined();
    expect(rangeBetween(daily, 0, secondsAt(0) - 86_400)).toBeUndefined();
    expect(rangeBetween(daily, 0, secondsAt(0) - 86_399)).toEqual({ from: 0, to: 0 });
    expect(rangeBetween(intraday, hours(1, 16), secondsAt(2))).toEqual({ from: 1, to: 2 });
    expect(rangeBetween(intraday, hours(1, 16) + 1, secondsAt(2))).toEqual({ from: 2, to: 2 });
    expect(rangeBetween(intraday, 0, hours(2, 10) - 86_400)).toEqual({ from: 0, to: 1 });
    expect(wholeRange(daily)).toEqual({ from: 0, to: 5 });
  });

  it('has the trades that were closed in it, and open trades if it includes the last session', () => {
    const rows = [0, 1, 2].flatMap((at) => [
      tradeSketch(10 * at + 1, { exitTime: hours(at, 10) }),
      tradeSketch(10 * at + 2, { exitTime: hours(at, 16) }),
      tradeSketch(10 * at + 3, { exitTime: hours(at, 17) }),
    ]);
    const data = { ...intraday, rows: [...rows, tradeSketch(99, { exitTime: null })] };
    const ids = (from: number, to: number) => tradesIn(data, { from, to }).map(({ id }) => id);
    expect(ids(0, 0)).toEqual([1, 2]);
    expect(ids(0, 1)).toEqual([1, 2, 3, 11, 12]);
    expect(ids(1, 2)).toEqual([11, 12, 13, 21, 22, 99]);
    const days = { ...daily, rows: [tradeSketch(1, { exitTime: secondsAt(1) })] };
    expect(tradesIn(days, { from: 1, to: 1 })).toHaveLength(1);
    expect(tradesIn(days, { from: 2, to: 2 })).toHaveLength(0);
  });

  it('has returns relative to the equity before it', () => {
    expect([equityBefore(daily, { from: 0, to: 1 }), equityBefore(daily, { from: 2, to: 3 })]).toEqual([
      1000, 1100,
    ]);
    expect(rounded(returnsOf(daily, { from: 0, to: 2 }))).toEqual([0.1, -0.1]);
    expect(rounded(returnsOf(daily, { from: 2, to: 3 }))).toEqual([-0.1, 0.1]);
    const before = pageSketch({ equity: [1050, 1100] }, { terms: { startsBefore: true } });
    expect(rounded(returnsOf(before, { from: 0, to: 0 }))).toEqual([0.05]);
    for (const value of [0, -1]) {
      const broke = pageSketch({ equity: [1000, value, 10] });
      expect(returnsOf(broke, { from: 0, to: 2 })).toBeUndefined();
      expect(returnsOf(broke, { from: 2, to: 2 })).toBeUndefined();
      expect(rounded(returnsOf(broke, { from: 0, to: 0 }))).toEqual([]);
    }
    expect(sumOf([1, 2, 4, 8], { from: 1, to: 2 })).toBe(6);
  });

  it('has returns of the benchmark where it is known', () => {
    const held = (benchmark: (number | null)[] | null, startsBefore = false) =>
      pageSketch({ equity: EQUITY.slice(0, 4), benchmark }, { terms: { startsBefore } });
    const whole = { from: 0, to: 3 };
    expect(heldChanges(held(null), whole)).toBeUndefined();
    expect(rounded(heldChanges(held([1000, 1100, 990, 1089]), whole))).toEqual([0.1, -0.1, 0.1]);
    expect(rounded(heldChanges(held([1100, 1100, 990, 1089], true), whole))).toEqual([0.1, 0, -0.1, 0.1]);
    expect(rounded(heldChanges(held([1000, 1100, 990, 1089]), { from: 2, to: 2 }))).toEqual([-0.1]);
    expect(rounded(heldChanges(held([null, 1100, 0, 1089]), whole))).toEqual([Number.NaN, -1, Number.NaN]);
    expect(rounded(heldChanges(held([1000, null, 990, 1089]), whole))).toEqual([Number.NaN, Number.NaN, 0.1]);
  });
});

describe('the drawdown of a range', () => {
  it('begins at the last of equal highs', () => {
    expect(fallOf(daily, { from: 0, to: 5 })).toEqual({
      depth: expect.closeTo(-0.1, 12),
      peak: 1,
      trough: 2,
    });
    expect(fallOf(daily, { from: 2, to: 5 })).toEqual({
      depth: expect.closeTo(-0.1, 12),
      peak: 1,
      trough: 2,
    });
    expect(fallOf(daily, { from: 4, to: 4 })).toEqual({ depth: 0, peak: 3, trough: 3 });
    const equal = pageSketch({ equity: [1000, 1000, 900, 900] });
    expect(fallOf(equal, { from: 0, to: 3 })).toEqual({
      depth: expect.closeTo(-0.1, 12),
      peak: 1,
      trough: 2,
    });
  });

  it('may be inside a session', () => {
    const inside = {
      high: [1200, 1100, 1300],
      low: [900, 1000, 1150],
      fall: [-0.25, -0.05, -0.4],
      sum: [],
      bars: [],
    };
    const { sessions } = pageSketch({ equity: [1100, 1050, 1200], inside });
    expect([highOf(sessions, 0), highOf({ equity: [5], inside: null }, 0)]).toEqual([1200, 5]);
    // The fall inside the session counts if the high of the session is at or above the peak.
    expect(depthOf(sessions, 0, 1000)).toBe(-0.25);
    expect(depthOf(sessions, 0, 1200)).toBe(-0.25);
    expect(depthOf(sessions, 0, 1201)).toBeCloseTo(900 / 1201 - 1, 12);
    expect(depthOf(sessions, 0, 0)).toBe(-0.25);
    expect(depthOf({ ...sessions, inside: null }, 0, 1000)).toBe(0);
    expect(depthOf({ ...sessions, inside: null }, 0, -5)).toBe(0);
    const data = pageSketch({ equity: [1100, 1050, 1200], inside });
    expect(fallOf(data, { from: 0, to: 1 })).toEqual({ depth: -0.25, peak: 0, trough: 0 });
    expect(fallOf(data, { from: 0, to: 2 })).toEqual({ depth: -0.4, peak: 2, trough: 2 });
  });
});

describe('the table of a range', () => {
  const own = (data = daily, range = { from: 0, to: 5 }) =>
    new Map(benchmarkTableOfRange(data, range, 'later').map((row) => [row.name, row]));

  it('has the return, exposure and turnover of its sessions', () => {
    const data = pageSketch({
      ...{ equity: EQUITY, exposure: [0, 0.5, 1, 1, 0.5, 0], notional: [0, 1000, 0, 0, 500, 0] },
      benchmark: [1000, 1010, 1020, 1030, 1040, 1050],
    });
    const years = (secondsAt(4) - secondsAt(1)) / 86_400 / 365.25;
    const rows = own(data, { from: 1, to: 4 });
    expect(rows.get('totalReturn')).toMatchObject({
      own: expect.closeTo(0.2, 12),
      benchmark: expect.closeTo(0.04, 12),
    });
    expect(rows.get('cagr')!.own).toBeCloseTo(1.2 ** (1 / years) - 1, 6);
    expect(rows.get('cagr')!.benchmark).toBeCloseTo(1.04 ** (1 / years) - 1, 9);
    expect(rows.get('maxDrawdown')!.own).toBeCloseTo(-0.1, 12);
    expect(rows.get('exposure')).toMatchObject({ own: 0.75, benchmark: 1 });
    const mean = (1100 + 990 + 1089 + 1200) / 4;
    expect(rows.get('turnover')).toMatchObject({ own: expect.closeTo(1500 / mean / years, 9), benchmark: 0 });
    const first = own(data, { from: 0, to: 1 });
    expect(first.get('turnover')!.benchmark).toBeCloseTo(1000 / 1005 / (1 / 365.25), 9);
  });

  it('uses all bars of sessions with several bars', () => {
    const inside = { high: [1000, 1100], low: [1000, 1000], fall: [0, 0], sum: [3000, 2100], bars: [3, 2] };
    const rows = own(pageSketch({ equity: [1000, 1100], inside, exposure: [1.5, 1], notional: [0, 1020] }), {
      from: 0,
      to: 1,
    });
    expect(rows.get('exposure')!.own).toBe(2.5 / 5);
    expect(rows.get('turnover')!.own).toBeCloseTo((1020 / (5100 / 5)) * 365.25, 6);
  });

  it('shows no value for figures that are not defined', () => {
    const rows = own(pageSketch({ equity: [5, 6], exposure: [0, null] }, { terms: { initialCash: 0 } }), {
      from: 0,
      to: 1,
    });
    expect(['totalReturn', 'cagr', 'exposure'].map((name) => rows.get(name as 'cagr')!.own)).toEqual([
      null,
      null,
      null,
    ]);
    const single = own(daily, { from: 1, to: 1 });
    expect(['totalReturn', 'cagr', 'turnover'].map((name) => single.get(name as 'cagr')!.own)).toEqual([
      ...[expect.closeTo(0.1, 12), null, null],
    ]);
    expect(own(pageSketch({ equity: [1000, -1] }), { from: 0, to: 1 }).get('cagr')!.own).toBeNull();
  });
});

describe('a time', () => {
  it('is shown as a date, with the time of day unless it is midnight', () => {
    expect(dateText(Date.UTC(2008, 8, 15) / 1000)).toBe('2008-09-15');
    expect(dateText(Date.UTC(2008, 8, 15, 14, 30) / 1000)).toBe('2008-09-15 14:30');
    expect(dayText(Date.UTC(2008, 8, 15, 14, 30) / 1000)).toBe('2008-09-15');
  });

  it('is the first second of a valid date', () => {
    expect(secondsOf('2008-09-15')).toBe(Date.UTC(2008, 8, 15) / 1000);
    for (const text of ['2008-9-15', '2008-13-01', 'x2008-09-15', '2008-09-15x', ''])
      expect(secondsOf(text)).toBeUndefined();
  });
});
