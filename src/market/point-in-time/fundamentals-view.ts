import type { Instant } from '../../kernel/index.ts';

/** Visible figure. */
export interface KnownFundamental {
  /** Last day of the period of the figure. */
  readonly periodEnd: Instant;
  readonly availableAt: Instant;
  readonly value: number;
}

/** Visible figure with its symbol. */
export interface PublishedFundamental extends KnownFundamental {
  readonly symbol: string;
  readonly field: string;
}

/**
 * Returns the visible figures of one field of a symbol, oldest period first, with the newest vintage of each
 * period.
 *
 * @param periods number of newest periods. Default: 1
 * @param options `vintages`: includes every visible figure of these periods, also restated ones
 * @returns empty if no figure of the symbol and field is visible
 */
export type ReadFundamentals = (
  symbol: string,
  field: string,
  periods?: number,
  options?: { readonly vintages?: boolean },
) => readonly KnownFundamental[];

// Only the feed may append figures.
export let pushFundamental: (
  book: FundamentalBook,
  symbol: string,
  field: string,
  row: KnownFundamental,
) => void;

/** Fundamentals that have become visible. */
export class FundamentalBook {
  static {
    pushFundamental = (book, symbol, field, row) => book.#push(symbol, field, row);
  }

  /** In the order in which they became visible. */
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

  /** Fields of a symbol with visible figures, sorted by name. */
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

  /** Number of visible figures. */
  get length(): number {
    return this.#rows.length;
  }

  /** Figure by index, in the order in which they became visible. */
  rowAt(row: number): PublishedFundamental {
    return this.#rows[row]!;
  }
}
