import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../test/missing.ts';
import { DAY } from '../../kernel/index.ts';
import { type Bar, barSeries, createMarket, loadMarket } from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import type { RunEvent } from '../events/events.ts';
import { runBacktest } from '../run.ts';

const START = Date.UTC(2024, 0, 1);
const bar = (day: number, open: number): Bar => ({
  time: START + day * DAY,
  open,
  high: open + 6,
  low: open - 6,
  close: open + 4,
  volume: 1e6,
});
const market = createMarket([
  barSeries(
    'A',
    [10, 20, 30, 40, 50].map((open, day) => bar(day, open)),
  ),
]);

describe('the evaluateFrom date', () => {
  it('has its decision at the previous close and its trade at its open, with all earlier bars visible', async () => {
    const asked: { bar: number; seen: number }[] = [];
    const watched: number[] = [];
    const events: RunEvent[] = [];
    await runBacktest({
      market,
      settings: { evaluateFrom: '2024-01-04' },
      onEvent: (event) => events.push(event),
      decider: {
        watch: (turn: BarContext) => void watched.push(turn.bar),
        decide(turn) {
          asked.push({ bar: turn.bar, seen: turn.window.length });
          if (turn.bar === 2) turn.orders.buy(1);
        },
      },
    });
    expect(watched).toEqual([0, 1]);
    expect(asked).toEqual([
      { bar: 2, seen: 3 },
      { bar: 3, seen: 4 },
      { bar: 4, seen: 5 },
    ]);
    expect(events.find(({ type }) => type === 'order_filled')).toMatchObject({ bar: 3, price: '40' });
  });

  it('is after a bar that ends at this date', async () => {
    const asked: number[] = [];
    await runBacktest({
      market,
      settings: { evaluateFrom: '2024-01-04', barTimes: 'end' },
      decider: { decide: (turn) => void asked.push(turn.bar) },
    });
    expect(asked).toEqual([3, 4]);
  });

  it('is the first decision with fills at the close', async () => {
    for (const settings of [
      { evaluateFrom: '2024-01-04' },
      { evaluateFrom: '2024-01-03', barTimes: 'end' },
    ] as const) {
      const asked: number[] = [];
      const { equity } = await runBacktest({
        market,
        settings: { ...settings, fillOn: 'close' },
        decider: {
          decide(turn) {
            asked.push(turn.bar);
            if (turn.bar === 3) turn.orders.buy(1);
          },
        },
      });
      expect(asked).toEqual([3, 4]);
      expect([...equity]).toEqual([100_000, 100_000, 100_000, 100_000, 100_010]);
    }
  });

  it.each(['start', 'end'] as const)(
    'is set to the last bar of a warm-up with fills at the close, with timestamps of the %s',
    async (barTimes) => {
      const asked: number[] = [];
      const { settings } = await runBacktest({
        market,
        settings: { fillOn: 'close', barTimes },
        decider: { warmUp: 3, decide: (turn) => void asked.push(turn.bar) },
      });
      expect(asked).toEqual([2, 3, 4]);
      expect(settings.evaluateFrom).toBe(barTimes === 'end' ? '2024-01-02' : '2024-01-03');
    },
  );

  it.each([
    ['2024-01-01', /A decision needs a bar before/],
    ['2023-01-01', /A decision needs a bar before/],
    ['2024-01-06', /No bar is left to evaluate/],
    ['yesterday', /evaluateFrom must be a date|must be a date such as/],
  ])('is refused: %s', async (evaluateFrom, message) => {
    const decider = { decide: () => undefined };
    await expect(runBacktest({ market, settings: { evaluateFrom }, decider })).rejects.toThrow(message);
  });

  it.each([
    ['2024-01-01', /data that begin earlier.* a later date/],
    ['2024-01-06', /data that end later.* an earlier date/],
  ])('is refused with a suggestion: %s', async (evaluateFrom, hint) => {
    const decider = { decide: () => undefined };
    await expect(runBacktest({ market, settings: { evaluateFrom }, decider })).rejects.toMatchObject({
      hint: expect.stringMatching(hint),
    });
  });

  it('has no interest before the first decision', async () => {
    const settings = { financing: { creditRate: 0.365 }, evaluateFrom: '2024-01-04' } as const;
    const { equity } = await runBacktest({ market, settings, decider: { decide: () => undefined } });
    expect([...equity.slice(0, 3)]).toEqual([100_000, 100_000, 100_000]);
    expect(equity[3]).toBeGreaterThan(100_090);
  });
});

describe('a bar that ends at midnight', () => {
  const HOUR = DAY / 24;
  const hours = createMarket([
    barSeries(
      'A',
      Array.from({ length: 48 }, (_, hour) => ({
        ...bar(0, 100 - hour / 10),
        time: START + (hour + 1) * HOUR,
      })),
    ),
  ]);
  const filledAt = async (barTimes: 'start' | 'end', terms: object): Promise<unknown> => {
    const events: RunEvent[] = [];
    await runBacktest({
      market: hours,
      settings: { barTimes },
      onEvent: (event) => events.push(event),
      decider: {
        decide(turn) {
          // The low falls from bar to bar. Bar 23, which ends at midnight, is the first whose low reaches the
          // limit.
          if (turn.bar === 20) turn.orders.buy(1, { type: 'limit', limitPrice: 91.7, ...terms });
        },
      },
    });
    return events.flatMap((event) => (event.type === 'order_filled' ? [event.bar] : []))[0];
  };

  it.each([{ timeInForce: 'DAY' }, { timeInForce: 'GTD', goodTill: '2024-01-01' }])(
    'is the last bar of its day for %j',
    async (terms) => {
      expect(await filledAt('end', terms)).toBe(23);
      // With start timestamps, the first bar that reaches the limit belongs to the next day, when the order
      // has expired.
      expect(await filledAt('start', terms)).toBe(undefined);
    },
  );
});

describe('positions valued at opens', () => {
  it('have the open of their bar, and the purchase price if bought inside it', async () => {
    const { equity } = await runBacktest({
      market,
      settings: { mark: 'open' },
      decider: {
        decide(turn) {
          if (turn.bar === 0) turn.orders.buy(1);
          if (turn.bar === 2) turn.orders.buy(1, { type: 'limit', limitPrice: 35 });
        },
      },
    });
    // The first unit is bought at 20. At the next open it is valued at 30. In the bar that opens at 40, the
    // second unit is bought at 35, so both units are valued at 35. At the next open each unit is worth 50.
    expect([...equity]).toEqual([100_000, 100_000, 100_010, 100_015, 100_045]);
  });
});

const djia = path.join(import.meta.dirname, '../../../../shared/data/djia');
describe.skipIf(!sharedIsHere(djia))('twenty shares (skipped where ../shared is absent)', () => {
  it('bought in equal parts at the open of 2025-03-03 give +0.40823 % and fall by 15.2097 %, at opens', async () => {
    const { market } = await loadMarket({ paths: [djia], to: '2025-06-30' });
    const { equity, trades } = await runBacktest({
      market,
      settings: { evaluateFrom: '2025-03-03', mark: 'open', lot: 1e-9, cash: 1_000_000 },
      decider: {
        decide(turn) {
          if (turn.account.positions().length > 0 || turn.orders.pending().length > 0) return;
          for (const symbol of turn.symbols) turn.orders.submit({ action: 'buy', symbol, notional: 50_000 });
        },
      },
    });
    expect(trades).toEqual([]);
    const evaluated = equity.slice(market.clock.indexOf(Date.UTC(2025, 2, 3)));
    let [peak, deepest] = [1_000_000, 0];
    for (const value of evaluated) {
      peak = Math.max(peak, value);
      deepest = Math.min(deepest, value / peak - 1);
    }
    expect((evaluated.at(-1)! / 1_000_000 - 1) * 100).toBeCloseTo(0.408_23, 4);
    expect(deepest * 100).toBeCloseTo(-15.209_7, 4);
  });
});
