import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, EXACT_ONE, Exact } from '../../kernel/index.ts';
import { Ledger } from '../account/index.ts';
import { contractsOf, type Instrument, instrumentsOf } from '../settings/instruments.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { closableBy, LiveAccount } from './fill-account.ts';
import { leverageAt, Maintenance, MarginSum, marginInUse, marginOf } from './margin.ts';

const exact = (value: number | string): Exact => Exact.of(value);
type Given = Parameters<typeof brokerSettingsSchema.parse>[0];

const TERMS: Given = {
  leverage: 4,
  instruments: {
    B: { multiplier: 10, leverage: 5 },
    C: { multiplier: 50, margin: 300, maintenanceMargin: 200 },
    D: { currency: 'EUR', multiplier: 2 },
  },
};
const SYMBOLS = ['A', 'B', 'C', 'D'];

/** Returns an account that bought these units at 10 with its cash, and values them at these marks. */
function accountOf(
  units: readonly number[],
  marks: readonly number[],
  { given = TERMS, cash = 10_000 }: { given?: Given; cash?: number } = {},
) {
  const settings = brokerSettingsSchema.parse(given);
  const instruments = instrumentsOf(SYMBOLS, settings);
  const ledger = new Ledger(SYMBOLS, decimal(cash), {
    currencies: ['USD', 'USD', 'USD', 'EUR'],
    contracts: contractsOf(SYMBOLS, settings),
  });
  ledger.setRate(3, 1.5);
  for (const [symbol, quantity] of units.entries()) {
    if (quantity !== 0)
      ledger.book({
        symbol,
        bar: 0,
        time: 0,
        quantity,
        price: 10,
        commission: 0,
        reason: 'test',
        orderId: 7,
      });
    ledger.mark(symbol, marks[symbol]!);
  }
  return { ledger, instruments, settings, maintenance: new Maintenance(ledger, instruments, settings) };
}

describe('the initial margin', () => {
  const [a, b, c] = accountOf([0, 0, 0, 0], [1, 1, 1, 1]).instruments as [Instrument, Instrument, Instrument];

  it('is the notional divided by the leverage, or the margin per unit', () => {
    expect(marginOf(a, exact(3), exact(20)).toString()).toBe('15');
    expect(marginOf(b, exact(3), exact(20)).toString()).toBe('120');
    expect(marginOf(c, exact(3), exact(20)).toString()).toBe('900');
  });

  it('determines the leverage at a price', () => {
    expect(leverageAt(a, exact(20)).toString()).toBe('4');
    expect(leverageAt(b, exact(20)).toString()).toBe('5');
    expect(Number(leverageAt(c, exact(20)))).toBeCloseTo(1_000 / 300, 12);
  });

  it('of several positions is summed in the account currency', () => {
    const sum = new MarginSum(4);
    expect(sum.isZero).toBe(true);
    expect(sum.total.toString()).toBe('0');
    expect(sum.add(a, exact(3), exact(20), exact(2)).total.toString()).toBe('30');
    expect(sum.isZero).toBe(false);
    const copy = new MarginSum(sum).add(c, exact(2), exact(20), exact('0.5'));
    expect([sum.total.toString(), copy.total.toString()]).toEqual(['30', '330']);
    expect(copy.add(a, exact(-3), exact(20), exact(2)).total.toString()).toBe('300');
    expect(copy.isZero).toBe(false);
    expect(copy.add(c, exact(-2), exact(20), exact('0.5')).isZero).toBe(true);
  });

  it('in use is the sum of the margins of all positions at their marks', () => {
    const { ledger, instruments } = accountOf([8, -2, 1, -4], [12, 15, 9, 20]);
    // 8 × 12 / 4 + 2 × 15 × 10 / 5 + 300 + 4 × 20 × 2 × 1.5 / 4
    expect(marginInUse(ledger, instruments, 4).total.toString()).toBe('444');
    const flat = accountOf([0, 0, 0, 0], [12, 15, 9, 20]);
    expect(marginInUse(flat.ledger, flat.instruments, 4).isZero).toBe(true);
  });
});

describe('the maintenance margin', () => {
  it('is checked only if the settings define one or allow leverage', () => {
    const isSet = (given: Given): boolean =>
      accountOf([0, 0, 0, 0], [1, 1, 1, 1], { given }).maintenance.isSet;
    expect(isSet({})).toBe(false);
    expect(isSet({ maintenanceMargin: 0.1 })).toBe(true);
    expect(isSet({ leverage: 2 })).toBe(true);
    expect(isSet({ leverage: 2, maintenanceMargin: 0 })).toBe(false);
    expect(isSet({ instruments: { B: { leverage: 2 } } })).toBe(true);
  });

  it('is breached if equity is below it, but not if equity is equal to it', () => {
    const run: Given = { leverage: 4, maintenanceMargin: 0.25 };
    // The equity of 8 units at 10 is cash − 80 + 8 × mark. At a mark of 10 the margin is 20.
    const breachedAt = (cash: number): number[] =>
      accountOf([8, 0, 0, 0], [10, 10, 10, 10], { given: run, cash }).maintenance.breached();
    expect([breachedAt(20), breachedAt(19.99)]).toEqual([[], [0]]);
    // B has its own leverage and needs 2 × 10 × 10 / 5 / 2 = 20. C has its own margin and needs 200.
    const ownAt = (cash: number): number[] =>
      accountOf([0, 2, 1, 0], [10, 10, 10, 10], { cash }).maintenance.breached();
    expect([ownAt(220), ownAt(219.99)]).toEqual([[], [1]]);
    expect(accountOf([0, 0, 0, 0], [1, 1, 1, 1], { cash: 0.01 }).maintenance.breached()).toEqual([]);
  });

  it('selects the largest losses until equity is sufficient, and equal losses in order of symbols', () => {
    const given: Given = { leverage: 4, maintenanceMargin: 0.5 };
    // Losses: A 8 × 1, B 8 × 2, C 8 × 1, D a profit of 8 × 1 in another currency.
    const selected = (cash: number): number[] =>
      accountOf([8, 8, 8, 8], [9, 8, 9, 11], { given, cash }).maintenance.breached();
    const equity = (cash: number): number =>
      accountOf([8, 8, 8, 8], [9, 8, 9, 11], { given, cash }).ledger.equityNumber;
    // With a rate of 1.5, D has an exposure of 8 × 11 × 1.5 = 132. All exposures sum to 340.
    expect(equity(1_000)).toBe(1_000 - 8 - 16 - 8 + 12);
    expect(selected(170 + 20)).toEqual([]);
    expect(selected(169.9 + 20)).toEqual([1]);
    expect(selected(138 + 20)).toEqual([1]);
    expect(selected(137.9 + 20)).toEqual([1, 0]);
    expect(selected(101.9 + 20)).toEqual([1, 0, 2]);
    expect(selected(65.9 + 20)).toEqual([1, 0, 2, 3]);
  });

  it('selects positions with instrument-specific margins in the same way', () => {
    // Losses: A 4, B 2 × 10, C 50. Margins: 4 × 9 / 8 = 4.5, 2 × 9 × 10 / 10 = 18, and 200.
    const selected = (equity: number): number[] =>
      accountOf([4, 2, 1, 0], [9, 9, 9, 9], { cash: equity + 74 }).maintenance.breached();
    expect(selected(222.5)).toEqual([]);
    expect(selected(222.4)).toEqual([2]);
    expect(selected(22.5)).toEqual([2]);
    expect(selected(22.4)).toEqual([2, 1]);
    expect(selected(4.5)).toEqual([2, 1]);
    expect(selected(4.4)).toEqual([2, 1, 0]);
  });
});

describe('the account at a fill', () => {
  const { ledger, instruments } = accountOf([8, -2, 1, 0], [12, 15, 9, 20]);
  const account = new LiveAccount(ledger, instruments, 4);

  it('reports the quantities, equity, margin and exposure of the ledger', () => {
    expect([account.quantity(1).toString(), account.unitsAt(1)]).toEqual(['-2', -2]);
    expect(account.openQuantity(0, 7).toString()).toBe('8');
    expect(account.openQuantity(0, 8).toString()).toBe('0');
    expect(account.equity.number).toBe(ledger.equityNumber);
    expect(account.equity.exact().toString()).toBe(ledger.exactEquity.toString());
    expect(account.powerBase.number).toBe(ledger.equityNumber);
    expect(account.marginInUse().total.toString()).toBe('384');
    expect(account.claimedBefore().toString()).toBe('0');
    expect(account.lost).toBe(false);
    expect(account.exposure(1)).toEqual({
      heldUnits: -2,
      heldValue: -300,
      gross: 96 + 300 + 450,
      net: 96 - 300 + 450,
      openPositions: 3,
    });
  });

  it('determines the units that a fill on the other side closes', () => {
    const closable = (side: 1 | -1): string[] =>
      [0, 1, 3].map((symbol) => closableBy(side, account, symbol).toString());
    expect(closable(1)).toEqual(['0', '2', '0']);
    expect(closable(-1)).toEqual(['8', '0', '0']);
  });
});

describe('a sum of margins', () => {
  it('does not depend on the order of the positions', () => {
    const { instruments } = accountOf([0, 0, 0, 0], [1, 1, 1, 1]);
    const position = fc.record({
      symbol: fc.nat(3),
      units: fc.nat(99),
      price: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(position, { maxLength: 6 }), (positions) => {
        const totalOf = (given: typeof positions): string => {
          const sum = new MarginSum(4);
          for (const { symbol, units, price } of given)
            sum.add(instruments[symbol]!, exact(units), exact(price), EXACT_ONE);
          return sum.total.toString();
        };
        expect(totalOf(positions.toReversed())).toBe(totalOf(positions));
      }),
    );
  });
});
