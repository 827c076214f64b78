import type { BarPrices, CustomCosts } from '../broker/index.ts';
import type { Instant } from '../kernel/index.ts';
import type {
  BarSeries,
  CorporateAction,
  DatedFile,
  DetailBars,
  FeatureTable,
  PointInTimeData,
} from '../market/index.ts';
import type { DeciderEvent } from './events.ts';

/** Text files that become visible during a run. */
export interface Arrivals {
  readonly files: readonly DatedFile[];
  /** Adds a file to the files of the run. Returns the event for the journal. */
  take(file: DatedFile, availableAt: Instant, bar: number): DeciderEvent;
}

/** Inputs of a world in addition to its market and settings. */
export interface WorldExtras {
  /** Finer bars of some symbols. Only used for matching within a bar. */
  readonly detail?: DetailBars | readonly BarSeries[] | undefined;
  readonly costs?: CustomCosts | undefined;
  /** In any order. Actions of symbols that are not in the market are ignored. */
  readonly actions?: readonly CorporateAction[];
  /** Series of exchange rates that are not symbols of the market. */
  readonly rates?: readonly BarSeries[];
  /** Tables of features. Rows of symbols that are not in the market are ignored. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded. Each bar becomes visible when it has ended. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals and universe. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly arrivals?: Arrivals | undefined;
  /** Real times of the market's bars if a mask has moved them. Used for interest. */
  readonly interestClock?: Float64Array | undefined;
  /** If true, events are collected for the decider even without a listener. */
  readonly readsEvents?: boolean | undefined;
}

/** Returns the prices of a bar that has not begun, for `count` symbols. */
export function emptyPrices(count: number, hasSpreads: boolean): BarPrices {
  const unknown = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  return {
    trades: new Uint8Array(count),
    open: unknown(),
    high: unknown(),
    low: unknown(),
    close: unknown(),
    volume: new Float64Array(count),
    ...(hasSpreads ? { spread: new Float64Array(count) } : {}),
  };
}

/**
 * Copies the prices of a symbol's bar. Reads the series, because reading the columns of a window is slower.
 */
export function takePrices(
  prices: BarPrices,
  symbol: number,
  { open, high, low, close, volume }: BarSeries,
  row: number,
): void {
  prices.open[symbol] = open[row]!;
  prices.high[symbol] = high[row]!;
  prices.low[symbol] = low[row]!;
  prices.close[symbol] = close[row]!;
  prices.volume[symbol] = volume[row]!;
  prices.trades[symbol] = volume[row]! > 0 ? 1 : 0;
}
