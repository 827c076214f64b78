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

/** Text files that come to a run's own when they are known. */
export interface Arrivals {
  readonly files: readonly DatedFile[];
  /** Puts one among the run's files, and gives what the journal says of it. */
  take(file: DatedFile, availableAt: Instant, bar: number): DeciderEvent;
}

/** What a world may have beside its market and its settings. */
export interface WorldExtras {
  /** Finer bars of some symbols; only the matching inside a bar sees them. */
  readonly detail?: DetailBars | readonly BarSeries[] | undefined;
  readonly costs?: CustomCosts | undefined;
  /** In any order; those of symbols that are not in the market are left alone. */
  readonly actions?: readonly CorporateAction[];
  /** Series of exchange rates that are no symbols of the market. */
  readonly rates?: readonly BarSeries[];
  /** What could be known beside the bars; rows of symbols that are not in the market are left alone. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded, each of whose bars is shown when it has ended. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals, and who could be traded when. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly arrivals?: Arrivals | undefined;
  /** When the market's bars really are, where a mask has moved them: interest runs by it. */
  readonly interestClock?: Float64Array | undefined;
  /** Keeps events for the decider where nobody listens to them. */
  readonly readsEvents?: boolean | undefined;
}

/** Prices of a bar that has not begun, with room for each of `count` symbols. */
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

/** Puts a symbol's bar on the price board: from the series, for the columns of a window take longer to read. */
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
