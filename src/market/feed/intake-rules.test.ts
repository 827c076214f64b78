import { describe, expect, it } from 'vitest';
import { barSeries } from '../bars/bar-columns.ts';
import type { BarTimes } from '../bars/interval.ts';
import { createMarket } from '../market.ts';
import { Intake } from './intake.ts';
import type { BarNumbers } from './message.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 2);
const at = (hour: number): number => START + hour * HOUR;
const V: BarNumbers = [100, 101, 99, 100, 10];

/** Returns an intake whose history has bars at hours 0, 1 and 2, and the list of messages that it refuses. */
function intakeOf({ symbols = ['A'], patience = 0 as number | null, barTimes = 'start' as BarTimes } = {}) {
  const market = createMarket(
    symbols.map((symbol) =>
      barSeries(
        symbol,
        [0, 1, 2].map((hour) => ({ time: at(hour), open: 100, high: 101, low: 99, close: 100, volume: 10 })),
      ),
    ),
  );
  const refused: unknown[] = [];
  const intake = new Intake({
    ...{ market, barTimes, patience: patience ?? undefined, interval: { milliseconds: HOUR } },
    onNotApplied: (message) => refused.push(message),
  });
  const take = (
    symbol: string | undefined,
    time: number,
    values = V,
    final?: boolean,
    now = at(50),
    received = 0,
  ) => intake.take({ symbol, time, values, final }, now, received);
  return { intake, refused, take };
}

describe('a received bar', () => {
  it('is released with its values, its time and the time of receipt', () => {
    const { intake, take, refused } = intakeOf();
    take(undefined, at(3), V, undefined, at(50), 7);
    expect(intake.release(9)).toEqual({
      ...{
        time: at(3),
        bars: new Map([['A', V]]),
        receivedAt: 7,
        duplicates: 0,
        unfinished: 0,
        afterGap: false,
      },
    });
    expect(intake.release(9)).toBeUndefined();
    expect(refused).toEqual([]);
  });

  it('needs a known symbol; messages show up to 40 characters of an unknown symbol', () => {
    const { take, refused } = intakeOf({ symbols: ['A', 'B'] });
    take(undefined, at(3));
    take('Z'.repeat(41), at(3));
    expect(refused).toEqual([
      { type: 'refused', symbol: undefined, problem: 'unknown symbol (none)' },
      { type: 'refused', symbol: 'Z'.repeat(40), problem: `unknown symbol ${'Z'.repeat(40)}` },
    ]);
  });

  it('needs a time in milliseconds since 1970', () => {
    const { take, refused } = intakeOf();
    const bad = [at(3) / 1000, START / 1000, 1.5, 8.64e15 + 1];
    for (const time of bad) take('A', time);
    expect(refused).toEqual(
      bad.map((time) => ({
        ...{ type: 'refused', symbol: 'A', values: V },
        problem: `${time} is not a time in milliseconds since 1970`,
      })),
    );
    // Times before the history are ignored without a message, because a feed may start earlier.
    for (const time of [START / 1000 - 1, 0, -1, START - 1, START - HOUR, Date.UTC(1990, 0, 1)])
      take('A', time);
    expect(refused).toHaveLength(4);
    for (const time of [Date.UTC(9999, 11, 31) / 1000, Date.UTC(10_000, 0, 1) / 1000]) take('A', time);
    expect(refused).toHaveLength(5);
  });

  it('is refused if it ends in the future by more than its length and more than a minute', () => {
    const { take, refused, intake } = intakeOf();
    take('A', at(5), V, undefined, at(5));
    take('A', at(5), V, undefined, at(5) - 1);
    expect(refused).toEqual([
      { type: 'refused', symbol: 'A', time: at(5), values: V, problem: 'the bar ends in the future' },
    ]);
    // The first message is of a bar that has not ended, so the bar is counted as unfinished and not applied.
    take('A', at(3));
    expect(intake.release(0)).toMatchObject({ unfinished: 1, duplicates: 0 });
    const ends = intakeOf({ barTimes: 'end' });
    ends.take('A', at(5), V, undefined, at(4));
    ends.take('A', at(5), V, undefined, at(4) - 1);
    expect(ends.refused).toHaveLength(1);
    const tolerant = new Intake({
      market: createMarket([
        barSeries('A', [{ time: at(0), open: 1, high: 1, low: 1, close: 1, volume: 1 }]),
      ]),
      ...{
        barTimes: 'end',
        patience: 0,
        interval: { milliseconds: 1000 },
        onNotApplied: () => expect.fail(),
      },
    });
    tolerant.take({ symbol: 'A', time: at(1), values: V, final: true }, at(1) - 60_000, 0);
    expect(tolerant.release(0)?.time).toBe(at(1));
  });

  it.each<[string, BarNumbers]>([
    ['a low of 0', [100, 101, 0, 100, 10]],
    ['a low above the open', [98, 101, 99, 100, 10]],
    ['a low above the close', [100, 101, 99, 98, 10]],
    ['a high below the open', [102, 101, 99, 100, 10]],
    ['a high below the close', [100, 101, 99, 102, 10]],
    ['an infinite high', [100, Infinity, 99, 100, 10]],
    ['a negative volume', [100, 101, 99, 100, -1]],
    ['a missing price', [Number.NaN, 101, 99, 100, 10]],
  ])('is refused with %s', (_, values) => {
    const { take, refused } = intakeOf();
    take('A', at(3), values);
    expect(refused).toEqual([
      {
        ...{ type: 'refused', symbol: 'A', time: at(3), values },
        problem: 'not a valid bar: prices above 0, high and low around open and close',
      },
    ]);
  });

  it('may have four equal prices and a volume of 0', () => {
    const { take, refused, intake } = intakeOf();
    take('A', at(3), [5, 5, 5, 5, 0]);
    expect([refused, intake.release(0)?.time]).toEqual([[], at(3)]);
  });

  it('is counted as unfinished before its end, unless the feed marks it as final', () => {
    const { take, intake } = intakeOf();
    take('A', at(3), V, undefined, at(4) - 1);
    take('A', at(3), V, false);
    expect(intake.release(0)).toBeUndefined();
    take('A', at(3), V, true, at(4) - 1);
    take('A', at(4), V, undefined, at(5));
    expect(intake.release(0)).toMatchObject({ time: at(3), unfinished: 2 });
    expect(intake.release(0)).toMatchObject({ time: at(4), unfinished: 0 });
    // Without a current time, every bar counts as ended.
    intake.take({ symbol: 'A', time: at(90), values: V, final: undefined }, undefined, 0);
    expect(intake.release(0)?.time).toBe(at(90));
  });

  it('is a duplicate or a revision of a bar in the history, a waiting bar or a released bar', () => {
    const { take, intake, refused } = intakeOf({ symbols: ['A', 'B'] });
    const other: BarNumbers = [100, 101, 99, 100.5, 10];
    for (const hour of [0, 1, 2]) {
      take('A', at(hour));
      take('A', at(hour), other);
    }
    take('A', at(3));
    take('A', at(3));
    take('A', at(3), other);
    expect(refused).toEqual(
      [0, 1, 2, 3].map((hour) => ({ type: 'revised', symbol: 'A', time: at(hour), values: other })),
    );
    take('B', at(3));
    expect(intake.release(0)).toMatchObject({ duplicates: 4 });
    take('A', at(3));
    take('A', at(3), other);
    take('B', at(2.5));
    expect(refused.slice(4)).toEqual([
      { type: 'revised', symbol: 'A', time: at(3), values: other },
      { type: 'late', symbol: 'B', time: at(2.5), values: V },
    ]);
    take('A', at(4));
    take('B', at(4));
    expect(intake.release(0)).toMatchObject({ duplicates: 1 });
  });

  it('is late if bars of the same or a later time were already released', () => {
    const { take, intake, refused } = intakeOf({ symbols: ['A', 'B'] });
    take('A', at(3));
    expect(intake.release(0)?.bars.size).toBe(1);
    take('B', at(3));
    take('B', START - 1);
    expect(refused).toEqual([{ type: 'late', symbol: 'B', time: at(3), values: V }]);
  });
});

describe('a group of bars', () => {
  it('waits for missing symbols for the configured time', () => {
    const { take, intake } = intakeOf({ symbols: ['A', 'B'], patience: 100 });
    expect(intake.waitsFor(5)).toBeUndefined();
    take('A', at(3), V, undefined, at(50), 10);
    expect([intake.waitsFor(10), intake.waitsFor(60), intake.waitsFor(110), intake.waitsFor(500)]).toEqual([
      ...[100, 50, 0, 0],
    ]);
    expect(intake.release(109)).toBeUndefined();
    expect(intake.release(110)?.time).toBe(at(3));
    take('A', at(4), V, undefined, at(50), 200);
    expect(intake.release(200)).toBeUndefined();
    take('B', at(4), V, undefined, at(50), 201);
    expect(intake.release(201)).toMatchObject({ time: at(4), receivedAt: 201 });
    take('A', at(5), V, undefined, at(50), 300);
    expect(intake.release(300, true)?.time).toBe(at(5));
  });

  it('waits until two later groups have begun if no time is configured', () => {
    const { take, intake } = intakeOf({ symbols: ['A', 'B'], patience: null });
    take('A', at(4));
    take('A', at(3));
    expect([intake.waitsFor(0), intake.release(1e9)]).toEqual([undefined, undefined]);
    take('A', at(5));
    expect(intake.release(0)?.time).toBe(at(3));
    expect(intake.release(0)).toBeUndefined();
  });

  it('waits for the bars of a gap before it, although the group is complete', () => {
    const { take, intake } = intakeOf({ patience: 100 });
    // A step of one and a half bar lengths is not a gap.
    take('A', at(3.5));
    expect(intake.release(0)).toMatchObject({ afterGap: false });
    take('A', at(5) + 1);
    expect(intake.release(99)).toBeUndefined();
    take('A', at(4.5));
    expect(intake.release(99)).toMatchObject({ time: at(4.5), afterGap: false });
    expect(intake.release(99)).toMatchObject({ time: at(5) + 1, afterGap: false });
    take('A', at(9));
    expect(intake.release(100)).toMatchObject({ time: at(9), afterGap: true });
  });

  it('that an earlier process released is known after a restore', () => {
    const { take, intake, refused } = intakeOf();
    intake.restore(at(3), new Map([['A', V]]));
    take('A', at(3));
    take('A', at(2.5));
    take('A', at(4));
    expect(refused).toEqual([{ type: 'late', symbol: 'A', time: at(2.5), values: V }]);
    expect(intake.release(0)).toMatchObject({ time: at(4), duplicates: 1, afterGap: false });
  });
});
