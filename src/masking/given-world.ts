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

/** All inputs of a run that contain names, dates or prices. */
export interface GivenWorld {
  readonly market: Market;
  readonly settings: RunSettings;
  /** Series that are only used as exchange rates. */
  readonly rates: readonly BarSeries[];
  readonly actions: readonly CorporateAction[];
  /** Tables of features. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals and the universe. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly detail?: DetailBars | undefined;
  readonly costs?: CustomCosts | undefined;
  /** Real times of the market's bars if a mask has moved them. Used for interest. */
  readonly interestClock?: Float64Array | undefined;
}
