import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../kernel/index.ts';
import {
  type BarSeries,
  barSeries,
  createMarket,
  type Market,
  mapColumns,
  parseInterval,
  resample,
  simulateMarket,
} from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { runBacktest } from './run.ts';

// Monday, 1 January 2024.
const FIRST = Date.UTC(2024, 0, 1);

function bars(symbol: string, step: number, count: number, from = FIRST): BarSeries {
  return barSeries(
    symbol,
    Array.from({ length: count }, (_, bar) => {
      const price = 100 + bar;
      return {
        time: from + bar * step,
        open: price,
        high: price + 1,
        low: price - 1,
        close: price,
        volume: 1,
      };
    }),
  );
}

const daily = createMarket([bars('A', DAY, 30)]);

interface Seen {
  /** For each bar: the visible bars, and the decision based on them. */
  readonly rows: string[];
  readonly events: readonly RunEvent[];
}

async function seen(
  market: Market,
  context: readonly BarSeries[],
  look: (turn: BarContext) => unknown,
  barTimes: 'start' | 'end' = 'start',
): Promise<Seen> {
  const rows: string[] = [];
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market,
    context,
    settings: { barTimes },
    onEvent: (event) => events.push(event),
    decider: { decide: (turn) => void rows.push(JSON.stringify(look(turn))) },
  });
  if (result.error !== undefined) throw result.error;
  return { rows, events };
}

describe('context series that are not traded', () => {
  it('show a week after its last day has ended, until the next week ends', async () => {
    const weeks = bars('WK', 7 * DAY, 5);
    const { rows } = await seen(daily, [weeks], (turn) => turn.context('WK').length);
    expect(rows.map(Number)).toEqual([
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      2,
      ...rows.slice(14).map(Number),
    ]);
    expect(Number(rows.at(-1))).toBe(4);
  });

  it('show bars that ended before the market began, and no bar that ends after the current bar', async () => {
    const hours = bars('H', DAY / 24, 24 * 40, FIRST - 3 * DAY);
    const { rows, events } = await seen(daily, [hours], (turn) => turn.window.context('H').time.last);
    for (const [bar, row] of rows.entries()) expect(Number(row)).toBe(FIRST + (bar + 1) * DAY - DAY / 24);
    const known = events.filter((event) => event.type === 'context_known');
    expect(known[0]?.series).toEqual([
      {
        symbol: 'H',
        bars: 96,
        date: formatInstant(FIRST + 23 * (DAY / 24)),
        availableAt: formatInstant(FIRST + DAY),
        prices: [195, 196, 194, 195, 1],
      },
    ]);
    expect(known[1]?.series[0]?.bars).toBe(24);
  });

  it('with end timestamps are shown at their timestamp', async () => {
    const weeks = bars('WK', 7 * DAY, 4, FIRST + 6 * DAY);
    const { rows } = await seen(daily, [weeks], (turn) => turn.windowOf('WK').length, 'end');
    expect(rows.map(Number).slice(5, 8)).toEqual([0, 1, 1]);
  });

  it('differ from traded series: names, staleness, resampling, rejected orders', async () => {
    const weeks = { ...bars('WK', 7 * DAY, 4), interval: '1w' };
    const days = bars('D', DAY, 40, FIRST - 10 * DAY);
    let refused: unknown;
    const { rows } = await seen(daily, [weeks, days], (turn) => {
      if (turn.bar === 20) refused = turn.orders.buy(1, { symbol: 'WK' });
      const week = turn.context('WK');
      return [
        turn.symbols,
        turn.contextSymbols,
        week.isStale,
        week.barLength,
        turn.context('D').resample('1w').length,
      ];
    });
    expect(JSON.parse(rows[6]!)).toEqual([['A'], ['D', 'WK'], false, parseInterval('1w'), 3]);
    expect(JSON.parse(rows[7]!)[2]).toBe(true);
    expect(refused).toMatchObject({
      accepted: false,
      refusal: {
        code: 'unknown_symbol',
        message: 'WK is a context symbol: it is visible but cannot be traded.',
      },
    });
  });

  it('are refused if a name is traded or duplicate; unknown names are reported', async () => {
    await expect(
      runBacktest({ market: daily, context: [bars('A', DAY, 3)], decider: { decide() {} } }),
    ).rejects.toThrow('is traded, so it cannot also be context');
    const twice = [bars('B', DAY, 3), bars('B', DAY, 3)];
    await expect(runBacktest({ market: daily, context: twice, decider: { decide() {} } })).rejects.toThrow(
      'given twice',
    );
    await expect(seen(daily, [bars('WK', DAY, 3)], (turn) => turn.context('WEEK'))).rejects.toMatchObject({
      code: 'unknown_context',
      hint: expect.stringContaining('WK'),
    });
    await expect(seen(daily, [], (turn) => turn.context('WK'))).rejects.toMatchObject({
      hint: expect.stringContaining('--context'),
    });
  });
});

describe('the look-ahead test of context series', () => {
  it('a changed bar affects no view, decision or fill before its end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.constantFrom('15min', '1h', '1d', '1w', '1mo'),
        fc.integer({ min: 0, max: 79 }),
        fc.boolean(),
        async (seed, rule, cut, cutsOff) => {
          const [interval, length] =
            rule === '15min' ? (['15min', 2_000] as const) : (['1h', 4_000] as const);
          const market = simulateMarket({
            seed,
            bars: 80,
            symbols: ['A'],
            start: '2020-01-06',
            interval: '4h',
          });
          const [raw] = simulateMarket({
            seed: seed + 1,
            bars: length,
            symbols: ['C'],
            start: '2020-01-01',
            interval,
          }).series;
          // Bars have start timestamps, so the end of a bar is only known once the next bar begins.
          const whole = rule === interval ? raw! : startingBars(raw!, rule);
          const end = market.clock[cut]! + DAY / 6;
          const changed = tampered(whole, endsAfter(whole, end), cutsOff);
          const [one, other] = await Promise.all([whole, changed].map((series) => traded(market, series)));
          const until = (events: readonly string[]): readonly string[] =>
            events.slice(0, events.findIndex((line) => line.startsWith(`{"type":"bar","bar":${cut},`)) + 1);
          expect(until(other!)).toEqual(until(one!));
          expect(until(one!).length).toBeGreaterThan(cut);
        },
      ),
      { numRuns: 40 },
    );
  });
});

function startingBars(series: BarSeries, rule: string): BarSeries {
  const long = resample(series, rule);
  const starts = long.time.map((last, index) => {
    const after = index === 0 ? Number.NEGATIVE_INFINITY : long.time[index - 1]!;
    return series.time.find((time) => time > after) ?? last;
  });
  // The first and the last combined bar may be incomplete, so both are removed.
  return mapColumns({ ...long, time: starts }, (column) => column.slice(1, -1));
}

/**
 * Returns the first bar that has not ended at an instant. Uses only the stamps: a bar ends where the next one
 * begins.
 */
function endsAfter({ time }: BarSeries, instant: number): number {
  const index = time.findIndex((_, bar) => (time[bar + 1] ?? Number.POSITIVE_INFINITY) > instant);
  return index < 0 ? time.length : index;
}

function tampered(series: BarSeries, from: number, cutsOff: boolean): BarSeries {
  if (cutsOff && from > 3)
    return mapColumns(series, (column) =>
      column === series.time ? column.slice(0, from + 1) : column.slice(0, from + 1).fill(7, from),
    );
  return mapColumns(series, (column) =>
    column === series.time ? column : column.map((value, bar) => (bar < from ? value : 3 * value + 1)),
  );
}

/** Returns the events of a run whose decisions depend only on the context series. */
async function traded(market: Market, series: BarSeries): Promise<string[]> {
  const lines: string[] = [];
  await runBacktest({
    market,
    context: [series],
    onEvent: (event) => lines.push(JSON.stringify(event)),
    decider: {
      decide(turn) {
        const context = turn.context('C');
        turn.record({ type: 'note', bar: turn.bar, text: String(context.close.mean(3) + context.length) });
        if (context.close.last > context.close.mean(3)) turn.orders.buy(1);
        else turn.orders.close();
      },
    },
  });
  return lines;
}
