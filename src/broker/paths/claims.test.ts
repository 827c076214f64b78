import { describe, expect, it } from 'vitest';
import { decimal, Exact } from '../../kernel/index.ts';
import { Ledger } from '../account/index.ts';
import { instrumentsOf } from '../settings/instruments.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { Snapshot, type Wanted } from './claims.ts';

const INSTRUMENTS = instrumentsOf(['A', 'E', 'N'], brokerSettingsSchema.parse({}));

/**
 * Account with equity of 10,000 dollars: 10 units of A bought at 100 dollars, 5 units of E sold short at 40
 * euros, and cash. One euro is 1.5 dollars.
 */
function account(): Ledger {
  const ledger = new Ledger(['A', 'E', 'N'], decimal('10000'), {
    currency: 'USD',
    currencies: ['USD', 'EUR', 'USD'],
  });
  ledger.setRate(1, 1.5);
  const at = { bar: 0, time: 0, commission: decimal(0), reason: 'test' };
  ledger.book({ ...at, symbol: 0, quantity: decimal(10), price: decimal(100) });
  ledger.book({ ...at, symbol: 1, quantity: decimal(-5), price: decimal(40) });
  ledger.mark(0, 100);
  ledger.mark(1, 40);
  return ledger;
}

const wanted = (id: number, symbol: number, amount: number, group?: string): Wanted => ({
  id,
  symbol,
  amount: Exact.of(amount),
  group,
});

describe('the account snapshot at the open of a bar', () => {
  it('values positions in the currency of the account', () => {
    const snapshot = new Snapshot(account(), INSTRUMENTS, 1, () => []);
    expect(snapshot.equity.number).toBe(10_000);
    expect(snapshot.equity.exact().toString()).toBe('10000');
    expect(snapshot.marginInUse.total.toString()).toBe(String(1000 + 5 * 40 * 1.5));
    expect(snapshot.exposure(2, 0)).toEqual({
      heldUnits: 0,
      heldValue: 0,
      gross: 1300,
      net: 700,
      openPositions: 2,
    });
  });

  it('values the current symbol by the simulated position, and the others by their positions at the open', () => {
    const snapshot = new Snapshot(account(), INSTRUMENTS, 1, () => []);
    expect(snapshot.exposure(1, -8)).toEqual({
      heldUnits: -8,
      heldValue: -480,
      gross: 1480,
      net: 520,
      openPositions: 2,
    });
    expect(snapshot.exposure(1, 0)).toMatchObject({ gross: 1000, net: 1000, openPositions: 1 });
  });

  it('does not change with later bookings', () => {
    const ledger = account();
    const snapshot = new Snapshot(ledger, INSTRUMENTS, 1, () => []);
    const at = { bar: 0, time: 0, commission: decimal(0), reason: 'test' };
    ledger.book({ ...at, symbol: 2, quantity: decimal(100), price: decimal(1) });
    ledger.mark(0, 200);
    expect(snapshot.equity.number).toBe(10_000);
    expect(snapshot.marginInUse.total.toString()).toBe('1300');
    expect(snapshot.equity.exact().toString()).toBe('10000');
  });

  it('includes positions that a decided symbol opened, and does not free what it closed', () => {
    const ledger = account();
    const snapshot = new Snapshot(ledger, INSTRUMENTS, 1, () => []);
    const at = { bar: 0, time: 0, commission: decimal(0), reason: 'test' };
    ledger.book({ ...at, symbol: 0, quantity: decimal(-4), price: decimal(100) });
    snapshot.decide(0, Exact.of(0));
    expect(snapshot.exposure(2, 0).gross).toBe(1300);
    ledger.book({ ...at, symbol: 1, quantity: decimal(-3), price: decimal(40) });
    snapshot.decide(1, Exact.of(180));
    // Gross exposure: 1,000 in A plus 8 short units of E at 60 dollars each (480).
    expect(snapshot.exposure(2, 0)).toMatchObject({ gross: 1480, net: 520 });
    expect(snapshot.claimedByOthers(2, 9).toString()).toBe('180');
  });
});

describe('buying power that other symbols claim', () => {
  const claimed = (symbol: number, id: number, ...all: readonly Wanted[]): string =>
    new Snapshot(account(), INSTRUMENTS, 1, () => all).claimedByOthers(symbol, id).toString();

  it('is the requirement of their older orders', () => {
    const all = [wanted(1, 0, 100), wanted(2, 1, 30), wanted(4, 1, 7)];
    expect(claimed(2, 3, ...all)).toBe('130');
    expect(claimed(2, 4, ...all)).toBe('130');
    expect(claimed(2, 5, ...all)).toBe('137');
    // Orders of the evaluated symbol are not counted here, because the price path of this symbol evaluates
    // them.
    expect(claimed(1, 5, ...all)).toBe('100');
  });

  it('is that of the largest order of a group, because only one order fills', () => {
    const all = [wanted(1, 0, 50, 'oco'), wanted(2, 1, 80, 'oco'), wanted(3, 0, 60, 'oco'), wanted(4, 0, 5)];
    expect(claimed(2, 9, ...all)).toBe('85');
    expect(claimed(2, 9, wanted(1, 0, 50, 'a'), wanted(2, 0, 60, 'b'))).toBe('110');
  });

  it('is the used amount of a decided symbol instead of its requirement', () => {
    const snapshot = new Snapshot(account(), INSTRUMENTS, 1, () => [wanted(1, 0, 100), wanted(2, 1, 30)]);
    snapshot.decide(0, Exact.of(12));
    expect(snapshot.claimedByOthers(2, 9).toString()).toBe('42');
  });
});
