import type { Instant } from '../../kernel/index.ts';

/** A figure that is known. */
export interface KnownFundamental {
  /** The last day of the period it is about. */
  readonly periodEnd: Instant;
  readonly availableAt: Instant;
  readonly value: number;
}

/**
 * The figures of one field of a symbol that are known at a bar, oldest period first: of each period the newest vintage.
 *
 * @param periods so many of the newest; 1 when left out
 * @param options `vintages`: of those periods every figure that is known, restated ones too
 * @returns none for a symbol or a field of which nothing is known
 */
export type ReadFundamentals = (
  symbol: string,
  field: string,
  periods?: number,
  options?: { readonly vintages?: boolean },
) => readonly KnownFundamental[];

/** What was pushed of a symbol's fundamentals, in the order it was known. */
export interface FundamentalRows {
  readonly symbol: string;
  readonly length: number;
  rowAt(row: number): KnownFundamental & { readonly field: string };
}

// Only the feed makes them grow.
export let pushFundamental: (
  book: FundamentalBook,
  symbol: string,
  field: string,
  row: KnownFundamental,
) => void;

/** The fundamentals that were pushed. */
export class FundamentalBook {
  static {
    pushFundamental = (book, symbol, field, row) => book.#push(symbol, field, row);
  }

  readonly #rows = new Map<string, (KnownFundamental & { readonly field: string })[]>();
  readonly #fields = new Map<string, Map<string, KnownFundamental[]>>();

  #push(symbol: string, field: string, row: KnownFundamental): void {
    const rows = this.#rows.get(symbol) ?? [];
    rows.push({ field, ...row });
    this.#rows.set(symbol, rows);
    const fields = this.#fields.get(symbol) ?? new Map<string, KnownFundamental[]>();
    this.#fields.set(symbol, fields);
    const own = fields.get(field) ?? [];
    fields.set(field, own);
    own.push(row);
  }

  /** Fields of a symbol of which something is known, in order of their names. */
  fieldsOf(symbol: string): readonly string[] {
    return [...(this.#fields.get(symbol)?.keys() ?? [])].sort();
  }

  /** See `ReadFundamentals`. */
  read: ReadFundamentals = (symbol, field, periods = 1, { vintages = false } = {}) => {
    const rows = [...(this.#fields.get(symbol)?.get(field) ?? [])];
    rows.sort((a, b) => a.periodEnd - b.periodEnd || a.availableAt - b.availableAt);
    const ends = [...new Set(rows.map(({ periodEnd }) => periodEnd))];
    const first =
      periods >= 1 ? ends[Math.max(ends.length - Math.floor(periods), 0)]! : Number.POSITIVE_INFINITY;
    const newest = (row: number): boolean => rows[row + 1]?.periodEnd !== rows[row]!.periodEnd;
    return rows
      .filter(({ periodEnd }, row) => periodEnd >= first && (vintages || newest(row)))
      .map((row) => ({ ...row }));
  };

  /** What is known of each symbol, for processes that keep it too. */
  rows(): FundamentalRows[] {
    return [...this.#rows].map(([symbol, rows]) => ({
      symbol,
      length: rows.length,
      rowAt: (row) => rows[row]!,
    }));
  }
}
