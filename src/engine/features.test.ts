import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../kernel/index.ts';
import {
  type BarTimes,
  barSeries,
  createMarket,
  type FeatureRow,
  featureTable,
  type Market,
} from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { runBacktest } from './run.ts';

const FIRST = Date.UTC(2024, 0, 1);
const HOUR = 3_600_000;

function bars(symbol: string, step: number, count: number) {
  return barSeries(
    symbol,
    Array.from({ length: count }, (_, bar) => {
      const price = 100 + bar;
      return {
        time: FIRST + bar * step,
        open: price,
        high: price + 1,
        low: price - 1,
        close: price,
        volume: 1,
      };
    }),
  );
}

const daily = createMarket([bars('A', DAY, 10)]);
const hourly = createMarket([bars('A', HOUR, 72)]);

interface Seen {
  readonly values: (number | null)[];
  readonly events: readonly RunEvent[];
  readonly last: BarContext | undefined;
}

/** Returns, for each bar, the value of a feature that the decider sees. `null` if no value is visible. */
async function seen(
  market: Market,
  rows: readonly FeatureRow[],
  { lag, barTimes = 'start', name = 'x' }: { lag?: string; barTimes?: BarTimes; name?: string } = {},
): Promise<Seen> {
  const values: (number | null)[] = [];
  const events: RunEvent[] = [];
  let last: BarContext | undefined;
  const result = await runBacktest({
    market,
    features: [featureTable(rows, lag)],
    settings: { barTimes },
    onEvent: (event) => events.push(event),
    decider: {
      decide(turn) {
        last = turn;
        const value = turn.window.feature(name).last;
        values.push(Number.isNaN(value) ? null : value);
      },
    },
  });
  if (result.error !== undefined) throw result.error;
  return { values, events, last };
}

describe('features with daily bars', () => {
  it('are known at the close of the bar of their date, until a newer row is known', async () => {
    const { values } = await seen(daily, [
      { date: '2024-01-02', x: 1 },
      { date: '2024-01-05', x: -2 },
    ]);
    expect(values).toEqual([null, 1, 1, 1, -2, -2, -2, -2, -2, -2]);
  });

  it('are delayed by the lag', async () => {
    const { values } = await seen(daily, [{ date: '2024-01-02', x: 1 }], { lag: '1d' });
    expect(values.indexOf(1)).toBe(2);
  });

  it('of a day without a bar are known at the next bar', async () => {
    const market = createMarket([
      barSeries(
        'A',
        [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].map((day) => ({
          time: FIRST + day * DAY,
          open: 1,
          high: 1,
          low: 1,
          close: 1,
          volume: 1,
        })),
      ),
    ]);
    const { values } = await seen(market, [{ date: '2024-01-06', x: 1 }]);
    expect(values.indexOf(1)).toBe(5);
  });

  it('with only a date are not known before the end of that date, in any notation', async () => {
    for (const available_at of ['2024-01-04', '2024-01-04 00:00:00', Date.UTC(2024, 0, 4)]) {
      const { values } = await seen(daily, [{ date: '2024-01-02', available_at, x: 1 }]);
      expect(values.indexOf(1), String(available_at)).toBe(3);
    }
  });

  it('with a time are known at the bar that ends at or after it', async () => {
    const at = async (available_at: string) =>
      (await seen(daily, [{ date: '2024-01-01', available_at, x: 1 }])).values.indexOf(1);
    expect(await at('2024-01-04 08:30')).toBe(3);
    expect(await at('2024-01-04T23:59:59Z')).toBe(3);
    expect(await at('2024-01-04 22:00-05:00')).toBe(4);
    expect(await at('2025-01-01 10:00')).toBe(-1);
  });

  it('are known at the bar of that timestamp if bars have end timestamps', async () => {
    const { values } = await seen(daily, [{ date: '2024-01-03', x: 1 }], { barTimes: 'end' });
    expect(values.indexOf(1)).toBe(2);
  });

  it('with missing values remain missing until the next row', async () => {
    const { values } = await seen(daily, [
      { date: '2024-01-02', x: 1 },
      { date: '2024-01-03', x: null },
      { date: '2024-01-04', x: 0 },
    ]);
    expect(values.slice(0, 5)).toEqual([null, 1, null, 0, 0]);
  });
});

describe('features with hourly bars', () => {
  it('with only a date are known at the end of that date', async () => {
    const { values } = await seen(hourly, [{ date: '2024-01-02', x: 1 }]);
    // The hourly bar that starts at 23:00 ends at the end of the day.
    expect(values.indexOf(1)).toBe(47);
  });

  it('with a time are known when the bar of that hour has ended', async () => {
    const at = async (date: string) => (await seen(hourly, [{ date, x: 1 }])).values.indexOf(1);
    expect(await at('2024-01-02 03:00')).toBe(27);
    expect(await at('2024-01-02 03:59')).toBe(27);
    expect(await at('2024-01-02 04:00:01')).toBe(28);
  });
});

describe('vintages of features', () => {
  const rows: FeatureRow[] = [
    { date: '2024-01-01', available_at: '2024-01-02 12:00', gdp: 1, x: 1 },
    { date: '2024-01-01', available_at: '2024-01-05 12:00', gdp: 2, x: 2 },
    { date: '2024-01-03', available_at: '2024-01-04 12:00', gdp: 3, x: 3 },
    { date: '2024-01-03', available_at: '2030-01-04 12:00', gdp: 4, x: 4 },
  ];

  it('return the newest revision of the newest date that is known', async () => {
    const { values } = await seen(daily, rows);
    expect(values).toEqual([null, 1, 1, 3, 3, 3, 3, 3, 3, 3]);
  });

  it('include all revisions known so far, and no later one', async () => {
    const { last } = await seen(daily, rows);
    const feature = last!.window.feature('gdp');
    expect(feature.rows().map(({ value }) => value)).toEqual([2, 3]);
    expect(feature.rows({ vintages: true }).map(({ value }) => value)).toEqual([1, 2, 3]);
    expect(formatInstant(feature.availableAt)).toBe('2024-01-04T12:00:00');
  });

  it('are recorded with both times at the bar at which they become known', async () => {
    const { events } = await seen(daily, rows.slice(0, 1));
    const known = events.filter((event) => event.type === 'features_known');
    expect(known).toEqual([
      {
        type: 'features_known',
        bar: 1,
        rows: [{ date: '2024-01-01', availableAt: '2024-01-02T12:00:00', values: { gdp: 1, x: 1 } }],
      },
    ]);
  });
});

describe('features by symbol', () => {
  const pair = createMarket([bars('A', DAY, 4), bars('B', DAY, 4)]);

  it.each([
    ['the newer date', '2024-01-03', '2024-01-03', '2024-01-02', '2024-01-04', [0, 0, 1, 1]],
    [
      'of one date, the row that became visible last',
      '2024-01-02',
      '2024-01-02',
      '2024-01-02',
      '2024-01-03',
      [0, 1, 2, 2],
    ],
  ])('and of all symbols show %s', async (_, ownDate, ownVisible, otherDate, otherVisible, expected) => {
    for (const isOwnFirst of [true, false]) {
      const own = featureTable([{ date: ownDate, available_at: ownVisible, symbol: 'A', x: 1 }]);
      const others = featureTable([{ date: otherDate, available_at: otherVisible, x: 2 }]);
      const shown: number[] = [];
      await runBacktest({
        market: pair,
        features: isOwnFirst ? [own, others] : [others, own],
        decider: {
          decide: ({ windowOf }) => void shown.push(windowOf('A').feature<number>('x').last ?? 0),
        },
      });
      expect(shown.map((value) => (Number.isNaN(value) ? 0 : value))).toEqual(expected);
    }
  });

  it('belong to their symbol, or to all symbols if none is given', async () => {
    const shown: unknown[] = [];
    await runBacktest({
      market: pair,
      features: [
        featureTable([
          { date: '2024-01-01', symbol: 'a', mood: 'good', sure: true },
          { date: '2024-01-02', symbol: 'B', mood: 'bad', sure: false },
          { date: '2024-01-02', symbol: 'OTHER', mood: 'odd', sure: false },
        ]),
        featureTable([{ date: '2024-01-03', rate: 5 }]),
      ],
      decider: {
        decide({ symbols, windowOf }) {
          shown.push(
            symbols.map((symbol) => {
              const window = windowOf(symbol);
              return [
                window.feature<string>('mood').last,
                window.feature<boolean>('sure').last,
                window.feature('rate').last,
              ];
            }),
          );
        },
      },
    });
    expect(shown.slice(0, 3)).toEqual([
      [
        ['good', true, Number.NaN],
        [null, null, Number.NaN],
      ],
      [
        ['good', true, Number.NaN],
        ['bad', false, Number.NaN],
      ],
      [
        ['good', true, 5],
        ['bad', false, 5],
      ],
    ]);
  });

  it('with an unknown name are refused with the available names', async () => {
    const { error } = await runBacktest({
      market: pair,
      features: [featureTable([{ date: '2024-01-01', sentiment: 1 }])],
      decider: { decide: ({ window }) => void window.feature('sentimant') },
    });
    expect(error).toMatchObject({
      code: 'unknown_feature',
      hint: expect.stringContaining('did you mean sentiment'),
    });
  });
});

describe('the look-ahead test of features', () => {
  it('a change of a value, date or row that is not known yet changes nothing before it is known', async () => {
    const row = fc.record({
      day: fc.integer({ min: 0, max: 9 }),
      delay: fc.integer({ min: 0, max: 12 * 24 }),
      value: fc.integer({ min: -5, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 9 }),
        async (given, cut) => {
          const unique = [...new Map(given.map((one) => [`${one.day} ${one.delay}`, one])).values()];
          const rowsOf = (tampers: boolean): FeatureRow[] =>
            unique.flatMap(({ day, delay, value }): FeatureRow[] => {
              const known = FIRST + day * DAY + delay * HOUR + 1;
              // Bar `cut` ends one day after it begins.
              const isLater = known > FIRST + (cut + 1) * DAY;
              const available_at = new Date(known).toISOString();
              const date = FIRST + day * DAY;
              if (!tampers || !isLater) return [{ date, available_at, x: value }];
              return value === 0 ? [] : [{ date: date + HOUR, available_at, x: value * 1000 + 7 }];
            });
          const outcomeOf = async (rows: readonly FeatureRow[]): Promise<string> => {
            if (rows.length === 0) return JSON.stringify([[], Array(cut + 1).fill(null)]);
            const { events, values } = await seen(daily, rows);
            const known = events.filter((event) => event.type === 'features_known' && event.bar <= cut);
            return JSON.stringify([known, values.slice(0, cut + 1)]);
          };
          expect(await outcomeOf(rowsOf(true))).toBe(await outcomeOf(rowsOf(false)));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a table of features', () => {
  const faultsOf = (rows: readonly FeatureRow[]): string => {
    try {
      featureTable(rows);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  it('refuses names that are not identifiers or that bars use', () => {
    expect(faultsOf([{ date: '2024-01-01', 'my value': 1 }])).toContain('call it my_value');
    expect(faultsOf([{ date: '2024-01-01', close: 1 }])).toContain('name of a column of the bars');
    expect(faultsOf([{ date: '2024-01-01', class: 1 }])).toContain('a word of Python');
    expect(faultsOf([{ date: '2024-01-01', rank: 1 }])).toContain('call it rank_value');
  });

  it('reports every fault together, by row', () => {
    const message = faultsOf([
      { date: '2024-01-01', x: 1 },
      { date: 'soon', x: 2 },
      { date: '2024-01-03', x: 'abc' },
      { date: '2024-01-01', x: 3 },
    ]);
    expect(message).toContain('3 faults');
    expect(message).toContain('row 2: date "soon" is not a date');
    expect(message).toContain('row 3: x: "abc" is not a number');
    expect(
      faultsOf([
        { date: '2024-01-01', x: 1 },
        { date: '2024-01-01', x: 2 },
      ]),
    ).toContain(
      'row 2: repeats the date 2024-01-01 of row 1 (a revision needs its own, different available_at)',
    );
  });
});
