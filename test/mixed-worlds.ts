import { createRandom, DAY, type Instant } from '../src/kernel/index.ts';
import {
  addInterval,
  type Bar,
  type BarSeries,
  type BarTimes,
  barSeries,
  type CorporateAction,
  type Interval,
  parseInterval,
} from '../src/market/index.ts';

/** Bars with the true start and end of each interval, which a `BarSeries` does not contain. */
interface TrueBars {
  readonly symbol: string;
  readonly bars: readonly (Bar & { readonly begins: Instant; readonly ends: Instant })[];
}

/**
 * Random test data with series of different intervals: traded symbols, exchange rates, finer bars of the
 * first symbol, and corporate actions.
 */
export interface MixedWorld {
  readonly barTimes: BarTimes;
  readonly symbols: readonly TrueBars[];
  readonly rates: TrueBars;
  readonly detail: TrueBars;
  readonly actions: readonly CorporateAction[];
  /** End of each bar of the clock. */
  readonly ends: readonly Instant[];
}

export const WORLD_BARS = 24;
const INTERVALS = ['15min', '1h', '4h', '1d', '1w', '1mo'] as const;
const RATE_INTERVALS = ['5min', '1h', '3h', '1d', '1w', '1mo', '3mo'] as const;
const START = Date.UTC(2023, 0, 2);

/** Returns random test data. The same seed returns the same data. */
export function mixedWorld(seed: number): MixedWorld {
  const random = createRandom(seed, 'mixed world');
  const pick = <Value>(values: readonly Value[]): Value => values[random.integer(0, values.length - 1)]!;
  const barTimes = pick(['start', 'end'] as const);
  const interval = parseInterval(pick(INTERVALS));
  const begins: Instant[] = [interval.months === undefined ? START : Date.UTC(2023, 0, 1)];
  while (begins.length <= WORLD_BARS) begins.push(addInterval(begins.at(-1)!, interval));
  const spans = begins.slice(0, -1).map((begin, bar) => ({ begins: begin, ends: begins[bar + 1]! }));
  const draw = priceDrawer(seed);
  const names = ['AAA', 'BBB', 'LATE'].slice(0, random.integer(1, 3));
  const symbols = names.map((symbol, index): TrueBars => {
    const first = symbol === 'LATE' ? 15 : 0;
    const own = spans.filter((_, bar) => bar >= first && (index === 0 || random.next() < 0.85));
    return { symbol, bars: own.map((span) => draw(symbol, span, barTimes)) };
  });
  const last = spans.at(-1)!.ends;
  const rateSpans = spansOf(parseInterval(pick(RATE_INTERVALS)), begins[0]! - 40 * DAY, last + 40 * DAY);
  const near = rateSpans.filter(
    ({ ends, begins: begin }) => ends > begins[0]! - 4 * DAY && begin < last + 4 * DAY,
  );
  const rates = {
    symbol: 'EURUSD',
    bars: near.slice(0, 20_000).map((span) => draw('EURUSD', span, barTimes)),
  };
  const detail = { symbol: 'AAA', bars: symbols[0]!.bars.flatMap((bar) => quarters(bar, barTimes)) };
  const actions = Array.from({ length: 4 }, (): CorporateAction => {
    const symbol = pick(names);
    const time = begins[0]! + Math.floor(random.next() * (last - begins[0]!));
    return random.next() < 0.6
      ? { symbol, time, kind: 'dividend', amount: String(1 + random.integer(0, 4)) }
      : { symbol, time, kind: 'split', to: '3', from: '2' };
  });
  return { barTimes, symbols, rates, detail, actions, ends: spans.map(({ ends }) => ends) };
}

function spansOf(interval: Interval, from: Instant, to: Instant): { begins: Instant; ends: Instant }[] {
  const spans: { begins: Instant; ends: Instant }[] = [];
  const date = new Date(from);
  let begin = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  while (begin < to) {
    const end = addInterval(begin, interval);
    spans.push({ begins: begin, ends: end });
    begin = end;
  }
  return spans;
}

type Span = { readonly begins: Instant; readonly ends: Instant };

function priceDrawer(seed: number) {
  const random = createRandom(seed, 'prices');
  const levels = new Map<string, number>();
  return (symbol: string, span: Span, barTimes: BarTimes) => {
    const before = levels.get(symbol) ?? (symbol === 'EURUSD' ? 1.1 : 100);
    const open = before * (1 + 0.01 * (random.next() - 0.5));
    const close = open * (1 + 0.04 * (random.next() - 0.5));
    levels.set(symbol, close);
    const high = Math.max(open, close) * (1 + 0.02 * random.next());
    const low = Math.min(open, close) * (1 - 0.02 * random.next());
    const time = barTimes === 'start' ? span.begins : span.ends;
    return { ...span, time, open, high, low, close, volume: 1_000 + random.integer(0, 9_000) };
  };
}

/**
 * Splits a bar into four finer bars: from the open to the high, to the middle of the range, to the low, and
 * to the close.
 */
function quarters(bar: TrueBars['bars'][number], barTimes: BarTimes): TrueBars['bars'] {
  const { open, high, low, close, begins, ends, volume } = bar;
  const points = [open, high, (high + low) / 2, low, close];
  return [0, 1, 2, 3].map((part) => {
    const [from, to] = [points[part]!, points[part + 1]!];
    const own = {
      begins: begins + ((ends - begins) * part) / 4,
      ends: begins + ((ends - begins) * (part + 1)) / 4,
    };
    return {
      ...own,
      time: barTimes === 'start' ? own.begins : own.ends,
      open: from,
      high: Math.max(from, to),
      low: Math.min(from, to),
      close: to,
      volume: volume / 4,
    };
  });
}

/**
 * Returns a copy in which everything is changed that is not known at the instant `known`. The times remain
 * the same.
 */
export function otherFuture(world: MixedWorld, known: Instant): MixedWorld {
  const change = (bars: TrueBars): TrueBars => ({
    symbol: bars.symbol,
    bars: bars.bars.map((bar) => {
      if (bar.ends <= known) return bar;
      const isOpen = bar.begins < known;
      // The open of a bar that has begun is known. Its other values are not.
      const open = isOpen ? bar.open : bar.open * 1.37;
      const close = bar.close * 1.53;
      const [high, low] = [Math.max(open, close, bar.high) * 1.6, Math.min(open, close, bar.low) * 0.6];
      return { ...bar, open, high, low, close, volume: bar.volume * 3 };
    }),
  });
  const symbols = world.symbols.map(change);
  const changed = new Map(symbols[0]!.bars.map((bar) => [bar.ends, bar]));
  const detail = world.symbols[0]!.bars.flatMap((bar) => quarters(changed.get(bar.ends)!, world.barTimes));
  return {
    ...world,
    symbols,
    rates: change(world.rates),
    detail: { symbol: 'AAA', bars: detail },
    actions: world.actions.flatMap((action): CorporateAction[] => {
      if (action.time < known) return [action];
      return action.kind === 'dividend' ? [{ ...action, amount: '9' }] : [];
    }),
  };
}

export function seriesOf({ symbol, bars }: TrueBars): BarSeries {
  return barSeries(symbol, bars);
}
