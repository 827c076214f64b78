import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fraction, NaiveAccount, type NaiveContract } from '../../../test/support/naive-account.ts';
import { DAY, type Decimal, decimal, decimalString, Exact, ZERO } from '../../kernel/index.ts';
import { Financing } from './financing.ts';
import { Ledger } from './ledger.ts';

const SYMBOLS = ['A', 'B', 'C'];
const CURRENCIES = ['USD', 'EUR', 'EUR'];
const LOTS = ['1', '0.01', '1'];
const CASH = '100000';
const CREDIT = '0.021';
const DEBIT = '0.07';
const BORROW = ['0', '0.03', '0.25'];

type Step = { readonly symbol: number } & (
  | {
      readonly kind: 'fill';
      /** Number of lots, signed. */
      readonly lots: number;
      readonly price: string;
      readonly commission: string;
      /**
       * Selects the order whose units the fill closes first: 1 is the previous order, 2 the order before
       * that. 0 selects no order.
       */
      readonly back: number;
    }
  | { readonly kind: 'split'; readonly to: number; readonly from: number; readonly price: string }
  | { readonly kind: 'dividend'; readonly perUnit: string }
  | { readonly kind: 'close'; readonly days: number; readonly mark: string; readonly rate: string }
);

const amount = (most: number, places: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: most }).map((value) => decimalString(decimal(value).dividedBy(10 ** places)));
const symbol = fc.nat({ max: SYMBOLS.length - 1 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      symbol,
      lots: fc.integer({ min: -60, max: 60 }).filter((lots) => lots !== 0),
      price: amount(2_000_000, 4),
      commission: amount(900, 2),
      back: fc.nat({ max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('split' as const),
      symbol,
      to: fc.integer({ min: 1, max: 12 }),
      from: fc.integer({ min: 1, max: 12 }),
      price: amount(90_000, 2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('dividend' as const), symbol, perUnit: amount(500, 3) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      symbol,
      days: fc.integer({ min: 1, max: 5 }),
      mark: amount(900_000, 3),
      rate: amount(20_000, 4),
    }),
  },
);
const steps = fc.array(step, { minLength: 1, maxLength: 60 });

/** The ledger under test and a naive reference account. Both receive the same steps. */
class Pair {
  readonly ledger: Ledger;
  readonly naive: NaiveAccount;
  readonly financing: Financing;
  entries = ZERO;
  #bar = 0;
  #time = 0;

  constructor(lots: 'fifo' | 'average', contracts: readonly (readonly [string, boolean])[]) {
    const exact = contracts.map(([one, margined]) => ({ multiplier: Exact.of(one), margined }));
    const paper = contracts.map(([one, margined]): NaiveContract => ({ point: Fraction.of(one), margined }));
    const options = { lots, currencies: CURRENCIES };
    this.ledger = new Ledger(
      SYMBOLS,
      decimal(CASH),
      paper.length === 0 ? options : { ...options, contracts: exact },
    );
    this.naive = new NaiveAccount(SYMBOLS.length, Fraction.of(CASH), lots === 'average', paper);
    const terms = { creditRate: Number(CREDIT), debitRate: Number(DEBIT), borrowRates: BORROW.map(Number) };
    this.financing = new Financing(terms, this.ledger);
    for (const symbol of [1, 2]) this.#rate(symbol, '1.25');
  }

  get orders(): number {
    return this.#bar;
  }

  take(one: Step): void {
    this.#bar += 1;
    const { ledger, naive } = this;
    const { symbol } = one;
    if (one.kind === 'fill') {
      const order = this.#bar;
      const closes = one.back === 0 ? undefined : order - one.back;
      const quantity = decimal(one.lots).times(LOTS[symbol]!);
      const { price, commission } = one;
      ledger.book({
        symbol,
        bar: order,
        time: this.#time,
        quantity,
        price,
        commission,
        reason: 'test',
        orderId: order,
        ...(closes === undefined ? {} : { closesOrder: closes }),
      });
      naive.fill(symbol, {
        order,
        closes,
        units: Fraction.of(decimalString(quantity)),
        price: Fraction.of(price),
        commission: Fraction.of(commission),
      });
      this.#mark(symbol, price);
    } else if (one.kind === 'split') {
      this.#mark(symbol, one.price);
      const ratio = { to: Exact.of(one.to), from: Exact.of(one.from) };
      const at = { bar: this.#bar, time: this.#time, price: Number(one.price) };
      ledger.split(symbol, ratio, Exact.of(LOTS[symbol]!), at);
      const factor = new Fraction(BigInt(one.to), BigInt(one.from));
      naive.split(symbol, factor, Fraction.of(LOTS[symbol]!), Fraction.of(one.price));
    } else if (one.kind === 'dividend') {
      const paid = ledger.unitValue(symbol, ledger.quantity(symbol).times(Exact.of(one.perUnit)));
      ledger.post('dividend', paid);
      this.#entry(paid.toDecimal(), naive.dividend(symbol, Fraction.of(one.perUnit)));
    } else {
      this.#mark(symbol, one.mark);
      if (symbol > 0) this.#rate(symbol, one.rate);
      this.#time += one.days * DAY;
      const accrued = this.financing.accrue(this.#time);
      const charged = naive.close(
        new Fraction(BigInt(one.days)),
        Fraction.of(CREDIT),
        Fraction.of(DEBIT),
        BORROW.map((rate) => Fraction.of(rate)),
      );
      const sum = accrued.reduce((total, entry) => total.plus(entry.amount.toDecimal()), ZERO);
      this.#entry(sum, charged);
    }
  }

  #entry(paid: Decimal, expected: Fraction): void {
    this.same(paid, expected);
    this.entries = this.entries.plus(paid);
  }

  /**
   * Compares two values for equality. With a margined symbol a difference below 1e-6 is allowed, because the
   * cost of a partly closed lot is rounded to 12 decimal places.
   */
  same(actual: Decimal, expected: Fraction): void {
    if (!this.ledger.contractOf(2).margined) return same(actual, expected);
    const off = Fraction.of(decimalString(actual)).minus(expected);
    expect(Math.abs(off.toNumber())).toBeLessThan(1e-6);
  }

  #mark(symbol: number, price: string): void {
    this.ledger.mark(symbol, Number(price));
    this.naive.holdings[symbol]!.mark = Fraction.of(price);
  }

  #rate(symbol: number, rate: string): void {
    this.ledger.setRate(symbol, Number(rate));
    this.naive.holdings[symbol]!.rate = Fraction.of(rate);
  }
}

function same(actual: Decimal, expected: Fraction): void {
  const difference = Fraction.of(decimalString(actual)).minus(expected);
  expect(`${difference.top}/${difference.bottom}`).toBe('0/1');
}

const sum = (values: readonly Decimal[]): Decimal => values.reduce((total, value) => total.plus(value), ZERO);

const CONTRACTS = [
  ['50', false],
  ['0.125', false],
  ['1', false],
] as const;
const MARGINED = [
  ['50', true],
  ['0.125', false],
  ['12.5', true],
] as const;

describe.each([
  ['fifo', 'shares', []],
  ['average', 'shares', []],
  ['fifo', 'contracts', CONTRACTS],
  ['average', 'contracts', CONTRACTS],
  ['fifo', 'contracts on margin', MARGINED],
  ['average', 'contracts on margin', MARGINED],
] as const)('Ledger with %s lots of %s, compared with exact fractions', (lots, _, contracts) => {
  const afterEachStep = (check: (pair: Pair) => void): void => {
    fc.assert(
      fc.property(steps, (path) => {
        const pair = new Pair(lots, contracts);
        for (const one of path) {
          pair.take(one);
          check(pair);
        }
      }),
      { numRuns: 150 },
    );
  };

  it('has the same cash, equity and positions to the last digit, after every event', () => {
    afterEachStep((pair) => {
      const { ledger, naive } = pair;
      pair.same(ledger.cash, naive.cash);
      pair.same(ledger.equity, naive.equity);
      for (const [index, name] of SYMBOLS.entries()) {
        same(ledger.position(name).quantity, naive.holdings[index]!.units);
      }
      expect(ledger.equityNumber).toBeCloseTo(ledger.equity.toNumber(), 3);
    });
  });

  it('reports the open whole lots of each order', () => {
    afterEachStep(({ ledger, naive, orders }) => {
      for (const index of SYMBOLS.keys()) {
        let open = ZERO;
        for (let order = 1; order <= orders; order++) {
          const left = ledger.openQuantity(index, order);
          same(left.toDecimal(), naive.open(index, order));
          open = open.plus(left.toDecimal());
        }
        expect(decimalString(open)).toBe(decimalString(ledger.quantity(index).abs().toDecimal()));
      }
    });
  });

  it('has the same profits, except for costs that are divided at 12 decimal places', () => {
    afterEachStep(({ ledger, naive }) => {
      const gross = sum(ledger.closedTrades.map(({ grossPnl }) => grossPnl));
      expect(Math.abs(gross.toNumber() - naive.realised.toNumber())).toBeLessThan(1e-6);
      for (const [index, name] of SYMBOLS.entries()) {
        const { unrealisedPnl } = ledger.position(name);
        expect(Math.abs(unrealisedPnl.toNumber() - naive.unrealised(index).toNumber())).toBeLessThan(1e-6);
      }
    });
  });

  it('reconciles: net profits and cash entries equal the change in equity', () => {
    afterEachStep(({ ledger, entries }) => {
      const trades = [...ledger.closedTrades, ...ledger.openTrades()];
      const profit = sum(trades.map(({ netPnl }) => netPnl));
      const moved = ledger.equity.minus(CASH);
      expect(decimalString(profit.plus(entries))).toBe(decimalString(moved));
      const byKind = sum(Object.values(ledger.cashByKind));
      expect(decimalString(byKind)).toBe(decimalString(entries.minus(ledger.commissionPaid)));
      expect(trades.map(({ id }) => id)).toEqual(trades.map((_, index) => index + 1));
      // The gross profit includes the currency part: gross = price part + currency part.
      for (const { fxPnl, grossPnl, entryRate, exitRate, symbol } of trades) {
        if (symbol === 'A') expect([decimalString(fxPnl), decimalString(entryRate)]).toEqual(['0', '1']);
        // For a margined position only the profit is converted at the exchange rate, so the currency part is
        // zero.
        if (ledger.contractOf(SYMBOLS.indexOf(symbol)).margined) expect(fxPnl.toNumber()).toBeCloseTo(0, 12);
        if (entryRate.equals(exitRate)) expect(Math.abs(fxPnl.toNumber())).toBeLessThan(1e-6);
        expect(grossPnl.isFinite()).toBe(true);
      }
    });
  });
});
