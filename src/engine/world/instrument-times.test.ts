import { describe, expect, it } from 'vitest';
import { DAY, parseInstant } from '../../kernel/index.ts';
import { type BarTimes, barSeries, createMarket, type Market } from '../../market/index.ts';
import type { RunEvent } from '../events/events.ts';
import { runBacktest } from '../run.ts';
import { type RunSettingsInput, readRunSettings } from '../settings/settings.ts';
import { auctionsOf, InstrumentTimes, ownAuctions, sessionAuctions, tradedBars } from './instrument-times.ts';

const HOUR = 3_600_000;
const at = (text: string): number => parseInstant(text)!;

/** Returns `count` times at intervals of one hour. */
const hourly = (from: string, count: number): number[] =>
  Array.from({ length: count }, (_, index) => at(from) + index * HOUR);
const daily = (from: string, count: number): number[] =>
  Array.from({ length: count }, (_, index) => at(from) + index * DAY);

const start = (clock: number[], length: number | undefined = HOUR) =>
  ({ clock, barTimes: 'start', length }) as const;
const end = (clock: number[], length: number | undefined = HOUR) =>
  ({ clock, barTimes: 'end', length }) as const;

function marketOf(times: readonly number[], ...symbols: readonly string[]): Market {
  const bar = { open: 10, high: 12, low: 9, close: 11, volume: 100 };
  return createMarket(
    symbols.map((symbol) =>
      barSeries(
        symbol,
        times.map((time, index) => ({ ...bar, time, close: 10 + index / 10 })),
      ),
    ),
  );
}

describe('the bars in which an instrument is traded', () => {
  it('are unrestricted without trading times', () => {
    expect(tradedBars({}, start(hourly('2024-03-01', 3)))).toBeUndefined();
    expect(tradedBars({ timezone: 'America/New_York' }, start(hourly('2024-03-01', 3)))).toBeUndefined();
  });

  it('begin at the opening time and end before the closing time', () => {
    // The day has bars at 0:00 to 23:00. Those at 9:00, 10:00 and 11:00 are traded.
    expect(tradedBars({ hours: '09:00-12:00' }, start(hourly('2024-03-01', 26)))).toEqual({
      runs: [9, 3, 14],
    });
    expect(tradedBars({ hours: '00:00-02:00' }, start(hourly('2024-03-01', 3)))).toEqual({ runs: [0, 2, 1] });
    expect(tradedBars({ hours: '09:01-11:01' }, start(hourly('2024-03-01', 13)))).toEqual({
      runs: [10, 2, 1],
    });
  });

  it('include the hours after and before midnight if the session is overnight', () => {
    expect(tradedBars({ hours: '22:00-02:00' }, start(hourly('2024-03-01', 25)))).toEqual({
      runs: [0, 2, 20, 3],
    });
  });

  it('are found by the start of each bar if bars have end timestamps', () => {
    expect(tradedBars({ hours: '09:00-12:00' }, end(hourly('2024-03-01T01:00', 24)))).toEqual({
      runs: [9, 3, 12],
    });
    // A bar of unknown length belongs to the millisecond before its end timestamp.
    expect(tradedBars({ hours: '09:00-12:00' }, end(hourly('2024-03-01', 24), undefined))).toEqual({
      runs: [10, 3, 11],
    });
  });

  it('use the time zone of the hours, and UTC by default', () => {
    const clock = hourly('2024-01-15', 24);
    expect(tradedBars({ hours: '09:00-12:00', timezone: 'America/New_York' }, start(clock))).toEqual({
      runs: [14, 3, 7],
    });
  });

  it('are those from the first to the last trading day, both included', () => {
    expect(
      tradedBars({ firstTrade: '2024-03-02', expiry: '2024-03-03' }, start(daily('2024-03-01', 5), DAY)),
    ).toEqual({ runs: [1, 2, 2], last: 2 });
    expect(tradedBars({ firstTrade: '2024-03-02' }, start(daily('2024-03-01', 3), DAY))).toEqual({
      runs: [1, 2],
    });
    expect(tradedBars({ expiry: '2024-02-28' }, start(daily('2024-03-01', 3), DAY))).toEqual({
      runs: [3],
      last: -1,
    });
    expect(tradedBars({ expiry: '2024-03-01' }, end(daily('2024-03-01', 3), DAY))).toEqual({
      runs: [0, 2, 1],
      last: 1,
    });
  });

  it('use days of the time zone for short bars, and UTC days for daily bars', () => {
    const terms = { expiry: '2024-01-15', timezone: 'America/New_York' };
    expect(tradedBars(terms, start(hourly('2024-01-15T00:00', 30)))).toEqual({ runs: [0, 29, 1], last: 28 });
    expect(tradedBars(terms, start(daily('2024-01-15', 2), DAY))).toEqual({ runs: [0, 1, 1], last: 0 });
    // Bars of unknown length count as short bars: midnight UTC is the previous day in New York.
    expect(tradedBars(terms, start(daily('2024-01-15', 2), undefined))).toEqual({ runs: [0, 2], last: 1 });
  });
});

describe('the trading times of a run', () => {
  const timesOf = (market: Market, settings: RunSettingsInput, barTimes: BarTimes = 'start') =>
    InstrumentTimes.of(market, readRunSettings(settings), barTimes);
  const openOf = (times: InstrumentTimes | undefined, symbol: number, bars: number): boolean[] =>
    Array.from({ length: bars }, (_, bar) => times!.isOpen(symbol, bar));

  it('are absent if no instrument has trading times', () => {
    const market = marketOf(hourly('2024-03-01', 4), 'A', 'B');
    expect(timesOf(market, {})).toBeUndefined();
    expect(timesOf(market, { instruments: { A: { lot: 2 } } })).toBeUndefined();
  });

  it('apply to their instrument only', () => {
    const market = marketOf(hourly('2024-03-01', 4), 'A', 'B');
    const times = timesOf(market, { instruments: { B: { hours: '01:00-03:00' } } });
    expect(openOf(times, 0, 4)).toEqual([true, true, true, true]);
    expect(openOf(times, 1, 4)).toEqual([false, true, true, false]);
  });

  it('are the recorded bars if the run is masked, and added bars have the last recorded state', () => {
    const market = marketOf(hourly('2024-03-01', 6), 'A');
    const recorded = (runs: number[]) =>
      openOf(timesOf(market, { instruments: { A: { hours: '20:00-21:00', tradedBars: { runs } } } }), 0, 6);
    expect(recorded([1, 2, 1, 1])).toEqual([false, true, true, false, true, true]);
    expect(recorded([2, 2, 1])).toEqual([false, false, true, true, false, false]);
    expect(recorded([0, 1])).toEqual(Array(6).fill(true));
  });

  it('settle a contract once, after its last day and at its last close', async () => {
    const events: RunEvent[] = [];
    const { error } = await runBacktest({
      market: marketOf(daily('2024-03-01', 5), 'A', 'B'),
      settings: { instruments: { A: { expiry: '2024-03-02' } } },
      decider: {
        decide({ bar, orders }) {
          if (bar === 0) for (const symbol of ['A', 'B']) orders.buy(3, { symbol });
        },
      },
      onEvent: (event) => events.push(event),
    });
    expect(error).toBeUndefined();
    expect(
      events.flatMap((event) =>
        event.type === 'order_filled' ? [[event.bar, event.symbol, event.side, event.price]] : [],
      ),
    ).toEqual([
      [1, 'A', 'buy', '10'],
      [1, 'B', 'buy', '10'],
      [2, 'A', 'sell', '10.1'],
    ]);
    expect(events.filter(({ type }) => type === 'trade_closed')).toMatchObject([
      { bar: 2, symbol: 'A', exitReason: 'expiry', exitTime: '2024-03-03' },
    ]);
  });
});

describe('the auctions of a run', () => {
  const clock = hourly('2024-03-01T08:00', 5);
  const market = marketOf(clock, 'A', 'B');
  const bars = [0, 1, 2, 3, 4];
  const shown = (settings: RunSettingsInput, symbol: number) => {
    const auctions = auctionsOf(market, readRunSettings(settings), 'start');
    return {
      opens: bars.filter((bar) => auctions!.isOpening(symbol, bar)),
      closes: bars.filter((bar) => auctions!.isClosing(symbol, bar)),
    };
  };

  it('are unknown without hours', () => {
    expect(auctionsOf(market, readRunSettings({}), 'start')).toBeUndefined();
    const unknown = { session: { hours: '09:00-11:00', timezone: 'UTC', auctionBars: null } };
    expect(auctionsOf(market, readRunSettings(unknown), 'start')).toBeUndefined();
  });

  it('are those of the session, or of the hours of an instrument', () => {
    const settings: RunSettingsInput = {
      session: { hours: '09:00-11:00', timezone: 'UTC' },
      instruments: { B: { hours: '10:00-12:00' } },
    };
    expect(shown(settings, 0)).toEqual({ opens: [1], closes: [2] });
    expect(shown(settings, 1)).toEqual({ opens: [2], closes: [3] });
  });

  it('are possible in every bar of a symbol without hours if another symbol has hours', () => {
    const settings = { instruments: { B: { hours: '10:00-12:00' } } };
    expect(shown(settings, 0)).toEqual({ opens: bars, closes: bars });
    expect(shown(settings, 1)).toEqual({ opens: [2], closes: [3] });
  });

  it('are in the recorded bars if the run is masked', () => {
    const settings: RunSettingsInput = {
      session: { hours: '09:00-11:00', timezone: 'UTC', auctionBars: { opens: [0, 4], closes: [3] } },
      instruments: { B: { hours: '10:00-12:00', auctionBars: { opens: [3], closes: [] } } },
    };
    expect(shown(settings, 0)).toEqual({ opens: [0, 4], closes: [3] });
    expect(shown(settings, 1)).toEqual({ opens: [3], closes: [] });
  });

  it('need hours, and an open inside a bar counts for the session but not for an instrument', () => {
    const shape = { interval: market.interval, barTimes: 'start' } as const;
    expect(sessionAuctions(undefined, shape)).toBeUndefined();
    expect(ownAuctions({}, shape)).toBeUndefined();
    const half = ownAuctions({ hours: '08:30-10:30' }, shape)!;
    // The session opens inside the first bar, in which an instrument with separate hours does not trade yet.
    expect(clock.map((time) => half.isOpening(time))).toEqual([false, true, false, false, false]);
    const whole = sessionAuctions({ hours: '08:30-10:30', timezone: 'UTC' }, shape)!;
    expect(clock.map((time) => whole.isOpening(time))).toEqual([true, false, false, false, false]);
  });
});
