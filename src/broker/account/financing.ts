import { DAY, EXACT_ZERO, Exact, type Instant } from '../../kernel/index.ts';
import type { Ledger } from './ledger.ts';

/** Rates of interest on cash and fees for borrowed shares. Annual fractions: 0.05 is 5 % per year. */
export interface FinancingTerms {
  /** Annual rate earned on cash without the proceeds of short sales, as a fraction. May be negative. */
  readonly creditRate: number;
  /** Annual rate paid on borrowed cash, as a fraction. */
  readonly debitRate: number;
  /** Annual rate paid on the value of each symbol's short position, in the market's order of symbols. */
  readonly borrowRates: readonly number[];
  /**
   * Optional function that replaces `borrowRates` if rates change over time. Returns the annual rate, as a
   * fraction, for a symbol's short position that is open at a bar's close (`time`).
   */
  readonly borrowRateAt?: ((symbol: number, time: Instant) => number) | undefined;
}

/** One charge or credit of interest, or one fee for borrowed shares. */
export interface CashEntry {
  readonly kind: 'interest' | 'margin_interest' | 'borrow_fee';
  /** Index of the symbol for a borrow fee. `undefined` for interest. */
  readonly symbol: number | undefined;
  /**
   * Amount in the account's currency: positive if the account receives it, negative if the account pays it.
   */
  readonly amount: Exact;
  /** Amount to which the rate was applied, without sign. */
  readonly base: Exact;
  readonly annualRate: number;
  /** Number of calendar days for which the rate was applied, including fractions of a day. */
  readonly days: number;
}

/**
 * Number of milliseconds in a year of 365 days. Interest uses ACT/365: calendar time divided by this year.
 */
const YEAR = Exact.of(365 * DAY);
/** Decimal places of a charge, rounded half-even. */
const PLACES = 8;

/**
 * Charges interest on cash and fees for borrowed shares at each bar's close.
 *
 * A charge covers the calendar time since the previous close and uses the balances at the previous close. A
 * weekend therefore counts as three days, and a position is charged for each night that it was open.
 */
export class Financing {
  readonly #terms: FinancingTerms;
  readonly #ledger: Ledger;
  #time: Instant = Number.NaN;
  /** Cash minus short proceeds at the last close. Negative if cash is borrowed. */
  #carriedCash: Exact = EXACT_ZERO;
  #carriedShorts: { readonly symbol: number; readonly value: Exact; readonly rate: number }[] = [];

  constructor(terms: FinancingTerms, ledger: Ledger) {
    this.#terms = terms;
    this.#ledger = ledger;
  }

  /** True if any rate is set. Runs without rates skip all financing work. */
  static isNeeded({ creditRate, debitRate, borrowRates, borrowRateAt }: FinancingTerms): boolean {
    return (
      borrowRateAt !== undefined ||
      creditRate !== 0 ||
      debitRate !== 0 ||
      borrowRates.some((rate) => rate !== 0)
    );
  }

  /**
   * Charges interest and borrow fees for the time since the last close, and stores the balances of this
   * close. The ledger must already value its positions at this close.
   *
   * @param interestTime real time of the close. Differs from `time` if the run hides real dates and shows
   *   shifted dates instead
   */
  accrue(time: Instant, interestTime: Instant = time): CashEntry[] {
    const entries = Number.isNaN(this.#time) ? [] : this.#entries(interestTime - this.#time);
    for (const { kind, amount } of entries) this.#ledger.post(kind, amount);
    this.#time = interestTime;
    this.#carry(time);
    return entries;
  }

  #entries(elapsed: number): CashEntry[] {
    const entries: CashEntry[] = [];
    const charge = (kind: CashEntry['kind'], base: Exact, annualRate: number, symbol?: number): void => {
      const accrued = base
        .times(Exact.of(annualRate))
        .times(Exact.of(elapsed))
        .dividedBy(YEAR)
        .toDecimalPlaces(PLACES);
      if (accrued.isZero()) return;
      const amount = kind === 'interest' ? accrued : accrued.negated();
      entries.push({ kind, symbol, amount, base, annualRate, days: elapsed / DAY });
    };
    const { creditRate, debitRate } = this.#terms;
    const cash = this.#carriedCash;
    if (cash.isPositive()) charge('interest', cash, creditRate);
    else charge('margin_interest', cash.negated(), debitRate);
    for (const { symbol, value, rate } of this.#carriedShorts) charge('borrow_fee', value, rate, symbol);
    return entries;
  }

  #carry(time: Instant): void {
    const { borrowRates, borrowRateAt } = this.#terms;
    this.#carriedCash = this.#ledger.exactCash;
    this.#carriedShorts = [];
    for (let symbol = 0; symbol < borrowRates.length; symbol++) {
      const units = this.#ledger.unitsAt(symbol);
      // A margined position has no cost in cash, so its open profit is added to the cash balance that earns
      // interest. The open profit is computed at the last mark of the symbol.
      if (this.#ledger.contractOf(symbol).margined) {
        if (units !== 0) this.#carriedCash = this.#carriedCash.plus(this.#ledger.valueAt(symbol));
        continue;
      }
      if (units >= 0) continue;
      const value = this.#ledger.valueAt(symbol).negated();
      this.#carriedCash = this.#carriedCash.minus(value);
      const rate = borrowRateAt === undefined ? borrowRates[symbol]! : borrowRateAt(symbol, time);
      if (rate !== 0) this.#carriedShorts.push({ symbol, value, rate });
    }
  }
}
