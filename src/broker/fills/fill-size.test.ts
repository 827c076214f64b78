import { describe, expect, it } from 'vitest';
import { restingOrder } from '../../../test/support/resting-order.ts';
import { decimal, Exact } from '../../kernel/index.ts';
import { Ledger } from '../account/index.ts';
import { Costs } from '../costs/costs.ts';
import { LateDesk } from '../late-commands.ts';
import { fitExit } from '../matching/brackets.ts';
import type { OrderType } from '../orders/request.ts';
import { instrumentsOf } from '../settings/instruments.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { type FillTerms, fillPrice, rangeOf, unitsOfShare, withinVolume } from './fill-size.ts';

const exact = (value: number | string): Exact => Exact.of(value);
const pricesOf = (spread?: number) => ({
  trades: Uint8Array.of(1),
  open: Float64Array.of(100),
  high: Float64Array.of(110),
  low: Float64Array.of(90),
  close: Float64Array.of(100),
  volume: Float64Array.of(500),
  ...(spread === undefined ? {} : { spread: Float64Array.of(spread) }),
});

describe('the volume of a bar', () => {
  const filled = (wanted: number, left: number | undefined, fok = false): string | undefined =>
    withinVolume(
      restingOrder(fok ? { timeInForce: 'FOK' } : {}),
      exact(wanted),
      left === undefined ? undefined : exact(left),
    )?.toString();

  it('limits a fill', () => {
    expect([filled(10, undefined), filled(10, 10), filled(10, 4), filled(10, 0)]).toEqual([
      '10',
      '10',
      '4',
      undefined,
    ]);
  });

  it('must be sufficient for the whole quantity of a fill-or-kill order', () => {
    expect([filled(10, undefined, true), filled(10, 10, true), filled(10, 9, true)]).toEqual([
      '10',
      '10',
      undefined,
    ]);
  });
});

describe('the units of an order for a fraction of equity', () => {
  const settings = brokerSettingsSchema.parse({ lot: 2, instruments: { A: { multiplier: 5 } } });
  const instruments = instrumentsOf(['A'], settings);
  const ledger = new Ledger(['A'], decimal('1000'), { contracts: instruments });
  const units = (share: string): string =>
    unitsOfShare(
      { costs: new Costs(settings), ledger, instruments },
      0,
      exact(1_000),
      exact(share),
      exact(10),
    ).toString();

  it('are whole lots, rounded towards zero', () => {
    expect([units('0.5'), units('0.499'), units('-0.5'), units('-0.599'), units('0')]).toEqual([
      '10',
      '8',
      '-10',
      '-10',
      '0',
    ]);
  });
});

describe('the price of a fill', () => {
  /** Returns the price of a fill of 50 units at 100. Slippage is 100 × 50 / 500 × 0.2 = 2. */
  const priced = (
    type: OrderType,
    side: 1 | -1,
    place: FillTerms = { maker: false },
    { limitPrice = 100, tick, slips = true }: { limitPrice?: number; tick?: number; slips?: boolean } = {},
  ): string => {
    const settings = brokerSettingsSchema.parse({
      ...(tick === undefined ? {} : { tick }),
      ...(slips ? { slippage: { model: 'volume-impact', coefficient: 0.2 } } : {}),
    });
    const parts = {
      costs: new Costs(settings),
      instrument: instrumentsOf(['A'], settings)[0]!,
      prices: pricesOf(),
    };
    return fillPrice(
      restingOrder({ type, limitPrice }),
      side,
      exact(100),
      place,
      parts,
    )(exact(50)).toString();
  };

  it('has slippage for market and stop orders', () => {
    expect([priced('market', 1), priced('market', -1), priced('stop', 1)]).toEqual(['102', '98', '102']);
    expect(priced('market', 1, { maker: true })).toBe('100');
    expect(priced('market', 1, { maker: false }, { slips: false })).toBe('100');
  });

  it('is exactly the limit price for every type of limit order', () => {
    for (const type of ['limit', 'limit_on_open', 'stop_limit', 'limit_if_touched'] as const)
      expect([priced(type, 1), priced(type, -1)]).toEqual(['100', '100']);
  });

  it('of a stop-limit that is marketable at its stop never exceeds its limit', () => {
    const slips = { maker: false, slipsToLimit: true };
    const limited = (side: 1 | -1, limitPrice: number): string =>
      priced('stop_limit', side, slips, { limitPrice });
    expect([limited(1, 105), limited(1, 101)]).toEqual(['102', '101']);
    expect([limited(-1, 95), limited(-1, 99)]).toEqual(['98', '99']);
  });

  it('is rounded to the tick against the trader', () => {
    const ticked = { tick: 3 };
    expect([priced('market', 1, undefined, ticked), priced('market', -1, undefined, ticked)]).toEqual([
      '102',
      '96',
    ]);
    expect([priced('limit', 1, undefined, ticked), priced('limit', -1, undefined, ticked)]).toEqual([
      '102',
      '99',
    ]);
  });

  it('uses the low, high, volume and spread of the bar', () => {
    expect(rangeOf(pricesOf(), 0)).toEqual({ low: 90, high: 110, volume: 500, spread: Number.NaN });
    expect(rangeOf(pricesOf(0.5), 0)).toEqual({ low: 90, high: 110, volume: 500, spread: 0.5 });
  });
});

describe('an exit after a change of the position', () => {
  const fitted = (left: number, over: Parameters<typeof restingOrder>[0] = {}): [string, string] => {
    const exit = restingOrder({ parentId: 3, ...over });
    const change = fitExit(exit, {
      openQuantity: (symbol, orderId) => exact(symbol === 0 && orderId === 3 ? left : 99),
    });
    return [change, exit.size.kind === 'units' ? `${exit.size.units}` : exit.size.kind];
  };

  it('closes what remains of its entry', () => {
    expect(fitted(10)).toEqual(['kept', '10']);
    expect(fitted(6)).toEqual(['resized', '6']);
    expect(fitted(14)).toEqual(['resized', '14']);
    expect(fitted(0)).toEqual(['gone', '10']);
    expect(fitted(6, { filled: exact(4) })).toEqual(['kept', '10']);
    expect(fitted(5, { filled: exact(4) })).toEqual(['resized', '9']);
    expect(fitted(5, { parentId: undefined })).toEqual(['kept', '10']);
    expect(fitted(5, { size: { kind: 'position' } })).toEqual(['resized', '5']);
  });

  it('closes at most its own share if it is one of several targets', () => {
    expect(fitted(14, { target: 1 })).toEqual(['kept', '10']);
    expect(fitted(10, { target: 1 })).toEqual(['kept', '10']);
    expect(fitted(9, { target: 1 })).toEqual(['resized', '9']);
  });
});

describe('late commands', () => {
  it('take effect at the first bar that opens at or after their time', () => {
    const desk = new LateDesk({
      lateAt: (bar) => (bar === 2 ? 50 : undefined),
      opensAfter: (bar, at) => bar >= at,
    });
    expect([desk.lateAt(1), desk.lateAt(2)]).toEqual([undefined, 50]);
    const orders = [10, 20, 20].map((_, index) => restingOrder({ id: index + 1 }));
    desk.hold(orders[0]!, 10);
    desk.hold(orders[1]!, 20);
    desk.hold(orders[2]!, 20);
    desk.cancelLater(7, 10);
    desk.cancelLater(8, 20);
    const seen: string[] = [];
    const open = (time: number): string[] => {
      desk.openBar(
        time,
        ({ id }) => seen.push(`order ${id}`),
        (id) => seen.push(`cancel ${id}`),
      );
      return seen.splice(0);
    };
    expect(open(9)).toEqual([]);
    expect(desk.orders.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(open(10)).toEqual(['order 1', 'cancel 7']);
    orders[1]!.done = true;
    expect(desk.orders.map(({ id }) => id)).toEqual([3]);
    expect(open(25)).toEqual(['order 3', 'cancel 8']);
    expect(open(30)).toEqual([]);
    desk.cancelLater(9, 1);
    expect(open(30)).toEqual(['cancel 9']);
  });
});
