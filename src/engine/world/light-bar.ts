import { AppError, DAY, type Exact, formatInstant } from '../../kernel/index.ts';
import { type BarSeries, type Column, type Market, monthOf, type Window } from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import type { BarEvent, BarValues } from '../events/events.ts';

/**
 * Caches the text of an amount that seldom changes. Formatting it takes as long as the rest of a bar's event.
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

/** Consecutive bars of a market, as columns. */
interface BarsInColumns {
  readonly times: Float64Array;
  readonly dates: readonly string[];
}

/** Data that bars of all runs on one market share, created only once. */
export class BarSource {
  readonly market: Market;
  /** Cash rarely changes from bar to bar, so its text is cached. */
  readonly cashText = new AmountText();
  readonly #dates: string[] = [];
  readonly #parts = new Map<string, BarsInColumns>();

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
    // Filled from the start, because arrays with holes are slow.
    for (let next = this.#dates.length; next <= bar; next++)
      this.#dates.push(formatInstant(this.market.clock[next]!));
    return this.#dates[bar]!;
  }

  /** Returns the bars from `first` to `last`, both included. Always the same object for the same range. */
  part(first: number, last: number): BarsInColumns {
    const key = `${first} ${last}`;
    let part = this.#parts.get(key);
    if (part === undefined) {
      this.dateOf(last);
      const [from, to] = [first, last + 1];
      part = { times: this.market.clock.slice(from, to), dates: this.#dates.slice(from, to) };
      if (this.#parts.size >= KEPT_PARTS) this.#parts.delete(this.#parts.keys().next().value!);
      this.#parts.set(key, part);
    }
    return part;
  }

  pricesAt(bar: number): (BarValues | null)[] {
    const time = this.market.clock[bar]!;
    return this.market.series.map((series) => {
      const row = series.time[bar] === time ? bar : rowOf(series, time);
      if (row === undefined) return null;
      const { open, high, low, close, volume } = series;
      return [open[row]!, high[row]!, low[row]!, close[row]!, volume[row]! + 0];
    });
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

/**
 * Bar event whose texts and prices are created when they are read. Figures of a trial read only few of them.
 */
export class LightBar implements BarEvent {
  readonly type = 'bar';
  readonly bar: number;
  readonly exposure: number | null;
  readonly source: BarSource;
  declare readonly ambiguity?: NonNullable<BarEvent['ambiguity']>;
  declare readonly bounds?: NonNullable<BarEvent['bounds']>;
  readonly exactCash: Exact;
  readonly exactEquity: Exact;

  constructor(source: BarSource, bar: number, exposure: number | null, cash: Exact, equity: Exact) {
    this.source = source;
    this.bar = bar;
    this.exposure = exposure;
    this.exactCash = cash;
    this.exactEquity = equity;
  }

  get date(): string {
    return this.source.dateOf(this.bar);
  }

  get cash(): string {
    return this.source.cashText.of(this.exactCash);
  }

  get equity(): string {
    // Without a position, equity and cash are the same object.
    return this.exactEquity === this.exactCash ? this.cash : this.exactEquity.toString();
  }

  get prices(): readonly (BarValues | null)[] {
    return this.source.pricesAt(this.bar);
  }

  /** Returns the event in the format of the journal. */
  toJSON(): BarEvent {
    const { type, bar, date, cash, equity, exposure, ambiguity, bounds, prices } = this;
    return {
      type,
      bar,
      date,
      cash,
      equity,
      exposure,
      ...(ambiguity === undefined ? {} : { ambiguity }),
      ...(bounds === undefined ? {} : { bounds }),
      prices,
    };
  }
}

/** Returns the source of consecutive light bars. `undefined` for other bars. */
export function sourceOfBars(bars: readonly BarEvent[]): BarSource | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!(first instanceof LightBar && last instanceof LightBar) || first.source !== last.source)
    return undefined;
  return last.bar - first.bar === bars.length - 1 ? first.source : undefined;
}

/** Returns a bar's equity as the float64 nearest to its text. */
export function equityNumberOf(bar: BarEvent): number {
  return bar instanceof LightBar ? bar.exactEquity.toNumber() : Number(bar.equity);
}

/** Column, indicator or constant level. */
export type Level = number | Pick<Column, 'last' | 'at'>;

/** Returns true if `first` is above `second` now and was not at the bar before. `NaN` never crosses. */
export function crossedAbove(first: Level, second: Level): boolean {
  return newest(first) > newest(second) && before(first) <= before(second);
}

/** Returns true if `first` is below `second` now and was not at the bar before. `NaN` never crosses. */
export function crossedBelow(first: Level, second: Level): boolean {
  return newest(first) < newest(second) && before(first) >= before(second);
}

function newest(level: Level): number {
  return typeof level === 'number' ? level : level.last;
}

function before(level: Level): number {
  return typeof level === 'number' ? level : level.at(-2);
}

/**
 * Returns true if a symbol has its first bar of a month at the current time. Months are those of sessions if the run has
 * any, otherwise of UTC. The first bar of the data counts.
 *
 * @throws AppError `lookback_too_short`
 */
export function isFirstBarOfMonth(window: Window): boolean {
  return beginsGroup(window, (day) => monthOf(day * DAY));
}

/**
 * Returns true if a symbol has its first bar of a session at the current time: of a day in UTC if the run has no
 * sessions. The first bar of the data counts.
 *
 * @throws AppError `lookback_too_short`
 */
export function isFirstBarOfSession(window: Window): boolean {
  return beginsGroup(window, (day) => day);
}

function beginsGroup(window: Window, groupOf: (day: number) => number): boolean {
  const { time, length, revealed, isStale, sessions } = window;
  if (isStale || length === 0) return false;
  if (revealed === 1) return true;
  if (length < 2)
    throw new AppError({
      code: 'lookback_too_short',
      message: 'The first bar of a month or session needs two bars. The look-back of this run is 1.',
      hint: 'Set the look-back (--lookback) to 2 or more.',
      kind: 'run',
    });
  const groupAt = (index: number): number => {
    const instant = time.at(index);
    return groupOf(sessions === undefined ? Math.floor(instant / DAY) : sessions.of(instant).day);
  };
  return groupAt(-1) !== groupAt(-2);
}

/**
 * Returns the number of bars, on the market's clock, since the fill that opened a position or changed its side. 0 on the bar
 * of this fill, `NaN` when flat.
 *
 * @param symbol default: the first symbol
 */
export function barsSinceEntry(
  { bar, account, symbols }: Pick<BarContext, 'bar' | 'account' | 'symbols'>,
  symbol = symbols[0]!,
): number {
  return bar - (account.position(symbol).entryBar ?? Number.NaN);
}
