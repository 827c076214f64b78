import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, decimal, decimalString, ZERO } from '../../kernel/index.ts';
import { Ledger } from './ledger.ts';
import type { Trade } from './trade.ts';

const SYMBOLS = ['A', 'B', 'C'];
const CASH = 100_000n;
// Random fills use integers. Quantities are in thousandths of a unit; prices and commissions are in
// ten-thousandths.
const QUANTITY = 1_000n;
const PRICE = 10_000n;
/**
 * Scale of all money in the model: the scale of quantity times price. Commissions are converted to this
 * scale.
 */
const MONEY = QUANTITY * PRICE;

interface Step {
  readonly symbol: number;
  readonly quantity: bigint;
  readonly price: bigint;
  readonly commission: bigint;
  readonly mark: bigint;
}

const step: fc.Arbitrary<Step> = fc.record({
  symbol: fc.nat({ max: SYMBOLS.length - 1 }),
  quantity: fc
    .oneof(
      fc.bigInt({ min: -5n, max: 5n }).map((units) => units * QUANTITY),
      fc.bigInt({ min: -20_000n, max: 20_000n }),
    )
    .filter((quantity) => quantity !== 0n),
  price: fc.bigInt({ min: 1n, max: 5_000_000n }),
  commission: fc.bigInt({ min: 0n, max: 30_000n }),
  mark: fc.bigInt({ min: 1n, max: 5_000_000n }),
});

const steps = fc.array(step, { minLength: 1, maxLength: 60 });

const toDecimal = (value: bigint, scale: bigint): Decimal =>
  decimal(value.toString()).dividedBy(scale.toString());

/**
 * Simple reference account in integers. Each opening fill adds one lot. A closing fill removes units from the
 * oldest lots first.
 */
class NaiveAccount {
  cash = CASH * MONEY;
  readonly lots: { quantity: bigint; price: bigint }[][] = SYMBOLS.map(() => []);
  readonly closed: string[] = [];
  readonly marks = SYMBOLS.map(() => 0n);

  book({ symbol, quantity, price, commission, mark }: Step): void {
    this.cash -= quantity * price + commission * QUANTITY;
    const lots = this.lots[symbol]!;
    let left = quantity;
    while (left !== 0n && lots.length > 0 && lots[0]!.quantity > 0n !== left > 0n) {
      const lot = lots[0]!;
      const size = lot.quantity < 0n ? -lot.quantity : lot.quantity;
      const wanted = left < 0n ? -left : left;
      const matched = size < wanted ? size : wanted;
      const long = lot.quantity > 0n;
      const gross = matched * (long ? price - lot.price : lot.price - price);
      this.closed.push(
        `${SYMBOLS[symbol]} ${long ? 'long' : 'short'} ${matched} ${lot.price} ${price} ${gross}`,
      );
      lot.quantity += long ? -matched : matched;
      left += long ? matched : -matched;
      if (lot.quantity === 0n) lots.shift();
    }
    if (left !== 0n) lots.push({ quantity: left, price });
    this.marks[symbol] = mark;
  }

  quantity(symbol: number): bigint {
    return this.lots[symbol]!.reduce((sum, lot) => sum + lot.quantity, 0n);
  }

  equity(): bigint {
    return SYMBOLS.reduce((sum, _, symbol) => sum + this.quantity(symbol) * this.marks[symbol]!, this.cash);
  }
}

function book(ledger: Ledger, { symbol, quantity, price, commission, mark }: Step, bar: number): Trade[] {
  const trades = ledger.book({
    symbol,
    bar,
    time: bar,
    quantity: toDecimal(quantity, QUANTITY),
    price: toDecimal(price, PRICE),
    commission: toDecimal(commission, PRICE),
    reason: 'test',
  });
  ledger.mark(symbol, toDecimal(mark, PRICE).toNumber());
  return trades;
}

const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

describe('Ledger, for any sequence of bookings', () => {
  it('has cash + Σ quantity × mark = equity, exactly, after every fill', () => {
    fc.assert(
      fc.property(steps, (path) => {
        const ledger = new Ledger(SYMBOLS, decimal(CASH.toString()));
        path.forEach((one, bar) => {
          book(ledger, one, bar);
          const positions = sum(
            SYMBOLS.map((name) => {
              const { quantity, mark } = ledger.position(name);
              return quantity.times(mark);
            }),
          );
          expect(decimalString(ledger.equity)).toBe(decimalString(ledger.cash.plus(positions)));
          expect(ledger.equityNumber).toBeCloseTo(ledger.equity.toNumber(), 4);
        });
      }),
    );
  });

  it('has Σ net profit of closed and open trades = equity − initial cash, exactly', () => {
    fc.assert(
      fc.property(steps, (path) => {
        const ledger = new Ledger(SYMBOLS, decimal(CASH.toString()));
        path.forEach((one, bar) => {
          const closed = book(ledger, one, bar);
          for (const trade of closed) expect(ledger.closedTrades).toContain(trade);
        });
        const trades = [...ledger.closedTrades, ...ledger.openTrades()];
        const profit = sum(trades.map(({ netPnl }) => netPnl));
        expect(decimalString(profit)).toBe(decimalString(ledger.equity.minus(CASH.toString())));
        expect(decimalString(sum(trades.map(({ commission }) => commission)))).toBe(
          decimalString(ledger.commissionPaid),
        );
        expect(decimalString(ledger.realisedPnl)).toBe(
          decimalString(sum(ledger.closedTrades.map(({ netPnl }) => netPnl))),
        );
        expect(trades.map(({ id }) => id)).toEqual(trades.map((_, index) => index + 1));
      }),
    );
  });

  it('agrees with a simple integer account: cash, positions, equity and every closed trade', () => {
    fc.assert(
      fc.property(steps, (path) => {
        const ledger = new Ledger(SYMBOLS, decimal(CASH.toString()));
        const naive = new NaiveAccount();
        path.forEach((one, bar) => {
          book(ledger, one, bar);
          naive.book(one);
          expect(decimalString(ledger.cash)).toBe(decimalString(toDecimal(naive.cash, MONEY)));
          expect(decimalString(ledger.equity)).toBe(decimalString(toDecimal(naive.equity(), MONEY)));
          for (const [symbol, name] of SYMBOLS.entries()) {
            const quantity = toDecimal(naive.quantity(symbol), QUANTITY);
            expect(decimalString(ledger.position(name).quantity)).toBe(decimalString(quantity));
            expect(ledger.units(name)).toBe(quantity.toNumber());
          }
        });
        const closed = ledger.closedTrades.map((trade) =>
          [
            trade.symbol,
            trade.side,
            trade.quantity.times(QUANTITY.toString()),
            trade.entryPrice.times(PRICE.toString()),
            trade.exitPrice.times(PRICE.toString()),
            trade.grossPnl.times(MONEY.toString()),
          ].join(' '),
        );
        expect(closed).toEqual(naive.closed);
      }),
    );
  });

  it('never opens lots of both signs, and values exactly the reported positions', () => {
    fc.assert(
      fc.property(steps, (path) => {
        const ledger = new Ledger(SYMBOLS, decimal(CASH.toString()));
        path.forEach((one, bar) => {
          book(ledger, one, bar);
          check(ledger);
        });
      }),
    );

    function check(ledger: Ledger): void {
      for (const symbol of SYMBOLS) {
        const open = ledger.openTrades().filter((trade) => trade.symbol === symbol);
        const { quantity, unrealisedPnl, averagePrice } = ledger.position(symbol);
        expect(new Set(open.map(({ side }) => side)).size).toBeLessThanOrEqual(1);
        expect(decimalString(sum(open.map((trade) => trade.quantity)))).toBe(decimalString(quantity.abs()));
        expect(decimalString(sum(open.map((trade) => trade.grossPnl)))).toBe(decimalString(unrealisedPnl));
        if (open.length > 0) {
          const prices = open.map((trade) => trade.entryPrice.toNumber());
          expect(averagePrice.toNumber()).toBeGreaterThanOrEqual(Math.min(...prices) * (1 - 1e-12));
          expect(averagePrice.toNumber()).toBeLessThanOrEqual(Math.max(...prices) * (1 + 1e-12));
        }
      }
    }
  });
});
