import { type Exact, formatInstant } from '../kernel/index.ts';
import type { BarSeries, Market } from '../market/index.ts';
import { AmountText } from './amount-text.ts';
import type { BarEvent, BarValues } from './events.ts';

/** Bars of a market that follow each other, as columns. */
export interface BarsInColumns {
  readonly times: Float64Array;
  readonly dates: readonly string[];
}

/** What the bars of all runs on one market have in common, each made once. */
export class BarSource {
  readonly market: Market;
  /** Cash is the same from bar to bar, between two trades. */
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
    // Filled from the front: an array with holes is slow.
    for (let next = this.#dates.length; next <= bar; next++)
      this.#dates.push(formatInstant(this.market.clock[next]!));
    return this.#dates[bar]!;
  }

  /** The bars from one to another, both included: the same object each time. */
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

/** A bar's end whose texts and prices are made when they are read: figures of a trial read few of them. */
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
    // Without a position they are one amount.
    return this.exactEquity === this.exactCash ? this.cash : this.exactEquity.toString();
  }

  get prices(): readonly (BarValues | null)[] {
    return this.source.pricesAt(this.bar);
  }

  /** The event as a journal has it. */
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

/** The market of bars that were made light, where they follow each other. */
export function sourceOfBars(bars: readonly BarEvent[]): BarSource | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!(first instanceof LightBar && last instanceof LightBar) || first.source !== last.source)
    return undefined;
  return last.bar - first.bar === bars.length - 1 ? first.source : undefined;
}

/** A bar's equity as the number nearest to its text. */
export function equityNumberOf(bar: BarEvent): number {
  return bar instanceof LightBar ? bar.exactEquity.toNumber() : Number(bar.equity);
}
