import { DAY } from '../../kernel/index.ts';
import { BarBounds } from '../ended-bars.ts';
import type { BarTimes } from '../interval.ts';
import type { Market } from '../market.ts';
import { DatedRows } from './dated-rows.ts';
import { FundamentalBook, type PublishedFundamental, pushFundamental } from './fundamentals-view.ts';
import { type KnownDocument, Library, pushDocument } from './library.ts';
import type { GivenDocument, GivenFundamental, Membership, PointInTimeData } from './tables.ts';

/** Data that became visible at the end of a bar. */
export interface NewlyPublished {
  readonly documents: readonly KnownDocument[];
  readonly fundamentals: readonly PublishedFundamental[];
}

/** Symbols that entered the universe, and symbols that left it. */
export interface UniverseChange {
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

/**
 * Reveals documents, fundamentals and the universe along with the bars. Only this object contains the future
 * data.
 */
export class PointInTimeFeed {
  readonly documents = new Library();
  readonly fundamentals = new FundamentalBook();
  /** Kinds of data that exist. Without a universe every symbol is tradable. */
  readonly given: { readonly documents: boolean; readonly fundamentals: boolean; readonly universe: boolean };
  readonly #bounds: BarBounds;
  readonly #documents: DatedRows<GivenDocument>;
  readonly #fundamentals: DatedRows<GivenFundamental>;
  readonly #symbols: readonly string[];
  readonly #memberships: readonly (readonly Membership[])[];
  readonly #isMember: Uint8Array;
  readonly #clock: Float64Array;
  /**
   * True for bars shorter than a day: membership is checked at their start. The time of a daily bar is its
   * date.
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

  /** Processes the end of a bar. Returns the data that became visible. */
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
