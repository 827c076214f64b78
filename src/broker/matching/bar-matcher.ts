import type { Instant } from '../../kernel/index.ts';
import type { Bar } from '../../market/index.ts';
import type { RestingOrder } from '../orders/order.ts';
import { type InsideBar, InsideMatcher, type InsideParts } from './inside.ts';
import type { Auctions, BarPrices } from './triggers.ts';

/**
 * Returns the finer bars of a symbol within the current bar, for example minute bars within a daily bar.
 * Oldest first. May be empty.
 */
export type DetailReader = (symbol: number) => readonly Bar[];

export interface BarMatcherParts extends InsideParts {
  readonly detail: DetailReader | undefined;
  readonly auctions: Auctions;
  /** Fills orders at the opens of the finer bars, of several symbols, that start at the same instant. */
  readonly reopen: (bars: readonly InsideBar[]) => void;
}

/**
 * Matches resting orders with the prices between the open and the close of a bar. Uses the high and low of
 * the bar, or the finer bars within the bar if they are available.
 */
export class BarMatcher {
  readonly inside: InsideMatcher;
  /**
   * Number of bars for which finer bars exist but do not reach the bar's high and low. These bars were
   * matched without the finer bars.
   */
  uncovered = 0;
  readonly #parts: BarMatcherParts;

  constructor(parts: BarMatcherParts) {
    this.#parts = parts;
    this.inside = new InsideMatcher(parts);
  }

  match(bar: number, time: Instant): void {
    if (this.#parts.detail === undefined) {
      // Skips matching if all orders are done.
      if (!this.#parts.book.orders.every(isDone))
        this.inside.match(
          Array.from(this.#symbols(), (symbol) => this.#wholeBar(symbol, bar)),
          bar,
          time,
        );
      return;
    }
    const whole: InsideBar[] = [];
    const finer = new Map<number, readonly Bar[]>();
    for (const symbol of this.#symbols()) {
      const bars = this.#finerBars(symbol);
      if (bars === undefined) whole.push(this.#wholeBar(symbol, bar));
      else finer.set(symbol, bars);
    }
    this.inside.match(whole, bar, time);
    if (finer.size > 0) this.#runFiner(finer, bar, time);
  }

  /** Returns the symbols that have unfinished orders and a bar, in the market's order. */
  #symbols(): Iterable<number> {
    const { book, prices } = this.#parts;
    const [first] = book.orders;
    if (first !== undefined && book.orders.every(({ symbol }) => symbol === first.symbol))
      return prices.trades[first.symbol] === 1 ? [first.symbol] : [];
    const symbols = new Set<number>();
    for (const { done, symbol } of book.orders) if (!done && prices.trades[symbol] === 1) symbols.add(symbol);
    return [...symbols].sort((a, b) => a - b);
  }

  /** Returns the finer bars that replace a bar. Finer bars without volume are ignored. */
  #finerBars(symbol: number): readonly Bar[] | undefined {
    const given = this.#parts.detail?.(symbol) ?? [];
    if (given.length === 0) return undefined;
    const bars = this.#coveringBars(given, symbol);
    if (bars === undefined) this.uncovered += 1;
    return bars;
  }

  #coveringBars(given: readonly Bar[], symbol: number): readonly Bar[] | undefined {
    const bars = given.filter(({ volume }) => volume > 0);
    return coversBar(bars, this.#parts.prices, symbol) ? bars : undefined;
  }

  /**
   * Returns the finer bars of symbols with a position but without orders. Their prices value these positions
   * while the orders of other symbols are matched.
   */
  #finerMarks(withFiner: ReadonlyMap<number, unknown>): Map<number, readonly Bar[]> {
    const { detail, ledger, prices, symbols } = this.#parts;
    const marks = new Map<number, readonly Bar[]>();
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      if (withFiner.has(symbol) || prices.trades[symbol] !== 1 || ledger.unitsAt(symbol) === 0) continue;
      const bars = this.#coveringBars(detail?.(symbol) ?? [], symbol);
      if (bars !== undefined) marks.set(symbol, bars);
    }
    return marks;
  }

  #wholeBar(symbol: number, bar: number): InsideBar {
    const { auctions, prices } = this.#parts;
    return {
      symbol,
      open: prices.open[symbol]!,
      high: prices.high[symbol]!,
      low: prices.low[symbol]!,
      close: prices.close[symbol]!,
      part: 'whole',
      isClosing: auctions.isClosing(symbol, bar),
      detailTime: undefined,
    };
  }

  /**
   * Processes the finer bars of all symbols in chronological order, then the orders for the close of the bar.
   */
  #runFiner(finer: ReadonlyMap<number, readonly Bar[]>, bar: number, time: Instant): void {
    const { auctions, ledger, reopen, prices } = this.#parts;
    const others = this.#finerMarks(finer);
    const markOthers = (until: Instant): void => {
      for (const [symbol, bars] of others) {
        const last = bars.findLast(({ time: began }) => began <= until);
        if (last !== undefined) ledger.mark(symbol, last.open);
      }
    };
    const instants = [...new Set([...finer.values()].flatMap((bars) => bars.map((one) => one.time)))];
    for (const instant of instants.sort((a, b) => a - b)) {
      markOthers(instant);
      const now: InsideBar[] = [];
      for (const [symbol, bars] of finer) {
        const one = bars.find((candidate) => candidate.time === instant);
        if (one === undefined) continue;
        ledger.mark(symbol, one.open);
        const { open, high, low, close } = one;
        now.push({ symbol, open, high, low, close, part: 'finer', isClosing: false, detailTime: instant });
      }
      reopen(now);
      this.inside.match(now, bar, time);
    }
    markOthers(Number.POSITIVE_INFINITY);
    const ends = [...finer.keys()].map((symbol): InsideBar => {
      const close = prices.close[symbol]!;
      return {
        symbol,
        open: close,
        high: close,
        low: close,
        close,
        part: 'end',
        isClosing: auctions.isClosing(symbol, bar),
        detailTime: undefined,
      };
    });
    this.inside.match(ends, bar, time);
  }
}

/** True if the finer bars reach the high and the low of their bar. */
function coversBar(bars: readonly Bar[], { high, low }: BarPrices, symbol: number): boolean {
  return bars.some((bar) => bar.high === high[symbol]) && bars.some((bar) => bar.low === low[symbol]);
}

const isDone = ({ done }: RestingOrder): boolean => done;
