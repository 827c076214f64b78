import { type Instant, parseInstant } from '../../kernel/index.ts';
import type { BrokerSettings } from '../settings/settings.ts';

interface Row {
  readonly from: Instant;
  readonly rate: number | undefined;
  readonly available: boolean;
}

/**
 * Availability and fee of shares for short selling by date. Each row of a symbol applies until its next row.
 */
export class BorrowDates {
  readonly #rows: readonly (readonly Row[] | undefined)[];
  readonly #rates: readonly number[];
  readonly #endsBars: boolean;
  #now: Instant = Number.NEGATIVE_INFINITY;

  private constructor(
    rows: readonly (readonly Row[] | undefined)[],
    rates: readonly number[],
    ends: boolean,
  ) {
    this.#rows = rows;
    this.#rates = rates;
    this.#endsBars = ends;
  }

  /** Returns the dates of a run. `undefined` if no instrument has any. */
  static of(
    symbols: readonly string[],
    { instruments, financing }: BrokerSettings,
    barTimes: 'start' | 'end' | undefined,
  ): BorrowDates | undefined {
    const terms = symbols.map((symbol) =>
      Object.hasOwn(instruments, symbol) ? instruments[symbol] : undefined,
    );
    if (terms.every((own) => own?.borrow === undefined)) return undefined;
    const rows = terms.map((own) =>
      own?.borrow?.map(({ from, rate, available = true }) => ({
        from: parseInstant(from)!,
        rate,
        available,
      })),
    );
    const rates = terms.map((own) => own?.borrowRate ?? financing.borrowRate ?? 0);
    return new BorrowDates(rows, rates, barTimes === 'end');
  }

  /** Sets the current bar. */
  startBar(time: Instant): void {
    this.#now = time;
  }

  /** True if a symbol can be sold short in the current bar. */
  isAvailable(symbol: number): boolean {
    return this.#rowAt(symbol, this.#now)?.available ?? true;
  }

  /** Returns the annual fee on a short position that is open at the end of a bar. */
  rateAt(symbol: number, time: Instant): number {
    return this.#rowAt(symbol, time)?.rate ?? this.#rates[symbol]!;
  }

  #rowAt(symbol: number, time: Instant): Row | undefined {
    // A bar that ends at midnight is the last of its date.
    const now = this.#endsBars ? time - 1 : time;
    return this.#rows[symbol]?.findLast(({ from }) => from <= now);
  }
}
