import type { CustomCosts } from '../broker/index.ts';
import type { RunSettings } from '../engine/index.ts';
import type {
  BarSeries,
  CorporateAction,
  DetailBars,
  FeatureTable,
  Market,
  PointInTimeData,
} from '../market/index.ts';

/** Everything that a run is given and that names, dates or prices are in. */
export interface GivenWorld {
  readonly market: Market;
  readonly settings: RunSettings;
  /** Series that only give exchange rates. */
  readonly rates: readonly BarSeries[];
  readonly actions: readonly CorporateAction[];
  /** What could be known beside the bars. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals, and who could be traded when. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly detail?: DetailBars | undefined;
  readonly costs?: CustomCosts | undefined;
  /** When the market's bars really are, where a mask has moved them: interest runs by it. */
  readonly interestClock?: Float64Array | undefined;
}
