import type { Ledger } from '../../broker/account/index.ts';
import { Exact, formatInstant } from '../../kernel/index.ts';
import type { BarSeries, Market } from '../../market/index.ts';
import type { BarValues } from '../events/events.ts';

/**
 * Caches the text of an amount that seldom changes. Without the cache, formatting the text would take as long
 * as creating the rest of a `bar` event.
 */
export class AmountText {
  #amount: Exact | undefined;
  #text = '';

  of(amount: Exact): string {
    if (amount !== this.#amount) {
      this.#amount = amount;
      this.#text = amount.toString();
    }
    return this.#text;
  }
}

/**
 * Maximum number of bars whose date texts are cached. The texts of longer runs would need more memory than
 * the bars.
 */
const MOST_DATES = 50_000;

/** Data of a market's bars that all runs on the market share. Created once per market. */
export class BarSource {
  readonly market: Market;
  /** Cash rarely changes from bar to bar, so its text is cached. */
  readonly cashText = new AmountText();
  readonly #dates: string[] = [];
  readonly #parts = new Map<string, Float64Array>();

  private constructor(market: Market) {
    this.market = market;
  }

  static of(market: Market): BarSource {
    let source = sources.get(market);
    if (source === undefined) {
      source = new BarSource(market);
      sources.set(market, source);
    }
    return source;
  }

  dateOf(bar: number): string {
    if (bar >= MOST_DATES) return formatInstant(this.market.clock[bar]!);
    // Fills the array without gaps from its start, because arrays with holes are slow.
    for (let next = this.#dates.length; next <= bar; next++)
      this.#dates.push(formatInstant(this.market.clock[next]!));
    return this.#dates[bar]!;
  }

  /**
   * Returns the times of the bars from `first` to `last`, both included. Always the same object for the same
   * range.
   */
  times(first: number, last: number): Float64Array {
    const key = `${first} ${last}`;
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = this.market.clock.slice(first, last + 1);
      if (this.#parts.size >= KEPT_PARTS) this.#parts.delete(this.#parts.keys().next().value!);
      this.#parts.set(key, part);
    }
    return part;
  }

  pricesAt(bar: number): (BarValues | null)[] {
    return this.market.series.map((series, symbol) => {
      const row = this.rowOf(bar, symbol);
      if (row === undefined) return null;
      const { open, high, low, close, volume } = series;
      return [open[row]!, high[row]!, low[row]!, close[row]!, volume[row]! + 0];
    });
  }

  /** Returns the row of a symbol's series at a bar of the market. `undefined` if the symbol has no bar then. */
  rowOf(bar: number, symbol: number): number | undefined {
    const time = this.market.clock[bar]!;
    const series = this.market.series[symbol]!;
    return series.time[bar] === time ? bar : rowOf(series, time);
  }
}

const KEPT_PARTS = 16;
const sources = new WeakMap<Market, BarSource>();

function rowOf({ time }: BarSeries, instant: number): number | undefined {
  let [from, to] = [0, time.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (time[middle]! < instant) from = middle + 1;
    else to = middle;
  }
  return time[from] === instant ? from : undefined;
}

const POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Value in a column of exposures for a bar whose equity is not positive. */
export const NO_EXPOSURE = -1;
/**
 * Special values in the column of scales. `AS_CASH`: equity equals cash. `LARGE`: equity has too many digits
 * for the columns and is stored in `#large`.
 */
const [AS_CASH, LARGE] = [-1, -2];

/** Cash, equity and exposure of the bars of a run, as columns. */
export class BarAmounts {
  readonly source: BarSource;
  // Different amounts of cash, and the bar from which each amount applies. Cash seldom changes, so there are
  // few entries.
  readonly #cash: Exact[] = [];
  readonly #cashFrom: number[] = [];
  // Equity is mantissa / 10^scale.
  #mantissas: Float64Array;
  #scales: Int8Array;
  readonly #large = new Map<number, Exact>();
  /** True if any bar has the field `ambiguity` or `bounds` (see `BarEvent`). */
  isDoubtful = false;
  /** Gross exposure / equity. `NO_EXPOSURE` if equity is not positive. */
  exposures: Float64Array;

  constructor(source: BarSource) {
    const { length } = source.market.clock;
    this.source = source;
    this.#mantissas = new Float64Array(length);
    this.#scales = new Int8Array(length);
    this.exposures = new Float64Array(length);
  }

  /** Stores the account at the end of a bar. Bars come in order, from 0 on. */
  take(bar: number, account: Ledger): void {
    if (bar === this.#scales.length) this.#makeRoom();
    const cash = account.exactCash;
    this.#takeCash(bar, cash);
    if (account.isFlat) {
      this.#scales[bar] = AS_CASH;
      this.exposures[bar] = cash.isPositive() ? 0 : NO_EXPOSURE;
      return;
    }
    const sum = account.equitySum;
    if (!sum.fits) {
      const equity = account.exactEquity;
      this.#scales[bar] = LARGE;
      this.#large.set(bar, equity);
      this.exposures[bar] = equity.isPositive()
        ? account.grossExposureNumber / equity.toNumber()
        : NO_EXPOSURE;
      return;
    }
    this.#mantissas[bar] = sum.mantissa;
    this.#scales[bar] = sum.scale;
    this.exposures[bar] =
      sum.mantissa > 0 ? account.grossExposureNumber / this.equityNumber(bar) : NO_EXPOSURE;
  }

  /**
   * Stores the amounts of a bar that was read from a journal. Bars must be added in order, from 0 on.
   *
   * @param equity `mantissa` / 10^`scale`
   * @param exposure gross exposure / equity, or `NO_EXPOSURE`
   */
  add(
    bar: number,
    cash: Exact,
    { mantissa, scale }: { readonly mantissa: number; readonly scale: number },
    exposure: number,
  ): void {
    if (bar === this.#scales.length) this.#makeRoom();
    this.#takeCash(bar, cash);
    this.exposures[bar] = exposure;
    this.#mantissas[bar] = mantissa;
    this.#scales[bar] = cash.mantissa === mantissa && cash.scale === scale ? AS_CASH : scale;
  }

  #takeCash(bar: number, cash: Exact): void {
    if (cash === this.#cash[this.#cash.length - 1]) return;
    this.#cash.push(cash);
    this.#cashFrom.push(bar);
  }

  /** Enlarges the columns. Only needed for a market that receives its bars during the run. */
  #makeRoom(): void {
    const room = Math.max(16, 2 * this.#scales.length);
    const longer = (column: Float64Array): Float64Array => {
      const copy = new Float64Array(room);
      copy.set(column);
      return copy;
    };
    this.#mantissas = longer(this.#mantissas);
    this.exposures = longer(this.exposures);
    const scales = new Int8Array(room);
    scales.set(this.#scales);
    this.#scales = scales;
  }

  cash(bar: number): Exact {
    const from = this.#cashFrom;
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (from[middle]! <= bar) low = middle;
      else high = middle - 1;
    }
    return this.#cash[low]!;
  }

  equity(bar: number): Exact {
    const scale = this.#scales[bar]!;
    if (scale === AS_CASH) return this.cash(bar);
    return scale === LARGE ? this.#large.get(bar)! : Exact.ofScaled(this.#mantissas[bar]!, scale);
  }

  /** Returns the float64 nearest to a bar's equity. */
  equityNumber(bar: number): number {
    const scale = this.#scales[bar]!;
    // A quotient of safe integers is correctly rounded, and powers of ten up to 10^22 are exact.
    return scale < 0 ? this.equity(bar).toNumber() : this.#mantissas[bar]! / POWERS[scale]!;
  }

  /** Returns the equity from bar `first` to bar `last`, both included, as float64. */
  equityNumbers(first: number, last: number): Float64Array {
    const equity = new Float64Array(last - first + 1);
    for (let bar = first; bar <= last; bar++) equity[bar - first] = this.equityNumber(bar);
    return equity;
  }
}

/**
 * Returns empty columns for a market whose bars are still being read from a journal. The columns access the
 * bars of the market only after reading has ended.
 */
export function lightAmounts(market: Market): BarAmounts {
  return new BarAmounts(BarSource.of(market));
}
