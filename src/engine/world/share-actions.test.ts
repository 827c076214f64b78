import { describe, expect, it } from 'vitest';
import { DAY, parseInstant } from '../../kernel/index.ts';
import { barSeries, type CorporateAction, createMarket, type Roll } from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import type { RunEvent } from '../events/events.ts';
import { runBacktest } from '../run.ts';
import type { RunSettingsInput } from '../settings/settings.ts';

const first = parseInstant('2024-03-04')!;

/** Returns daily bars whose four prices are equal. `null` for a day without a bar. */
const seriesOf = (symbol: string, prices: readonly (number | null)[]) => ({
  ...barSeries(
    symbol,
    prices.flatMap((price, day) =>
      price === null
        ? []
        : [{ time: first + day * DAY, open: price, high: price, low: price, close: price, volume: 1_000 }],
    ),
  ),
  interval: '1d',
});

type Shares<Action> = Action extends unknown ? Omit<Action, 'symbol' | 'time'> : never;
const on = (day: number, action: Shares<CorporateAction>, symbol = 'A'): CorporateAction =>
  ({ symbol, time: first + day * DAY, ...action }) as CorporateAction;

/** Returns the events of actions in a run that buys 10 units of `A` at the open of the second bar. */
async function eventsOf(
  prices: Readonly<Record<string, readonly (number | null)[]>>,
  actions: readonly CorporateAction[],
  settings: RunSettingsInput = {},
  decide: (turn: BarContext) => void = ({ bar, orders }) => void (bar === 0 && orders.buy(10)),
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const { error } = await runBacktest({
    market: createMarket(Object.entries(prices).map(([symbol, given]) => seriesOf(symbol, given))),
    actions,
    settings: { cash: 1_000, ...settings },
    decider: { decide },
    onEvent: (event) => events.push(event),
  });
  if (error !== undefined) throw error;
  const shown = new Set(['cash_entry', 'split', 'delisted', 'rolled', 'trade_closed', 'order_adjusted']);
  return events.filter(({ type }) => shown.has(type));
}

describe('a dividend', () => {
  const steady = { A: [10, 10, 10, 10, 10] };
  const paid = {
    type: 'cash_entry',
    bar: 2,
    kind: 'dividend',
    symbol: 'A',
    amount: '5',
    cash: '905',
    quantity: '10',
    perUnit: '0.5',
  };

  it('is paid for the units of the position at the first bar at or after its date', async () => {
    const dividend = { kind: 'dividend', amount: '0.5' } as const;
    expect(await eventsOf(steady, [on(2, dividend)])).toEqual([paid]);
    expect(await eventsOf(steady, [on(1.5, dividend)])).toEqual([paid]);
    expect(await eventsOf(steady, [on(2, dividend)], { barTimes: 'end' })).toEqual([{ ...paid, bar: 3 }]);
    expect(await eventsOf(steady, [on(1, dividend)])).toEqual([]);
    expect(await eventsOf(steady, [on(2, dividend, 'OTHER')])).toEqual([]);
  });

  it('is paid by a short position', async () => {
    const sell = ({ bar, orders }: BarContext): void => void (bar === 0 && orders.sell(10));
    expect(await eventsOf(steady, [on(2, { kind: 'dividend', amount: '0.5' })], {}, sell)).toEqual([
      { ...paid, amount: '-5', cash: '1095', quantity: '-10' },
    ]);
  });

  it('is multiplied by the multiplier and the exchange rate of the contract', async () => {
    const instruments = { A: { multiplier: 2, currency: 'EUR' } };
    const settings = { instruments, currencies: { EUR: { rate: 1.5 } } };
    expect(await eventsOf(steady, [on(2, { kind: 'dividend', amount: '0.5' })], settings)).toEqual([
      { ...paid, amount: '15', cash: '715', multiplier: '2', rate: '1.5' },
    ]);
  });

  it('waits for the next bar of its symbol, and is paid before the symbol leaves the market', async () => {
    const gap = { A: [10, 10, null, null, 10], B: [5, 5, 5, 5, 5] };
    const dividend = on(2, { kind: 'dividend', amount: '0.5' });
    expect(await eventsOf(gap, [dividend])).toEqual([{ ...paid, bar: 4 }]);
    const leaves = { A: [10, 10, null, null, null], B: [5, 5, 5, 5, 5] };
    const delisting = on(3, { kind: 'delisting', price: '4' });
    const events = await eventsOf(leaves, [delisting, dividend]);
    expect(events.map(({ type }) => type)).toEqual(['cash_entry', 'delisted', 'trade_closed']);
    expect(events[0]).toEqual({ ...paid, bar: 3 });
    expect(events[1]).toEqual({ type: 'delisted', bar: 3, symbol: 'A', price: '4' });
    expect(events[2]).toMatchObject({ bar: 3, exitPrice: '4', netPnl: '-60', exitReason: 'delisting' });
  });
});

describe('a split', () => {
  it('changes units, and closes units beyond the last lot at the open', async () => {
    const events = await eventsOf(
      { A: [9, 9, 6, 6] },
      [on(2, { kind: 'split', to: '3', from: '2' })],
      {
        lot: 4,
      },
      ({ bar, orders }) => void (bar === 0 && orders.buy(12)),
    );
    // 12 units become 18. Two units are beyond four lots of 4.
    expect(events).toMatchObject([
      {
        type: 'split',
        bar: 2,
        symbol: 'A',
        ratio: '3:2',
        quantityBefore: '12',
        quantityAfter: '16',
        leftOver: '2',
        price: '6',
        cash: '904',
      },
      {
        type: 'trade_closed',
        bar: 2,
        quantity: '2',
        exitPrice: '6',
        netPnl: '0',
        exitReason: 'cash in lieu',
      },
    ]);
    expect(events).toHaveLength(2);
  });

  it('records only the quantities if no units are beyond the last lot', async () => {
    expect(await eventsOf({ A: [9, 9, 3, 3] }, [on(2, { kind: 'split', to: '3', from: '1' })])).toEqual([
      { type: 'split', bar: 2, symbol: 'A', ratio: '3:1', quantityBefore: '10', quantityAfter: '30' },
    ]);
  });

  it('of a symbol that leaves the market also converts its last price', async () => {
    const prices = { A: [9, 9, null, null], B: [5, 5, 5, 5] };
    const actions = [on(2, { kind: 'split', to: '3', from: '1' }), on(3, { kind: 'delisting' })];
    const events = await eventsOf(prices, actions);
    expect(events).toMatchObject([
      { type: 'split', bar: 3, quantityAfter: '30' },
      { type: 'delisted', bar: 3, price: '3' },
      { type: 'trade_closed', bar: 3, quantity: '30', exitPrice: '3', netPnl: '0' },
    ]);
  });
});

describe('a delisting', () => {
  it('cannot be before the last bar of its symbol', async () => {
    const prices = { A: [10, 10, 10, null], B: [5, 5, 5, 5] };
    const delisting = (day: number) => [on(day, { kind: 'delisting' })];
    await expect(eventsOf(prices, delisting(2))).rejects.toThrow(
      'the data have bars of this symbol up to 2024-03-06',
    );
    expect(await eventsOf(prices, delisting(2), { barTimes: 'end' })).toMatchObject([
      { type: 'delisted', bar: 3, price: '10' },
      { type: 'trade_closed', exitReason: 'delisting' },
    ]);
    expect(await eventsOf(prices, delisting(3))).toMatchObject([{ bar: 3 }, { bar: 3 }]);
  });
});

describe('adjusted history', () => {
  it('reflects a split and a dividend of one day, with the dividend counted per new unit', async () => {
    const seen: number[][] = [];
    const look = ({ window }: BarContext): void => void seen.push([...window.close.tail(9)]);
    const actions = [on(1, { kind: 'dividend', amount: '1' }), on(1, { kind: 'split', to: '2', from: '1' })];
    await eventsOf({ A: [20, 9, 9] }, actions, { adjust: 'point-in-time' }, look);
    // 20 before a split of 2:1 is 10. Without the dividend of 1 it is 9.
    expect(seen).toEqual([[20], [9, 9], [9, 9, 9]]);
  });
});

describe('a roll', () => {
  const roll = (day: number, prices: readonly [string, string], symbol = 'A'): Roll => ({
    symbol,
    time: first + day * DAY,
    kind: 'roll',
    oldContract: 'H4',
    newContract: 'M4',
    oldPrice: prices[0],
    newPrice: prices[1],
  });
  const rolled = {
    type: 'rolled',
    bar: 2,
    symbol: 'A',
    from: 'H4',
    to: 'M4',
    fromPrice: '8',
    toPrice: '10',
    gap: '2',
    quantity: '10',
  };

  it('is applied at the first bar at or after its time, and is not part of the profit', async () => {
    const prices = { A: [8, 8, 10, 10] };
    for (const day of [2, 1.5]) {
      const events = await eventsOf(prices, [roll(day, ['8', '10'])], { allowNegativeEquity: true });
      expect(events[0]).toEqual(rolled);
      expect(events[1]).toMatchObject({ type: 'trade_closed', exitPrice: '8', netPnl: '0' });
    }
  });

  it('before the first bar or after the last bar has no effect', async () => {
    const prices = { A: [10, 10, 10] };
    expect(await eventsOf(prices, [roll(0, ['8', '7']), roll(3, ['8', '7'])])).toEqual([]);
    expect(await eventsOf(prices, [roll(1, ['8', '10'], 'OTHER')])).toEqual([]);
  });

  it('is applied in the order of times, and of symbols at one time', async () => {
    const prices = { A: [8, 8, 10, 12], B: [8, 8, 10, 12] };
    const rolls = [
      roll(3, ['11', '12'], 'B'),
      roll(2, ['8', '10'], 'B'),
      roll(3, ['11', '12']),
      roll(2, ['8', '10']),
    ];
    const events = await eventsOf(prices, rolls, {}, () => undefined);
    expect(
      events.map((event) => (event.type === 'rolled' ? `${event.bar} ${event.symbol}` : event.type)),
    ).toEqual(['2 A', '2 B', '3 A', '3 B']);
  });

  it('requires the open of its bar as the new price, up to rounding errors', async () => {
    const prices = { A: [8, 8, 10, 10] };
    expect(await eventsOf(prices, [roll(2, ['8', '10.000000005'])])).toHaveLength(2);
    await expect(eventsOf(prices, [roll(2, ['8', '10.00000002'])])).rejects.toThrow(
      'A, roll of 2024-03-06: M4 is at 10.00000002, but the bar of 2024-03-06 opens at 10',
    );
    await expect(eventsOf(prices, [roll(2, ['8', '9.99999998'])])).rejects.toThrow('opens at 10');
  });
});
