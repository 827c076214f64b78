import { describe, expect, it } from 'vitest';
import { createMarket, type Interval } from '../index.ts';
import { Intake } from './intake.ts';
import { readFeedDocument } from './message.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BAR = { open: 100, high: 101, low: 99, close: 100, volume: 10 };

/** Market with one symbol and a bar at each time. */
function marketAt(times: readonly string[]) {
  const time = Float64Array.from(times, (text) => Date.parse(text));
  const column = (value: number) => new Float64Array(time.length).fill(value);
  return createMarket([
    {
      symbol: 'A',
      time,
      open: column(100),
      high: column(101),
      low: column(99),
      close: column(100),
      volume: column(10),
    },
  ]);
}

/**
 * Appends the bars of a feed to a market with the bars of `history`. Returns the bar groups that are
 * released.
 */
function received(history: readonly string[], interval: Interval, times: readonly string[], now: string) {
  const notApplied: unknown[] = [];
  const intake = new Intake({
    market: marketAt(history),
    barTimes: 'start',
    interval,
    patience: 0,
    onNotApplied: (message) => notApplied.push(message),
  });
  const { messages, faults } = readFeedDocument(times.map((time) => ({ time, ...BAR })));
  expect(faults).toEqual([]);
  const at = Date.parse(now);
  for (const message of messages) intake.take(message, at, at);
  const groups: (readonly [string, boolean])[] = [];
  for (let group = intake.release(at); group !== undefined; group = intake.release(at))
    groups.push([new Date(group.time).toISOString(), group.afterGap]);
  return { groups, notApplied };
}

describe('bars of a feed', () => {
  it('have no gap or repetition when clocks go forward', () => {
    const { groups, notApplied } = received(
      ['2026-03-08T04:00:00Z', '2026-03-08T05:00:00Z'],
      { milliseconds: HOUR },
      ['2026-03-08T01:00:00-05:00', '2026-03-08T03:00:00-04:00', '2026-03-08T04:00:00-04:00'],
      '2026-03-08T12:00:00Z',
    );
    expect(groups).toEqual([
      ['2026-03-08T06:00:00.000Z', false],
      ['2026-03-08T07:00:00.000Z', false],
      ['2026-03-08T08:00:00.000Z', false],
    ]);
    expect(notApplied).toEqual([]);
  });

  it('are two bars if clocks go back and an hour occurs twice', () => {
    const { groups, notApplied } = received(
      ['2026-11-01T03:00:00Z', '2026-11-01T04:00:00Z'],
      { milliseconds: HOUR },
      ['2026-11-01T01:00:00-04:00', '2026-11-01T01:00:00-05:00'],
      '2026-11-01T12:00:00Z',
    );
    expect(groups).toEqual([
      ['2026-11-01T05:00:00.000Z', false],
      ['2026-11-01T06:00:00.000Z', false],
    ]);
    expect(notApplied).toEqual([]);
  });

  it('have no gap at a weekend or holiday as long as one in the history, and a gap if bars are missing', () => {
    // Monday 2026-02-16 was a holiday, so the longest step of this history is four days.
    const { groups } = received(
      ['2026-02-12', '2026-02-13', '2026-02-17'],
      { milliseconds: DAY },
      ['2026-02-18', '2026-02-20', '2026-02-24', '2026-03-03'],
      '2026-03-10T00:00:00Z',
    );
    expect(groups.map(([time, afterGap]) => [time.slice(0, 10), afterGap])).toEqual([
      ['2026-02-18', false],
      ['2026-02-20', false],
      ['2026-02-24', false],
      ['2026-03-03', true],
    ]);
  });
});
