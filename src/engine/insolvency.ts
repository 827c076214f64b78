import type { Ledger } from '../broker/account/index.ts';
import type { BarPrices, Broker } from '../broker/index.ts';
import type { Decimal } from '../kernel/index.ts';
import type { RunSettings } from './settings/settings.ts';

export interface Insolvency {
  readonly bar: number;
  /** Equity at which the run became insolvent, before its positions were closed. */
  readonly equity: Decimal;
}

/**
 * Checks if an account's debts reach or exceed its assets. Checks at the closes and, if positions are marked
 * at opens, also at the opens.
 */
export class InsolvencyWatch {
  readonly #account: Ledger;
  readonly #orders: Broker;
  readonly #close: BarPrices['close'];
  readonly #ends: boolean;
  readonly #marksOpen: boolean;
  readonly #initialCash: number;
  /** State at which the run became insolvent. `undefined` for a solvent account. */
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

  /**
   * Checks the account at the open of a bar, if the settings mark positions at opens. If insolvent, cancels
   * all orders and closes all positions at the opens, with costs.
   *
   * @returns true if insolvent
   */
  atOpen(bar: number): boolean {
    if (!this.#marksOpen || !this.#isInsolvent()) return false;
    this.#closeAll(bar);
    return true;
  }

  /**
   * Checks for insolvency at the closing prices, even if the run marks positions at opens. If insolvent,
   * cancels all orders and closes each position at its closing price. Otherwise restores the marks.
   *
   * @returns true if insolvent
   */
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

  /**
   * Marks open positions at their closing prices.
   *
   * @returns the previous marks of these positions
   */
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
    // A float64 equity that is clearly above zero proves that the account is solvent. At or above the initial
    // cash, the error of float64 is too small to matter.
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
