import { describe, expect, it } from 'vitest';
import { Ledger } from '../broker/account/index.ts';
import { Broker } from '../broker/index.ts';
import { DAY } from '../kernel/index.ts';
import { type Bar, barSeries, createMarket, SeriesCursor } from '../market/index.ts';
import type { BarContext } from './decider.ts';
import { runBacktest } from './run.ts';
import { World } from './world/world.ts';

const BARS = 60;
const SYMBOLS = ['A', 'B'];

/** Creates bars in which each number is unique and identifies its bar. */
function futureMarks(offset: number): Bar[] {
  return Array.from({ length: BARS }, (_, bar) => {
    const base = 1000 + bar + offset;
    return {
      time: (10_000 + bar) * DAY,
      open: base + 0.217,
      high: base + 0.943,
      low: base + 0.109,
      close: base + 0.571,
      volume: base * 1000 + 77.3,
    };
  });
}

const series = SYMBOLS.map((symbol, index) => barSeries(symbol, futureMarks(index * 0.001)));
const market = createMarket(series);

/** Maps each number of the data (time, price or volume) to the bar that contains it. */
const barOf = new Map<number, number>();
for (const { time, open, high, low, close, volume } of series) {
  for (const column of [time, open, high, low, close, volume]) {
    column.forEach((value, bar) => {
      barOf.set(value, bar);
    });
  }
}

/**
 * Classes whose instances a decider must not reach, because they can advance the world or book arbitrary
 * fills.
 */
const HANDLES = [World, Ledger, Broker, SeriesCursor];

/**
 * Returns every number that is reachable from a value: through properties of every kind, getters, prototypes,
 * elements of maps and sets, buffers of typed arrays, and numbers in texts. Fails if it reaches an instance
 * of `HANDLES`.
 */
function reachableNumbers(root: unknown): Set<number> {
  const numbers = new Set<number>();
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  const look = (buffer: ArrayBufferLike): void => {
    for (const value of new Float64Array(buffer.slice(0, buffer.byteLength - (buffer.byteLength % 8))))
      numbers.add(value);
  };
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'number') numbers.add(value);
    if (typeof value === 'bigint') numbers.add(Number(value));
    if (typeof value === 'string')
      for (const [digits] of value.matchAll(/\d+(\.\d+)?/g)) numbers.add(Number(digits));
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
      continue;
    seen.add(value);
    if (HANDLES.some((handle) => value instanceof handle)) throw new Error('a handle on the world was found');
    if (ArrayBuffer.isView(value)) look(value.buffer);
    if (value instanceof ArrayBuffer) look(value);
    if (value instanceof Map) waiting.push(...value.keys(), ...value.values());
    if (value instanceof Set) waiting.push(...value);
    for (const key of Reflect.ownKeys(value)) {
      try {
        waiting.push(Reflect.get(value, key));
      } catch {
        // Reading failed: the getter requires a different `this`, for example because it belongs to a
        // prototype.
      }
    }
    // Getters of a prototype are called with the object as `this`.
    for (let parent = Object.getPrototypeOf(value); parent !== null; parent = Object.getPrototypeOf(parent)) {
      if (!seen.has(parent)) waiting.push(parent);
      for (const key of Reflect.ownKeys(parent)) {
        try {
          waiting.push(Reflect.get(parent, key, value));
        } catch {
          // Reading failed: the getter requires a different `this`.
        }
      }
    }
  }
  return numbers;
}

/**
 * Returns the results of the methods of a turn (the decider's view), called with arguments that request more
 * data than is visible.
 */
function everythingOffered({ account, orders, window, windowOf, symbols }: BarContext): unknown[] {
  const windows = [window, ...symbols.map((symbol) => windowOf(symbol))];
  const columns = windows.flatMap(({ time, open, high, low, close, volume }) => [
    time,
    open,
    high,
    low,
    close,
    volume,
  ]);
  const positions = Array.from({ length: 2 * BARS + 10 }, (_, index) => index - BARS - 5);
  return [
    account.positions(),
    symbols.map((symbol) => account.position(symbol)),
    orders.pending(),
    orders.submit({ action: 'buy', quantity: 1 }),
    orders.submit({ action: 'buy', quantity: 1e9 }),
    windows.map((one) => positions.map((position) => one.barAt(position))),
    columns.map((column) => [
      column.tail(10 * BARS),
      column.tail(Number.POSITIVE_INFINITY),
      column.tail(-BARS),
      column.tail(Number.NaN),
      positions.map((position) => column.at(position)),
      positions.map((count) => column.mean(count)),
      column.at(0.5),
      column.at(Number.POSITIVE_INFINITY),
    ]),
  ];
}

describe('a decider', () => {
  it.each([null, 5, 40])(
    'finds no number of a later bar in any reachable object (look-back %s)',
    async (lookback) => {
      const latest: number[] = [];
      const result = await runBacktest({
        market,
        settings: { lookback },
        onEvent: () => undefined,
        decider: {
          decide(turn) {
            const found = reachableNumbers([turn, everythingOffered(turn)]);
            const bars = [...found].flatMap((value) => barOf.get(value) ?? []);
            expect(bars.length).toBeGreaterThan(0);
            latest.push(Math.max(...bars));
          },
        },
      });
      expect(result.error).toBeUndefined();
      expect(latest).toEqual(Array.from({ length: BARS }, (_, bar) => bar));
    },
  );

  it('never finds a finer bar of any bar', async () => {
    const hours = Array.from(market.series[0]!.time).flatMap((time, day): Bar[] => {
      const base = 1000 + day;
      const [open, high, low, close] = [base + 0.301, base + 0.402, base + 0.253, base + 0.304];
      const finer = { open, high, low, close, volume: 0.305 + day };
      return [
        { time: time + DAY / 24, ...finer },
        { time: time + DAY / 12, ...finer },
      ];
    });
    const secret = new Set(
      hours.flatMap(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume]),
    );
    const result = await runBacktest({
      market,
      detail: [barSeries('A', hours)],
      onEvent: () => undefined,
      decider: {
        decide(turn) {
          turn.orders.buy(1, { type: 'limit', limitPrice: 1 });
          const found = reachableNumbers([turn, everythingOffered(turn)]);
          expect([...found].filter((number) => secret.has(number))).toEqual([]);
        },
      },
    });
    expect(result.error).toBeUndefined();
  });

  it('would be detected: the search finds a number hidden in a buffer, a getter, a map, a string', () => {
    const hidden = new Float64Array([1, 1042.571]).subarray(0, 1);
    class Deep {
      get #inner(): Map<string, unknown> {
        return new Map([['x', [`close 1043.571`]]]);
      }
      get way(): unknown {
        return this.#inner;
      }
    }
    const found = reachableNumbers({
      hidden,
      deep: new Deep(),
      [Symbol('s')]: Object.assign(() => 0, { a: 1044.571 }),
    });
    for (const value of [1042.571, 1043.571, 1044.571]) expect(found.has(value)).toBe(true);
  });

  it('cannot retain a growing object of an earlier turn: a copy does not change', async () => {
    const copies: Float64Array[] = [];
    await runBacktest({
      market,
      decider: { decide: ({ window }) => void copies.push(window.close.tail(BARS)) },
    });
    copies.forEach((copy, bar) => {
      expect(copy).toHaveLength(bar + 1);
      expect(copy.buffer.byteLength).toBe(8 * (bar + 1));
    });
  });
});
