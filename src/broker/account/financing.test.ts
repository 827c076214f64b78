import { describe, expect, it } from 'vitest';
import { DAY, decimal, EXACT_ONE, Exact } from '../../kernel/index.ts';
import { type CashEntry, Financing, type FinancingTerms } from './financing.ts';
import { Ledger } from './ledger.ts';

const NO_RATES: FinancingTerms = { creditRate: 0, debitRate: 0, borrowRates: [0, 0] };

/** Returns an account with `a` units of share A and `b` units of margined contract B, all bought at 10. */
function ledgerOf(cash: number, a: number, b = 0): Ledger {
  const ledger = new Ledger(['A', 'B'], decimal(cash), {
    contracts: [
      { multiplier: EXACT_ONE, margined: false },
      { multiplier: Exact.of(5), margined: true, margin: Exact.of(2) },
    ],
  });
  for (const [symbol, quantity] of [a, b].entries()) {
    if (quantity !== 0)
      ledger.book({ symbol, bar: 0, time: 0, quantity, price: 10, commission: 0, reason: 'test' });
    ledger.mark(symbol, 10);
  }
  return ledger;
}

const shown = (entries: readonly CashEntry[]) =>
  entries.map(({ kind, symbol, amount, base, annualRate, days }) => [
    kind,
    symbol,
    `${amount}`,
    `${base}`,
    annualRate,
    days,
  ]);

describe('financing', () => {
  it('is needed if any rate is set', () => {
    expect(Financing.isNeeded(NO_RATES)).toBe(false);
    expect(Financing.isNeeded({ ...NO_RATES, creditRate: -0.01 })).toBe(true);
    expect(Financing.isNeeded({ ...NO_RATES, debitRate: 0.01 })).toBe(true);
    expect(Financing.isNeeded({ ...NO_RATES, borrowRates: [0, 0.01] })).toBe(true);
    expect(Financing.isNeeded({ ...NO_RATES, borrowRateAt: () => 0 })).toBe(true);
  });

  it('pays interest on the cash at the previous close, by calendar days divided by 365', () => {
    const ledger = ledgerOf(7_300, 0);
    const financing = new Financing({ ...NO_RATES, creditRate: 0.05, debitRate: 0.1 }, ledger);
    expect(financing.accrue(5 * DAY)).toEqual([]);
    // 7,300 × 0.05 × 3 / 365
    expect(shown(financing.accrue(8 * DAY))).toEqual([['interest', undefined, '3', '7300', 0.05, 3]]);
    expect(ledger.exactCash.toString()).toBe('7303');
    expect(shown(financing.accrue(8.5 * DAY))).toEqual([
      ['interest', undefined, '0.50020548', '7303', 0.05, 0.5],
    ]);
  });

  it('charges margin interest on borrowed cash', () => {
    const ledger = ledgerOf(1_000, 830);
    const financing = new Financing({ ...NO_RATES, creditRate: 0.05, debitRate: 0.1 }, ledger);
    financing.accrue(0);
    expect(shown(financing.accrue(DAY))).toEqual([['margin_interest', undefined, '-2', '7300', 0.1, 1]]);
    expect(ledger.exactCash.toString()).toBe('-7302');
    expect(Number(ledger.cashByKind.margin_interest)).toBe(-2);
  });

  it('charges nothing for a rate of zero, a balance of zero or no elapsed time', () => {
    const financing = new Financing({ ...NO_RATES, debitRate: 0.1 }, ledgerOf(7_300, 0));
    financing.accrue(0);
    expect(financing.accrue(DAY)).toEqual([]);
    const empty = new Financing({ ...NO_RATES, creditRate: 0.1, debitRate: 0.1 }, ledgerOf(0, 0));
    empty.accrue(0);
    expect(empty.accrue(DAY)).toEqual([]);
    const same = new Financing({ ...NO_RATES, creditRate: 0.1 }, ledgerOf(7_300, 0));
    same.accrue(DAY);
    expect(same.accrue(DAY)).toEqual([]);
  });

  it('charges a fee on the value of a short position, whose proceeds earn no interest', () => {
    const ledger = ledgerOf(3_650, -73);
    const financing = new Financing({ creditRate: 0.1, debitRate: 0, borrowRates: [0.2, 0.3] }, ledger);
    ledger.mark(0, 20);
    financing.accrue(0);
    // Cash is 3,650 + 730. The short position is worth 1,460, which leaves 2,920.
    expect(shown(financing.accrue(DAY))).toEqual([
      ['interest', undefined, '0.8', '2920', 0.1, 1],
      ['borrow_fee', 0, '-0.8', '1460', 0.2, 1],
    ]);
    expect(ledger.exactCash.toString()).toBe('4380');
  });

  it('charges no borrow fee for a long position', () => {
    const financing = new Financing({ ...NO_RATES, borrowRates: [0.2, 0.2] }, ledgerOf(730, 73));
    financing.accrue(0);
    expect(financing.accrue(DAY)).toEqual([]);
  });

  it('uses the borrow rate of the close from which the position is carried', () => {
    const rates: number[] = [];
    const borrowRateAt = (symbol: number, time: number): number => {
      rates.push(symbol, time);
      return time === DAY ? 0.5 : 0;
    };
    const ledger = ledgerOf(0, -73);
    const financing = new Financing({ ...NO_RATES, borrowRates: [0.2, 0.2], borrowRateAt }, ledger);
    financing.accrue(0, 40 * DAY);
    expect(financing.accrue(DAY, 41 * DAY)).toEqual([]);
    expect(shown(financing.accrue(2 * DAY, 43 * DAY))).toEqual([['borrow_fee', 0, '-2', '730', 0.5, 2]]);
    expect(rates).toEqual([0, 0, 0, DAY, 0, 2 * DAY]);
  });

  it('adds the open profit of a margined position to cash, and charges no fee for it', () => {
    const ledger = ledgerOf(7_000, 0, -10);
    const financing = new Financing({ creditRate: 0.05, debitRate: 0, borrowRates: [0.2, 0.2] }, ledger);
    ledger.mark(1, 4);
    financing.accrue(0);
    // 10 short contracts gain 6 points of 5 each: 7,000 + 300.
    expect(shown(financing.accrue(DAY))).toEqual([['interest', undefined, '1', '7300', 0.05, 1]]);
  });
});
