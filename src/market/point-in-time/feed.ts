import { DAY, type Instant } from '../../kernel/index.ts';
import { BarBounds } from '../bars/context.ts';
import type { BarTimes } from '../bars/interval.ts';
import { KnownAt } from '../features/feed.ts';
import type { Market } from '../market.ts';
import type { Stamp } from '../reading/stamps.ts';
import { type KnownDocument, Library, pushDocument } from './library.ts';
import type { GivenDocument, GivenFundamental, Membership, PointInTimeData } from './read-tables.ts';

/** Visible value of one field of a symbol's fundamentals for one period, for example its revenue. */
export interface KnownFundamental {
  /** Last day of the period of the figure. */
  readonly periodEnd: Instant;
  readonly availableAt: Instant;
  readonly value: number;
}

/** Visible value of one field of a symbol's fundamentals, with its symbol and field. */
export interface PublishedFundamental extends KnownFundamental {
  readonly symbol: string;
  readonly field: string;
}

/**
 * Returns the visible figures of one field of a symbol, oldest period first. For each period, returns the
 * newest vintage (published version).
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

// Not exported, so that only this file can append figures.
let pushFundamental: (book: FundamentalBook, symbol: string, field: string, row: KnownFundamental) => void;

/** Fundamentals (figures such as revenue) that have become visible. */
export class FundamentalBook {
  static {
    pushFundamental = (book, symbol, field, row) => book.#push(symbol, field, row);
  }

  /** Rows in the order in which they became visible. */
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

  /** Reads visible figures. Parameters and result are documented at `ReadFundamentals`. */
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

  /** Returns a figure by index, in the order in which figures became visible. */
  rowAt(row: number): PublishedFundamental {
    return this.#rows[row]!;
  }
}

/** Row with the time at which it becomes visible. */
interface DueRow<Row> {
  readonly row: Row;
  readonly availableAt: Instant;
}

const NOTHING: readonly never[] = [];

/**
 * Rows with publication times. Each row is returned once: at the end of the first bar that ends at or after
 * its publication time.
 */
export class DatedRows<Row extends { readonly known: Stamp }> {
  readonly #bounds: BarBounds;
  readonly #order: readonly DueRow<Row>[];
  #next = 0;

  constructor(rows: readonly Row[], market: Pick<Market, 'clock' | 'interval'>, barTimes: BarTimes) {
    this.#bounds = new BarBounds(market, barTimes);
    const knownAt = new KnownAt(market, this.#bounds, barTimes);
    const order = rows.map((row) => ({ row, availableAt: knownAt.ofStamp(row.known) }));
    // Rows with the same publication time stay in the order of their files.
    this.#order = order.sort((a, b) => a.availableAt - b.availableAt);
  }

  /** Returns the rows that became visible after the end of the previous bar and by the end of this bar. */
  endOf(bar: number): readonly DueRow<Row>[] {
    const end = this.#bounds.endOf(bar);
    const from = this.#next;
    while (this.#next < this.#order.length && this.#order[this.#next]!.availableAt <= end) this.#next += 1;
    return this.#next === from ? NOTHING : this.#order.slice(from, this.#next);
  }
}

/** Documents and fundamentals that became visible at the end of a bar. */
export interface NewlyPublished {
  readonly documents: readonly KnownDocument[];
  readonly fundamentals: readonly PublishedFundamental[];
}

/** Symbols that became tradable at a bar, and symbols that stopped being tradable at the same bar. */
export interface UniverseChange {
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

/**
 * Reveals documents, fundamentals and the universe (the tradable symbols) along with the bars. Only this
 * object contains the future data.
 */
export class PointInTimeFeed {
  readonly documents = new Library();
  readonly fundamentals = new FundamentalBook();
  /** Kinds of data that the run uses. Without a universe, every symbol is tradable. */
  readonly given: { readonly documents: boolean; readonly fundamentals: boolean; readonly universe: boolean };
  readonly #bounds: BarBounds;
  readonly #documents: DatedRows<GivenDocument>;
  readonly #fundamentals: DatedRows<GivenFundamental>;
  readonly #symbols: readonly string[];
  readonly #memberships: readonly (readonly Membership[])[];
  readonly #isMember: Uint8Array;
  readonly #clock: Float64Array;
  /**
   * True for bars shorter than a day. Membership in the universe is then checked at the start of the bar.
   * Longer bars are checked at their time, which is their date.
   */
  readonly #byStart: boolean;

  constructor(
    { documents, fundamentals, universe }: PointInTimeData,
    market: Pick<Market, 'clock' | 'interval' | 'symbols'>,
    barTimes: BarTimes,
  ) {
    this.#bounds = new BarBounds(market, barTimes);
    this.#documents = new DatedRows(documents, market, barTimes);
    this.#fundamentals = new DatedRows(
      fundamentals.filter(({ symbol }) => market.symbols.includes(symbol)),
      market,
      barTimes,
    );
    this.#symbols = market.symbols;
    this.#clock = market.clock;
    this.#byStart = market.interval !== undefined && market.interval.milliseconds < 0.8 * DAY;
    this.given = {
      documents: documents.length > 0,
      fundamentals: fundamentals.length > 0,
      universe: universe !== undefined,
    };
    const bySymbol = new Map<string, Membership[]>();
    for (const one of universe ?? []) bySymbol.set(one.symbol, [...(bySymbol.get(one.symbol) ?? []), one]);
    this.#memberships = market.symbols.map((symbol) => bySymbol.get(symbol) ?? []);
    this.#isMember = new Uint8Array(market.symbols.length).fill(universe === undefined ? 1 : 0);
  }

  /** Symbols that are tradable at the current bar. */
  universe(): readonly string[] {
    return this.#symbols.filter((_, symbol) => this.#isMember[symbol] === 1);
  }

  isMember(symbol: number): boolean {
    return this.#isMember[symbol] === 1;
  }

  /** Processes the start of a bar. Returns the symbols that entered and left the universe, if any. */
  startOf(bar: number): UniverseChange | undefined {
    if (!this.given.universe) return undefined;
    const time = this.#byStart ? this.#bounds.startOf(bar) : this.#clock[bar]!;
    const entered: string[] = [];
    const left: string[] = [];
    for (const [symbol, own] of this.#memberships.entries()) {
      const isIn = own.some(
        ({ from, until }) => (from === null || from <= time) && (until === null || time < until),
      );
      if (isIn === this.isMember(symbol)) continue;
      this.#isMember[symbol] = isIn ? 1 : 0;
      (isIn ? entered : left).push(this.#symbols[symbol]!);
    }
    return entered.length + left.length === 0 ? undefined : { entered, left };
  }

  /** Processes the end of a bar. Returns the data that became visible. `undefined` if no data did. */
  endOf(bar: number): NewlyPublished | undefined {
    const documents = this.#documents
      .endOf(bar)
      .map(({ row: { known: _, where: __, ...row }, availableAt }) => {
        const document = Object.freeze({ ...row, symbols: Object.freeze([...row.symbols]), availableAt });
        pushDocument(this.documents, document);
        return document;
      });
    const fundamentals = this.#fundamentals.endOf(bar).map(({ row, availableAt }) => {
      const { symbol, field, periodEnd, value } = row;
      pushFundamental(this.fundamentals, symbol, field, { periodEnd, availableAt, value });
      return { symbol, field, periodEnd, availableAt, value };
    });
    if (documents.length + fundamentals.length === 0) return undefined;
    return { documents, fundamentals };
  }
}
