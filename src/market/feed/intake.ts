import type { Instant } from '../../kernel/index.ts';
import { addInterval, type BarTimes, type Interval } from '../bars/interval.ts';
import type { Market } from '../market.ts';
import type { BarNumbers, FeedMessage } from './message.ts';

/** Bars of all symbols at one instant. Symbols without a bar are omitted. */
export interface BarGroup {
  readonly time: Instant;
  readonly bars: ReadonlyMap<string, BarNumbers>;
  /** Time at which the last bar of the group was received, in milliseconds since 1970. */
  readonly receivedAt: number;
  /**
   * Numbers of ignored messages since the previous group. `duplicates` repeated a known bar. `unfinished`
   * contained a bar that had not ended.
   */
  readonly duplicates: number;
  readonly unfinished: number;
  /**
   * True if bars are probably missing before this group: the time since the previous group is longer than
   * any time between two bars of the history.
   */
  readonly afterGap: boolean;
}

/** Message of a feed whose bar the run does not use. */
export interface NotApplied {
  /**
   * Reason. `revised`: other values for a bar that was already used. `late`: a bar older than the newest used
   * bar. `refused`: an invalid bar.
   */
  readonly type: 'revised' | 'late' | 'refused';
  readonly symbol?: string | undefined;
  readonly time?: Instant;
  readonly values?: BarNumbers;
  readonly problem?: string;
}

interface IntakeTerms {
  /** Market to which the received bars are appended. */
  readonly market: Market;
  readonly barTimes: BarTimes;
  readonly interval: Interval;
  /**
   * Milliseconds to wait for the missing symbols of a group. If `undefined`, a group waits until two later
   * groups have begun.
   */
  readonly patience: number | undefined;
  readonly onNotApplied: (message: NotApplied) => void;
}

interface Waiting {
  readonly bars: Map<string, BarNumbers>;
  readonly since: number;
  receivedAt: number;
}

/** If `patience` is `undefined`, the oldest group is released when this number of groups is waiting. */
const MOST_WAITING = 3;

/**
 * Puts the bars of a feed in order. Removes repeated and unfinished bars, reports revised and late bars, and
 * releases the bars of one instant together as a group.
 */
export class Intake {
  readonly #terms: IntakeTerms;
  readonly #waiting = new Map<Instant, Waiting>();
  /** Groups that were released but not yet processed by the run. */
  readonly #released = new Map<Instant, ReadonlyMap<string, BarNumbers>>();
  /** Longest time between two bars of the history, in ms. A longer time before a new bar counts as a gap. */
  readonly #longestStep: number;
  #newest: Instant;
  #duplicates = 0;
  #unfinished = 0;

  constructor(terms: IntakeTerms) {
    this.#terms = terms;
    const { clock } = terms.market;
    let longest = terms.interval.milliseconds * 1.5;
    for (let bar = 1; bar < clock.length; bar++) longest = Math.max(longest, clock[bar]! - clock[bar - 1]!);
    this.#longestStep = longest;
    this.#newest = clock.at(-1)!;
  }

  /** Restores a group that an earlier process of the same run released. */
  restore(time: Instant, bars: ReadonlyMap<string, BarNumbers>): void {
    this.#newest = time;
    this.#released.set(time, bars);
  }

  /**
   * Adds the bar of a message to its group, or reports why the bar is not applied.
   *
   * @param now milliseconds since 1970 on the clock of the feed; `undefined` if every bar has ended
   */
  take(message: FeedMessage, now: number | undefined, receivedAt: number): void {
    const { market, barTimes, interval, onNotApplied } = this.#terms;
    const { time, values, final } = message;
    const symbol = message.symbol ?? (market.symbols.length === 1 ? market.symbols[0] : undefined);
    if (symbol === undefined || !market.symbols.includes(symbol)) {
      // The report contains no time and no values. The caller drops equal reports, so each unknown symbol is
      // reported once even if the feed sends all symbols of an exchange.
      const shown = symbol?.slice(0, LONGEST_SYMBOL);
      onNotApplied({ type: 'refused', symbol: shown, problem: `unknown symbol ${shown ?? '(none)'}` });
      return;
    }
    if (!isInstant(time, market.clock[0]!)) {
      onNotApplied({
        type: 'refused',
        symbol,
        values,
        problem: `${time} is not a time in milliseconds since 1970`,
      });
      return;
    }
    const end = barTimes === 'end' ? time : addInterval(time, interval);
    const problem =
      now !== undefined && end - now > Math.max(interval.milliseconds, LEAST_AHEAD)
        ? 'the bar ends in the future'
        : barProblem(values);
    if (problem !== undefined) {
      onNotApplied({ type: 'refused', symbol, time, values, problem });
      return;
    }
    if (final === false || (final === undefined && now !== undefined && now < end)) {
      this.#unfinished += 1;
      return;
    }
    const waitingBars = this.#waiting.get(time)?.bars ?? this.#released.get(time);
    const known = waitingBars?.get(symbol) ?? barAt(market, symbol, time);
    if (known !== undefined) {
      if (known.every((value, at) => value === values[at])) this.#duplicates += 1;
      else onNotApplied({ type: 'revised', symbol, time, values });
      return;
    }
    if (time <= this.#newest) {
      // Bars before the history are not reported, because feeds may start earlier.
      if (time >= market.clock[0]!) onNotApplied({ type: 'late', symbol, time, values });
      return;
    }
    const waiting = this.#waiting.get(time) ?? { bars: new Map(), since: receivedAt, receivedAt };
    waiting.bars.set(symbol, values);
    waiting.receivedAt = receivedAt;
    this.#waiting.set(time, waiting);
  }

  /**
   * Returns the oldest group if it is complete, has waited long enough, or `hasEnded` is true. A complete
   * group after a gap also waits, because bars of the gap may still arrive.
   *
   * @param receivedAt current time, in milliseconds since 1970
   * @param hasEnded true if the feed has ended, so that missing bars will not arrive
   */
  release(receivedAt: number, hasEnded = false): BarGroup | undefined {
    const time = this.#oldest();
    if (time === undefined) return undefined;
    const { bars, since, receivedAt: last } = this.#waiting.get(time)!;
    const { market, patience } = this.#terms;
    const afterGap = time - this.#newest > this.#longestStep;
    const isComplete = bars.size === market.symbols.length && !afterGap;
    const hasWaited =
      patience === undefined ? this.#waiting.size >= MOST_WAITING : receivedAt - since >= patience;
    if (!isComplete && !hasWaited && !hasEnded) return undefined;
    this.#waiting.delete(time);
    this.#newest = time;
    for (const earlier of this.#released.keys())
      if (earlier <= market.clock.at(-1)!) this.#released.delete(earlier);
    this.#released.set(time, bars);
    const [duplicates, unfinished] = [this.#duplicates, this.#unfinished];
    [this.#duplicates, this.#unfinished] = [0, 0];
    return { time, bars, receivedAt: last, duplicates, unfinished, afterGap };
  }

  /**
   * Time until the oldest group has waited long enough, in ms. `undefined` if no group waits or `patience` is
   * `undefined`.
   */
  waitsFor(receivedAt: number): number | undefined {
    const time = this.#oldest();
    const { patience } = this.#terms;
    if (time === undefined || patience === undefined) return undefined;
    return Math.max(0, this.#waiting.get(time)!.since + patience - receivedAt);
  }

  #oldest(): Instant | undefined {
    let oldest: Instant | undefined;
    for (const time of this.#waiting.keys()) if (oldest === undefined || time < oldest) oldest = time;
    return oldest;
  }
}

/** Longest symbol that is recorded, in characters. */
const LONGEST_SYMBOL = 40;
/**
 * Minimum tolerance for bars that end in the future, in ms. A bar is refused if it ends later than this, and
 * later than one bar length, after the current time.
 */
const LEAST_AHEAD = 60_000;
/** Largest time of a JavaScript date, in milliseconds. */
const LATEST = 8.64e15;
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/**
 * True if a number is a time in milliseconds since 1970. False for times in seconds: numbers that are before
 * the first bar if read as milliseconds, but not if read as seconds. Read as seconds, a time in milliseconds
 * is after the year 9999.
 */
function isInstant(time: number, first: Instant): boolean {
  const areSeconds = time > 0 && time < first && time * 1_000 >= first && time * 1_000 < YEAR_10000;
  return Number.isSafeInteger(time) && Math.abs(time) <= LATEST && !areSeconds;
}

function barProblem([open, high, low, close, volume]: BarNumbers): string | undefined {
  const isSound =
    low > 0 && low <= open && low <= close && high >= open && high >= close && high < Infinity && volume >= 0;
  return isSound ? undefined : 'not a valid bar: prices above 0, high and low around open and close';
}

function barAt({ series }: Market, symbol: string, time: Instant): BarNumbers | undefined {
  const own = series.find((one) => one.symbol === symbol);
  if (own === undefined) return undefined;
  let [from, to] = [0, own.time.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (own.time[middle]! < time) from = middle + 1;
    else to = middle;
  }
  if (own.time[from] !== time) return undefined;
  return [own.open[from]!, own.high[from]!, own.low[from]!, own.close[from]!, own.volume[from]!];
}
