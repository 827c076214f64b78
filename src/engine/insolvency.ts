import type { Ledger } from '../account/index.ts';
import type { BarPrices, Broker } from '../broker/index.ts';
import type { Decimal } from '../kernel/index.ts';
import type { RunSettings } from './settings.ts';

export interface Insolvency {
  readonly bar: number;
  /** At the mark, before everything was closed there. */
  readonly equity: Decimal;
}

/** Looks whether an account owes what it owns, at the closes and, where these are marks, at the opens. */
export class InsolvencyWatch {
  readonly #account: Ledger;
  readonly #orders: Broker;
  readonly #close: BarPrices['close'];
  readonly #ends: boolean;
  readonly #marksOpen: boolean;
  readonly #initialCash: number;
  /** Where the run ended insolvent; undefined while it has not. */
  found: Insolvency | undefined;

  constructor(
    account: Ledger,
    orders: Broker,
    { close }: BarPrices,
    { allowNegativeEquity, mark, cash }: RunSettings,
  ) {
    this.#account = account;
    this.#orders = orders;
    this.#close = close;
    this.#ends = allowNegativeEquity !== true;
    this.#marksOpen = mark === 'open';
    this.#initialCash = Number(cash);
  }

  /** Whether nothing is left at the opens, where these are marks: then everything is closed at them, with its costs. */
  atOpen(bar: number): boolean {
    if (!this.#marksOpen || !this.#isInsolvent()) return false;
    this.#closeAll(bar);
    return true;
  }

  /** Whether nothing is left at the closes, whatever the account is marked at: then everything is closed at them. */
  atClose(bar: number): boolean {
    const before = this.#marksOpen && this.#ends ? this.#markAtCloses() : undefined;
    if (this.#isInsolvent()) {
      this.#closeAll(bar);
      return true;
    }
    before?.forEach((mark, symbol) => {
      this.#account.mark(symbol, mark);
    });
    return false;
  }

  /** @returns the marks of what is held as they were */
  #markAtCloses(): Map<number, number> {
    const before = new Map<number, number>();
    for (let symbol = 0; symbol < this.#close.length; symbol++) {
      if (this.#account.unitsAt(symbol) === 0) continue;
      before.set(symbol, this.#account.markOf(symbol).toNumber());
      this.#account.mark(symbol, this.#close[symbol]!);
    }
    return before;
  }

  #isInsolvent(): boolean {
    if (!this.#ends) return false;
    const account = this.#account;
    // The float64 decides alone where it cannot err; above the initial cash it never errs by all of it.
    const quick = account.equityNumber;
    if (quick >= this.#initialCash) return false;
    if (quick > 1e-9 * (account.grossExposureNumber + Math.abs(account.cashNumber))) return false;
    return !account.exactEquity.isPositive();
  }

  #closeAll(bar: number): void {
    this.found = { bar, equity: this.#account.equity };
    this.#orders.closeInsolvent();
  }
}
