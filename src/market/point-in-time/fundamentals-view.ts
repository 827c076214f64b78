import type { Instant } from '../../kernel/index.ts';

/** A figure that is known. */
export interface KnownFundamental {
  /** The last day of the period it is about. */
  readonly periodEnd: Instant;
  readonly availableAt: Instant;
  readonly value: number;
}

/** Whose figure it is, too. */
export interface PublishedFundamental extends KnownFundamental {
  readonly symbol: string;
  readonly field: string;
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

  /** In the order they became known. */
  readonly #rows: PublishedFundamental[] = [];
  readonly #fields = new Map<string, Map<string, KnownFundamental[]>>();

  #push(symbol: string, field: string, row: KnownFundamental): void {
    this.#rows.push({ symbol, field, ...row });
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

  /** How many figures are known. */
  get length(): number {
    return this.#rows.length;
  }

  /** One of them, in the order they became known. */
  rowAt(row: number): PublishedFundamental {
    return this.#rows[row]!;
  }
}
