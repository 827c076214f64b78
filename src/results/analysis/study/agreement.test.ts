import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../journal/index.ts';
import { agreementByBar, agreementOf, type DecidedAction, decidedActions } from './agreement.ts';

function sample(...actions: readonly (string | null)[]): DecidedAction[] {
  return actions.flatMap((action, bar) =>
    action === null ? [] : [{ bar, date: `2024-01-0${bar + 1}`, action }],
  );
}

describe('agreement of samples', () => {
  it('distinguishes 0 % and 80 % of the same symbol', () => {
    const bars = agreementByBar([sample('target A 0%'), sample('target A 80%')]);
    expect(agreementOf(bars)).toEqual({
      ...{ mean: 0.5, floor: 0.5, aboveFloor: 0, entropy: 1, mostEntropy: 1, bars: 1 },
    });
  });

  it('has the entropy of a manual calculation: three of four alike', () => {
    const bars = agreementByBar([sample('hold'), sample('hold'), sample('hold'), sample('buy A 1')]);
    // Three of four samples agree: −(3/4) log2(3/4) − (1/4) log2(1/4)
    expect(agreementOf(bars).entropy).toBeCloseTo(0.811_278_124, 9);
    expect(bars[0]).toMatchObject({ most: 'hold', agreement: 0.75 });
  });

  it('is 0 above its floor if no two of three samples agree, and 1 if all agree', () => {
    const differ = agreementByBar([sample('hold'), sample('buy A 1'), sample('buy A 2')]);
    expect(agreementOf(differ).mean).toBeCloseTo(1 / 3, 12);
    expect(agreementOf(differ).aboveFloor).toBeCloseTo(0, 12);
    const two = agreementByBar([sample('hold'), sample('hold'), sample('buy A 2')]);
    expect(agreementOf(two).aboveFloor).toBeCloseTo(0.5, 12);
    expect(agreementOf(agreementByBar([sample('hold'), sample('hold'), sample('hold')])).aboveFloor).toBe(1);
  });

  it('omits bars at which only one sample decided', () => {
    const bars = agreementByBar([sample('hold', 'hold'), sample('hold', null)]);
    expect(agreementOf(bars)).toEqual({
      ...{ mean: 1, floor: 0.5, aboveFloor: 1, entropy: 0, mostEntropy: 1, bars: 1 },
    });
    expect(agreementOf([])).toEqual({
      ...{ mean: null, floor: null, aboveFloor: null, entropy: null, mostEntropy: null, bars: 0 },
    });
  });
});

it('actions at the same bar are listed by sample, and the first of equally frequent ones wins', () => {
  const late = [{ bar: 7, date: '2024-01-08', action: 'hold' }];
  expect(agreementByBar([late, sample('b', 'x'), sample('a'), sample('b'), sample('a')])).toEqual([
    ...[
      {
        bar: 0,
        date: '2024-01-01',
        actions: ['', 'b', 'a', 'b', 'a'],
        most: 'a',
        agreement: 0.5,
        entropy: 1,
      },
    ],
    ...[{ bar: 1, date: '2024-01-02', actions: ['', 'x', '', '', ''], most: 'x', agreement: 1, entropy: 0 }],
    ...[
      {
        bar: 7,
        date: '2024-01-08',
        actions: ['hold', '', '', '', ''],
        most: 'hold',
        agreement: 1,
        entropy: 0,
      },
    ],
  ]);
});

describe('the action of a decision', () => {
  const actions = (...orders: readonly object[]) =>
    decidedActions({
      orders: orders.map((order) => ({ bar: 1, action: 'buy', symbol: 'A', ...order })),
      bars: [{ bar: 1, date: '2024-01-02' }],
      decisions: [{ bar: 1 }, { bar: 2 }],
    } as unknown as RunRecord);

  it.each([
    [{ quantity: '10' }, 'buy A 10'],
    [{ action: 'close' }, 'close A'],
    [{ targetQuantity: '3', equityFraction: '0.5' }, 'buy A 3'],
    [{ equityFraction: '0.07', targetFraction: '0.5' }, 'buy A 7%'],
    [{ action: 'target', targetFraction: '0.45', notional: '5' }, 'target A 45%'],
    [{ notional: '500' }, 'buy A for 500'],
    [{ quantity: '1', limitPrice: '99' }, 'buy A 1 at limit 99'],
    [{ quantity: '1', limitPrice: '99', stopPrice: '98' }, 'buy A 1 at stop 98 limit 99'],
  ])('has the size and the limits of its order: %j', (order, action) => {
    expect(actions(order)).toEqual([
      { bar: 1, date: '2024-01-02', action },
      { bar: 2, date: '', action: 'hold' },
    ]);
  });

  it('lists all orders except exits in alphabetical order', () => {
    const found = actions(
      { quantity: '1', symbol: 'B' },
      { quantity: '1' },
      { role: 'stop-loss' },
      { bar: 2, symbol: 'C' },
    );
    expect(found.map(({ action }) => action)).toEqual(['buy A 1, buy B 1', 'buy C']);
  });
});
