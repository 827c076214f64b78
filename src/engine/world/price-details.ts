import type { BrokerSettings } from '../../broker/index.ts';
import { AppError, Exact, type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import type { BarSeries, Market, Window } from '../../market/index.ts';

/**
 * Returns the quoted spread of every symbol, one value per bar in money per unit, if slippage is configured
 * with columns.
 *
 * @returns `undefined` for other slippage
 * @throws AppError `missing_column`; `bad_data` with every row without a spread
 */
export function spreadColumns(market: Market, settings: BrokerSettings): readonly Float64Array[] | undefined {
  const { slippage } = settings;
  if (slippage?.model !== 'spread' || slippage.bps !== undefined) return undefined;
  const { column, bid, ask } = slippage;
  const faults: Fault[] = [];
  const columns = market.series.map((series) => {
    if (column !== undefined) return extraOf(series, column);
    return difference(extraOf(series, ask!), extraOf(series, bid!));
  });
  for (const [index, { symbol, time }] of market.series.entries()) {
    columns[index]!.forEach((value, bar) => {
      if (value >= 0 && value < Number.POSITIVE_INFINITY) return;
      faults.push({
        where: `${symbol} ${formatInstant(time[bar]!)}`,
        message: Number.isNaN(value) ? 'has no spread' : `the spread is ${value}`,
      });
    });
  }
  if (faults.length === 0) return columns;
  throw faultsError(
    'bad_data',
    'The spreads cannot be used',
    faults,
    'A spread must be 0 or more, and an ask must not be below its bid.',
  );
}

function extraOf({ symbol, extra }: BarSeries, name: string): Float64Array {
  const column = extra !== undefined && Object.hasOwn(extra, name) ? extra[name] : undefined;
  if (column !== undefined) return column;
  throw new AppError({
    code: 'missing_column',
    message: `The bars of ${symbol} have no column "${name}", which the slippage model needs.`,
    hint: 'Load them with extraColumns, or choose another slippage model.',
  });
}

// Returns ask − bid. Uses decimals, because 100.02 − 100.01 must be exactly 0.01.
function difference(ask: Float64Array, bid: Float64Array): Float64Array {
  return ask.map((value, bar) => {
    const other = bid[bar]!;
    if (!Number.isFinite(value) || !Number.isFinite(other)) return Number.NaN;
    return Exact.of(value).minus(Exact.of(other)).toNumber();
  });
}

/**
 * Number of bars that `averageTrueRange` uses, as a multiple of its `length`. Earlier bars would have a
 * weight below 2e-5 in the average.
 */
const MEMORY = 12;

/**
 * Returns the average true range with Wilder's smoothing, over the last `MEMORY` × `length` bars. Starts with
 * the mean of the first `length` ranges of these bars.
 *
 * @param length number of bars of the average; the result is NaN unless the window has more than `length`
 *   bars
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
export function averageTrueRange(window: Window, length: number): number {
  const bars = Math.min(window.length - 1, length * MEMORY);
  if (bars < length) return Number.NaN;
  const [high, low, close] = [window.high.tail(bars), window.low.tail(bars), window.close.tail(bars + 1)];
  let average = 0;
  for (let bar = 0; bar < bars; bar++) {
    const before = close[bar]!;
    const range = Math.max(high[bar]!, before) - Math.min(low[bar]!, before);
    if (bar < length) average += range / length;
    else average += (range - average) / length;
  }
  return average;
}

/**
 * Checks that the range from low to high of every bar contains a multiple of the tick. Otherwise, no order
 * could fill in the bar.
 *
 * @throws AppError `bad_data` with every such bar
 */
export function checkTickGrid(market: Market, settings: BrokerSettings): void {
  const end = market.clock.at(-1)!;
  const faults: Fault[] = market.series.flatMap(({ symbol, time, low, high }) => {
    const own = Object.hasOwn(settings.instruments, symbol) ? settings.instruments[symbol] : undefined;
    const tick = own?.tick ?? settings.tick;
    if (tick === undefined) return [];
    const exactTick = Exact.of(tick);
    return Array.from(time).flatMap((instant, bar): Fault[] => {
      // Bars after the end of the clock are not checked, because they are never processed.
      if (instant > end) return [];
      // A float64 product strictly between low and high proves that the range contains a multiple of the
      // tick. Otherwise exact decimals decide, because the product may be rounded.
      const below = Math.floor(high[bar]! / tick) * tick;
      if (below > low[bar]! && below < high[bar]!) return [];
      const exact = Exact.of(high[bar]!).dividedBy(exactTick).floor().times(exactTick);
      if (exact.compare(Exact.of(low[bar]!)) >= 0) return [];
      const message = `no price from ${low[bar]} to ${high[bar]} is a multiple of the tick of ${tick}`;
      return [{ where: `${symbol} ${formatInstant(instant)}`, message }];
    });
  });
  if (faults.length === 0) return;
  throw faultsError(
    'bad_data',
    'The tick does not fit the data',
    faults,
    'Use a tick that divides the prices, or none. Prices adjusted for splits and dividends have no tick.',
  );
}
