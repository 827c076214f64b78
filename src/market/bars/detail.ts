import { type AppError, type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import type { Market } from '../market.ts';
import { intervalOf } from '../reading/one-interval.ts';
import type { Bar, BarSeries } from './bar-columns.ts';
import { addInterval, type BarTimes } from './interval.ts';

/**
 * Finer bars of a symbol (for example minutes of a daily series). Bar i of the symbol contains the finer bars
 * from index `first[i]` up to, but not including, `end[i]`.
 */
interface Cut {
  readonly series: BarSeries;
  readonly first: Int32Array;
  readonly end: Int32Array;
}

const NONE: readonly Bar[] = [];
const NO_MARKET: Market = { symbols: [], series: [], clock: new Float64Array() };

/**
 * Finer bars of some symbols of a market, for example minutes of daily bars. Each finer bar is assigned to
 * the market bar that contains it.
 */
export class DetailBars {
  #cuts: readonly (Cut | undefined)[];
  /** Descriptions of finer bars that are ignored because no bar of the market contains them. */
  readonly adjustments: readonly string[];

  /**
   * @param barTimes `start` or `end`: the instant of a market bar that its time gives. A finer bar is
   *   assigned to the market bar whose interval contains its time
   * @throws AppError `bad_detail` with every fault: a symbol that the market lacks, a symbol given twice, a
   *   finer bar outside the price range of its bar, or no finer bar inside a bar
   */
  constructor(market: Market, detail: readonly BarSeries[], barTimes: BarTimes = 'start') {
    const faults: Fault[] = [];
    const adjustments: string[] = [];
    const seen = new Set<string>();
    for (const { symbol } of detail) {
      if (!market.symbols.includes(symbol)) {
        const hint = `name it like one of ${market.symbols.slice(0, 20).join(', ')}`;
        faults.push({ where: symbol, message: 'has finer bars and no bars', hint });
      }
      if (seen.has(symbol)) faults.push({ where: symbol, message: 'was given finer bars twice' });
      seen.add(symbol);
    }
    this.#cuts = market.series.map((whole) => {
      const series = detail.find((one) => one.symbol === whole.symbol);
      if (series === undefined) return undefined;
      const cut = barTimes === 'start' ? cutByStart(whole, series) : cutByEnd(whole, series);
      checkInside(whole, cut, faults);
      const used = cut.end.reduce((sum, end, bar) => sum + end - cut.first[bar]!, 0);
      const unused = series.time.length - used;
      if (unused > 0)
        adjustments.push(`${unused} finer bars of ${whole.symbol} are outside its bars and are ignored`);
      if (used === 0) faults.push({ where: whole.symbol, message: 'no finer bar is inside one of its bars' });
      return cut;
    });
    if (faults.length > 0) throw badDetail(faults);
    this.adjustments = adjustments;
  }

  /**
   * Returns a copy with a change applied to the finer bars of every symbol. Each finer bar stays assigned to
   * its market bar, even if times change.
   *
   * @param change must preserve the number of bars
   * @param order previous indices of the market's symbols, if their order changes
   */
  seenThrough(
    change: (series: BarSeries) => BarSeries,
    order: readonly number[] = this.#cuts.map((_, symbol) => symbol),
  ): DetailBars {
    // The existing assignment is used. Masking shifts dates and can move a monthly bar to a month of another
    // length, so an assignment by the new times could differ.
    const seen = new DetailBars(NO_MARKET, []);
    seen.#cuts = order.map((symbol) => {
      const cut = this.#cuts[symbol];
      return cut === undefined ? undefined : { ...cut, series: change(cut.series) };
    });
    return seen;
  }

  /**
   * Returns copies of the finer bars of one bar, oldest first.
   *
   * @param symbol index into the market's symbols
   * @param bar index into that symbol's series
   */
  barsOf(symbol: number, bar: number): readonly Bar[] {
    const cut = this.#cuts[symbol];
    if (cut === undefined) return NONE;
    const { series, first, end } = cut;
    const bars: Bar[] = [];
    for (let index = first[bar]!; index < end[bar]!; index++) {
      bars.push({
        time: series.time[index]!,
        open: series.open[index]!,
        high: series.high[index]!,
        low: series.low[index]!,
        close: series.close[index]!,
        volume: series.volume[index]!,
      });
    }
    return bars;
  }
}

function badDetail(faults: readonly Fault[]): AppError {
  return faultsError(
    'bad_detail',
    'The finer bars cannot be used',
    faults,
    'Use bars and finer bars of one source, both adjusted or both unadjusted. If times are the ends of bars, add --bar-times end.',
  );
}

/**
 * Assigns finer bars if bars are stamped with their start. A bar then lasts one interval from its time, but
 * at most until the next bar.
 */
function cutByStart(whole: BarSeries, series: BarSeries): Cut {
  const { time } = whole;
  const lasts = intervalOf(whole);
  const first = new Int32Array(time.length);
  const end = new Int32Array(time.length);
  let position = 0;
  for (let bar = 0; bar < time.length; bar++) {
    // The interval of a single bar is unknown. A single bar needs no finer bars, because no order can fill
    // before a symbol's second bar.
    const own = lasts === undefined ? time[bar]! : addInterval(time[bar]!, lasts);
    const stop = Math.min(own, time[bar + 1] ?? Number.POSITIVE_INFINITY);
    while (position < series.time.length && series.time[position]! < time[bar]!) position++;
    first[bar] = position;
    while (position < series.time.length && series.time[position]! < stop) position++;
    end[bar] = position;
  }
  return { series, first, end };
}

/**
 * Assigns finer bars if bars are stamped with their end. A bar then begins at the time of the previous bar.
 * The start of the first bar is unknown, so it gets no finer bars.
 */
function cutByEnd({ time }: BarSeries, series: BarSeries): Cut {
  const first = new Int32Array(time.length);
  const end = new Int32Array(time.length);
  let position = 0;
  for (let bar = 0; bar < time.length; bar++) {
    first[bar] = position;
    while (position < series.time.length && series.time[position]! <= time[bar]!) position++;
    end[bar] = position;
    if (bar === 0) first[0] = position;
  }
  return { series, first, end };
}

function checkInside(whole: BarSeries, { series, first, end }: Cut, faults: Fault[]): void {
  for (let bar = 0; bar < whole.time.length; bar++) {
    const [low, high] = [whole.low[bar]!, whole.high[bar]!];
    for (let index = first[bar]!; index < end[bar]!; index++) {
      const where = `${whole.symbol} ${formatInstant(series.time[index]!)}`;
      const its = `of its bar ${formatInstant(whole.time[bar]!)}`;
      if (series.high[index]! > high)
        faults.push({ where, message: `high ${series.high[index]} is above ${high}, the high ${its}` });
      if (series.low[index]! < low)
        faults.push({ where, message: `low ${series.low[index]} is below ${low}, the low ${its}` });
    }
  }
}
