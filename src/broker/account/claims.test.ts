import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { type Claim, LEFT_OVER, wholeLotClaims } from './lot-trade.ts';

const given = (lot: string, ...claims: readonly (readonly [number | undefined, string])[]): string[] =>
  wholeLotClaims(
    claims.map(([orderId, quantity]) => ({ orderId, quantity: Exact.of(quantity) })),
    Exact.of(lot),
  ).map(({ orderId, quantity }) => `${orderId === LEFT_OVER ? 'cash' : orderId} ${quantity.toString()}`);

describe('the units of orders after a split', () => {
  it('are whole lots per order, in the order of the purchases, and the remainder is paid out', () => {
    // Two orders opened 3.5 shares each, seven shares in total. Counted from the oldest, shares 1 to 3 end
    // within the units of the first order, and shares 4 to 7 end within the units of the second order.
    expect(given('1', [1, '3.5'], [2, '3.5'])).toEqual(['1 3', '2 4']);
    expect(given('1', [1, '3.5'], [2, '3.4'])).toEqual(['1 3', '2 3', 'cash 0.9']);
  });

  it('leave no remainder if they are whole lots', () => {
    expect(given('1', [1, '20'], [2, '10'])).toEqual(['1 20', '2 10']);
    expect(given('0.1', [1, '0.3'])).toEqual(['1 0.3']);
  });

  it('are zero for an order with less than one lot, and its part goes to the next order', () => {
    expect(given('1', [1, '0.4'], [2, '0.6'], [3, '1'])).toEqual(['2 1', '3 1']);
    expect(given('100', [7, '60'], [8, '60'])).toEqual(['8 100', 'cash 20']);
    expect(given('1', [1, '0.4'])).toEqual(['cash 0.4']);
  });

  it('have no order if the order is unknown', () => {
    expect(given('1', [undefined, '2.5'])).toEqual(['undefined 2', 'cash 0.5']);
    expect(given('1')).toEqual([]);
  });

  it('add up to the total, each within one lot of its exact value, and less than one lot is paid out', () => {
    const quantity = fc
      .integer({ min: 1, max: 100_000 })
      .map((parts) => Exact.of(parts).dividedBy(Exact.of(1000)));
    const claims = fc
      .array(quantity)
      .map((all) => all.map((each, at): Claim => ({ orderId: at, quantity: each })));
    fc.assert(
      fc.property(claims, fc.constantFrom('0.001', '0.5', '1', '10'), (before, size) => {
        const lot = Exact.of(size);
        const after = wholeLotClaims(before, lot);
        const total = (all: readonly Claim[]): Exact =>
          all.reduce((sum, { quantity: each }) => sum.plus(each), EXACT_ZERO);
        expect(total(after).toString()).toBe(total(before).toString());
        for (const { orderId, quantity: each } of after) {
          expect(each.isPositive()).toBe(true);
          if (orderId === LEFT_OVER) {
            expect(each.compare(lot)).toBeLessThan(0);
            continue;
          }
          expect(each.dividedBy(lot).floor().times(lot).toString()).toBe(each.toString());
          const change = each.minus(before[orderId!]!.quantity).abs();
          expect(change.compare(lot)).toBeLessThan(0);
        }
      }),
    );
  });
});
