import { describe, expect, it } from 'vitest';
import { decimal, decimalString, EXACT_ONE, Exact } from '../../kernel/index.ts';
import { Ledger } from './ledger.ts';
import type { LedgerOptions, PositionView } from './trade.ts';

const CONTRACTS = [
  { multiplier: EXACT_ONE, margined: false },
  { multiplier: Exact.of(5), margined: false },
  { multiplier: Exact.of(5), margined: true, margin: Exact.of(7) },
];

/** Returns an account with share A, contract B in euros and margined contract C. All were bought at 10. */
function ledgerOf(units: readonly number[], options: LedgerOptions = {}): Ledger {
  const ledger = new Ledger(['A', 'B', 'C'], decimal('1000'), {
    contracts: CONTRACTS,
    currencies: ['USD', 'EUR', 'USD'],
    ...options,
  });
  ledger.setRate(1, 2);
  for (const [symbol, quantity] of units.entries())
    if (quantity !== 0)
      ledger.book({
        symbol,
        bar: 3,
        time: 0,
        quantity,
        price: 10,
        commission: 0,
        reason: 'test',
        orderId: 1,
      });
  for (const symbol of [0, 1, 2]) ledger.mark(symbol, 12);
  return ledger;
}

const shown = (view: PositionView) =>
  Object.fromEntries(
    Object.entries(view).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? decimalString(value) : value,
    ]),
  );

describe.each(['fifo', 'average'] as const)('the view of a position (%s)', (lots) => {
  const view = (units: readonly number[], symbol: string, options: LedgerOptions = {}) =>
    shown(ledgerOf(units, { lots, ...options }).position(symbol));
  const terms = {
    multiplier: '1',
    margin: null,
    currency: 'USD',
    stale: false,
    averagePrice: '10',
    mark: '12',
  };

  it('shows its value, exposure and open profit in the account currency', () => {
    expect(view([4, 0, 0], 'A')).toEqual({
      ...terms,
      symbol: 'A',
      quantity: '4',
      marketValue: '48',
      exposure: '48',
      unrealisedPnl: '8',
      entryBar: 3,
    });
    expect(view([0, -3, 0], 'B')).toEqual({
      ...terms,
      symbol: 'B',
      quantity: '-3',
      multiplier: '5',
      currency: 'EUR',
      // 3 × 12 × 5 × 2, of which 3 × 2 × 5 × 2 is a loss.
      marketValue: '-360',
      exposure: '-360',
      unrealisedPnl: '-60',
      entryBar: 3,
    });
    expect(view([0, 0, -3], 'C')).toEqual({
      ...terms,
      symbol: 'C',
      quantity: '-3',
      multiplier: '5',
      margin: '7',
      marketValue: '-30',
      exposure: '-180',
      unrealisedPnl: '-30',
      entryBar: 3,
    });
  });

  it('shows amounts of zero without units', () => {
    const flat = { quantity: '0', marketValue: '0', exposure: '0', unrealisedPnl: '0', entryBar: null };
    expect(view([0, 0, 0], 'C')).toMatchObject({ ...flat, averagePrice: '0', mark: '12' });
    expect(view([0, 0, 0], 'A', { isStale: (symbol) => symbol === 0 })).toMatchObject({
      ...flat,
      stale: true,
    });
    expect(view([0, 0, 0], 'B', { isStale: (symbol) => symbol === 0 })).toMatchObject({
      ...flat,
      stale: false,
    });
  });

  it('has a market value that adds up with cash to the equity', () => {
    const ledger = ledgerOf([4, -3, -3], { lots });
    // Cash is 1,000 − 40 + 300. The positions are worth 48 − 360 − 30.
    expect([decimalString(ledger.cash), decimalString(ledger.equity), ledger.equityNumber]).toEqual([
      '1260',
      '918',
      918,
    ]);
    expect(ledger.grossExposureNumber).toBe(48 + 360 + 180);
    expect([0, 1, 2].map((symbol) => `${ledger.exposureOf(symbol)}`)).toEqual(['48', '-360', '-180']);
    expect([ledger.units(), ledger.units('B'), ledger.isFlat, ledgerOf([0, 0, 0]).isFlat]).toEqual([
      4,
      -3,
      false,
      true,
    ]);
    expect(ledger.positions().map(({ symbol }) => symbol)).toEqual(['A', 'B', 'C']);
    expect(
      ledgerOf([0, 0, 1], { lots })
        .positions()
        .map(({ symbol }) => symbol),
    ).toEqual(['C']);
    ledger.setRate(1, 3);
    expect(ledger.equityNumber).toBe(738);
    ledger.post('interest', Exact.of(2));
    expect([ledger.equityNumber, decimalString(ledger.cashByKind.interest), ledger.cashNumber]).toEqual([
      740,
      '2',
      1262,
    ]);
  });

  it('has the bar of the fill that opened the position or changed its side as entry bar', () => {
    const ledger = ledgerOf([4, 0, 0], { lots });
    const book = (bar: number, quantity: number): number | null => {
      ledger.book({ symbol: 0, bar, time: 0, quantity, price: 10, commission: 0, reason: 'test' });
      return ledger.position('A').entryBar;
    };
    expect([book(4, 1), book(5, -3), book(6, -3), book(7, -1), book(8, 2), book(9, 1)]).toEqual([
      3,
      3,
      6,
      6,
      null,
      9,
    ]);
  });
});

describe('the value of a unit', () => {
  it('is its price times the multiplier and the exchange rate', () => {
    const ledger = ledgerOf([0, 0, 0]);
    const texts = [0, 1, 2].map((symbol) => [
      `${ledger.unitValue(symbol, Exact.of(3))}`,
      `${ledger.pointValueOf(symbol)}`,
      `${ledger.inAccountCurrency(symbol, Exact.of(3))}`,
      ledger.exposureNumberOf(symbol, -2),
    ]);
    expect(texts).toEqual([
      ['3', '1', '3', -24],
      ['30', '10', '6', -240],
      ['15', '5', '3', -120],
    ]);
    expect([0, 1, 2].map((symbol) => ledger.currencyOf(symbol))).toEqual(['USD', 'EUR', 'USD']);
    const unknown = new Ledger(['A', 'B'], decimal(1), { currency: 'EUR', currencies: ['EUR', 'USD'] });
    expect([unknown.hasRate(0), unknown.hasRate(1)]).toEqual([true, false]);
  });
});
